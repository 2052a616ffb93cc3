//! Runs a step in a separate process, so that each line of its output has the step's name as a prefix, and its
//! processor time is known.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Error;
use crate::command::print_lines;
use crate::counts::TestCounts;
use crate::processor;
use crate::project::{Project, list};
use crate::steps::{Extent, StepResult, TestStep};

/// The task that such a process runs. The help does not list it.
pub(crate) const TASK: &str = "step";
/// The option for [`Extent::Long`].
pub(crate) const LONG: &str = "--long";
/// Prefix of the last line, which contains the result.
const RESULT: &str = "step result: ";

/// Runs a step in a new process. If the process cannot be started or ends without a result, it counts as a failed
/// test.
pub(crate) fn run((name, _): &TestStep, extent: Extent) -> StepResult {
    let start = Instant::now();
    println!("{name} | started");
    let (counts, processor) = start_and_read(name, extent).unwrap_or_else(|error| {
        println!("{name} | {error}");
        (TestCounts::check(false), None)
    });
    StepResult { name, counts, took: start.elapsed(), processor }
}

fn start_and_read(name: &str, extent: Extent) -> Result<(TestCounts, Option<Duration>), Error> {
    let (output, writer) = std::io::pipe()?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args([TASK, name]).args((extent == Extent::Long).then_some(LONG));
    let mut child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
    // The command holds the writing ends of the pipe. Drop it, so that the pipe closes when the child exits.
    drop(command);
    // Stop at the result, because a program that the step left running could keep the pipe open.
    let lines = print_lines(output, &format!("{name} | "), |line| line.starts_with(RESULT))?;
    child.wait()?;
    let result = lines.last().and_then(|line| line.strip_prefix(RESULT));
    parse(result.ok_or("it ended without a result")?)
}

/// Runs the step with this name in this process and prints its result.
///
/// # Errors
/// If there is no such step.
pub(crate) fn serve(
    project: &Project,
    mut steps: impl Iterator<Item = TestStep>,
    name: &str,
    extent: Extent,
) -> Result<bool, Error> {
    let (_, step) = steps.find(|(its, _)| *its == name).ok_or_else(|| format!("no step {name:?}"))?;
    let counts = step(project, extent).unwrap_or_else(|error| {
        println!("{error}");
        TestCounts::check(false)
    });
    println!("{RESULT}{}", format(&counts, processor::time()));
    Ok(counts.failed.is_empty())
}

fn format(counts: &TestCounts, processor: Option<Duration>) -> Value {
    let TestCounts { passed, failed, skipped } = counts;
    let processor = processor.map(|time| time.as_secs_f64());
    json!({"passed": passed, "failed": failed, "skipped": skipped, "processor": processor})
}

fn parse(result: &str) -> Result<(TestCounts, Option<Duration>), Error> {
    let result: Value = serde_json::from_str(result)?;
    let texts = |name: &str| list(&result, name).filter_map(Value::as_str).map(Into::into).collect();
    let passed = result.get("passed").and_then(Value::as_u64).ok_or("a result without counts")?;
    let counts = TestCounts { passed, failed: texts("failed"), skipped: texts("skipped") };
    let processor = result.get("processor").and_then(Value::as_f64);
    Ok((counts, processor.map(Duration::from_secs_f64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_read_as_it_was_written() {
        let counts = TestCounts {
            passed: 3,
            failed: vec!["milk\nsour".into()],
            skipped: vec!["tea: no \"kettle\"".into()],
        };
        for processor in [None, Some(Duration::from_millis(1500))] {
            assert_eq!(parse(&format(&counts, processor).to_string()).unwrap(), (counts.clone(), processor));
        }
        assert!(parse("{}").is_err());
    }

    #[test]
    fn a_step_that_does_not_exist_is_an_error() {
        let project = Project { root: "".into(), metadata: Value::Null };
        let steps: [TestStep; 1] = [("one", |_, _| Ok(TestCounts::check(true)))];
        assert!(serve(&project, steps.into_iter(), "one", Extent::Usual).unwrap());
        assert!(serve(&project, steps.into_iter(), "two", Extent::Usual).is_err());
    }
}
