//! Tests of the JavaScript client of Riptide, packages of it and of the C# library, and tests, types and lints of the scripts of the page.

use std::process::Command;

use crate::Error;
use crate::bundle;
use crate::command::{CommandOutput, run_streaming, works};
use crate::counts::TestCounts;
use crate::project::Project;
use crate::tools;

/// The folder of the page.
const PAGE: &str = "crates/gamewire-page";
/// The folder of the JavaScript client.
const RIPTIDE: &str = "web/riptide";

/// Runs the tests of the scripts, which need Node.js only, and checks their types and lints.
pub(crate) fn check(project: &Project) -> Result<TestCounts, Error> {
    if !works(Command::new("node").arg("--version")) {
        return Ok(TestCounts::skipped("scripts", "no node: install Node.js 20 or later"));
    }
    let folder = project.root.join(PAGE);
    let mut tests = TestCounts::default();
    for folder in [RIPTIDE, PAGE] {
        let mut node = Command::new("node");
        node.current_dir(project.root.join(folder)).args(["--test", "--test-reporter=tap"]);
        tests = tests.and(counts(&run_streaming(&mut node)?));
    }
    tests = tests.and(bundle::check(project)?);
    if let Err(reason) = tools::npm(&folder) {
        return Ok(tests.and(TestCounts::skipped("types and lints of the page's scripts", &reason)));
    }
    ["types", "lint"].into_iter().try_fold(tests, |counts, script| {
        let mut npm = Command::new("npm");
        npm.current_dir(&folder).args(["run", "--silent", script]);
        Ok(counts.and(TestCounts::check(run_streaming(&mut npm)?.success)))
    })
}

/// Reads the counts from the output of Node's tests. A run that fails without a failed test counts as one failed test.
fn counts(output: &CommandOutput) -> TestCounts {
    let number = |line: &String| line.strip_prefix("# pass")?.trim().parse().ok();
    let passed = output.lines.iter().rev().find_map(number).unwrap_or(0);
    let name = |line: &String| Some(line.trim().strip_prefix("not ok ")?.split_once(" - ")?.1.to_owned());
    let mut failed: Vec<String> = output.lines.iter().filter_map(name).collect();
    if failed.is_empty() && (!output.success || passed == 0) {
        failed.push(String::new());
    }
    TestCounts { passed, failed, skipped: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_tests_is_a_failed_test() {
        let run = |lines: &[&str], success| {
            let lines = lines.iter().map(|line| (*line).to_owned()).collect();
            let counts = counts(&CommandOutput { lines, success });
            (counts.passed, counts.failed)
        };
        let one_fails = ["ok 1 - one", "not ok 2 - two", "# tests 21", "# pass 20", "# fail 1"];
        assert_eq!(run(&one_fails, false), (20, vec!["two".to_owned()]));
        assert_eq!(run(&["# pass 20", "# fail 0"], true), (20, vec![]));
        assert_eq!(run(&["# pass 20", "# fail 0"], false), (20, vec![String::new()]));
        assert_eq!(run(&[], true), (0, vec![String::new()]));
    }
}
