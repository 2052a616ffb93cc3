//! Runs steps, some of them at the same time, and reports their results.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::Error;
use crate::counts::TestCounts;
use crate::project::Project;

/// The tests to run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The tests that fit into half an hour.
    Usual,
    /// Also the long tests: games of hundreds of turns, soaks, more seeds and mutations.
    Long,
}

/// A step: its name and its function.
pub(crate) type TestStep = (&'static str, fn(&Project, Extent) -> Result<TestCounts, Error>);

/// Steps that run one after the other.
pub(crate) type Sequence = &'static [TestStep];

/// The result of a step.
pub(crate) struct StepResult {
    /// Name of the step.
    pub(crate) name: &'static str,
    /// Counts of its tests.
    pub(crate) counts: TestCounts,
    /// Wall-clock time of the step.
    pub(crate) took: Duration,
    /// Processor time of the step and of the programs that it ran, if the system reports it.
    pub(crate) processor: Option<Duration>,
}

/// Runs the phases one after the other, and the sequences of a phase at the same time. Continues after a failed step.
/// Returns whether no step failed.
pub(crate) fn run_phases(phases: &[&[Sequence]], run_step: impl Fn(&TestStep) -> StepResult + Sync) -> bool {
    let start = Instant::now();
    let done = Mutex::new(Vec::new());
    for phase in phases {
        thread::scope(|scope| {
            for sequence in *phase {
                scope.spawn(|| {
                    for step in *sequence {
                        let result = run_step(step);
                        done.lock().unwrap_or_else(PoisonError::into_inner).push(result);
                    }
                });
            }
        });
    }
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (report, success) = report(&done, start.elapsed());
    print!("\n{report}");
    success
}

/// Returns the report and whether no test failed. The report has a line for each step, for all tests and for each
/// skipped or failed test. The last line contains the counts.
fn report(done: &[StepResult], took: Duration) -> (String, bool) {
    let mut report = String::new();
    let mut failures = String::new();
    let mut all = TestCounts::default();
    let mut used = Some(Duration::ZERO);
    for StepResult { name, counts, took: this, processor } in done {
        let result = if counts.failed.is_empty() { "ok" } else { "FAILED" };
        let tests = if counts.ran() == 1 { "test" } else { "tests" };
        let seconds = this.as_secs_f64();
        let processor_seconds =
            processor.map_or_else(String::new, |time| format!("  {:7.1} s processor", time.as_secs_f64()));
        report += &format!("{result:6} {seconds:7.1} s{processor_seconds}  {name}: {} {tests}", counts.ran());
        if !counts.failed.is_empty() {
            report += &format!(", {} failed", counts.failed.len());
        }
        for failure in &counts.failed {
            let failure = failure.replace('\n', "\n      ");
            failures += format!("  failed {name} {failure}").trim_end();
            failures.push('\n');
        }
        if !counts.skipped.is_empty() {
            report += &format!(", {} skipped", counts.skipped.len());
        }
        report.push('\n');
        all = all.and(counts.clone());
        used = used.zip(*processor).map(|(used, this)| used.saturating_add(this));
    }
    let TestCounts { passed, failed, skipped } = &all;
    let seconds = took.as_secs_f64();
    let used = used.map_or_else(String::new, |used| format!(", {:.0} s processor", used.as_secs_f64()));
    report += &format!("{} tests ran, {} skipped, in {seconds:.0} s{used}\n", all.ran(), skipped.len());
    for what in skipped {
        report += &format!("  skipped {what}\n");
    }
    report += &failures;
    report += &format!("{passed} passed, {} failed, {} skipped\n", failed.len(), skipped.len());
    (report, failed.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOK: Duration = Duration::from_secs(3);

    fn done(name: &'static str, counts: TestCounts) -> StepResult {
        let processor = Some(Duration::from_millis(2500));
        StepResult { name, counts, took: Duration::from_millis(1500), processor }
    }

    #[test]
    fn the_report_names_every_step_and_ends_with_the_counts() {
        let tests = TestCounts { passed: 40, failed: Vec::new(), skipped: vec!["tea: no kettle".into()] };
        let steps = [done("format", TestCounts::check(true)), done("tests", tests)];
        let (report, success) = report(&steps, TOOK);
        assert!(success);
        assert_eq!(
            report,
            "ok         1.5 s      2.5 s processor  format: 1 test\n\
             ok         1.5 s      2.5 s processor  tests: 40 tests, 1 skipped\n\
             41 tests ran, 1 skipped, in 3 s, 5 s processor\n  skipped tea: no kettle\n41 passed, 0 failed, 1 skipped\n"
        );
    }

    const FAILURES: &str =
        "\n  failed format\n  failed tests tea\n      cold\n0 passed, 2 failed, 0 skipped\n";

    #[test]
    fn one_failure_is_enough() {
        let tests = TestCounts { failed: vec!["tea\ncold".into()], ..TestCounts::default() };
        let (report, success) =
            report(&[done("format", TestCounts::check(false)), done("tests", tests)], TOOK);
        assert!(!success);
        assert!(
            report.contains("FAILED     1.5 s      2.5 s processor  format: 1 test, 1 failed\n"),
            "{report}"
        );
        assert!(report.ends_with(FAILURES), "{report}");
    }

    #[test]
    fn a_system_without_processor_times_gets_a_report_without_them() {
        let step = StepResult { processor: None, ..done("format", TestCounts::check(true)) };
        let (report, _) = report(&[step, done("docs", TestCounts::check(true))], TOOK);
        assert!(report.starts_with("ok         1.5 s  format: 1 test\n"), "{report}");
        assert!(report.contains("\n2 tests ran, 0 skipped, in 3 s\n"), "{report}");
    }

    #[test]
    fn steps_after_a_failed_one_are_run_and_lanes_run_side_by_side() {
        let barrier = std::sync::Barrier::new(2);
        let run = |step: &TestStep| {
            // The first steps of the sequences wait for each other.
            if step.0.starts_with("first") {
                barrier.wait();
            }
            done(step.0, TestCounts::check(step.0 != "first of one"))
        };
        const NONE: fn(&Project, Extent) -> Result<TestCounts, Error> = |_, _| Ok(TestCounts::check(true));
        const ONE: Sequence = &[("first of one", NONE), ("second of one", NONE)];
        const OTHER: Sequence = &[("first of the other", NONE)];
        let ran = Mutex::new(Vec::new());
        let success = run_phases(&[&[ONE, OTHER], &[&[("last", NONE)]]], |step| {
            ran.lock().unwrap().push(step.0);
            run(step)
        });
        assert!(!success);
        let ran = ran.into_inner().unwrap();
        assert_eq!(ran.len(), 4);
        assert_eq!(ran.last(), Some(&"last"));
    }
}
