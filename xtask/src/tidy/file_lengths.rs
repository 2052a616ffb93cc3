//! Checks that files are short enough to read in one sitting, and long enough to justify a file.

use super::finding::Finding;
use super::source::Source;

/// Maximum lines of a hand-written file.
const MAX_LINES: usize = 400;
/// A shorter file gets a warning, unless it is a test or has one of the names in [`SHORT`].
const MIN_LINES: usize = 25;

/// Names of files that may be short, because every crate, role or version has one.
const SHORT: &[&str] = &["mod.rs", "lib.rs", "main.rs", "error.rs", "version.rs", "warning.rs"];

/// Longer files that are allowed, each with the reason.
const LONG: &[(&str, &str)] = &[];

/// Checks for Rust files that are too long, and for unused exceptions.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    check_with(sources, LONG)
}

/// Returns the files that are so short that a neighbor could contain them. They cause a warning, not an error.
pub(super) fn slivers(sources: &[Source]) -> Vec<Finding> {
    let is_sliver = |source: &&Source| {
        let name = source.path.rsplit('/').next().unwrap_or_default();
        source.is_rust()
            && source.path.contains("/src/")
            && !source.is_generated()
            && !SHORT.contains(&name)
            && !source.path.contains("test")
            && length(source) < MIN_LINES
    };
    let warning = |source: &Source| {
        let what = format!("only {} lines", length(source));
        Finding::new(&source.path, 0, what, "merge it with a neighbor where that reads better")
    };
    sources.iter().filter(is_sliver).map(warning).collect()
}

fn length(source: &Source) -> usize {
    source.text.lines().count()
}

fn check_with(sources: &[Source], long: &[(&str, &str)]) -> Vec<Finding> {
    let is_long = |source: &&Source| source.is_rust() && !source.is_generated() && length(source) > MAX_LINES;
    let is_listed = |path: &str| long.iter().any(|(file, reason)| *file == path && !reason.is_empty());
    let too_long = sources.iter().filter(is_long).filter(|source| !is_listed(&source.path)).map(|source| {
        let what = format!("{} lines are more than {MAX_LINES}", length(source));
        let advice = "split it, or add it to LONG in xtask/src/tidy/file_lengths.rs with the reason";
        Finding::new(&source.path, 0, what, advice)
    });
    let is_needed = |file: &str| sources.iter().filter(is_long).any(|source| source.path == file);
    let stale = long.iter().filter(|(file, _)| !is_needed(file)).map(|(file, _)| {
        let advice = "remove it from the list in xtask/src/tidy/file_lengths.rs";
        Finding::new(file, 0, "is listed as long and is not", advice)
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
    fn a_listed_reason_excuses_a_long_file_and_must_be_needed() {
        let sources = [source("a.rs", 400), source("b.rs", 401)];
        assert!(check_with(&sources, &[("b.rs", "one table")]).is_empty());
        assert_eq!(check_with(&sources, &[("b.rs", "")]).len(), 1);
        assert_eq!(check_with(&sources, &[("b.rs", "one table"), ("a.rs", "another")]).len(), 1);
    }

    #[test]
    fn a_sliver_is_a_short_source_file_except_module_roots() {
        let sources = [
            source("a/src/b.rs", 24),
            source("a/src/c.rs", 25),
            source("a/src/mod.rs", 3),
            source("a/tests/d.rs", 3),
        ];
        let found = slivers(&sources);
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().starts_with("a/src/b.rs: only 24 lines; "));
    }
}
