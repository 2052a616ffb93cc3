use std::ops::Range;

/// Returns the text with every `/* ... */` replaced by blanks, so that offsets stay the same, and the
/// start of a comment that is never closed. A comment over several lines joins them.
pub(super) fn blank(text: &str) -> (String, Option<Range<usize>>) {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        kept.push_str(before);
        let Some((inside, after)) = comment.split_once("*/") else {
            let start = kept.len();
            kept.extend(std::iter::repeat_n(' ', comment.len().saturating_add(2)));
            return (kept, Some(start..start.saturating_add(2)));
        };
        kept.extend(std::iter::repeat_n(' ', inside.len().saturating_add(4)));
        rest = after;
    }
    kept.push_str(rest);
    (kept, None)
}

/// Returns the text before a `#` or a `//`.
pub(super) fn before_comment(line: &str) -> &str {
    let hash = line.find('#').unwrap_or(line.len());
    let slashes = line.find("//").unwrap_or(line.len());
    line.get(..hash.min(slashes)).unwrap_or(line)
}

/// Returns the text of a line that documents the next item: `/// text`.
pub(super) fn doc(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("///").map(str::trim)
}

/// Returns the text of a line that documents its file: `//! text`.
pub(super) fn topic_doc(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("//!").map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_comment_becomes_blanks_of_the_same_length() {
        assert_eq!(blank("a/* \u{e4}\n */b"), ("a         b".to_owned(), None));
        assert_eq!(blank("a # /* b */ c").0, "a #         c");
        assert_eq!(blank("/**/").0, "    ");
    }

    #[test]
    fn a_block_comment_without_end_is_found() {
        assert_eq!(blank("ab/* c"), ("ab    ".to_owned(), Some(2..4)));
        assert_eq!(blank("/*/").1, Some(0..2));
    }

    #[test]
    fn the_earlier_comment_of_a_line_counts() {
        assert_eq!(before_comment("a # b // c"), "a ");
        assert_eq!(before_comment("a // b # c"), "a ");
        assert_eq!(before_comment("a"), "a");
    }
}
