//! The drivers for programs without an async runtime.

mod driver;
mod host;
mod poller;
mod sockets;
mod stream_driver;

pub use driver::Driver;
pub use host::Host;
pub(crate) use sockets::StdStream;
pub use stream_driver::StreamDriver;
