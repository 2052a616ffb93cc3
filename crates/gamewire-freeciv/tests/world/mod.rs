//! The world of recorded games, and the bytes of orders.

mod endings;
mod hostile;
mod legal_actions;
mod opponent;
mod orders;
mod recorded;
pub(crate) mod replay;
#[cfg(feature = "serde")]
mod serialized;
mod taken_in;
