//! The public items of every library, listed in `docs/api/`, so that a change of them shows in review.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Error;
use crate::command::run_quietly;
use crate::counts::TestCounts;
use crate::project::{Project, list};

/// Modules of generated code and of macro tables, left out of the lists: a change of these shows in their definition.
const GENERATED: &[&str] = &[
    "gamewire_freeciv::packets::",
    "gamewire_teeworlds::raw::extended::",
    "gamewire_teeworlds::raw::v06::",
    "gamewire_teeworlds::raw::v07::",
];
/// Folder of the lists.
const FOLDER: &str = "docs/api";

/// Writes the lists again.
///
/// # Errors
/// If rustdoc fails, or writes another format than the one that is read here.
pub(crate) fn write(project: &Project) -> Result<bool, Error> {
    std::fs::create_dir_all(project.root.join(FOLDER))?;
    for library in libraries(project) {
        std::fs::write(list_path(project, &library), public_items(project, &library)?)?;
    }
    Ok(true)
}

/// Compares the lists with the code. They are made by the toolchain of the workspace's `rust-version`, whose format
/// of documentation is known; other toolchains skip this check.
///
/// # Errors
/// If rustdoc fails.
pub(crate) fn is_up_to_date(project: &Project) -> Result<TestCounts, Error> {
    let version = run_quietly(std::process::Command::new("rustc").arg("--version"))?;
    let wanted = project.rust_version().unwrap_or_default();
    if !version.starts_with(&format!("rustc {wanted}.")) {
        return Ok(TestCounts::skipped("lists of public items", &format!("they are made by Rust {wanted}")));
    }
    let mut counts = TestCounts::default();
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

/// Returns the names of all libraries that are published.
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

/// Returns the public items of a library, one a line.
fn public_items(project: &Project, library: &str) -> Result<String, Error> {
    let target = project.target()?.join("api");
    let mut rustdoc = project.cargo();
    rustdoc.args(["rustdoc", "--quiet", "--package", library, "--lib", "--all-features", "--target-dir"]);
    // The JSON of rustdoc is unstable: RUSTC_BOOTSTRAP lets a stable toolchain write it.
    rustdoc.arg(&target).env("RUSTC_BOOTSTRAP", "1");
    run_quietly(rustdoc.args(["--", "-Z", "unstable-options", "--output-format", "json"]))?;
    let json = target.join("doc").join(format!("{}.json", library.replace('-', "_")));
    items(&json)
}

fn items(json: &Path) -> Result<String, Error> {
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    let lines = api.items().map(|item| format!("{item}\n"));
    Ok(lines.filter(|line| GENERATED.iter().all(|module| !line.contains(module))).collect())
}

fn print_difference(listed: &str, now: &str) {
    let (listed, now): (Vec<_>, Vec<_>) = (listed.lines().collect(), now.lines().collect());
    listed.iter().filter(|line| !now.contains(line)).for_each(|line| println!("- {line}"));
    now.iter().filter(|line| !listed.contains(line)).for_each(|line| println!("+ {line}"));
}

impl Project {
    /// Returns the `rust-version` that all packages have.
    fn rust_version(&self) -> Option<&str> {
        list(&self.metadata, "packages")
            .find_map(|package| package.get("rust_version").and_then(Value::as_str))
    }
}
