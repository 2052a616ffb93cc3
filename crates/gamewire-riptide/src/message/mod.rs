//! Messages of an application in either format: [`Message`] with a method for each value as in the C#
//! library, [`MessageType`] for types of the application.
//!
//! ```
//! use gamewire_riptide::{Format, Message, MessageSendMode};
//!
//! let mut message = Message::create(MessageSendMode::Unreliable, 11_u16);
//! message.add_int(0x1122_3344).add_bool(true).add_string("Hi");
//! assert_eq!(message.payload(Format::V21)?.to_vec(), [0x44, 0x33, 0x22, 0x11, 0x05, 0x90, 0xd2, 0x00]);
//!
//! assert_eq!(message.get_int()?, 0x1122_3344);
//! assert_eq!((message.get_bool()?, message.get_string()?), (true, "Hi".into()));
//! # Ok::<(), gamewire_wire::CodecError>(())
//! ```

mod add;
mod content;
mod get;
mod handlers;
#[allow(clippy::module_inception, reason = "the folder is named after its main type")]
mod message;
mod message_type;
mod mode;
mod pool;
mod vector;

pub use handlers::{DuplicateHandler, HandlerError, HandlerOutcome, Handlers, IntoOutcome};
pub use message::Message;
pub use message_type::{MessageType, Sendable};
pub use mode::{MessageSendMode, max_payload_bits};
pub use vector::{Quaternion, Vector2, Vector3};

pub use crate::shared::message::{Value, VarLong, VarULong};
