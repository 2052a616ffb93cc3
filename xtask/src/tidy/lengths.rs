//! Files stay short enough to be read at one go.

use super::finding::Finding;
use super::source::Source;

/// Lines that a hand-written file may have.
const MOST: usize = 400;

/// Longer files, each with the reason.
const LONG: &[(&str, &str)] = &[];

/// Looks for Rust files that are too long, and for exceptions that nothing needs.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    check_with(sources, LONG)
}

fn check_with(sources: &[Source], long: &[(&str, &str)]) -> Vec<Finding> {
    let is_long = |source: &&Source| source.is_rust() && source.text.lines().count() > MOST;
    let is_listed = |path: &str| long.iter().any(|(file, reason)| *file == path && !reason.is_empty());
    let too_long = sources.iter().filter(is_long).filter(|source| !is_listed(&source.path)).map(|source| {
        let what = format!("{} lines are more than {MOST}", source.text.lines().count());
        let advice = "take it apart, or add it to LONG in xtask/src/tidy/lengths.rs with the reason";
        Finding::new(&source.path, 0, what, advice)
    });
    let is_needed = |file: &str| sources.iter().filter(is_long).any(|source| source.path == file);
    let stale = long.iter().filter(|(file, _)| !is_needed(file)).map(|(file, _)| {
        Finding::new(
            file,
            0,
            "is listed as long and is not",
            "take it off the list in xtask/src/tidy/lengths.rs",
        )
    });
    too_long.chain(stale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, lines: usize) -> Source {
        Source::new(path.into(), "x\n".repeat(lines))
    }

    #[test]
    fn a_file_that_is_too_long_is_found() {
        let sources = [source("a.rs", 400), source("b.rs", 401), source("c.md", 900)];
        let found = check_with(&sources, &[]);
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().starts_with("b.rs: 401 lines are more than 400; "));
    }

    #[test]
    fn a_listed_reason_lets_it_be_and_must_be_needed() {
        let sources = [source("a.rs", 400), source("b.rs", 401)];
        assert!(check_with(&sources, &[("b.rs", "one table")]).is_empty());
        assert_eq!(check_with(&sources, &[("b.rs", "")]).len(), 1);
        assert_eq!(check_with(&sources, &[("b.rs", "one table"), ("a.rs", "another")]).len(), 1);
    }
}
