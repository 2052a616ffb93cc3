//! Rust from a protocol: a struct for each packet, for `#[derive(Packet)]` of `gamewire_freeciv::codec`.

mod code;
mod field_type;
mod names;
mod output;
mod packet;

pub use output::{Rust, RustFile, UnsupportedField};
