//! Rust code for a protocol: a struct for each packet, with `#[derive(Packet)]` of `gamewire_freeciv::codec`.

mod code;
mod names;
mod output;
mod packet;
mod structure;
mod versions;

pub use output::{Rust, RustFile};
pub use packet::UnsupportedField;
