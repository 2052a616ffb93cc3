//! Bytes to values and back: the ground that every protocol of gamewire stands on.
//!
//! Nothing here knows a protocol. A [`Reader`] walks over bytes that a peer sent and never
//! panics; a [`Writer`] fills a caller's buffer and never grows it; both fail with a
//! [`CodecError`] that says where, what was expected and what was there. What a decoder meets
//! on its way it can tell to a [`Trace`]: groups, fields with their [`Span`] and [`Value`], and
//! every [`Warning`] that real peers accept. `()` is the trace that nobody watches; it compiles
//! to nothing, so one decoder serves both the game loop and the inspector.

mod definition;
mod error;
mod oddity;
mod reader;
mod span;
mod trace;
mod value;
mod writer;

pub use definition::{Definition, FieldDefinition};
pub use error::{CodecError, Found};
pub use oddity::{Consequence, Warning};
pub use reader::Reader;
pub use span::Span;
pub use trace::{Layer, Trace};
pub use value::Value;
pub use writer::Writer;
