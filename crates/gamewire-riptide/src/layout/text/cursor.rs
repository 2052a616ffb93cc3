use super::error::TextError;
use super::escape::unquote;

/// A place in a text.
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

    /// Moves behind spaces; whether nothing is left then.
    pub(super) fn is_done(&mut self) -> bool {
        let rest = self.rest().trim_start();
        self.at = self.text.len().saturating_sub(rest.len());
        rest.is_empty()
    }

    /// Whether `sign` comes next; if it does, moves behind it.
    pub(super) fn take(&mut self, sign: char) -> bool {
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at = self.at.saturating_add(sign.len_utf8());
        }
        is_next
    }

    /// Moves behind `sign`.
    pub(super) fn expect(&mut self, sign: char, what: &str) -> Result<(), TextError> {
        if self.take(sign) { Ok(()) } else { Err(self.wrong(format!("expected {sign} {what}"))) }
    }

    /// Takes what comes before the next of `ends`, a space or the end.
    pub(super) fn word(&mut self, ends: &[char]) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|next: char| next.is_whitespace() || ends.contains(&next)).unwrap_or(rest.len());
        self.at = self.at.saturating_add(end);
        rest.get(..end).unwrap_or_default()
    }

    /// Text in quotes, or a word.
    pub(super) fn text(&mut self, ends: &[char]) -> Result<Vec<u8>, TextError> {
        let start = self.at;
        if !self.take('"') {
            return match self.word(ends) {
                "" => Err(self.wrong("expected text, \"\" if it is empty".into())),
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
        unquote(rest.get(..end).unwrap_or_default()).map_err(|message| self.since(start, message))
    }

    /// An error at the word that the cursor is at.
    pub(super) fn wrong(&self, message: String) -> TextError {
        let mut behind = *self;
        _ = behind.word(&[]);
        self.error(self.at, behind.at, message)
    }

    /// An error at what was read since `start`.
    pub(super) fn since(&self, start: usize, message: String) -> TextError {
        self.error(start, self.at, message)
    }

    #[cold]
    fn error(&self, start: usize, end: usize, message: String) -> TextError {
        let word = self.text.get(start..end).unwrap_or_default().trim();
        // A whole screen of text helps nobody.
        let word = word.chars().take(80).collect();
        TextError { at: start..end, word, message }
    }
}
