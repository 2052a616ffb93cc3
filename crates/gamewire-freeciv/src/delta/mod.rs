//! Bodies of packets and the values in them, by any definition, at run time.
//!
//! A packet of the delta protocol begins with a bit for each field that is no key; then come the
//! keys, then the fields whose bit is set. The others are as they were in the last packet of the
//! same type and key, which both sides remember. The bit of a truth value is the value itself.
//!
//! [`Variants`] is a definition with the capabilities of one connection. A [`DeltaDecoder`] reads
//! one direction of it, a [`DeltaEncoder`] writes one; a packet is a row of [`Value`]s, one for
//! each field of the definition. [`RoleTracker`] says when both must forget what they know of the
//! game, [`active_capabilities`] which capabilities two sides have in common.
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

mod capabilities;
mod decoded;
mod decoder;
mod element;
mod encoder;
mod error;
mod limits;
mod memory;
mod number;
mod plan;
mod progress;
mod read;
mod roles;
mod structure;
mod tell;
mod value;
mod variants;
mod write;

pub use capabilities::active_capabilities;
pub use decoded::Decoded;
pub use decoder::DeltaDecoder;
pub(crate) use element::part_names;
pub use encoder::{DeltaEncoder, EncodeOptions};
pub use error::{DeltaError, DeltaErrorKind, FieldContext};
pub use limits::DeltaLimits;
pub use plan::UnsupportedPacket;
pub(crate) use plan::label;
pub use roles::RoleTracker;
pub use value::Value;
pub use variants::{Direction, Variants};
