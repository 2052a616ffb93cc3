//! Freeciv: a bridge that decodes packets from one connection and encodes them for the other, each with separate
//! baselines and compression.

mod answers;
mod bridge;
mod direction;
mod negotiation;
mod rule_messages;

pub use bridge::{FreecivBridge, FreecivConfig};
pub use rule_messages::FreecivMessages;
