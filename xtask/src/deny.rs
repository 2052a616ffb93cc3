//! Licences and origins of dependencies, by cargo-deny; `deny.toml` says what is allowed.

use std::path::PathBuf;
use std::process::Command;

use crate::Error;
use crate::command::run_streaming;
use crate::project::Project;
use crate::test::TestCounts;
use crate::tools::{self, Missing};

/// The release that is installed where there is none.
const VERSION: &str = "0.20.2";

/// Checks licences, origins and wildcards. Advisories need a database from the network that changes
/// by the day: whoever releases runs `cargo deny check advisories`.
pub(crate) fn run(project: &Project) -> Result<TestCounts, Error> {
    let program = match program(project) {
        Ok(program) => program,
        Err(why) => return Ok(TestCounts::skipped("licences and origins of dependencies", &why)),
    };
    let mut deny = Command::new(program);
    deny.current_dir(&project.root).args(["check", "bans", "licenses", "sources"]);
    Ok(TestCounts::check(run_streaming(&mut deny)?.success))
}

fn program(project: &Project) -> Result<PathBuf, Missing> {
    let root = project.target().map_err(|error| error.to_string())?.join("tools");
    tools::cargo("cargo-deny", VERSION, &root)
}
