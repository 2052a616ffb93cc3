//! Messages and objects are written down once: the macros here turn that into types, decoders,
//! encoders, data about them, and a golden test for each.

mod messages;
mod objects;
mod values;

pub use gamewire_wire::{Definition, FieldDefinition};
pub use messages::{Message, MessageSet};
pub(crate) use messages::{failed, fields, group, message, messages, rule};
pub(crate) use objects::{objects, structure};
pub(crate) use values::{flags, named};
