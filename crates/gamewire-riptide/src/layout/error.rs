use core::fmt;
use core::ops::Range;

use thiserror::Error;

/// Error of message definitions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct LayoutError {
    /// Location in the definitions.
    pub location: Location,
    /// Description of the error and how to fix it.
    pub message: String,
}

/// Location in the definitions, by index into their slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A struct.
    Struct(usize),
    /// A field of a struct.
    StructField(usize, usize),
    /// A message.
    Message(usize),
    /// A field of a message.
    MessageField(usize, usize),
}

impl Location {
    /// Returns the location of a field of a struct or message.
    pub(super) const fn field(self, field: usize) -> Self {
        match self {
            Self::Struct(index) | Self::StructField(index, _) => Self::StructField(index, field),
            Self::Message(index) | Self::MessageField(index, _) => Self::MessageField(index, field),
        }
    }

    pub(super) fn error(self, message: impl Into<String>) -> LayoutError {
        LayoutError { location: self, message: message.into() }
    }
}

/// Error of parsing a message text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct TextError {
    /// Span in the text in bytes; empty if something is missing.
    pub at: Range<usize>,
    /// The invalid word; empty if something is missing.
    pub word: String,
    /// Description of the mistake, or of the expected text.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.word.is_empty() {
            write!(f, "at column {}: {}", self.at.start.saturating_add(1), self.message)
        } else {
            write!(f, "at \"{}\": {}", self.word.escape_debug(), self.message)
        }
    }
}
