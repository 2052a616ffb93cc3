//! Checks the code blocks of `CONTRIBUTING.md`: each is a part of the file that was named last.

use super::spans::{self, Kind};
use crate::tidy::finding::Finding;
use crate::tidy::source::Source;

/// Checks the blocks with a language.
pub(super) fn check(document: &Source, sources: &[Source]) -> Vec<Finding> {
    let (mut found, mut named, mut block) = (Vec::new(), None, None::<(usize, String)>);
    for (line, text) in document.lines() {
        let text = text.trim();
        match (&mut block, text.strip_prefix("```")) {
            (Some((start, quote)), Some(_)) => {
                if !named.is_some_and(|file: &Source| without_indents(&file.text).contains(&**quote)) {
                    let what = "the block is not in the file that is named before it";
                    found.push(Finding::new(&document.path, *start, what, "quote the file"));
                }
                block = None;
            }
            (Some((_, quote)), None) => {
                quote.push_str(text);
                quote.push('\n');
            }
            // A block without a language has commands.
            (None, Some(language)) => block = (!language.is_empty()).then(|| (line, String::new())),
            (None, None) => {
                let codes = spans::of(text).into_iter().filter(|span| span.kind == Kind::Code);
                let mut files =
                    codes.filter_map(|span| sources.iter().find(|source| source.path == span.text));
                named = files.next_back().or(named);
            }
        }
    }
    found
}

/// Returns a text without the blanks at the start and the end of its lines.
fn without_indents(text: &str) -> String {
    text.lines().flat_map(|line| [line.trim(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_a_part_of_the_file_before_it() {
        let sources = [Source::new("a.rs".into(), "fn f() {\n    g();\n    h();\n}\n".into())];
        let found = |text: &str| check(&Source::new("CONTRIBUTING.md".into(), text.into()), &sources).len();
        assert_eq!(found("In `a.rs`:\n\n   ```rust\n   g();\n   h();\n   ```\n"), 0);
        assert_eq!(found("In `a.rs`:\n```rust\nh();\ng();\n```\n"), 1);
        assert_eq!(found("```rust\ng();\n```\n"), 1);
        assert_eq!(found("```\ncargo test\n```\n"), 0);
    }
}
