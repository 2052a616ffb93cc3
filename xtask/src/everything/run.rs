//! Runs steps one after the other and sums them up.

use std::time::{Duration, Instant};

use super::outcome::Outcome;
use crate::Error;
use crate::project::Project;

/// A step: its name and what it does.
pub(crate) type Step = (&'static str, fn(&Project) -> Result<Outcome, Error>);

/// A step that is done.
struct Done {
    name: &'static str,
    outcome: Outcome,
    took: Duration,
}

/// Runs all steps, also behind a failed one, and says whether all is well.
pub(crate) fn steps(project: &Project, steps: &[Step]) -> Result<bool, Error> {
    let mut done = Vec::new();
    for (name, step) in steps {
        println!("\n=== {name}");
        let start = Instant::now();
        let outcome = step(project).unwrap_or_else(|error| {
            println!("{error}");
            Outcome::check(false)
        });
        done.push(Done { name, outcome, took: start.elapsed() });
    }
    let (report, is_well) = report(&done);
    print!("\n{report}");
    Ok(is_well)
}

/// One line for each step, one for all tests, one for each that was skipped, and the counts alone
/// on the last line.
fn report(done: &[Done]) -> (String, bool) {
    let mut report = String::new();
    let mut all = Outcome::default();
    let mut took = Duration::ZERO;
    for Done { name, outcome, took: this } in done {
        let verdict = if outcome.failed == 0 { "ok" } else { "FAILED" };
        let tests = if outcome.ran() == 1 { "test" } else { "tests" };
        let seconds = this.as_secs_f64();
        report += &format!("{verdict:6} {seconds:7.1} s  {name}: {} {tests}", outcome.ran());
        if outcome.failed > 0 {
            report += &format!(", {} failed", outcome.failed);
        }
        if !outcome.skipped.is_empty() {
            report += &format!(", {} skipped", outcome.skipped.len());
        }
        report.push('\n');
        all = all.and(outcome.clone());
        took = took.saturating_add(*this);
    }
    let Outcome { passed, failed, skipped } = &all;
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

    fn done(name: &'static str, outcome: Outcome) -> Done {
        Done { name, outcome, took: Duration::from_millis(1500) }
    }

    #[test]
    fn the_report_names_every_step_and_ends_with_the_counts() {
        let tests = Outcome { passed: 40, failed: 0, skipped: vec!["tea: no kettle".into()] };
        let (report, is_well) = report(&[done("format", Outcome::check(true)), done("tests", tests)]);
        assert!(is_well);
        assert_eq!(
            report,
            "ok         1.5 s  format: 1 test\n\
             ok         1.5 s  tests: 40 tests, 1 skipped\n\
             41 tests ran, 1 skipped, in 3 s\n  skipped tea: no kettle\n41 passed, 0 failed, 1 skipped\n"
        );
    }

    #[test]
    fn one_failure_is_enough() {
        let (report, is_well) =
            report(&[done("format", Outcome::check(false)), done("docs", Outcome::check(true))]);
        assert!(!is_well);
        assert!(report.contains("FAILED     1.5 s  format: 1 test, 1 failed\n"), "{report}");
        assert!(report.ends_with("\n1 passed, 1 failed, 0 skipped\n"), "{report}");
    }

    #[test]
    fn steps_behind_a_failed_one_are_run() {
        let project = Project { root: "".into(), metadata: serde_json::Value::Null };
        let failing: Step = ("fails", |_| Err("no".into()));
        let last: Step = ("last", |_| Ok(Outcome::check(true)));
        assert!(!steps(&project, &[failing, last]).unwrap());
        assert!(steps(&project, &[last]).unwrap());
    }
}
