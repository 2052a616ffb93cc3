//! Conversations: which datagrams belong together, who takes part, who follows them.

mod inspector;
mod key;
mod sighting;
mod table;

pub use inspector::{Counter, Inspector, Sight};
pub use sighting::{Role, Sighting};
pub use table::Limits;
