//! The compiler of `packets.def`, the language in which Freeciv writes its protocol down.
//!
//! [`ir`] is what everything else is built on: a protocol after checking, with every alias and
//! every constant resolved. It can also be written by hand:
//!
//! ```
//! use gamewire_schema::ir::{Directions, Field, Packet, Protocol, WireType};
//!
//! let packet = Packet::new("PACKET_NEW_YEAR", 127, Directions::TO_CLIENT)
//!     .field(Field::new("year16", WireType::Sint16).remove_cap("year32"))
//!     .field(Field::new("year32", WireType::Sint32).add_cap("year32"))
//!     .field(Field::new("turn", WireType::Sint16));
//! let protocol = Protocol::new("example", vec![packet]);
//! let packet = protocol.packet(127).unwrap();
//! let variant = packet.variant(packet.mask(["year32"]));
//! let names: Vec<&str> = variant.fields().map(|field| field.name.as_str()).collect();
//! assert_eq!(names, ["year32", "turn"]);
//! ```

#![forbid(unsafe_code)]

pub mod ir;
