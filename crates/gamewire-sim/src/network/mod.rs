//! Datagram machines by address, in virtual time.

mod livelock;
mod node;
mod run;
mod simulated;
mod slot;

pub use livelock::Livelock;
pub use node::NodeId;
pub use simulated::Network;
