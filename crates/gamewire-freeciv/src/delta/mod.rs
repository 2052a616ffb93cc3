//! The interpreter, which decodes and encodes packet bodies by any definition at run time.
//!
//! A packet of the delta protocol starts with a bit for each field that is not a key. The keys follow, and then the
//! fields with a set bit. The other fields are unchanged since the last packet of the same type and key. Both sides
//! store that packet as the baseline. The bit of a boolean field is its value.
//!
//! [`Variants`] is a definition with the capabilities of one connection. A [`DeltaDecoder`] decodes one direction, and
//! a [`DeltaEncoder`] encodes one. A packet is a slice of [`Value`]s, one for each field of the definition.
//! [`RoleTracker`] detects when both sides must remove the baselines that describe the game, and
//! [`active_capabilities`] returns the capabilities that two sides have in common.
//!
//! ```
//! use std::sync::Arc;
//! use gamewire_freeciv::delta::{DeltaDecoder, DeltaLimits, Direction, Value, Variants};
//! use gamewire_schema::ir::{Directions, Field, Packet, Protocol, WireType};
//!
//! let map_info = Packet::new("PACKET_MAP_INFO", 17, Directions::TO_CLIENT)
//!     .field(Field::new("xsize", WireType::Uint16))
//!     .field(Field::new("ysize", WireType::Uint16))
//!     .field(Field::new("topology", WireType::Uint8));
//! let protocol = Arc::new(Protocol::new("example", vec![map_info]));
//! let variants = Arc::new(Variants::new(protocol, &[])?);
//! let mut decoder = DeltaDecoder::new(variants, Direction::ToClient, DeltaLimits::DEFAULT);
//!
//! let packet = decoder.decode(17, &[0x07, 0x00, 0x1c, 0x00, 0x38, 0x0f])?;
//! assert_eq!(packet.values(), [Value::Int(28), Value::Int(56), Value::Int(15)]);
//! let packet = decoder.decode(17, &[0x02, 0x00, 0x39])?;
//! assert_eq!(packet.value("xsize"), Some(&Value::Int(28)));
//! assert_eq!(packet.value("ysize"), Some(&Value::Int(57)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod baseline_map;
mod decoder;
mod element;
mod encoder;
mod error;
mod field;
mod number;
mod packet_layout;
mod plain_field;
mod progress;
mod role_tracker;
mod structure;
mod value;
mod variants;

pub use baseline_map::{DeltaLimits, MemoryUsage};
pub(crate) use decoder::value_named;
pub use decoder::{Decoded, DeltaDecoder};
pub use element::parts;
#[cfg(feature = "serde")]
pub(crate) use element::zero_element;
pub use encoder::{DeltaEncoder, EncodeOptions};
pub use error::{DeltaError, DeltaErrorKind, FieldContext};
pub(crate) use number::Number;
pub(crate) use packet_layout::{MAX_KEYS, PacketLayout};
pub use packet_layout::{UnsupportedPacket, label};
pub(crate) use plain_field::ElementType;
pub(crate) use progress::FieldCursor;
pub use role_tracker::RoleTracker;
pub(crate) use role_tracker::no_player;
pub(crate) use structure::freeciv_structures;
pub use value::Value;
pub use variants::{Direction, Variants, active_capabilities};
pub(crate) use variants::{has_capability, is_separator};
