use std::ops::Range;

use thiserror::Error;

/// Why a text describes no messages.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {message}")]
pub struct MessageFileError {
    /// The line that is wrong, from 1.
    pub line: usize,
    /// One sentence that says what is wrong, and what to do.
    pub message: String,
}

impl MessageFileError {
    /// An error at some bytes of a text.
    pub(super) fn at(text: &str, span: Option<Range<usize>>, message: impl Into<String>) -> Self {
        let start = span.map_or(0, |span| span.start);
        let before = text.as_bytes().get(..start).unwrap_or_default();
        let line = before.iter().filter(|&&byte| byte == b'\n').count().saturating_add(1);
        Self { line, message: message.into() }
    }
}
