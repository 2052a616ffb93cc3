//! The definition of Freeciv 3.0, tested with the streams of a real server (`vectors/freeciv`), unchanged and damaged,
//! and with handmade streams.

mod allocations;
mod attacks;
mod client;
mod codec;
mod corpora;
mod crafted;
mod damage;
mod definition;
mod documented;
mod mutations;
mod remembered;
mod rules;
mod sample;
mod stream;
mod targets;
mod variants;
mod whole;
