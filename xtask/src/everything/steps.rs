//! The steps of `cargo xtask test`.

use super::outcome::Outcome;
use super::run::{Step, steps};
use crate::command::run_shown;
use crate::project::Project;
use crate::{Error, definition, deny, interop, tidy, tools};

/// In this order what is quick to tell comes first, and nothing is built twice.
const STEPS: &[Step] = &[
    ("format", format),
    ("tidy", |project| tidy::run(project).map(Outcome::check)),
    ("generated files", definition::is_up_to_date),
    ("clippy", clippy),
    ("tests", tests),
    ("doc tests", doc_tests),
    ("docs", docs),
    ("licences", deny::run),
    ("fuzz targets", fuzz_targets),
    ("other programs", interop::run),
];

/// Runs everything and says whether all is well.
pub(crate) fn run(project: &Project) -> Result<bool, Error> {
    steps(project, STEPS)
}

fn format(project: &Project) -> Result<Outcome, Error> {
    check(project, &["fmt", "--all", "--check"])
}

fn clippy(project: &Project) -> Result<Outcome, Error> {
    check(project, &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])
}

fn tests(project: &Project) -> Result<Outcome, Error> {
    let mut tests = project.cargo();
    tests.args([
        "test",
        "--workspace",
        "--all-features",
        "--no-fail-fast",
        "--lib",
        "--bins",
        "--tests",
        "--examples",
    ]);
    Ok(Outcome::tests(&run_shown(&mut tests)?))
}

fn doc_tests(project: &Project) -> Result<Outcome, Error> {
    let shown = run_shown(project.cargo().args([
        "test",
        "--workspace",
        "--all-features",
        "--no-fail-fast",
        "--doc",
    ]))?;
    Ok(Outcome::tests(&shown))
}

fn docs(project: &Project) -> Result<Outcome, Error> {
    let mut docs = project.cargo();
    docs.env("RUSTDOCFLAGS", "-Dwarnings").args(["doc", "--workspace", "--all-features", "--no-deps"]);
    Ok(Outcome::check(run_shown(&mut docs)?.is_well))
}

/// The fuzz targets stand outside the workspace, since running them takes another toolchain; all
/// that they take to be checked is a C++ compiler, for libFuzzer.
fn fuzz_targets(project: &Project) -> Result<Outcome, Error> {
    let manifest = project.root.join("fuzz/Cargo.toml");
    if !manifest.exists() {
        return Ok(Outcome::default());
    }
    if let Err(why) = tools::debian("c++", "g++") {
        return Ok(Outcome::skipped("build of the fuzz targets", &why));
    }
    let mut check = project.cargo();
    check.args(["check", "--manifest-path", "fuzz/Cargo.toml", "--target-dir"]).arg(project.target()?);
    Ok(Outcome::check(run_shown(&mut check)?.is_well))
}

fn check(project: &Project, arguments: &[&str]) -> Result<Outcome, Error> {
    Ok(Outcome::check(run_shown(project.cargo().args(arguments))?.is_well))
}
