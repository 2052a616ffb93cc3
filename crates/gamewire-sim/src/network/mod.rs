//! Datagram machines by address, in virtual time.

mod host;
mod node;
mod run;
mod simulated;
mod stuck;

pub use node::NodeId;
pub use simulated::Network;
pub use stuck::Livelock;
