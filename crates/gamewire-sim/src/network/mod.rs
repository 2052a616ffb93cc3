//! Datagram machines by address, in virtual time.

mod node;
mod run;
mod simulated;
mod slot;

pub use node::NodeId;
pub use simulated::Network;
