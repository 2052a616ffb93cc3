//! The compiler for `packets.def`, the language in which Freeciv defines its protocol.
//!
//! [`compile`] compiles a definition in one text, and [`Sources`] a definition of several files. [`Constants`] contains
//! the constants that Freeciv defines in C headers. [`Errors`] contains all errors with their locations. Limits end the
//! compilation of a hostile file early. All of this needs the feature `compiler`, which is on by default.
//!
//! ```
//! use gamewire_schema::{Constants, compile};
//!
//! let text = "
//!     type CITY = uint16(int)
//!
//!     PACKET_CITY_REMOVE = 30; sc
//!       CITY city_id;
//!     end
//! ";
//! let protocol = compile(text, &Constants::default()).unwrap();
//! assert_eq!(protocol.packets[0].fields[0].wire.to_string(), "uint16");
//!
//! let wrong = text.replace("uint16", "uint61");
//! let errors = compile(&wrong, &Constants::default()).unwrap_err();
//! assert!(errors.render("packets.def", &wrong, false).contains("did you mean `uint16`?"));
//! ```
//!
//! [`ir`] is the checked protocol, with all aliases and constants resolved. It needs no feature and can also be built
//! by hand:
//!
//! ```
//! use gamewire_schema::ir::{Directions, Field, Packet, Protocol, WireType};
//!
//! let packet = Packet::new("PACKET_NEW_YEAR", 127, Directions::TO_CLIENT)
//!     .field(Field::new("year16", WireType::Sint16).remove_capability("year32"))
//!     .field(Field::new("year32", WireType::Sint32).add_capability("year32"))
//!     .field(Field::new("turn", WireType::Sint16));
//! let protocol = Protocol::new("example", vec![packet]);
//! let packet = protocol.packet(127).unwrap();
//! let variant = packet.variant(packet.mask(["year32"]));
//! let names: Vec<&str> = variant.fields().map(|field| field.name.as_str()).collect();
//! assert_eq!(names, ["year32", "turn"]);
//! ```

#![forbid(unsafe_code)]

#[cfg(feature = "compiler")]
pub mod build;
#[cfg(feature = "compiler")]
mod check;
#[cfg(feature = "compiler")]
mod diagnostic;
#[cfg(feature = "compiler")]
pub mod emit;
pub mod ir;
#[cfg(feature = "compiler")]
mod limits;
#[cfg(feature = "compiler")]
mod parse;
#[cfg(feature = "compiler")]
mod source;

#[cfg(feature = "compiler")]
pub use check::{Constants, ConstantsError, OwnType, compile};
#[cfg(feature = "compiler")]
pub use diagnostic::{Diagnostic, Errors, SecondaryLabel, SourceLocation};
#[cfg(feature = "compiler")]
pub use limits::MAX_BYTES;
#[cfg(feature = "compiler")]
pub use source::{ReadError, Source, Sources, constants_file, read_text};
