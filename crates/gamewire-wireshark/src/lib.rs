//! A dissector for Wireshark 4 in Lua, generated from the definitions of the protocols.
//!
//! The hand-written runtime in `lua/` is the decoder, with one file per responsibility. It decodes with tables of
//! headers, messages, objects and fields, which this crate generates from the definitions in the protocol crates. A
//! message that is added to a definition also appears in the dissector.
//!
//! ```
//! let script = gamewire_wireshark::dissector(&gamewire_wireshark::Options::default());
//! assert!(script.contains("Riptide"));
//! ```

#![forbid(unsafe_code)]

mod bundle;
mod freeciv;
mod group;
mod lua;
mod riptide;
mod teeworlds;

pub use bundle::{Options, dissector};
