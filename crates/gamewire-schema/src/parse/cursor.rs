use std::ops::Range;

use super::tree::Spanned;
use crate::diagnostic::{Diagnostic, quoted};
use crate::limits::MAX_NAME;

/// Walks over one line.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    /// What is still to be read.
    rest: &'a str,
    /// Where `rest` starts in the file.
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, offset: usize) -> Self {
        Self { rest: text, offset }
    }

    /// Takes this many bytes; all of the rest where that is no place between characters.
    fn take(&mut self, bytes: usize) -> Spanned<'a> {
        let (text, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        let start = self.offset;
        self.offset = start.saturating_add(text.len());
        self.rest = rest;
        Spanned { text, span: start..self.offset }
    }

    pub(crate) fn skip_blanks(&mut self) {
        let blanks = self.rest.len().saturating_sub(self.rest.trim_start().len());
        self.take(blanks);
    }

    /// The longest run of such characters behind blanks, if there is one.
    fn run(&mut self, belongs: impl Fn(char) -> bool) -> Option<Spanned<'a>> {
        self.skip_blanks();
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        (end > 0).then(|| self.take(end))
    }

    /// A name or a number: letters, digits, underscores.
    pub(crate) fn word(&mut self) -> Option<Spanned<'a>> {
        self.run(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// A word that should stand here, as `what`.
    pub(super) fn name(&mut self, what: &str) -> Result<Spanned<'a>, Diagnostic> {
        let word = self.word();
        word.ok_or_else(|| self.expected(what)).and_then(of_some_length)
    }

    /// The name of a flag: hyphens belong to it.
    pub(super) fn flag_word(&mut self) -> Result<Spanned<'a>, Diagnostic> {
        let word = self.run(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        word.ok_or_else(|| self.expected("a flag")).and_then(of_some_length)
    }

    /// Everything up to one of these characters or the end, without blanks around it.
    pub(super) fn until(&mut self, ends: &[char]) -> Spanned<'a> {
        self.skip_blanks();
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let Spanned { text, span } = self.take(end);
        let text = text.trim_end();
        Spanned { text, span: span.start..span.start.saturating_add(text.len()) }
    }

    /// Takes this character if it is the next one behind blanks.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        self.skip_blanks();
        let is_there = self.rest.starts_with(wanted);
        if is_there {
            self.take(wanted.len_utf8());
        }
        is_there
    }

    pub(crate) fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.rest.chars().next()
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Where the cursor stands.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// The next word or character, or the place at the end of the line.
    pub(crate) fn next_span(&mut self) -> Range<usize> {
        self.skip_blanks();
        let mut ahead = self.clone();
        if let Some(word) = ahead.word() {
            return word.span;
        }
        let length = self.rest.chars().next().map_or(1, char::len_utf8);
        self.offset..self.offset.saturating_add(length)
    }

    /// That something else should stand here.
    pub(crate) fn expected(&mut self, what: &str) -> Diagnostic {
        let span = self.next_span();
        let found = self.rest.get(..span.end.saturating_sub(span.start)).unwrap_or_default();
        let message = if self.rest.is_empty() {
            format!("expected {what}, the line ends here")
        } else {
            format!("expected {what}, found {}", quoted(found))
        };
        Diagnostic::new(message, span).label(format!("expected {what}"))
    }

    /// Takes this character or says that it should stand here.
    pub(crate) fn expect(&mut self, wanted: char) -> Result<(), Diagnostic> {
        if self.eat(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }
}

/// Names are short: what is repeated for every field of a line stays small.
pub(super) fn of_some_length(name: Spanned<'_>) -> Result<Spanned<'_>, Diagnostic> {
    if name.text.len() <= MAX_NAME {
        return Ok(name);
    }
    Err(Diagnostic::new(format!("a name of more than {MAX_NAME} bytes"), name.span))
}
