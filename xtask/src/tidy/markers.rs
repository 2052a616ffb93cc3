//! Checks that the code contains no unfinished parts.

use super::finding::Finding;
use super::source::{Source, has_word};

/// Macros for unfinished code and for debugging.
const MACROS: &[&str] = &["todo!", "unimplemented!", "dbg!"];
/// Notes about unfinished work, split in halves so that this file does not contain them.
const NOTES: &[&str] = &[concat!("FIX", "ME"), concat!("XX", "X"), concat!("TO", "DO")];

/// Checks one Rust file.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    if !source.is_rust() {
        return Vec::new();
    }
    let left = |what: &str| format!("`{what}` is left over");
    let mut found = Vec::new();
    for (number, line) in (1..).zip(source.code().lines()) {
        for word in MACROS.iter().filter(|word| has_word(line, word)) {
            found.push(Finding::new(&source.path, number, left(word), "finish it or take it out"));
        }
    }
    for (number, line) in source.lines() {
        for word in NOTES.iter().filter(|word| has_word(line, word)) {
            found.push(Finding::new(&source.path, number, left(word), "do it, or open an issue for it"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        check(&Source::new("a.rs".into(), text.into())).len()
    }

    #[test]
    fn macros_of_unfinished_code_are_found() {
        assert_eq!(found(&format!("fn f() {{ {}(\"later\") }}", MACROS[0])), 1);
        assert_eq!(found("let x = dbg!(y);"), 1);
        assert_eq!(found("fn f() { unimplemented!() }"), 1);
        assert_eq!(found("// the lint against dbg! and \"todo!\""), 0);
    }

    #[test]
    fn notes_are_found_in_comments() {
        for note in NOTES {
            assert_eq!(found(&format!("// {note}: later")), 1, "{note}");
            assert_eq!(found(&format!("// {note}S")), 0, "{note}");
        }
    }
}
