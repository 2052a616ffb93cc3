//! Rust from a protocol: a struct for each packet, and one codec for all of them, on what
//! `gamewire_freeciv::codec` offers.

mod body;
mod condition;
mod docs;
mod file;
mod names;
mod output;
mod owned;
mod packet;
mod row;
mod shape;
mod whole;

pub use output::{Rust, RustFile, UnsupportedField};
