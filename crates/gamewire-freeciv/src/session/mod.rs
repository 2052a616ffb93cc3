//! Sessions: a client's and a server's side of a connection, as machines without I/O.
//!
//! * [`client::Client`] joins a server, answers what must be answered by itself, and lends the
//!   application every packet in the order in which it came.
//! * [`server::Server`] lets clients in, takes their requests one after the other, and keeps what
//!   was answered to each of them together.
//! * [`codec`] is what both read and write packets with, by any [`codec::Definition`].
//!
//! Both negotiate [`Capabilities`], number requests with [`RequestId`]s and keep the deadlines of
//! the real programs.

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
pub use name::{NameFault, check_name, same_name};
pub use request::RequestId;
pub use role::PlayerRole;
