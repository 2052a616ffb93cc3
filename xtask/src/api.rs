//! Lists the public items of every library in `docs/api/`, so that a review shows their changes.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::Error;
use crate::command::{run_quietly, run_streaming};
use crate::counts::TestCounts;
use crate::project::{Project, list};

/// Modules of generated code and of macro tables. The lists leave them out, because their definition shows their
/// changes.
const GENERATED: &[&str] = &[
    "gamewire_freeciv::packets::",
    "gamewire_teeworlds::raw::extended::",
    "gamewire_teeworlds::raw::v06::",
    "gamewire_teeworlds::raw::v07::",
];
/// Folder of the lists.
const FOLDER: &str = "docs/api";

/// Writes all lists.
///
/// # Errors
/// If rustdoc fails or writes an unknown format.
pub(crate) fn write(project: &Project) -> Result<bool, Error> {
    if !document(project)? {
        return Ok(false);
    }
    std::fs::create_dir_all(project.root.join(FOLDER))?;
    for library in libraries(project) {
        std::fs::write(list_path(project, &library), public_items(project, &library)?)?;
    }
    Ok(true)
}

/// Checks that rustdoc has no warning, and compares the lists with the code. The lists are skipped with a toolchain
/// other than the workspace's `rust-version`, because the format of rustdoc's JSON changes with the version.
///
/// # Errors
/// If rustdoc writes an unknown format.
pub(crate) fn check(project: &Project) -> Result<TestCounts, Error> {
    let mut counts = TestCounts::check(document(project)?);
    if !counts.failed.is_empty() {
        return Ok(counts);
    }
    let version = run_quietly(Command::new("rustc").arg("--version"))?;
    let wanted = project.rust_version().unwrap_or_default();
    if !version.starts_with(&format!("rustc {wanted}.")) {
        let reason = format!("they are made by Rust {wanted}");
        return Ok(counts.and(TestCounts::skipped("lists of public items", &reason)));
    }
    for library in libraries(project) {
        let (now, path) = (public_items(project, &library)?, list_path(project, &library));
        let listed = std::fs::read_to_string(&path).unwrap_or_default();
        let is_same = now == listed;
        if !is_same {
            print_difference(&listed, &now);
            println!(
                "{library}: public items differ from {FOLDER}; run `cargo xtask api` and review the change"
            );
        }
        counts = counts.and(TestCounts::check(is_same));
    }
    Ok(counts)
}

/// Runs rustdoc on the whole workspace with warnings denied. It writes JSON instead of HTML, which takes half the time
/// and has the same warnings.
fn document(project: &Project) -> Result<bool, Error> {
    let mut cargo = project.cargo();
    cargo.args(["doc", "--workspace", "--all-features", "--no-deps"]);
    cargo.env("RUSTDOC", std::env::current_exe()?).env(IS_RUSTDOC, "1");
    cargo.env("RUSTDOCFLAGS", "-Dwarnings -Zunstable-options --output-format json");
    Ok(run_streaming(&mut cargo)?.success)
}

/// Set when cargo runs this program in place of rustdoc.
const IS_RUSTDOC: &str = "GAMEWIRE_XTASK_IS_RUSTDOC";

/// Runs rustdoc with the arguments of this program, if cargo runs this program in place of rustdoc. The JSON of
/// rustdoc is unstable, and `RUSTC_BOOTSTRAP` lets a stable toolchain write it. The variable is not set for all of
/// cargo, because then cargo would rebuild every dependency.
pub(crate) fn run_as_rustdoc() -> Option<ExitCode> {
    std::env::var_os(IS_RUSTDOC)?;
    let mut rustdoc = Command::new("rustdoc");
    let status = rustdoc.args(std::env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").status();
    let code = status.ok().and_then(|status| u8::try_from(status.code()?).ok());
    Some(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Returns the names of all published libraries.
fn libraries(project: &Project) -> Vec<String> {
    let packages = list(&project.metadata, "packages").filter(|package| package["publish"].is_null());
    let libraries = packages.filter(|package| {
        list(package, "targets").any(|target| list(target, "kind").any(|kind| kind == "lib"))
    });
    libraries.filter_map(|package| package["name"].as_str().map(Into::into)).collect()
}

fn list_path(project: &Project, library: &str) -> PathBuf {
    project.root.join(FOLDER).join(format!("{library}.txt"))
}

/// Returns the public items of a library, one per line.
fn public_items(project: &Project, library: &str) -> Result<String, Error> {
    let json = project.target()?.join("doc").join(format!("{}.json", library.replace('-', "_")));
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    let lines: Vec<String> = api.items().map(ToString::to_string).collect();
    let lines = without_trait_items(lines.iter().map(String::as_str));
    let listed = lines.filter(|line| GENERATED.iter().all(|module| !line.contains(module)));
    Ok(listed.map(|line| format!("{line}\n")).collect())
}

/// Leaves out the items of trait implementations, because the trait lists them.
fn without_trait_items<'l>(lines: impl Iterator<Item = &'l str>) -> impl Iterator<Item = &'l str> {
    let mut implementing = None;
    lines.filter(move |line| {
        if line.starts_with("impl") {
            implementing = line.rsplit_once(" for ").map(|(_, name)| name);
            return true;
        }
        let item = ["pub fn ", "pub const ", "pub type "].iter().find_map(|start| line.strip_prefix(start));
        let its = implementing.zip(item).and_then(|(name, item)| item.strip_prefix(name));
        !its.is_some_and(|rest| rest.starts_with("::"))
    })
}

fn print_difference(listed: &str, now: &str) {
    let (listed, now): (Vec<_>, Vec<_>) = (listed.lines().collect(), now.lines().collect());
    listed.iter().filter(|line| !now.contains(line)).for_each(|line| println!("- {line}"));
    now.iter().filter(|line| !listed.contains(line)).for_each(|line| println!("+ {line}"));
}

impl Project {
    /// Returns the `rust-version` of the first package that has one. All packages have the same.
    fn rust_version(&self) -> Option<&str> {
        list(&self.metadata, "packages")
            .find_map(|package| package.get("rust_version").and_then(Value::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_a_trait_are_listed_with_the_trait_only() {
        let lines = [
            "impl a::Rope",
            "pub fn a::Rope::cut(&mut self)",
            "impl core::iter::Iterator for a::Rope",
            "pub type a::Rope::Item = a::Knot",
            "pub fn a::Rope::next(&mut self) -> core::option::Option<a::Knot>",
            "pub fn a::Ropes::all() -> a::Rope",
            "pub struct a::Rope",
        ];
        let left: Vec<_> = without_trait_items(lines.into_iter()).collect();
        assert_eq!(left, [lines[0], lines[1], lines[2], lines[5], lines[6]]);
    }
}
