use std::fmt;

use super::single::Diagnostic;
use crate::limits::MAX_ERRORS;

/// Everything that is wrong with a definition, in the order of the file; bounded in number.
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

    /// Whether no further error would be kept.
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

    /// The errors that were kept.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Whether there may be more than those.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.has_more
    }
}

/// The messages alone, one a line.
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
