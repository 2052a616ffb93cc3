//! Freeciv: packets decoded from one connection and encoded for another, each with its own baselines and compression.

mod answers;
mod direction;
mod negotiation;
mod rule_messages;
mod session;

pub use rule_messages::FreecivMessages;
pub use session::{FreecivConfig, FreecivSession};
