use super::escape::unquote;
use crate::layout::error::TextError;

/// A cursor over a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) const fn position(&self) -> usize {
        self.at
    }

    /// Skips spaces. Returns whether the text ends there.
    pub(super) fn skip_spaces_to_end(&mut self) -> bool {
        let rest = self.rest().trim_start();
        self.at = self.text.len().saturating_sub(rest.len());
        rest.is_empty()
    }

    /// Consumes `wanted` if it is next. Returns whether it was.
    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let is_next = self.rest().starts_with(wanted);
        if is_next {
            self.at = self.at.saturating_add(wanted.len_utf8());
        }
        is_next
    }

    /// Consumes `wanted`, or returns an error.
    pub(super) fn expect(&mut self, wanted: char, what: &str) -> Result<(), TextError> {
        if self.eat(wanted) { Ok(()) } else { Err(self.error_at_word(format!("expected {wanted} {what}"))) }
    }

    /// Consumes the text before the next of `ends`, a space or the end.
    pub(super) fn word(&mut self, ends: &[char]) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|next: char| next.is_whitespace() || ends.contains(&next)).unwrap_or(rest.len());
        self.at = self.at.saturating_add(end);
        rest.get(..end).unwrap_or_default()
    }

    /// Consumes quoted text, or a word.
    pub(super) fn text(&mut self, ends: &[char]) -> Result<Vec<u8>, TextError> {
        let start = self.at;
        if !self.eat('"') {
            return match self.word(ends) {
                "" => Err(self.error_at_word("expected text, \"\" if it is empty".into())),
                word => Ok(word.as_bytes().to_vec()),
            };
        }
        let rest = self.rest();
        let mut is_escaped = false;
        let end = rest.find(|next: char| {
            let ends = next == '"' && !is_escaped;
            is_escaped = next == '\\' && !is_escaped;
            ends
        });
        let Some(end) = end else {
            return Err(self.error(start, self.text.len(), "the quote is not closed".into()));
        };
        self.at = self.at.saturating_add(end).saturating_add(1);
        unquote(rest.get(..end).unwrap_or_default()).map_err(|message| self.error_since(start, message))
    }

    /// Returns an error at the word of the cursor.
    pub(super) fn error_at_word(&self, message: String) -> TextError {
        let mut after = *self;
        _ = after.word(&[]);
        self.error(self.at, after.at, message)
    }

    /// Returns an error at the text since `start`.
    pub(super) fn error_since(&self, start: usize, message: String) -> TextError {
        self.error(start, self.at, message)
    }

    #[cold]
    fn error(&self, start: usize, end: usize, message: String) -> TextError {
        let word = self.text.get(start..end).unwrap_or_default().trim();
        // Keep the message short.
        let word = word.chars().take(80).collect();
        TextError { at: start..end, word, message }
    }
}
