use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::errors::Errors;
use super::place::Place;
use super::single::Diagnostic;

/// The most of a line that is shown, in bytes.
const MAX_SHOWN: usize = 16 << 10;

impl Errors {
    /// All errors for a reader at a terminal: each with its place, the line, the text underlined,
    /// and a hint. `name` is what the file is called and `text` what is in it.
    #[must_use]
    pub fn render(&self, name: &str, text: &str, coloured: bool) -> String {
        let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
        let mut shown = String::new();
        for error in self.list() {
            shown.push_str(&renderer.render(&[error.group(name, text)]));
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
    fn group<'a>(&'a self, name: &'a str, text: &'a str) -> Group<'a> {
        let title = Level::ERROR.primary_title(self.message.as_str());
        let mut group = title.element(snippet(name, text, &self.span, &self.label, AnnotationKind::Primary));
        if let Some((span, why)) = self.related.as_deref() {
            group = group.element(snippet(name, text, span, why, AnnotationKind::Context));
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        group
    }
}

fn snippet<'a>(
    name: &'a str,
    text: &'a str,
    span: &Range<usize>,
    label: &'a str,
    kind: AnnotationKind,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let place = Place::of(text, span);
    let line = place.text.get(..place.text.floor_char_boundary(MAX_SHOWN)).unwrap_or_default();
    let span = place.span.start.min(line.len())..place.span.end.min(line.len());
    let annotation = kind.span(span);
    let annotation = if label.is_empty() { annotation } else { annotation.label(label) };
    Snippet::source(line).path(name).line_start(place.line).annotation(annotation)
}
