//! Errors in a definition, with their locations.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use strsim::normalized_damerau_levenshtein;

use crate::limits::MAX_ERRORS;
use crate::source::Sources;

/// Maximum characters of a quotation in a message.
const MAX_QUOTED: usize = 64;
/// Maximum bytes of a line that is shown.
const MAX_SHOWN: usize = 16 << 10;
/// Maximum bytes of a name that is compared for suggestions.
const MAX_COMPARED: usize = 48;
/// Minimum similarity of a suggestion, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.75;

/// Another range of the text, with a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondaryLabel {
    /// Byte range of the text.
    pub span: Range<usize>,
    /// Label of that range.
    pub label: String,
}

/// One error in a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The error message, in one sentence.
    pub message: String,
    /// Byte range of the text. In a definition of several files, [`Sources::at`](crate::Sources::at) returns the file.
    pub span: Range<usize>,
    /// Label of that range. It may be empty.
    pub label: String,
    /// A related span and its label.
    pub secondary: Option<Box<SecondaryLabel>>,
    /// Advice to fix the error.
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
        self.secondary = Some(Box::new(SecondaryLabel { span, label: why.into() }));
        self
    }

    /// Labels the second definition of an item. `first` is the span of the first definition.
    pub(crate) fn repeats(self, first: &Range<usize>) -> Self {
        self.label("again here").secondary_label(first.clone(), "the first one")
    }

    fn group<'a>(&'a self, sources: &'a Sources) -> Group<'a> {
        let title = Level::ERROR.primary_title(self.message.as_str());
        let mut group = title.element(snippet(sources, &self.span, &self.label, AnnotationKind::Primary));
        if let Some(SecondaryLabel { span, label: why }) = self.secondary.as_deref() {
            group = group.element(snippet(sources, span, why, AnnotationKind::Context));
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        group
    }
}

/// Returns the line that contains a span, with the span underlined.
fn snippet<'a>(
    sources: &'a Sources,
    span: &Range<usize>,
    label: &'a str,
    kind: AnnotationKind,
) -> Snippet<'a, Annotation<'a>> {
    let (name, text, span) = match sources.at(span) {
        Some((source, span)) => (source.name.as_str(), source.text.as_str(), span),
        None => ("", "", 0..0),
    };
    let location = SourceLocation::new(text, &span);
    let line = location.text.get(..location.text.floor_char_boundary(MAX_SHOWN)).unwrap_or_default();
    let span = location.span.start.min(line.len())..location.span.end.min(line.len());
    let annotation = kind.span(span).label((!label.is_empty()).then_some(label));
    Snippet::source(line).path(escape_controls(name)).line_start(location.line).annotation(annotation)
}

/// Escapes control characters in a file name, because a terminal would interpret them.
fn escape_controls(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return name.into();
    }
    name.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

/// Quotes a text from the file for a message. The text is escaped and truncated.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_QUOTED).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_QUOTED).is_some() {
        shown.push_str("...");
    }
    format!("`{shown}`")
}

/// Returns the hint `did you mean ...?` with the most similar candidate, or `otherwise`.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> String {
    let is_short = |name: &str| name.len() <= MAX_COMPARED;
    let similar = candidates.into_iter().filter(|candidate| is_short(name) && is_short(candidate));
    let similar = similar.map(|candidate| (normalized_damerau_levenshtein(name, candidate), candidate));
    let similar = similar.filter(|(similarity, _)| *similarity >= MIN_SIMILARITY);
    // If several candidates are equally similar, the first one wins.
    let best = similar.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or_else(|| otherwise.to_owned(), |(_, candidate)| format!("did you mean `{candidate}`?"))
}

/// The errors in a definition, in the order of the file, up to a maximum number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    list: Vec<Diagnostic>,
    has_more: bool,
}

impl Errors {
    /// Adds an error unless the maximum number is reached.
    pub(crate) fn push(&mut self, error: Diagnostic) {
        if !self.is_full() {
            self.list.push(error);
        }
    }

    /// Returns whether the maximum number of errors is reached.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MAX_ERRORS
    }

    /// Returns the value if there are no errors. If there are, returns the errors in the order of the file.
    pub(crate) fn into_result<T>(mut self, value: Option<T>) -> Result<T, Self> {
        match value {
            Some(value) if self.list.is_empty() => Ok(value),
            _ => {
                self.has_more = self.is_full();
                self.list.sort_by_key(|error| error.span.start);
                Err(self)
            }
        }
    }

    /// Returns the errors.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Returns whether there may be more errors than the list contains.
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// Renders all errors for a terminal. Each has its location, its line with the span underlined, and a hint. `name`
    /// is the name of the file and `text` its content.
    pub fn render(&self, name: &str, text: &str, colored: bool) -> String {
        self.render_in(&Sources::only(name, text), colored)
    }

    /// Renders all errors in a definition of several files for a terminal.
    pub fn render_in(&self, sources: &Sources, colored: bool) -> String {
        let renderer = if colored { Renderer::styled() } else { Renderer::plain() };
        let mut shown = String::new();
        for error in &self.list {
            shown.push_str(&renderer.render(&[error.group(sources)]));
            shown.push_str("\n\n");
        }
        if self.has_more {
            let title = format!("showing the first {} errors; there may be more", self.list.len());
            shown.push_str(&renderer.render(&[Group::with_title(Level::NOTE.primary_title(title))]));
            shown.push('\n');
        }
        shown
    }
}

/// Writes the messages, one per line.
impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages: Vec<&str> = self.list.iter().map(|error| error.message.as_str()).collect();
        f.write_str(&messages.join("\n"))
    }
}

impl std::error::Error for Errors {}

/// Location of a span in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation<'a> {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The text of that line, without the line break.
    pub text: &'a str,
    /// The byte range of the span in `text`.
    pub span: Range<usize>,
}

impl<'a> SourceLocation<'a> {
    /// Returns the location of a span in a file. Truncates the span at the end of its first line.
    pub fn new(file: &'a str, span: &Range<usize>) -> Self {
        let start = file.floor_char_boundary(span.start);
        let (before, after) = file.split_at_checked(start).unwrap_or((file, ""));
        let line_start = before.rfind('\n').map_or(0, |newline| newline.saturating_add(1));
        let line_end = after.find('\n').map_or(file.len(), |newline| start.saturating_add(newline));
        let text = file.get(line_start..line_end).unwrap_or_default();
        let text = text.strip_suffix('\r').unwrap_or(text);
        let from = start.saturating_sub(line_start).min(text.len());
        let end = span.end.saturating_sub(line_start).clamp(from, text.len());
        let end = text.ceil_char_boundary(end);
        let column = text.get(..from).unwrap_or_default().chars().count().saturating_add(1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count().saturating_add(1);
        Self { line, column, text, span: from..end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let location = SourceLocation::new("a\n\u{e4}b c\r\nd", &(5..6));
        assert_eq!((location.line, location.column, location.text), (2, 3, "\u{e4}b c"));
        assert_eq!(location.span, 3..4);
    }

    #[test]
    fn a_span_ends_with_its_line_and_with_the_file() {
        assert_eq!(SourceLocation::new("ab\ncd", &(1..5)).span, 1..2);
        assert_eq!(SourceLocation::new("ab", &(7..9)).span, 2..2);
        assert_eq!(SourceLocation::new("", &(0..1)).line, 1);
    }
}
