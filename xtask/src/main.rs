//! Development tasks. `cargo xtask test` runs all tests that must pass before a change is merged.

mod api;
mod bench;
mod bundle;
mod command;
mod counts;
mod definition;
mod fuzz;
mod interop;
mod json_schema;
mod package;
mod processor;
mod project;
mod python;
mod scripts;
mod sources;
mod steps;
mod suites;
mod test;
mod tidy;
mod tools;
mod typescript;
mod worker;

use std::process::ExitCode;

use command::Error;
use project::Project;
use steps::Extent;

const HELP: &str = "\
Development tasks of this repository.

Usage: cargo xtask <TASK> [ARGUMENTS]

Tasks:
  test [--long]
           Everything: format, tidy, generated files, licenses, scripts, clippy, packages, docs, public
           items, fuzz targets, tests, other programs; --long adds what takes longer than half an hour
  tidy     The rules of the project that no compiler knows
  interop [--long]
           The tests against other programs
  bench    The benches: timings, and instruction counts where there are such benches
  fuzz [--minutes N]
           Runs every fuzz target, N minutes in total [default: 20], and minimizes the corpora.
           Needs the nightly toolchain
  generate
           Writes the files again that are made from definitions/
  check-definition PATH [--constants FILE]
           Compares definitions/freeciv with the packets.def of a Freeciv, or with a folder of *.def,
           and prints every difference on the wire. The name of the constants says which version.
           Default constants: constants.toml next to it, or else definitions/freeciv/3.0.toml
  check-history FOLDER [--constants FILE]
           Compiles each *.def of a folder, such as every version of a packets.def in a repository, and
           prints how many compile and why the others do not. Constants and bitvectors that the file does
           not define get a size. Default constants: constants.toml in the folder
  package  Packages every crate as for crates.io, and compiles the packages
  bundle   Makes the packages of the C# library for Unity and of the JavaScript client for npm, in
           target/bundles. Needs npm
  api      Writes the lists of public items in docs/api again
  help     This text

A task installs the programs that it needs: Debian packages (as root only), Python packages into
target/interop-venv, crates into target/tools. GAMEWIRE_OFFLINE=1 prevents that.
";

fn main() -> ExitCode {
    if let Some(status) = api::run_as_rustdoc() {
        return status;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(true)
        }
        [] => {
            eprint!("{HELP}");
            Ok(false)
        }
        arguments => Project::find().and_then(|project| run(&project, arguments)),
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

/// Runs a task. Returns whether it found no fault.
fn run(project: &Project, arguments: &[&str]) -> Result<bool, Error> {
    match arguments {
        ["test"] => Ok(test::run(Extent::Usual)),
        ["test", worker::LONG] => Ok(test::run(Extent::Long)),
        [worker::TASK, name] => test::run_step(project, name, Extent::Usual),
        [worker::TASK, name, worker::LONG] => test::run_step(project, name, Extent::Long),
        ["tidy"] => tidy::run(project),
        ["interop"] => Ok(test::run_interop(Extent::Usual)),
        ["interop", worker::LONG] => Ok(test::run_interop(Extent::Long)),
        ["bench"] => bench::run(project),
        ["fuzz"] => fuzz::run(project, 20),
        ["fuzz", "--minutes", minutes] => {
            let minutes =
                minutes.parse().map_err(|_| format!("invalid minutes {minutes:?}: expected a number"))?;
            fuzz::run(project, minutes)
        }
        ["generate"] => definition::generate(project),
        ["check-definition", arguments @ ..] => definition::check(project, arguments),
        ["check-history", arguments @ ..] => definition::check_history(arguments),
        ["package"] => Ok(package::check(project, Extent::Long)?.failed.is_empty()),
        ["bundle"] => bundle::make(project),
        ["api"] => api::write(project),
        _ => Err(format!("unknown task {:?}; run `cargo xtask help`", arguments.join(" ")).into()),
    }
}
