//! Counts of passed, failed and skipped tests.

use crate::command::CommandOutput;

/// Result of a step. A check that runs no tests counts as one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TestCounts {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed.
    pub(crate) failed: u64,
    /// Skipped tests, each with the reason.
    pub(crate) skipped: Vec<String>,
}

impl TestCounts {
    /// Creates the result of a check that runs no tests.
    pub(crate) fn check(success: bool) -> Self {
        Self { passed: success.into(), failed: (!success).into(), skipped: Vec::new() }
    }

    /// Creates the result of one test that could not run.
    pub(crate) fn skipped(what: &str, reason: &str) -> Self {
        Self { skipped: vec![format!("{what}: {reason}")], ..Self::default() }
    }

    /// Reads the counts from output in the format of `cargo test`. A program that fails without a failed test, such as
    /// a build, counts as one failed test.
    pub(crate) fn tests(output: &CommandOutput) -> Self {
        let mut counts = Self::default();
        for line in &output.lines {
            if let Some(result) = line.strip_prefix("test result: ") {
                counts.passed = counts.passed.saturating_add(count(result, "passed"));
                counts.failed = counts.failed.saturating_add(count(result, "failed"));
            } else if let Some(name) = ignored(line) {
                counts.skipped.push(name);
            }
        }
        if !output.success && counts.failed == 0 {
            counts.failed = 1;
        }
        counts
    }

    /// Adds two results.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.passed = self.passed.saturating_add(other.passed);
        self.failed = self.failed.saturating_add(other.failed);
        self.skipped.extend(other.skipped);
        self
    }

    /// Returns the number of tests that ran.
    pub(crate) const fn ran(&self) -> u64 {
        self.passed.saturating_add(self.failed)
    }
}

/// Returns the number before a word, as in `ok. 12 passed; 0 failed`.
fn count(counts: &str, word: &str) -> u64 {
    let words: Vec<&str> = counts.split([' ', ';', '.']).filter(|part| !part.is_empty()).collect();
    let place = words.iter().position(|part| *part == word).and_then(|place| place.checked_sub(1));
    place.and_then(|place| words.get(place)?.parse().ok()).unwrap_or(0)
}

/// Returns the name of an ignored test, with the reason if there is one.
fn ignored(line: &str) -> Option<String> {
    let (name, end) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let reason = end.strip_prefix("ignored")?;
    Some(format!("{name}: {}", reason.strip_prefix(", ").unwrap_or("ignored")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(lines: &[&str], success: bool) -> CommandOutput {
        CommandOutput { lines: lines.iter().map(|line| (*line).to_owned()).collect(), success }
    }

    #[test]
    fn results_are_summed_and_ignored_tests_named() {
        let lines = [
            "running 3 tests",
            "test one ... ok",
            "test src/lib.rs - two (line 3) ... ignored",
            "test three ... ignored, no kettle",
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s",
        ];
        let counts = TestCounts::tests(&output(&lines, false));
        assert_eq!((counts.passed, counts.failed, counts.ran()), (14, 3, 17));
        assert_eq!(counts.skipped, ["src/lib.rs - two (line 3): ignored", "three: no kettle"]);
    }

    #[test]
    fn a_build_that_fails_is_a_failed_test() {
        assert_eq!(TestCounts::tests(&output(&[], false)).failed, 1);
        assert_eq!(TestCounts::tests(&output(&[], true)), TestCounts::default());
    }

    #[test]
    fn outcomes_add_up() {
        let both = TestCounts::check(true).and(TestCounts::skipped("tea", "no kettle"));
        let counts = both.and(TestCounts::check(false));
        assert_eq!((counts.passed, counts.failed), (1, 1));
        assert_eq!(counts.skipped, ["tea: no kettle"]);
    }
}
