//! Conversations: which datagrams belong together, who takes part, who follows them.

mod circumstances;
mod held;
mod inspector;
mod key;
mod queue;
mod sight;
mod sighting;
mod table;
mod talks;

pub use circumstances::{Circumstances, Origin, StreamPlace, StreamSighting};
pub use inspector::Inspector;
pub use sight::{Counter, Sight};
pub use sighting::{Role, Sighting};
pub use table::Limits;
