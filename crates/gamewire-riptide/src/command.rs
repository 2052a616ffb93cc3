//! Commands of an application, written as text: messages to send, and data without an id.
//!
//! The text of a message is its mode, its id or its name in the [`MessageLayouts`](crate::layout::MessageLayouts), and
//! its values, as [`layout::text`](crate::layout::text) describes them. Without a mode, the message is reliable.
//!
//! ```
//! use gamewire_machine::Role;
//! use gamewire_riptide::command::OutgoingMessage;
//! use gamewire_riptide::layout::MessageLayouts;
//! use gamewire_riptide::{Format, MessageSendMode, Sendable as _};
//!
//! let message = OutgoingMessage::parse("unreliable 10 int:5", &MessageLayouts::default(), Role::Client)?;
//! assert_eq!((message.mode(), message.id()), (MessageSendMode::Unreliable, Some(10)));
//! message.check(Format::V21)?;
//! # Ok::<(), gamewire_riptide::command::CommandError>(())
//! ```

mod data;
mod error;
mod message;

pub use data::UserData;
pub use error::CommandError;
pub use message::OutgoingMessage;
