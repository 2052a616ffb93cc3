//! The shipped definition of Freeciv's protocol: compares it with other definitions, and generates files from it.

mod check;
mod history;
mod load;

pub(crate) use check::check;
pub(crate) use history::check_history;

use std::fs;
use std::path::Path;

use gamewire_schema::Sources;
use gamewire_schema::emit::{self, Rust};
use gamewire_schema::ir::Protocol;

use self::load::{VERSIONS, compile, constants, shipped};
use crate::Error;
use crate::command::run_streaming;
use crate::counts::TestCounts;
use crate::json_schema;
use crate::project::Project;

/// First line of a generated reference. It names the source for readers who want to edit the text.
const GENERATED: &str = "<!-- Generated from definitions/freeciv by `cargo xtask generate`. -->\n";

/// Folder of the generated code.
const FOLDER: &str = "crates/gamewire-freeciv/src/packets";
/// The generated code of a small definition for tests. It is not formatted.
const LAMPS: &str = "crates/gamewire-freeciv/tests/lamps/lamps.rs";

/// A file and its expected text.
struct Output {
    /// Path from the root of the repository.
    path: String,
    text: String,
}

fn outputs(project: &Project) -> Result<Vec<Output>, Error> {
    let versions: Vec<Protocol> =
        VERSIONS.iter().map(|version| Ok(shipped(project, version)?.0)).collect::<Result<_, Error>>()?;
    let reference = Output {
        path: "docs/protocols/freeciv-packets.md".to_owned(),
        text: format!("{GENERATED}\n{}", emit::Markdown::of_versions(&versions)),
    };
    let mut outputs = vec![reference];
    outputs.extend(code(project, &versions)?);
    let schemas = json_schema::outputs(&project.root)?;
    outputs.extend(schemas.into_iter().map(|(path, text)| Output { path, text }));
    Ok(outputs)
}

/// Writes the files that have changed, and prints their paths.
pub(crate) fn generate(project: &Project) -> Result<bool, Error> {
    let outputs = outputs(project)?;
    for output in outdated(&outputs, &project.root) {
        let path = project.root.join(&output.path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&path, &output.text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("written: {}", output.path);
    }
    println!("{} generated files are up to date", outputs.len());
    Ok(true)
}

/// Returns whether all generated files are up to date. Prints the outdated ones.
pub(crate) fn is_up_to_date(project: &Project) -> Result<TestCounts, Error> {
    let outputs = outputs(project)?;
    let outdated = outdated(&outputs, &project.root);
    for output in &outdated {
        println!("{} is outdated: run `cargo xtask generate`", output.path);
    }
    Ok(TestCounts::check(outdated.is_empty()))
}

/// Returns the outputs whose files differ or are missing.
fn outdated<'a>(outputs: &'a [Output], root: &Path) -> Vec<&'a Output> {
    let is_outdated =
        |output: &&Output| fs::read(root.join(&output.path)).ok().as_deref() != Some(output.text.as_bytes());
    outputs.iter().filter(is_outdated).collect()
}

/// Returns the generated code, formatted by rustfmt.
fn code(project: &Project, versions: &[Protocol]) -> Result<Vec<Output>, Error> {
    let rust = Rust::of_versions(versions)?.command("cargo xtask generate");
    let files = rust.folder();
    // The folder is within the repository, so that its rustfmt.toml applies.
    let scratch = project.root.join("target/generated");
    if scratch.exists() {
        fs::remove_dir_all(&scratch)?;
    }
    fs::create_dir_all(&scratch)?;
    for file in &files {
        fs::write(scratch.join(&file.name), &file.text)?;
    }
    let mut format = std::process::Command::new("rustfmt");
    format.args(["--edition", "2024"]).arg(scratch.join("mod.rs"));
    if !run_streaming(&mut format)?.success {
        return Err("rustfmt rejects the generated code".into());
    }
    let output = |name: &String| {
        let text = fs::read_to_string(scratch.join(name))?;
        Ok(Output { path: format!("{FOLDER}/{name}"), text })
    };
    let mut outputs: Vec<Output> =
        files.iter().map(|file| output(&file.name)).collect::<Result<_, Error>>()?;
    outputs.push(test_definition(project)?);
    Ok(outputs)
}

/// Returns the code of a small definition with every kind of field, for the tests of generated code.
fn test_definition(project: &Project) -> Result<Output, Error> {
    let good = project.root.join("crates/gamewire-schema/tests/good");
    let constants = constants(&good.join("lamps.toml"))?;
    let protocol = compile(&Sources::read(&good.join("lamps.def"))?, &constants)?;
    let text = Rust::new(&protocol)?.command("cargo xtask generate").file();
    Ok(Output { path: LAMPS.into(), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_changed_by_hand_or_is_missing_is_outdated() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let output = |path: &str, text: &str| Output { path: path.into(), text: text.into() };
        let own = fs::read_to_string(root.join("Cargo.toml")).unwrap();
        let outputs =
            [output("Cargo.toml", &own), output("Cargo.toml", "something else"), output("no-such-file", "")];
        let found: Vec<&str> = outdated(&outputs, root).iter().map(|output| output.text.as_str()).collect();
        assert_eq!(found, ["something else", ""]);
    }
}
