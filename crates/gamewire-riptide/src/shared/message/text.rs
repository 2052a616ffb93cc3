use core::fmt;

use thiserror::Error;

use crate::shared::payload::Payload;

/// A string as a peer sent it. It may be invalid UTF-8, and may start at any bit of its packet.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Text<'a>(Payload<'a>);

/// Error of converting a [`Text`] to a `str`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TextError {
    /// The buffer needs this many bytes.
    #[error("the text needs a buffer of {0} bytes")]
    Buffer(usize),
    /// The text is not UTF-8.
    #[error("{0}")]
    Utf8(core::str::Utf8Error),
}

impl<'a> Text<'a> {
    /// Creates a text of these bytes.
    pub const fn new(bytes: Payload<'a>) -> Self {
        Self(bytes)
    }

    /// Returns the bytes.
    pub const fn payload(&self) -> Payload<'a> {
        self.0
    }

    /// Returns the number of bytes.
    pub const fn len(&self) -> usize {
        self.0.byte_len()
    }

    /// Returns whether the text is empty.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Copies the text into `buffer`.
    ///
    /// # Errors
    /// [`TextError`] if the buffer is too small or the text is not UTF-8.
    pub fn copy_to<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b str, TextError> {
        let bytes = self.0.copy_to(buffer).ok_or(TextError::Buffer(self.len()))?;
        str::from_utf8(bytes).map_err(TextError::Utf8)
    }

    /// Returns a copy in which U+FFFD replaces invalid UTF-8, as in the C# library.
    pub fn to_string_lossy(&self) -> String {
        match String::from_utf8(self.0.to_vec()) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == Payload::new(other.as_bytes())
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string_lossy(), f)
    }
}
