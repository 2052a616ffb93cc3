//! A dissector for Wireshark 4 in Lua, generated from the definitions of the protocols.
//!
//! The runtime in `lua/` decodes; it is written by hand, one file per responsibility. What it decodes is
//! data: tables of headers, messages, objects and fields, which this crate generates from the definitions
//! of the protocol crates. A message that is added to a definition appears in the dissector.
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
