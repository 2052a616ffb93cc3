//! Layouts of an application's messages: the names and types of their values.
//!
//! [`MessageLayouts`] is compiled from plain [definitions](MessageDefinition). It traces the values of a
//! payload to a [`Trace`](gamewire_wire::Trace), converts payloads from one format to the other, and
//! parses and prints messages as [`text`].
//!
//! ```
//! use gamewire_machine::Role;
//! use gamewire_riptide::Format;
//! use gamewire_riptide::layout::{MessageDefinition, MessageKind, MessageLayouts};
//! use gamewire_riptide::raw::{Payload, V21, Writer};
//!
//! let moves = MessageDefinition::new(MessageKind::Message(10), "player_move", ["tick: ushort", "position: vector2"]);
//! let layouts = MessageLayouts::new(&[], &[moves])?;
//! let typed = layouts.parse("player_move tick=5 position=1,-2.5", Role::Client)?;
//! let mut buffer = [0; 16];
//! let mut to = Writer::<V21>::new(&mut buffer);
//! typed.values.write(&mut to)?;
//! let payload = Payload::new(to.written());
//! assert_eq!(
//!     layouts.print(typed.kind, Role::Client, &payload, Format::V21),
//!     "player_move tick=5 position=1,-2.5"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod definition;
mod error;
mod field;
mod layouts;
mod name;
mod scalar;
#[cfg(test)]
mod tests;
pub mod text;
mod trace;
mod transcode;
mod values;
mod visitor;

pub use definition::{MessageDefinition, MessageKind, StructDefinition};
pub use error::{LayoutError, Location};
pub use field::{Count, FieldLayout, FieldType};
pub use layouts::{MessageLayout, MessageLayouts};
pub use scalar::Scalar;
pub use transcode::TranscodeError;
pub use values::{ParsedMessage, Values};
