//! The parts that are the same in 0.6 and 0.7. They do not depend on a version.

pub mod connless;
pub mod control;
pub mod data;
pub mod definition;
pub mod extended;
pub mod field;
pub(crate) mod game;
pub mod huffman;
mod list;
pub mod message;
pub mod object;
pub(crate) mod objects;
pub mod pack;
pub mod packet;
pub mod snapshot;
pub(crate) mod system;
pub mod value;
pub mod version;
pub mod warning;
