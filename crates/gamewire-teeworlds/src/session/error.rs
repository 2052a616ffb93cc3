use gamewire_wire::CodecError;

/// Why something cannot be said to a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The version has no message for it.
    #[error("this version has no message for {message}")]
    NoMessage {
        /// Name of the message.
        message: &'static str,
    },
    /// The message of this version needs more than was given.
    #[error("in this version {message} needs {field}")]
    MissingField {
        /// Name of the message.
        message: &'static str,
        /// Name of the missing field.
        field: &'static str,
    },
    /// There is no room for it, or a value has no form on the wire, or the peer would drop it.
    #[error(transparent)]
    Codec(#[from] CodecError),
}

impl EncodeError {
    pub(crate) const fn no_message(message: &'static str) -> Self {
        Self::NoMessage { message }
    }

    pub(crate) const fn lacks(message: &'static str, field: &'static str) -> Self {
        Self::MissingField { message, field }
    }
}
