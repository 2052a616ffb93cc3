//! Packages the publishable crates as for crates.io, and checks that their manifests and files are complete.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::Error;
use crate::command::{run_quietly, run_streaming};
use crate::counts::TestCounts;
use crate::project::{Project, list};
use crate::sources;
use crate::steps::Extent;

/// Packages every publishable crate, and checks that the packages contain every file that the compiler reads. With
/// [`Extent::Long`], also compiles the packaged files in a separate workspace.
///
/// # Errors
/// If a crate cannot be packaged.
pub(crate) fn check(project: &Project, extent: Extent) -> Result<TestCounts, Error> {
    let crates: Vec<&Value> =
        list(&project.metadata, "packages").filter(|package| is_published(package)).collect();
    let mut counts = TestCounts::default();
    for package in &crates {
        let missing = missing(package);
        if !missing.is_empty() {
            println!("the manifest of {} lacks {}", text(package, "name"), missing.join(", "));
        }
        counts = counts.and(TestCounts::check(missing.is_empty()));
    }

    let folder = project.target()?.join("package");
    // Remove packages of other versions, which would be checked as well.
    let _ = std::fs::remove_dir_all(&folder);
    let mut package = project.cargo();
    package.args(["package", "--quiet", "--no-verify", "--allow-dirty"]);
    package.args(crates.iter().flat_map(|package| ["--package", text(package, "name")]));
    run_quietly(&mut package)?;
    let names: Vec<String> = crates
        .iter()
        .map(|package| format!("{}-{}", text(package, "name"), text(package, "version")))
        .collect();
    for name in &names {
        // `m` sets the current time. All files in packages have the same time, and cargo uses it to detect changes.
        run_quietly(Command::new("tar").current_dir(&folder).args(["-xzmf", &format!("{name}.crate")]))?;
    }
    let sources = sources::of_crates(project)?;
    for (package, name) in crates.iter().zip(&names) {
        let missing = sources.missing(package, &folder.join(name));
        missing.iter().for_each(|file| println!("the package {name} lacks {}", file.display()));
        counts = counts.and(TestCounts::check(missing.is_empty()));
    }
    if extent == Extent::Usual {
        return Ok(counts);
    }
    std::fs::write(folder.join("Cargo.toml"), workspace(&crates, &names))?;
    std::fs::copy(project.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut check = project.cargo();
    check.current_dir(&folder).args(["check", "--workspace", "--all-features"]);
    Ok(counts
        .and(TestCounts::check(run_streaming(check.arg("--target-dir").arg(project.target()?))?.success)))
}

/// Returns the manifest of a workspace in which the packages depend on one another.
fn workspace(crates: &[&Value], names: &[String]) -> String {
    let patches = crates.iter().zip(names);
    let patches: String = patches
        .map(|(package, name)| format!("{} = {{ path = \"{name}\" }}\n", text(package, "name")))
        .collect();
    format!("[workspace]\nresolver = \"3\"\nmembers = {names:?}\n\n[patch.crates-io]\n{patches}")
}

/// Returns whether a package can be published.
fn is_published(package: &Value) -> bool {
    package.get("publish").is_none_or(Value::is_null)
}

/// Returns the missing parts of a manifest that crates.io and docs.rs show.
fn missing(package: &Value) -> Vec<&'static str> {
    let has_library = list(package, "targets")
        .any(|target| list(target, "kind").any(|kind| kind == "lib" || kind == "proc-macro"));
    let folder = Path::new(text(package, "manifest_path")).parent();
    let has_readme = folder.is_some_and(|folder| folder.join(text(package, "readme")).is_file());
    [
        ("a description", !text(package, "description").is_empty()),
        ("a license", !text(package, "license").is_empty()),
        ("keywords", list(package, "keywords").next().is_some()),
        ("categories", list(package, "categories").next().is_some()),
        ("a README.md", has_readme),
        ("package.metadata.docs.rs", !has_library || package.pointer("/metadata/docs/rs").is_some()),
    ]
    .into_iter()
    .filter_map(|(part, is_there)| (!is_there).then_some(part))
    .collect()
}

fn text<'p>(package: &'p Value, field: &str) -> &'p str {
    package.get(field).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_manifest_lacks_everything() {
        let package =
            json!({"name": "a", "manifest_path": "/nowhere/Cargo.toml", "targets": [{"kind": ["lib"]}]});
        assert_eq!(missing(&package).len(), 6);
    }

    #[test]
    fn a_program_needs_no_metadata_for_docs_rs() {
        let package = json!({"name": "a", "targets": [{"kind": ["bin"]}, {"kind": ["test"]}]});
        assert!(!missing(&package).contains(&"package.metadata.docs.rs"));
    }

    #[test]
    fn an_empty_list_of_registries_means_unpublished() {
        assert!(is_published(&json!({"publish": null})) && !is_published(&json!({"publish": []})));
    }

    #[test]
    fn the_workspace_takes_every_dependency_from_the_packages() {
        let package = json!({"name": "gamewire", "version": "1.0.0"});
        let manifest = workspace(&[&package], &["gamewire-1.0.0".to_owned()]);
        assert!(manifest.contains("members = [\"gamewire-1.0.0\"]"), "{manifest}");
        assert!(manifest.ends_with("gamewire = { path = \"gamewire-1.0.0\" }\n"), "{manifest}");
    }
}
