use std::ops::Range;

use super::tree::Spanned;
use crate::diagnostic::{Diagnostic, quoted};
use crate::limits::MAX_NAME;

/// A cursor over one line.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    /// The unread text.
    rest: &'a str,
    /// Offset of `rest` in the file.
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, offset: usize) -> Self {
        Self { rest: text, offset }
    }

    /// Consumes this many bytes, or the whole unread text if the end is not a character boundary.
    fn take(&mut self, bytes: usize) -> Spanned<'a> {
        let (text, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        let start = self.offset;
        self.offset = start.saturating_add(text.len());
        self.rest = rest;
        Spanned { text, span: start..self.offset }
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest.len().saturating_sub(self.rest.trim_start().len());
        self.take(blanks);
    }

    /// Skips blanks, then consumes characters as long as `belongs` returns true.
    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> Option<Spanned<'a>> {
        self.skip_blanks();
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        (end > 0).then(|| self.take(end))
    }

    /// Consumes a name or a number, which consists of letters, digits and underscores.
    pub(crate) fn word(&mut self) -> Option<Spanned<'a>> {
        self.take_while(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// Consumes a word. `what` describes it in the error.
    pub(super) fn name(&mut self, what: &str) -> Result<Spanned<'a>, Diagnostic> {
        self.word().ok_or_else(|| self.expected(what)).and_then(check_length)
    }

    /// Consumes the name of a flag, which may contain hyphens.
    pub(super) fn flag_word(&mut self) -> Result<Spanned<'a>, Diagnostic> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        word.ok_or_else(|| self.expected("a flag")).and_then(check_length)
    }

    /// Consumes the argument of a flag: a packet, a version, or a capability, which may contain hyphens.
    pub(super) fn flag_argument(&mut self) -> Result<Spanned<'a>, Diagnostic> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        word.ok_or_else(|| self.expected("a name")).and_then(check_length)
    }

    /// Consumes the name of a type. In Freeciv21, an integer type has its C++ name, and a factor after a `/`:
    /// `std::int32_t/100`.
    pub(super) fn type_word(&mut self) -> Result<Spanned<'a>, Diagnostic> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '/'));
        word.ok_or_else(|| self.expected("a type")).and_then(check_length)
    }

    /// Consumes the text up to one of these characters or the end. Returns it without surrounding blanks.
    pub(super) fn until(&mut self, ends: &[char]) -> Spanned<'a> {
        self.skip_blanks();
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let Spanned { text, span } = self.take(end);
        let text = text.trim_end();
        Spanned { text, span: span.start..span.start.saturating_add(text.len()) }
    }

    /// Skips blanks, and consumes this character if it is the next one. Returns whether it was.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        self.skip_blanks();
        let matches = self.rest.starts_with(wanted);
        if matches {
            self.take(wanted.len_utf8());
        }
        matches
    }

    pub(crate) fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.rest.chars().next()
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Returns the offset of the cursor in the file.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the span of the next word or character, or of the end of the line.
    pub(crate) fn next_span(&mut self) -> Range<usize> {
        self.skip_blanks();
        let mut ahead = self.clone();
        if let Some(word) = ahead.word() {
            return word.span;
        }
        let length = self.rest.chars().next().map_or(1, char::len_utf8);
        self.offset..self.offset.saturating_add(length)
    }

    /// Creates an error about the next word or character.
    pub(crate) fn expected(&mut self, what: &str) -> Diagnostic {
        let span = self.next_span();
        let found = self.rest.get(..span.len()).unwrap_or_default();
        let message = if self.rest.is_empty() {
            format!("expected {what}, found the end of the line")
        } else {
            format!("expected {what}, found {}", quoted(found))
        };
        Diagnostic::new(message, span).label(format!("expected {what}"))
    }

    /// Consumes this character, or returns an error.
    pub(crate) fn expect(&mut self, wanted: char) -> Result<(), Diagnostic> {
        if self.eat(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }
}

/// Checks the length of a name, because it is copied for every field on the line.
pub(super) fn check_length(name: Spanned<'_>) -> Result<Spanned<'_>, Diagnostic> {
    if name.text.len() <= MAX_NAME {
        return Ok(name);
    }
    Err(Diagnostic::new(format!("a name of more than {MAX_NAME} bytes"), name.span))
}
