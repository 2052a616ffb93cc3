//! What a step comes to.

use crate::command::CommandOutput;

/// How many tests a step ran and how they ended. A check without tests of its own counts as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TestCounts {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed.
    pub(crate) failed: u64,
    /// What was left out, each with the reason.
    pub(crate) skipped: Vec<String>,
}

impl TestCounts {
    /// A check that is a test of its own.
    pub(crate) fn check(is_well: bool) -> Self {
        Self { passed: is_well.into(), failed: (!is_well).into(), skipped: Vec::new() }
    }

    /// One test that could not run.
    pub(crate) fn skipped(what: &str, why: &str) -> Self {
        Self { skipped: vec![format!("{what}: {why}")], ..Self::default() }
    }

    /// What a program says of its tests in lines as those of `cargo test`. One that fails without
    /// a failed test (such as a build) counts as a failed test.
    pub(crate) fn tests(shown: &CommandOutput) -> Self {
        let mut outcome = Self::default();
        for line in &shown.lines {
            if let Some(counts) = line.strip_prefix("test result: ") {
                outcome.passed = outcome.passed.saturating_add(count(counts, "passed"));
                outcome.failed = outcome.failed.saturating_add(count(counts, "failed"));
            } else if let Some(name) = ignored(line) {
                outcome.skipped.push(format!("{name}: ignored"));
            }
        }
        if !shown.success && outcome.failed == 0 {
            outcome.failed = 1;
        }
        outcome
    }

    /// Both together.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.passed = self.passed.saturating_add(other.passed);
        self.failed = self.failed.saturating_add(other.failed);
        self.skipped.extend(other.skipped);
        self
    }

    /// How many tests ran.
    pub(crate) const fn ran(&self) -> u64 {
        self.passed.saturating_add(self.failed)
    }
}

/// The number before a word, as in `ok. 12 passed; 0 failed`.
fn count(counts: &str, word: &str) -> u64 {
    let words: Vec<&str> = counts.split([' ', ';', '.']).filter(|part| !part.is_empty()).collect();
    let place = words.iter().position(|part| *part == word).and_then(|place| place.checked_sub(1));
    place.and_then(|place| words.get(place)?.parse().ok()).unwrap_or(0)
}

/// The name of a test that was ignored, with the reason if there is one.
fn ignored(line: &str) -> Option<&str> {
    let (name, end) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    end.starts_with("ignored").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &[&str], is_well: bool) -> CommandOutput {
        CommandOutput { lines: lines.iter().map(|line| (*line).to_owned()).collect(), success: is_well }
    }

    #[test]
    fn results_are_summed_and_ignored_tests_named() {
        let lines = [
            "running 3 tests",
            "test one ... ok",
            "test src/lib.rs - two (line 3) ... ignored",
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s",
        ];
        let outcome = TestCounts::tests(&shown(&lines, false));
        assert_eq!((outcome.passed, outcome.failed, outcome.ran()), (14, 3, 17));
        assert_eq!(outcome.skipped, ["src/lib.rs - two (line 3): ignored"]);
    }

    #[test]
    fn a_build_that_fails_is_a_failed_test() {
        assert_eq!(TestCounts::tests(&shown(&[], false)).failed, 1);
        assert_eq!(TestCounts::tests(&shown(&[], true)), TestCounts::default());
    }

    #[test]
    fn outcomes_add_up() {
        let both = TestCounts::check(true).and(TestCounts::skipped("tea", "no kettle"));
        let outcome = both.and(TestCounts::check(false));
        assert_eq!((outcome.passed, outcome.failed), (1, 1));
        assert_eq!(outcome.skipped, ["tea: no kettle"]);
    }
}
