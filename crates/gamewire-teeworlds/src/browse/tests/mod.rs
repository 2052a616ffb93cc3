//! Scenarios of a browser and servers.

mod answers;
mod asking;
mod bytes;
mod contract;
mod hostile;
mod support;
