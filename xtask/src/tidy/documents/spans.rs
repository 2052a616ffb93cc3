//! The parts of a document that name something.

/// A code span, the target of a link, or a line of a code block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Number of its line, from 1.
    pub(super) line: usize,
    pub(super) kind: Kind,
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Code,
    Link,
    /// A whole command of a code block, without its prompt.
    Command,
}

/// Returns the spans of a document.
pub(super) fn of(text: &str) -> Vec<Span> {
    let (mut spans, mut is_block, mut is_code) = (Vec::new(), false, false);
    // A code span or a command that goes on in the next line.
    let mut open = String::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim_start().starts_with("```") {
            is_block = !is_block;
            open.clear();
            is_code = false;
        } else if is_block {
            open.push_str(text.trim().trim_start_matches("$ ").trim_end_matches('\\'));
            if !text.ends_with('\\') {
                spans.push(Span { line, kind: Kind::Command, text: std::mem::take(&mut open) });
            }
        } else if text.trim().is_empty() {
            // A paragraph ends here, and so does a span.
            open.clear();
            is_code = false;
        } else {
            let mut parts = text.split('`').peekable();
            while let Some(part) = parts.next() {
                if is_code {
                    open.push_str(part);
                } else {
                    spans.extend(links(part).map(|link| Span { line, kind: Kind::Link, text: link.into() }));
                }
                if parts.peek().is_some() {
                    if is_code {
                        spans.push(Span { line, kind: Kind::Code, text: std::mem::take(&mut open) });
                    }
                    is_code = !is_code;
                }
            }
            if is_code {
                open.push(' ');
            }
        }
    }
    spans
}

/// Returns the targets of the links in a text.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, Kind, String)> {
        of(text).into_iter().map(|span| (span.line, span.kind, span.text)).collect()
    }

    #[test]
    fn code_links_and_commands_are_found_with_their_lines() {
        let text = "See `a.rs`, `cargo\ntest` and [b](docs/b.md).\n\n```\n$ cargo \\\n  run # all\n```\n";
        assert_eq!(
            found(text),
            [
                (1, Kind::Code, "a.rs".into()),
                (2, Kind::Code, "cargo test".into()),
                (2, Kind::Link, "docs/b.md".into()),
                (6, Kind::Command, "cargo run # all".into()),
            ]
        );
    }

    #[test]
    fn a_span_ends_with_its_paragraph() {
        assert_eq!(found("an open ` mark\n\n`code`"), [(3, Kind::Code, "code".into())]);
    }
}
