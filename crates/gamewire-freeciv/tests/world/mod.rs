//! The world of recorded games, and the bytes of orders.

mod combat;
mod endings;
mod hostile;
mod kept;
mod legal_actions;
mod orders;
mod phases;
mod recorded;
pub(crate) mod replay;
#[cfg(feature = "serde")]
mod serialized;
mod taken_in;
