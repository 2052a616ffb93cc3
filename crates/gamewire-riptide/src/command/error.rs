use gamewire_wire::CodecError;
use thiserror::Error;

use crate::layout::text::TextError;

/// The reason why a text is not a message or data, or why a format cannot represent it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The text has an invalid id, name, type or value.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The mode is notify, and the text has an id.
    #[error("a notify message has no id; write notify and the values")]
    NotifyWithId,
    /// The name belongs to a notify message, but the mode is another one.
    #[error("this is a notify message; write notify or no mode")]
    NotifyOnly,
    /// The name belongs to connect, reject or kick data.
    #[error("connect, reject and kick data cannot be sent as a message")]
    NotAMessage,
    /// Format 2.0 has no notify messages.
    #[error("format 2.0 has no notify messages; use reliable or unreliable")]
    NoNotify,
    /// The values are too long.
    #[error("{size} bytes of values exceed the maximum of {max} bytes; split them into several messages")]
    TooLong {
        /// Size of the values in bytes.
        size: usize,
        /// Maximum size in bytes.
        max: usize,
    },
    /// The format cannot represent a value.
    #[error(transparent)]
    Value(#[from] CodecError),
}
