use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::errors::Errors;
use super::place::SourceLocation;
use super::single::Diagnostic;
use crate::source::{SourceFile, Sources};

/// The most of a line that is shown, in bytes.
const MAX_SHOWN: usize = 16 << 10;

impl Errors {
    /// All errors for a reader at a terminal: each with its place, the line, the text underlined,
    /// and a hint. `name` is what the file is called and `text` what is in it.
    #[must_use]
    pub fn render(&self, name: &str, text: &str, coloured: bool) -> String {
        self.render_parts(&[SourceFile::only(name, text)], coloured)
    }

    /// The same for a definition of several files.
    #[must_use]
    pub fn render_in(&self, sources: &Sources, coloured: bool) -> String {
        self.render_parts(&sources.parts(), coloured)
    }

    fn render_parts(&self, parts: &[SourceFile<'_>], coloured: bool) -> String {
        let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
        let mut shown = String::new();
        for error in self.list() {
            shown.push_str(&renderer.render(&[error.group(parts)]));
            shown.push_str("\n\n");
        }
        if self.has_more() {
            let title = format!("there may be more: {} errors are shown", self.list().len());
            shown.push_str(&renderer.render(&[Group::with_title(Level::NOTE.primary_title(title))]));
            shown.push('\n');
        }
        shown
    }
}

impl Diagnostic {
    fn group<'a>(&'a self, parts: &[SourceFile<'a>]) -> Group<'a> {
        let title = Level::ERROR.primary_title(self.message.as_str());
        let mut group = title.element(snippet(parts, &self.span, &self.label, AnnotationKind::Primary));
        if let Some((span, why)) = self.related.as_deref() {
            group = group.element(snippet(parts, span, why, AnnotationKind::Context));
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        group
    }
}

fn snippet<'a>(
    parts: &[SourceFile<'a>],
    span: &Range<usize>,
    label: &'a str,
    kind: AnnotationKind,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let (index, span) = SourceFile::at(parts, span).unwrap_or_default();
    let part = parts.get(index).copied().unwrap_or_else(|| SourceFile::only("", ""));
    let place = SourceLocation::of(part.text, &span);
    let line = place.text.get(..place.text.floor_char_boundary(MAX_SHOWN)).unwrap_or_default();
    let span = place.span.start.min(line.len())..place.span.end.min(line.len());
    let annotation = kind.span(span);
    let annotation = if label.is_empty() { annotation } else { annotation.label(label) };
    Snippet::source(line).path(shown(part.name)).line_start(place.line).annotation(annotation)
}

/// The name of a file without control characters, which a terminal might obey.
fn shown(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return name.into();
    }
    name.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}
