use core::fmt;
use core::ops::Range;

/// Why a text is no message: one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The bytes of the text that are wrong; empty where something is missing.
    pub at: Range<usize>,
    /// The word that is wrong; empty where something is missing.
    pub word: String,
    /// What is wrong with it, or what is expected.
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

impl core::error::Error for TextError {}
