//! Freeciv: a session that decodes packets from one connection and encodes them for the other, each with separate
//! baselines and compression.

mod answers;
mod direction;
mod negotiation;
mod rule_messages;
mod session;

pub use rule_messages::FreecivMessages;
pub use session::{FreecivConfig, FreecivSession};
