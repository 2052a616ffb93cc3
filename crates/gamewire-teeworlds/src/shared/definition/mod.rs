//! Macros that define messages and objects: each definition becomes a type, a decoder, an encoder, a
//! [`Definition`] and a golden test.

mod messages;
mod objects;
mod sender;
mod values;

pub use gamewire_wire::{Definition, FieldDefinition};
pub use messages::{Message, MessageSet};
pub(crate) use messages::{failed, field_doc, fields, group, message, messages, rule};
pub(crate) use objects::{default_of, objects, structure, unless_left_out};
pub(crate) use sender::{sender, sender_by_prefix};
pub(crate) use values::{flags, int_newtype, named};
