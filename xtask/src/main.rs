//! The project's own chores: `cargo xtask test` is everything that must hold before a change goes in.

mod bench;
mod command;
mod deny;
mod everything;
mod interop;
mod project;
mod tidy;
mod tools;

use std::process::ExitCode;

use project::Project;

/// An error on its way to the person at the terminal.
type Error = Box<dyn std::error::Error>;

const HELP: &str = "\
The chores of this repository.

Usage: cargo xtask <CHORE>

Chores:
  test     Everything: format, clippy, tidy, tests, docs, licences, fuzz targets, other programs
  tidy     The rules of the house that no compiler knows
  interop  The tests against other programs
  bench    The benches: times, and instructions where there are such benches
  help     This text

What a chore needs and does not find it installs: Debian packages (as root only), Python packages
into target/interop-venv. GAMEWIRE_OFFLINE=1 keeps it from that.
";

fn main() -> ExitCode {
    let chores: Vec<String> = std::env::args().skip(1).collect();
    let done = match chores.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => Project::find().and_then(|project| everything::run(&project)),
        ["tidy"] => Project::find().and_then(|project| tidy::run(&project)),
        ["interop"] => Project::find().and_then(|project| interop::alone(&project)),
        ["bench"] => Project::find().and_then(|project| bench::run(&project)),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(true)
        }
        [] => {
            eprint!("{HELP}");
            Ok(false)
        }
        _ => {
            eprintln!("xtask: there is no chore `{}`\n\n{HELP}", chores.join(" "));
            Ok(false)
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
