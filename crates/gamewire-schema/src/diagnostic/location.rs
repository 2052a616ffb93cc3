use std::ops::Range;

/// Location of a span in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation<'a> {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The text of that line, without its end.
    pub text: &'a str,
    /// The span in `text`, in bytes.
    pub span: Range<usize>,
}

impl<'a> SourceLocation<'a> {
    /// Returns the location of a span of a file. Cuts the span at the end of its first line.
    #[must_use]
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
