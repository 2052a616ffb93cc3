//! Scenarios of servers asked what they are.

mod answers;
mod asking;
mod bytes;
mod hostile;
mod support;
