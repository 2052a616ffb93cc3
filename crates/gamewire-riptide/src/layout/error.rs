use core::fmt;

/// Why definitions do not describe messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutError {
    /// What is wrong.
    pub location: Location,
    /// One sentence that says what to do.
    pub message: String,
}

/// A part of the definitions, by the places in the slices that hold them.
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
    /// The field with this number of a struct or message.
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

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for LayoutError {}
