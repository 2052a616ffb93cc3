use gamewire_wire::CodecError;

/// Why something cannot be said to a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The version has no message for it.
    #[error("this version has no message for {word}")]
    NoMessage {
        /// What was to be said.
        word: &'static str,
    },
    /// The message of this version needs more than was given.
    #[error("in this version {word} needs {field}")]
    Lacks {
        /// What was to be said.
        word: &'static str,
        /// What is missing.
        field: &'static str,
    },
    /// There is no room for it, or a value has no form on the wire, or the peer would drop it.
    #[error(transparent)]
    Codec(#[from] CodecError),
}

impl EncodeError {
    pub(crate) const fn no_message(word: &'static str) -> Self {
        Self::NoMessage { word }
    }

    pub(crate) const fn lacks(word: &'static str, field: &'static str) -> Self {
        Self::Lacks { word, field }
    }
}
