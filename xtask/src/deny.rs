//! Licenses and origins of dependencies, checked by cargo-deny with `deny.toml`.

use std::path::PathBuf;
use std::process::Command;

use crate::Error;
use crate::command::run_streaming;
use crate::counts::TestCounts;
use crate::project::Project;
use crate::tools::{self, Missing};

/// Release of cargo-deny that is installed where there is none.
const VERSION: &str = "0.20.2";

/// Checks licenses, origins and wildcards. Advisories need a database that changes every day: before a release, run
/// `cargo deny check advisories`.
pub(crate) fn run(project: &Project) -> Result<TestCounts, Error> {
    let program = match program(project) {
        Ok(program) => program,
        Err(reason) => return Ok(TestCounts::skipped("licenses and origins of dependencies", &reason)),
    };
    let mut deny = Command::new(program);
    deny.current_dir(&project.root).args(["check", "bans", "licenses", "sources"]);
    Ok(TestCounts::check(run_streaming(&mut deny)?.success))
}

fn program(project: &Project) -> Result<PathBuf, Missing> {
    let root = project.target().map_err(|error| error.to_string())?.join("tools");
    tools::cargo("cargo-deny", VERSION, &root)
}
