//! The generated code of the shipped definition.

use std::fs;

use gamewire_schema::Sources;
use gamewire_schema::emit::Rust;
use gamewire_schema::ir::Protocol;

use super::generate::Output;
use super::load::{compile, constants};
use crate::Error;
use crate::command::run_streaming;
use crate::project::Project;

/// Folder of the generated code.
const FOLDER: &str = "crates/gamewire-freeciv/src/v30";
/// The generated code of a small definition for tests; not formatted.
const LAMPS: &str = "crates/gamewire-freeciv/tests/lamps/lamps.rs";

/// Returns the generated files, formatted by rustfmt.
pub(super) fn outputs(project: &Project, protocol: &Protocol) -> Result<Vec<Output>, Error> {
    let rust = Rust::new(protocol)?.command("cargo xtask generate");
    let files = rust.folder();
    // Within the repository, so that its rustfmt.toml counts.
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

/// Returns the code of a small definition with every shape of field, for the tests of generated code.
fn test_definition(project: &Project) -> Result<Output, Error> {
    let good = project.root.join("crates/gamewire-schema/tests/good");
    let constants = constants(&good.join("lamps.toml"))?;
    let protocol = compile(&Sources::read(&good.join("lamps.def"))?, &constants)?;
    let text = Rust::new(&protocol)?.command("cargo xtask generate").file();
    Ok(Output { path: LAMPS.into(), text })
}
