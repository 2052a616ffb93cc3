use std::fmt;
use std::ops::Range;

use crate::render::is_hidden;

/// Maximum number of characters of a filter that are shown on either side of the error.
const MAX_CONTEXT: usize = 60;

/// An error in a filter: its position, the expected token, and an optional hint.
///
/// Displayed as the message, the filter with the position underlined, and the hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The filter's text.
    pub filter: String,
    /// Position of the error in the filter, in bytes; empty if something is missing.
    pub at: Range<usize>,
    /// The error.
    pub message: String,
    /// A suggestion.
    pub hint: Option<String>,
}

impl FilterError {
    pub(super) fn new(filter: &str, at: Range<usize>, message: impl Into<String>) -> Self {
        Self { filter: filter.to_owned(), at, message: message.into(), hint: None }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.message)?;
        let before = self.filter.get(..self.at.start).unwrap_or_default();
        let marked = self.filter.get(self.at.clone()).unwrap_or_default();
        let after = self.filter.get(self.at.end..).unwrap_or_default();
        let skipped = before.chars().count().saturating_sub(MAX_CONTEXT);
        let lead: String = before.chars().skip(skipped).map(plain).collect();
        let lead = if skipped > 0 { format!("...{lead}") } else { lead };
        let marked: String = marked.chars().take(MAX_CONTEXT).map(plain).collect();
        let tail: String = after.chars().take(MAX_CONTEXT).map(plain).collect();
        let more = if after.chars().nth(MAX_CONTEXT).is_some() { "..." } else { "" };
        writeln!(f, "  {lead}{marked}{tail}{more}")?;
        let carets = "^".repeat(marked.chars().count().max(1));
        write!(f, "  {}{carets}", " ".repeat(lead.chars().count()))?;
        match &self.hint {
            Some(hint) => write!(f, "\n{hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FilterError {}

/// Replaces a control character or a hidden character with a blank, so that the columns stay aligned.
fn plain(character: char) -> char {
    if character.is_control() || is_hidden(character) { ' ' } else { character }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_carets_are_under_the_error() {
        let error = FilterError::new("a == b", 5..6, "expected a value").hint("put it in quotes");
        assert_eq!(error.to_string(), "expected a value\n  a == b\n       ^\nput it in quotes");
    }

    #[test]
    fn a_long_filter_is_shown_around_the_error() {
        let filter = format!("{} ? {}", "x".repeat(200), "y".repeat(200));
        let error = FilterError::new(&filter, 201..202, "expected an operator");
        let lines: Vec<_> = error.to_string().lines().map(str::to_owned).collect();
        assert_eq!(lines[1], format!("  ...{} ? {}...", "x".repeat(59), "y".repeat(59)));
        assert_eq!(lines[1].find('?'), lines[2].find('^'));
    }

    #[test]
    fn control_characters_of_the_filter_do_not_reach_the_terminal() {
        let error = FilterError::new("\u{1b}[31m\u{202e}ü == ", 10..10, "expected a value");
        assert!(!error.to_string().contains(['\u{1b}', '\u{202e}']));
    }
}
