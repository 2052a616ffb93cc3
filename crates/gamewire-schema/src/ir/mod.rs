//! A protocol after checking. Aliases and constants are resolved, and counts refer to their fields.
//!
//! The compiler guarantees these invariants. A protocol built by hand must keep them:
//!
//! * numbers and names of packets are unique, and names of fields are unique in their packet;
//! * a [`Count::Field`] points to an earlier scalar field of an integer type;
//! * [`Field::structure`] is set if the wire type is [`WireType::Structure`], and only then;
//! * array-diff is only set on fields with one dimension, in packets with the delta protocol;
//! * [`Packet::capabilities`] contains each capability that the fields name once, and at most
//!   [`MAX_CAPABILITIES`](Packet::MAX_CAPABILITIES) capabilities.

mod field;
mod packet;
mod protocol;
mod structure;
mod variant;
mod version;
mod wire_type;

pub use field::{ArrayDiff, Count, Dim, Field};
pub use packet::{Directions, Info, Packet};
pub use protocol::{Alias, Protocol, Topic};
pub use structure::{Part, PartNumber, PartType, Structure};
pub use variant::{CapabilityMask, Variant};
pub use version::Version;
#[cfg(feature = "compiler")]
pub(crate) use wire_type::WORDS;
pub use wire_type::WireType;
