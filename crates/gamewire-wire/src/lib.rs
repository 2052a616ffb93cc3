//! Reading and writing bytes: the base of every protocol crate of gamewire.
//!
//! Nothing in this crate depends on a protocol. A [`Reader`] reads bytes that a peer sent and never
//! panics; a [`Writer`] fills a caller's buffer and never grows it. Both fail with a [`CodecError`]
//! that contains the offset, what was expected and what was found. A decoder reports to a [`Trace`]:
//! groups, fields with [`Span`] and [`Value`], and a [`Warning`] for anything unusual that real
//! programs accept. The trace `()` ignores all of it and compiles to nothing, so the game loop and
//! the inspector use the same decoder.

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
