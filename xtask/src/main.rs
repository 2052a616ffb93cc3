//! The project's own chores: `cargo xtask test` is everything that must hold before a change goes in.

mod bench;
mod command;
mod definition;
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

Usage: cargo xtask <CHORE> [ARGUMENTS]

Chores:
  test     Everything: format, clippy, tidy, tests, docs, licences, fuzz targets, other programs
  tidy     The rules of the house that no compiler knows
  interop  The tests against other programs
  bench    The benches: times, and instructions where there are such benches
  generate
           Writes again what is made of definitions/freeciv-3.0: docs/protocols/freeciv-3.0.md
  check-definition PATH [--constants FILE]
           Compares definitions/freeciv-3.0 with the packets.def of a Freeciv 3.0, or with a folder
           of *.def, and tells every difference on the wire. Constants left out: constants.toml
           beside it, or else those of definitions/freeciv-3.0
  help     This text

What a chore needs and does not find it installs: Debian packages (as root only), Python packages
into target/interop-venv. GAMEWIRE_OFFLINE=1 keeps it from that.
";

fn main() -> ExitCode {
    let chores: Vec<String> = std::env::args().skip(1).collect();
    let done = match chores.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => Project::find().and_then(|project| everything::run(&project)),
        ["tidy"] => Project::find().and_then(|project| tidy::run(&project)),
        ["interop"] => Project::find().and_then(|project| interop::run_all(&project)),
        ["generate"] => Project::find().and_then(|project| definition::generate(&project)),
        ["check-definition", arguments @ ..] => {
            Project::find().and_then(|project| definition::check(&project, arguments))
        }
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
