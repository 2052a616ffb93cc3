//! The state of one connection of either format: reliable and notify messages, acks, retransmissions, heartbeats,
//! timeouts and quality limits.
//!
//! A [`Link`] works on decoded fields: it knows no address, no client id and no header. Its owner passes the fields of
//! each packet, sends what [`Link::poll_send`] and [`Link::handle_timeout`] return, and then drains
//! [`Link::poll_event`].
//!
//! Comments mark the places where a bug of a C# library release loses messages, and this link does not.

mod config;
mod event;
#[allow(clippy::module_inception, reason = "the folder is named after what it holds")]
mod link;
mod metrics;
mod notify;
mod quality;
mod receive;
mod receive_window;
mod rtt;
mod send;
mod send_buffer;
mod send_window;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;
mod timer;

pub use config::{ConnectionSettings, LinkConfig, OnSendExhausted};
pub(crate) use event::{CloseCause, Event};
pub use event::{ConnectionLimit, DeliveryOutcome, ExceededLimit};
pub use link::ConnectionState;
pub(crate) use link::Link;
pub use metrics::Metrics;
pub use quality::{NotifyWindow, RollingSends};
pub(crate) use receive::ReceiveOutcome;
pub(crate) use timer::TickAction;
