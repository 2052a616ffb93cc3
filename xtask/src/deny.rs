//! Licences and origins of dependencies, by cargo-deny; `deny.toml` says what is allowed.

use std::path::PathBuf;
use std::process::Command;

use crate::Error;
use crate::command::run_shown;
use crate::everything::Outcome;
use crate::project::Project;
use crate::tools::{self, Missing};

/// The release that is installed where there is none.
const VERSION: &str = "0.20.2";

/// Checks licences, origins and wildcards; advisories only against a database that is here.
pub(crate) fn run(project: &Project) -> Result<Outcome, Error> {
    let program = match program(project) {
        Ok(program) => program,
        Err(why) => return Ok(Outcome::skipped("licences and origins of dependencies", &why)),
    };
    let mut deny = Command::new(program);
    deny.current_dir(&project.root).args(["check", "bans", "licenses", "sources"]);
    let mut outcome = Outcome::check(run_shown(&mut deny)?.is_well);
    if has_advisories() {
        let mut deny = Command::new(deny.get_program());
        deny.current_dir(&project.root).args(["--offline", "check", "advisories"]);
        outcome = outcome.and(Outcome::check(run_shown(&mut deny)?.is_well));
    } else {
        println!("no database of advisories on this machine: `cargo deny fetch` gets one");
    }
    Ok(outcome)
}

fn program(project: &Project) -> Result<PathBuf, Missing> {
    let root = project.target().map_err(|error| error.to_string())?.join("tools");
    tools::cargo("cargo-deny", VERSION, &root)
}

/// Whether cargo-deny has fetched the database of advisories before.
fn has_advisories() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    home.is_some_and(|home| home.join("advisory-dbs").is_dir())
}
