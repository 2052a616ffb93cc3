//! Descriptions of an application's own messages: what values they carry, under which names.
//!
//! [`MessageLayouts`] is made of plain [`definitions`](MessageDefinition). It tells a
//! [`Trace`](gamewire_wire::Trace) what a payload says, carries payloads from one format to the
//! other, and reads and prints the text in which people write messages ([`text`]).
//!
//! ```
//! use gamewire_riptide::layout::{MessageDefinition, MessageLayouts, Place};
//! use gamewire_riptide::shared::packet::Side;
//! use gamewire_riptide::shared::payload::Payload;
//! use gamewire_riptide::Format;
//!
//! let moves = MessageDefinition::new(Place::Message(10), "player_move", ["tick: ushort", "position: vector2"]);
//! let layouts = MessageLayouts::new(&[], &[moves])?;
//! let typed = layouts.parse("player_move tick=5 position=1,-2.5", Side::Client)?;
//! let mut buffer = [0; 16];
//! let mut to = gamewire_riptide::v21::message::MessageWriter::new(&mut buffer);
//! typed.values().write(&mut to)?;
//! let payload = Payload::new(to.written());
//! assert_eq!(
//!     layouts.print(typed.place(), Side::Client, &payload, Format::V21),
//!     "player_move tick=5 position=1,-2.5"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod definition;
mod error;
mod field;
mod kind;
mod layouts;
mod name;
mod nesting;
mod scalar;
mod single;
mod tell;
#[cfg(test)]
mod tests;
pub mod text;
mod transcode;
mod values;
mod walk;

pub use definition::{MessageDefinition, MessageKind, StructDefinition};
pub use error::{LayoutError, Location};
pub use field::FieldLayout;
pub use layouts::{MessageLayout, MessageLayouts};
pub use transcode::TranscodeError;
pub use values::{ParsedMessage, Values};
