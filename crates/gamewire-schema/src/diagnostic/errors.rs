use std::fmt;
use std::ops::Range;

use crate::limits::MAX_ERRORS;

/// One error of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The error, in one sentence.
    pub message: String,
    /// Span of the text in bytes. With several files, [`Sources::at`](crate::Sources::at) returns the
    /// file.
    pub span: Range<usize>,
    /// Label of that text; may be empty.
    pub label: String,
    /// A related span and its label.
    pub secondary: Option<Box<(Range<usize>, String)>>,
    /// How to fix it.
    pub hint: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        Self { message: message.into(), span, label: String::new(), secondary: None, hint: None }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn secondary_label(mut self, span: Range<usize>, why: impl Into<String>) -> Self {
        self.secondary = Some(Box::new((span, why.into())));
        self
    }
}

/// Maximum characters of a quoted text.
const MAX_QUOTED: usize = 64;

/// Quotes a text of the file for a message: escaped, and truncated.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_QUOTED).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_QUOTED).is_some() {
        shown.push_str("...");
    }
    format!("`{shown}`")
}

/// The errors of a definition, in the order of the file, up to a maximum number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    list: Vec<Diagnostic>,
    has_more: bool,
}

impl Errors {
    pub(crate) fn push(&mut self, error: Diagnostic) {
        if self.list.len() < MAX_ERRORS {
            self.list.push(error);
        } else {
            self.has_more = true;
        }
    }

    /// Returns whether the maximum number of errors is reached.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MAX_ERRORS
    }

    pub(crate) fn mark_more(&mut self) {
        self.has_more = true;
    }

    pub(crate) fn sort(&mut self) {
        self.list.sort_by_key(|error| error.span.start);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the errors.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Returns whether there may be more errors.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.has_more
    }
}

/// Writes the messages, one per line.
impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, error) in self.list.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            f.write_str(&error.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}
