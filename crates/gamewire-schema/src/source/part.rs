use std::ops::Range;

/// A text of a definition while it is compiled or told about. Places count through all texts as if
/// they stood one behind another, with one byte between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceFile<'a> {
    pub(crate) name: &'a str,
    pub(crate) topic: &'a str,
    pub(crate) text: &'a str,
    /// The place of its first byte.
    pub(crate) start: usize,
}

impl<'a> SourceFile<'a> {
    /// The only text of a definition.
    pub(crate) fn only(name: &'a str, text: &'a str) -> Self {
        Self { name, topic: "", text, start: 0 }
    }

    /// Where the next text starts: the byte between them is the place at the end of this one.
    pub(crate) fn next_start(&self) -> usize {
        self.start.saturating_add(self.text.len()).saturating_add(1)
    }

    /// The index of the one among these in which a span starts, and the span in bytes of its text.
    pub(crate) fn at(parts: &[Self], span: &Range<usize>) -> Option<(usize, Range<usize>)> {
        let index = parts.iter().rposition(|part| part.start <= span.start)?;
        let start = parts.get(index)?.start;
        Some((index, span.start.saturating_sub(start)..span.end.saturating_sub(start)))
    }
}
