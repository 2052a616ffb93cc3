//! The sockets of a proxy, with one bridge per client and bounded queues.

mod client;
mod clients;
mod closing;
mod config;
mod control;
mod datagrams;
mod link;
mod new_clients;
mod outbox;
mod ready;
#[allow(clippy::module_inception, reason = "the struct of the folder's name")]
mod relay;
mod sockets;
mod stats;
mod stream;
mod streams;

pub use config::{BridgeFactory, Limits, NewClient, RelayConfig, Timeouts};
pub use control::{Control, ControlError};
pub use relay::{OpenError, OpenedRelay, Relay};
pub use stats::RelayStats;
