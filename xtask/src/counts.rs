//! Counts of passed, failed and skipped tests.

use crate::command::CommandOutput;

/// Number of lines of a failed test that the report shows.
const SHOWN_LINES: usize = 20;

/// Result of a step. A check that runs no tests counts as one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TestCounts {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Failed tests. The first line is the name, or empty for a check without tests. The other lines are the last
    /// lines that the test printed.
    pub(crate) failed: Vec<String>,
    /// Skipped tests, each with the reason.
    pub(crate) skipped: Vec<String>,
}

impl TestCounts {
    /// Creates the result of a check that runs no tests.
    pub(crate) fn check(success: bool) -> Self {
        let failed = if success { Vec::new() } else { vec![String::new()] };
        Self { passed: success.into(), failed, skipped: Vec::new() }
    }

    /// Creates the result of one test that could not run.
    pub(crate) fn skipped(what: &str, reason: &str) -> Self {
        Self { skipped: vec![format!("{what}: {reason}")], ..Self::default() }
    }

    /// Reads the counts from output in the format of `cargo test`. A program that fails without a failed test, such as
    /// a build, counts as one failed test.
    pub(crate) fn tests(output: &CommandOutput) -> Self {
        let mut counts = Self::default();
        let mut failed: usize = 0;
        for (number, line) in output.lines.iter().enumerate() {
            if let Some(result) = line.strip_prefix("test result: ") {
                counts.passed = counts.passed.saturating_add(count(result, "passed"));
                failed = failed.saturating_add(usize::try_from(count(result, "failed")).unwrap_or(0));
            } else if let Some((name, reason)) = ended(line, "ignored") {
                counts.skipped.push(format!("{name}: {}", reason.strip_prefix(", ").unwrap_or("ignored")));
            } else if let Some((name, _)) = ended(line, "FAILED") {
                counts.failed.push(failure(name, output.lines.get(number..).unwrap_or_default()));
            }
        }
        // A test that prints without a line end hides its name.
        let unnamed = failed.max((!output.success).into()).saturating_sub(counts.failed.len());
        counts.failed.extend(std::iter::repeat_n(String::new(), unnamed));
        counts
    }

    /// Adds two results.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.passed = self.passed.saturating_add(other.passed);
        self.failed.extend(other.failed);
        self.skipped.extend(other.skipped);
        self
    }

    /// Returns the number of tests that ran.
    pub(crate) fn ran(&self) -> u64 {
        self.passed.saturating_add(self.failed.len() as u64)
    }
}

/// Returns the number before a word, as in `ok. 12 passed; 0 failed`.
fn count(counts: &str, word: &str) -> u64 {
    let words: Vec<&str> = counts.split([' ', ';', '.']).filter(|part| !part.is_empty()).collect();
    let place = words.iter().position(|part| *part == word).and_then(|place| place.checked_sub(1));
    place.and_then(|place| words.get(place)?.parse().ok()).unwrap_or(0)
}

/// Returns the name of a test that ended with this result, and what follows the result in the line.
fn ended<'a>(line: &'a str, result: &str) -> Option<(&'a str, &'a str)> {
    let (name, end) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    Some((name, end.strip_prefix(result)?))
}

/// Returns the name of a failed test and the last lines that it printed. `lines` start with its result. The runner of
/// the scenarios prints a traceback after the result, and cargo a section with the name after all results.
fn failure(name: &str, lines: &[String]) -> String {
    let section = format!("---- {name} stdout ----");
    let is_other = |line: &&String| !line.starts_with("test ") && !line.starts_with("failures:");
    let following: Vec<&String> = lines.iter().skip(1).take_while(is_other).collect();
    let in_section = lines.iter().skip_while(|line| **line != section).skip(1);
    let printed: Vec<&String> =
        in_section.take_while(|line| !line.starts_with("---- ") && !line.starts_with("failures:")).collect();
    let printed = if printed.is_empty() { following } else { printed };
    let printed: Vec<&&String> = printed.iter().filter(|line| !line.trim().is_empty()).collect();
    let shown = printed.get(printed.len().saturating_sub(SHOWN_LINES)..).unwrap_or_default();
    shown.iter().fold(name.to_owned(), |text, line| format!("{text}\n{line}"))
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
        assert_eq!((counts.passed, counts.failed.len(), counts.ran()), (14, 3, 17));
        assert_eq!(counts.skipped, ["src/lib.rs - two (line 3): ignored", "three: no kettle"]);
    }

    #[test]
    fn a_failed_test_has_its_name_and_what_it_printed() {
        let cargo = [
            "test tea ... FAILED",
            "test milk ... FAILED",
            "",
            "failures:",
            "",
            "---- tea stdout ----",
            "it is cold",
            "",
            "---- milk stdout ----",
            "it is sour",
            "",
            "failures:",
            "    tea",
            "test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        ];
        let counts = TestCounts::tests(&output(&cargo, false));
        assert_eq!(counts.failed, ["tea\nit is cold", "milk\nit is sour"]);
        let scenarios = [
            "test drinks::tea ... FAILED (1.2 s)",
            "Traceback (most recent call last):",
            "AssertionError: cold",
            "test drinks::milk ... ok (1.0 s)",
            "test result: FAILED. 1 passed; 1 failed; 0 ignored; finished in 2 s, 1 s of processor time",
        ];
        let counts = TestCounts::tests(&output(&scenarios, false));
        assert_eq!(counts.failed, ["drinks::tea\nTraceback (most recent call last):\nAssertionError: cold"]);
    }

    #[test]
    fn a_build_that_fails_is_a_failed_test() {
        assert_eq!(TestCounts::tests(&output(&[], false)).failed, [""]);
        assert_eq!(TestCounts::tests(&output(&[], true)), TestCounts::default());
    }

    #[test]
    fn outcomes_add_up() {
        let both = TestCounts::check(true).and(TestCounts::skipped("tea", "no kettle"));
        let counts = both.and(TestCounts::check(false));
        assert_eq!((counts.passed, counts.failed.len()), (1, 1));
        assert_eq!(counts.skipped, ["tea: no kettle"]);
    }
}
