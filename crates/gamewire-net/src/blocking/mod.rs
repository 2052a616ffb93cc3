//! The driver for programs without an async runtime.

mod driver;
mod poller;
mod sockets;

pub use driver::Driver;
