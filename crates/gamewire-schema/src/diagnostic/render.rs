use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::errors::{Diagnostic, Errors};
use super::location::SourceLocation;
use crate::source::{SourceFile, Sources};

/// Maximum bytes of a shown line.
const MAX_SHOWN: usize = 16 << 10;

impl Errors {
    /// Renders all errors for a terminal: each with its location, its line with the text underlined, and a
    /// hint. `name` is the name of the file and `text` its content.
    #[must_use]
    pub fn render(&self, name: &str, text: &str, colored: bool) -> String {
        self.render_files(&[SourceFile::only(name, text)], colored)
    }

    /// Renders all errors of a definition of several files for a terminal.
    #[must_use]
    pub fn render_in(&self, sources: &Sources, colored: bool) -> String {
        self.render_files(&sources.files(), colored)
    }

    fn render_files(&self, files: &[SourceFile<'_>], colored: bool) -> String {
        let renderer = if colored { Renderer::styled() } else { Renderer::plain() };
        let mut shown = String::new();
        for error in self.list() {
            shown.push_str(&renderer.render(&[error.group(files)]));
            shown.push_str("\n\n");
        }
        if self.has_more() {
            let title = format!("showing the first {} errors; there may be more", self.list().len());
            shown.push_str(&renderer.render(&[Group::with_title(Level::NOTE.primary_title(title))]));
            shown.push('\n');
        }
        shown
    }
}

impl Diagnostic {
    fn group<'a>(&'a self, files: &[SourceFile<'a>]) -> Group<'a> {
        let title = Level::ERROR.primary_title(self.message.as_str());
        let mut group = title.element(snippet(files, &self.span, &self.label, AnnotationKind::Primary));
        if let Some((span, why)) = self.secondary.as_deref() {
            group = group.element(snippet(files, span, why, AnnotationKind::Context));
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        group
    }
}

fn snippet<'a>(
    files: &[SourceFile<'a>],
    span: &Range<usize>,
    label: &'a str,
    kind: AnnotationKind,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let (index, span) = SourceFile::at(files, span).unwrap_or_default();
    let file = files.get(index).copied().unwrap_or_else(|| SourceFile::only("", ""));
    let location = SourceLocation::new(file.text, &span);
    let line = location.text.get(..location.text.floor_char_boundary(MAX_SHOWN)).unwrap_or_default();
    let span = location.span.start.min(line.len())..location.span.end.min(line.len());
    let annotation = kind.span(span);
    let annotation = if label.is_empty() { annotation } else { annotation.label(label) };
    Snippet::source(line).path(escape_controls(file.name)).line_start(location.line).annotation(annotation)
}

/// Escapes control characters of a file name, which a terminal would interpret.
fn escape_controls(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return name.into();
    }
    name.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}
