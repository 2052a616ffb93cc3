//! Sessions: both roles of a connection, as machines without I/O.
//!
//! * [`client::Client`] joins a server, answers automatically what must be answered, and lends the application every
//!   packet in order.
//! * [`server::Server`] accepts clients, processes their requests one after the other, and sends the answer to each
//!   request together.
//! * [`codec`] decodes and encodes the packets of both, by any [`codec::Definition`].
//!
//! Both negotiate [`Capabilities`], number requests with [`RequestId`]s and keep the timeouts of the real programs.

mod capability;
pub mod client;
pub mod codec;
mod inflate_limiter;
mod name;
mod packet_queue;
mod request;
mod role;
pub mod server;

pub use capability::{Capabilities, CapabilityError, MissingCapability};
pub use name::{NameError, check_name, same_name};
pub use request::RequestId;
pub use role::PlayerRole;
