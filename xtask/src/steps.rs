//! Runs steps one after the other and sums them up.

use std::time::{Duration, Instant};

use crate::Error;
use crate::counts::TestCounts;
use crate::processor;
use crate::project::Project;

/// Which tests run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Those that fit into half an hour.
    Usual,
    /// Also those that are long by nature: games of hundreds of turns, soaks, more seeds and mutations.
    Long,
}

/// A step: its name and its function.
pub(crate) type TestStep = (&'static str, fn(&Project, Extent) -> Result<TestCounts, Error>);

/// A step that ran.
struct StepResult {
    name: &'static str,
    counts: TestCounts,
    took: Duration,
    /// Processor time of the programs that the step ran, where the system reports it.
    processor: Option<Duration>,
}

/// Runs all steps, those after a failed one too, and returns whether none failed.
pub(crate) fn run_steps(project: &Project, extent: Extent, steps: &[TestStep]) -> Result<bool, Error> {
    let mut done = Vec::new();
    for (name, step) in steps {
        println!("\n=== {name}");
        let (start, used) = (Instant::now(), processor::time_of_children());
        let counts = step(project, extent).unwrap_or_else(|error| {
            println!("{error}");
            TestCounts::check(false)
        });
        let processor = processor::time_of_children().zip(used).map(|(now, used)| now.saturating_sub(used));
        done.push(StepResult { name, counts, took: start.elapsed(), processor });
    }
    let (report, success) = report(&done);
    print!("\n{report}");
    Ok(success)
}

/// Returns the report: a line for each step, for all tests and for each skipped test, and the counts on the last line.
fn report(done: &[StepResult]) -> (String, bool) {
    let mut report = String::new();
    let mut all = TestCounts::default();
    let mut took = Duration::ZERO;
    let mut used = Some(Duration::ZERO);
    for StepResult { name, counts, took: this, processor } in done {
        let result = if counts.failed == 0 { "ok" } else { "FAILED" };
        let tests = if counts.ran() == 1 { "test" } else { "tests" };
        let seconds = this.as_secs_f64();
        let processor_seconds =
            processor.map_or_else(String::new, |time| format!("  {:7.1} s processor", time.as_secs_f64()));
        report += &format!("{result:6} {seconds:7.1} s{processor_seconds}  {name}: {} {tests}", counts.ran());
        if counts.failed > 0 {
            report += &format!(", {} failed", counts.failed);
        }
        if !counts.skipped.is_empty() {
            report += &format!(", {} skipped", counts.skipped.len());
        }
        report.push('\n');
        all = all.and(counts.clone());
        took = took.saturating_add(*this);
        used = used.zip(*processor).map(|(used, this)| used.saturating_add(this));
    }
    let TestCounts { passed, failed, skipped } = &all;
    let seconds = took.as_secs_f64();
    let used = used.map_or_else(String::new, |used| format!(", {:.0} s processor", used.as_secs_f64()));
    report += &format!("{} tests ran, {} skipped, in {seconds:.0} s{used}\n", all.ran(), skipped.len());
    for what in skipped {
        report += &format!("  skipped {what}\n");
    }
    report += &format!("{passed} passed, {failed} failed, {} skipped\n", skipped.len());
    (report, *failed == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(name: &'static str, counts: TestCounts) -> StepResult {
        let processor = Some(Duration::from_millis(2500));
        StepResult { name, counts, took: Duration::from_millis(1500), processor }
    }

    #[test]
    fn the_report_names_every_step_and_ends_with_the_counts() {
        let tests = TestCounts { passed: 40, failed: 0, skipped: vec!["tea: no kettle".into()] };
        let (report, success) = report(&[done("format", TestCounts::check(true)), done("tests", tests)]);
        assert!(success);
        assert_eq!(
            report,
            "ok         1.5 s      2.5 s processor  format: 1 test\n\
             ok         1.5 s      2.5 s processor  tests: 40 tests, 1 skipped\n\
             41 tests ran, 1 skipped, in 3 s, 5 s processor\n  skipped tea: no kettle\n41 passed, 0 failed, 1 skipped\n"
        );
    }

    #[test]
    fn one_failure_is_enough() {
        let (report, success) =
            report(&[done("format", TestCounts::check(false)), done("docs", TestCounts::check(true))]);
        assert!(!success);
        assert!(
            report.contains("FAILED     1.5 s      2.5 s processor  format: 1 test, 1 failed\n"),
            "{report}"
        );
        assert!(report.ends_with("\n1 passed, 1 failed, 0 skipped\n"), "{report}");
    }

    #[test]
    fn a_system_without_processor_times_gets_a_report_without_them() {
        let step = StepResult { processor: None, ..done("format", TestCounts::check(true)) };
        let (report, _) = report(&[step, done("docs", TestCounts::check(true))]);
        assert!(report.starts_with("ok         1.5 s  format: 1 test\n"), "{report}");
        assert!(report.contains("\n2 tests ran, 0 skipped, in 3 s\n"), "{report}");
    }

    #[test]
    fn steps_after_a_failed_one_are_run() {
        let project = Project { root: "".into(), metadata: serde_json::Value::Null };
        let failing: TestStep = ("fails", |_, _| Err("no".into()));
        let last: TestStep = ("last", |_, _| Ok(TestCounts::check(true)));
        assert!(!run_steps(&project, Extent::Usual, &[failing, last]).unwrap());
        assert!(run_steps(&project, Extent::Usual, &[last]).unwrap());
    }
}
