//! Sessions: both roles of a connection, as machines without I/O.
//!
//! * [`client::Client`] joins a server, sends the replies that the protocol requires, and passes every packet to the
//!   application in order.
//! * [`server::Server`] accepts clients, processes their requests one at a time, and sends all packets of the answer to
//!   a request together.
//! * [`codec`] decodes and encodes the packets of both roles, for any [`codec::Definition`].
//!
//! Both negotiate [`Capabilities`], number requests with [`RequestId`]s, and use the timeouts of the real programs.

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
