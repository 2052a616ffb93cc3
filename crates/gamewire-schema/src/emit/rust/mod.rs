//! Rust from a protocol: a struct for each packet, for `#[derive(Packet)]` of `gamewire_freeciv::codec`.

mod docs;
mod file;
mod names;
mod output;
mod packet;
mod packets;
mod shape;

pub use output::{Rust, RustFile, UnsupportedField};
