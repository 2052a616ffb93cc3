//! The drivers for programs on tokio.

mod driver;
mod host;
mod sockets;
mod stream_driver;

pub use driver::Driver;
pub use host::Host;
pub use stream_driver::StreamDriver;
