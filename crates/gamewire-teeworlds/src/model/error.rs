use core::ops::RangeInclusive;

use gamewire_wire::CodecError;

/// The reason why a message cannot be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The version does not have the message.
    #[error("unsupported message {message} in this version")]
    NoMessage {
        /// Name of the message.
        message: &'static str,
    },
    /// This version of the message has a field that was not given.
    #[error("cannot encode {message}: this version needs {field}")]
    MissingField {
        /// Name of the message.
        message: &'static str,
        /// Name of the missing field.
        field: &'static str,
    },
    /// The peer would drop the message because of this value.
    #[error("invalid {field} {value} in {message}: expected {min} to {max}")]
    OutOfRange {
        /// Name of the message.
        message: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The value.
        value: i32,
        /// Minimum value that the version allows.
        min: i32,
        /// Maximum value that the version allows.
        max: i32,
    },
    /// The buffer is full, or a value cannot be written.
    #[error(transparent)]
    Codec(#[from] CodecError),
}

impl EncodeError {
    pub(crate) const fn no_message(message: &'static str) -> Self {
        Self::NoMessage { message }
    }

    pub(crate) const fn missing_field(message: &'static str, field: &'static str) -> Self {
        Self::MissingField { message, field }
    }

    /// Returns `value` if it is in `range`.
    ///
    /// # Errors
    /// [`Self::OutOfRange`] otherwise.
    pub(crate) const fn check(
        value: i32,
        range: &RangeInclusive<i32>,
        message: &'static str,
        field: &'static str,
    ) -> Result<i32, Self> {
        let (min, max) = (*range.start(), *range.end());
        if value < min || value > max {
            return Err(Self::OutOfRange { message, field, value, min, max });
        }
        Ok(value)
    }
}
