//! Reading and writing bytes: the base of every protocol crate of gamewire.
//!
//! Nothing in this crate depends on a protocol. A [`Reader`] reads a peer's bytes and never panics; a [`Writer`] fills
//! a caller's buffer and never grows it. Both fail with a [`CodecError`] that contains the offset, the expected data
//! and the data found. A decoder reports to a [`Trace`]: groups, fields with [`Span`] and [`Value`], and a [`Warning`]
//! for unusual data that real programs accept. The trace `()` ignores all reports and compiles to nothing, so the game
//! loop and the inspector use the same decoder.

mod definition;
mod error;
mod reader;
mod shape;
mod span;
mod trace;
mod value;
mod warning;
mod writer;

pub use definition::{Definition, Encoding, FieldDefinition};
pub use error::{CodecError, Found, Result};
pub use reader::Reader;
pub use shape::Shape;
pub use span::Span;
pub use trace::{Layer, Trace};
pub use value::Value;
pub use warning::{Consequence, Warning};
pub use writer::Writer;
