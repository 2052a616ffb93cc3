//! One connection of either version without I/O: reliable and notify messages, acknowledgements,
//! resends, heartbeats, timeouts and the rules of quality.
//!
//! A [`Connection`] is fed numbers that somebody else has read, and gives numbers for somebody
//! else to write. It knows no address, no id of a client and no header: who owns it hands it
//! every packet's fields, sends what [`Connection::poll_send`] and
//! [`Connection::handle_timeout`] give, and then drains [`Connection::poll_event`].
//!
//! Where a version or a release loses messages by a fault of its own, this link does not; each
//! difference says "The original" where it is made.

mod config;
mod connection;
mod deadline;
mod due;
mod event;
mod gap;
mod handle;
mod metrics;
mod notify;
mod pace;
mod packets;
mod ping;
mod quality;
mod received;
mod rolling;
mod sent;
mod settings;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;
mod timer;

pub use config::{LinkConfig, OnSendExhausted};
pub use connection::{ConnectionState, Link};
pub use due::Transmission;
pub use event::{CloseCause, Event, QualityFailure, SendError};
pub use handle::{Acknowledgement, NotifyIds, ReceiveOutcome};
pub use metrics::Metrics;
pub use rolling::{NotifyWindow, RollingSends};
pub use settings::ConnectionSettings;
pub use timer::TickAction;
