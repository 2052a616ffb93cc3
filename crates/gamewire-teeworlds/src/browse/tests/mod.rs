//! Scenarios of servers asked what they are.

mod answers;
mod asking;
mod bytes;
mod contract;
mod hostile;
mod support;
