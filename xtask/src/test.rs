//! The steps of `cargo xtask test`.

use crate::command::run_streaming;
use crate::counts::TestCounts;
use crate::project::Project;
use crate::steps::{TestStep, run_steps};
use crate::{Error, api, definition, interop, package, tidy, tools};

/// Quick checks come first, and no step builds what another one has built.
const STEPS: &[TestStep] = &[
    ("format", |project| check(project, "fmt --all --check")),
    ("tidy", |project| tidy::run(project).map(TestCounts::check)),
    ("generated files", definition::is_up_to_date),
    ("clippy", |project| check(project, "clippy --workspace --all-targets --all-features -- -D warnings")),
    ("tests", |project| tests(project, "--lib --bins --tests --examples")),
    ("doc tests", |project| tests(project, "--doc")),
    ("docs", |project| check(project, "doc --workspace --all-features --no-deps")),
    ("public items", api::is_up_to_date),
    ("licenses", licenses),
    ("packages", package::check),
    ("fuzz targets", fuzz_targets),
    ("other programs", interop::run),
];

/// Runs all steps, and returns whether none of them failed.
pub(crate) fn run(project: &Project) -> Result<bool, Error> {
    run_steps(project, STEPS)
}

/// Runs a command of cargo that has no tests of its own. Warnings of rustdoc are errors.
fn check(project: &Project, arguments: &str) -> Result<TestCounts, Error> {
    let mut cargo = project.cargo();
    cargo.env("RUSTDOCFLAGS", "-Dwarnings").args(arguments.split(' '));
    Ok(TestCounts::check(run_streaming(&mut cargo)?.success))
}

fn tests(project: &Project, targets: &str) -> Result<TestCounts, Error> {
    let mut tests = project.cargo();
    tests.args(["test", "--workspace", "--all-features", "--no-fail-fast"]).args(targets.split(' '));
    Ok(TestCounts::tests(&run_streaming(&mut tests)?))
}

/// Checks the fuzz targets, which are outside the workspace because running them needs a nightly toolchain.
/// Checking them only needs a C++ compiler, for libFuzzer.
fn fuzz_targets(project: &Project) -> Result<TestCounts, Error> {
    let manifest = project.root.join("fuzz/Cargo.toml");
    if !manifest.exists() {
        return Ok(TestCounts::default());
    }
    if let Err(reason) = tools::debian("c++", "g++") {
        return Ok(TestCounts::skipped("build of the fuzz targets", &reason));
    }
    let mut check = project.cargo();
    check.args(["check", "--manifest-path", "fuzz/Cargo.toml", "--target-dir"]).arg(project.target()?);
    Ok(TestCounts::check(run_streaming(&mut check)?.success))
}

/// Release of cargo-deny that is installed where there is none.
const CARGO_DENY: &str = "0.20.2";

/// Checks licenses, origins and wildcards with `deny.toml`. Advisories need a database that changes every day: before a
/// release, run `cargo deny check advisories`.
fn licenses(project: &Project) -> Result<TestCounts, Error> {
    let program = match tools::cargo("cargo-deny", CARGO_DENY, &project.target()?.join("tools")) {
        Ok(program) => program,
        Err(reason) => return Ok(TestCounts::skipped("licenses and origins of dependencies", &reason)),
    };
    let mut deny = std::process::Command::new(program);
    deny.current_dir(&project.root).args(["check", "bans", "licenses", "sources"]);
    Ok(TestCounts::check(run_streaming(&mut deny)?.success))
}
