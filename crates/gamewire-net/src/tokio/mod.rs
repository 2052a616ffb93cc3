//! The driver for programs on tokio.

mod driver;
mod sockets;

pub use driver::Driver;
