//! Runs steps one after the other and sums them up.

use std::time::{Duration, Instant};

use crate::Error;
use crate::counts::TestCounts;
use crate::project::Project;

/// A step: its name and its function.
pub(crate) type TestStep = (&'static str, fn(&Project) -> Result<TestCounts, Error>);

/// A step that ran.
struct StepResult {
    name: &'static str,
    counts: TestCounts,
    took: Duration,
}

/// Runs all steps, those after a failed one too, and returns whether none failed.
pub(crate) fn run_steps(project: &Project, steps: &[TestStep]) -> Result<bool, Error> {
    let mut done = Vec::new();
    for (name, step) in steps {
        println!("\n=== {name}");
        let start = Instant::now();
        let counts = step(project).unwrap_or_else(|error| {
            println!("{error}");
            TestCounts::check(false)
        });
        done.push(StepResult { name, counts, took: start.elapsed() });
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
    for StepResult { name, counts, took: this } in done {
        let result = if counts.failed == 0 { "ok" } else { "FAILED" };
        let tests = if counts.ran() == 1 { "test" } else { "tests" };
        let seconds = this.as_secs_f64();
        report += &format!("{result:6} {seconds:7.1} s  {name}: {} {tests}", counts.ran());
        if counts.failed > 0 {
            report += &format!(", {} failed", counts.failed);
        }
        if !counts.skipped.is_empty() {
            report += &format!(", {} skipped", counts.skipped.len());
        }
        report.push('\n');
        all = all.and(counts.clone());
        took = took.saturating_add(*this);
    }
    let TestCounts { passed, failed, skipped } = &all;
    let seconds = took.as_secs_f64();
    report += &format!("{} tests ran, {} skipped, in {seconds:.0} s\n", all.ran(), skipped.len());
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
        StepResult { name, counts, took: Duration::from_millis(1500) }
    }

    #[test]
    fn the_report_names_every_step_and_ends_with_the_counts() {
        let tests = TestCounts { passed: 40, failed: 0, skipped: vec!["tea: no kettle".into()] };
        let (report, success) = report(&[done("format", TestCounts::check(true)), done("tests", tests)]);
        assert!(success);
        assert_eq!(
            report,
            "ok         1.5 s  format: 1 test\n\
             ok         1.5 s  tests: 40 tests, 1 skipped\n\
             41 tests ran, 1 skipped, in 3 s\n  skipped tea: no kettle\n41 passed, 0 failed, 1 skipped\n"
        );
    }

    #[test]
    fn one_failure_is_enough() {
        let (report, success) =
            report(&[done("format", TestCounts::check(false)), done("docs", TestCounts::check(true))]);
        assert!(!success);
        assert!(report.contains("FAILED     1.5 s  format: 1 test, 1 failed\n"), "{report}");
        assert!(report.ends_with("\n1 passed, 1 failed, 0 skipped\n"), "{report}");
    }

    #[test]
    fn steps_after_a_failed_one_are_run() {
        let project = Project { root: "".into(), metadata: serde_json::Value::Null };
        let failing: TestStep = ("fails", |_| Err("no".into()));
        let last: TestStep = ("last", |_| Ok(TestCounts::check(true)));
        assert!(!run_steps(&project, &[failing, last]).unwrap());
        assert!(run_steps(&project, &[last]).unwrap());
    }
}
