use core::fmt;

use crate::shared::pack::{Sanitize, Text};

/// A string that a peer sent, with its original bytes.
///
/// `Display` sanitizes it as the game does. The result can still contain characters that must be escaped for a terminal
/// or page, such as bidirectional marks.
#[derive(Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TextBuf {
    bytes: Vec<u8>,
    sanitize: Sanitize,
}

impl TextBuf {
    /// Returns the bytes on the wire, without the zero byte at the end.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the borrowed form.
    pub fn as_text(&self) -> Text<'_> {
        Text::received(&self.bytes, self.sanitize)
    }

    /// Returns whether there are no bytes.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the allocated memory in bytes.
    pub const fn held_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Replaces the text and reuses its memory.
    pub(crate) fn set(&mut self, bytes: impl Iterator<Item = u8>) {
        self.bytes.clear();
        self.bytes.extend(bytes);
    }
}

impl From<Text<'_>> for TextBuf {
    fn from(text: Text<'_>) -> Self {
        Self { bytes: text.as_bytes().to_vec(), sanitize: text.sanitize() }
    }
}

impl From<&str> for TextBuf {
    fn from(text: &str) -> Self {
        Text::new(text).into()
    }
}

impl From<String> for TextBuf {
    fn from(text: String) -> Self {
        Self { bytes: text.into_bytes(), sanitize: Sanitize::default() }
    }
}

impl From<&[u8]> for TextBuf {
    fn from(bytes: &[u8]) -> Self {
        Text::received(bytes, Sanitize::default()).into()
    }
}

/// Compares the bytes.
impl PartialEq for TextBuf {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for TextBuf {}

impl PartialEq<str> for TextBuf {
    fn eq(&self, other: &str) -> bool {
        self.bytes == other.as_bytes()
    }
}

impl PartialEq<&str> for TextBuf {
    fn eq(&self, other: &&str) -> bool {
        self.bytes == other.as_bytes()
    }
}

/// Formats the text escaped and quoted.
impl fmt::Debug for TextBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.bytes.escape_ascii())
    }
}

impl fmt::Display for TextBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_text().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t12_bytes_are_kept_and_shown_as_in_the_game() {
        let text = TextBuf::from(Text::received(b"a\xff\x1b[2J\n", Sanitize::Lines));
        assert_eq!(text.as_bytes(), b"a\xff\x1b[2J\n");
        assert_eq!(text.to_string(), "a\u{fffd} [2J\n");
        assert_eq!(format!("{text:?}"), r#""a\xff\x1b[2J\n""#);
    }
}
