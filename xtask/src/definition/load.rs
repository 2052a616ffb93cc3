//! Reads definitions from files.

use std::path::Path;

use gamewire_schema::ir::Protocol;
use gamewire_schema::{Constants, Sources, read_text};

use crate::Error;
use crate::project::Project;

/// Folder of the shipped definition.
pub(super) const SHIPPED: &str = "definitions/freeciv";
/// Versions in the shipped definition. Each has a file of constants.
pub(super) const VERSIONS: [&str; 3] = ["3.0", "3.1", "3.2"];

/// Returns one version of the shipped definition and its constants.
pub(super) fn shipped(project: &Project, version: &str) -> Result<(Protocol, Constants), Error> {
    let folder = project.root.join(SHIPPED);
    let constants = constants(&folder.join(format!("{version}.toml")))?;
    Ok((compile(&Sources::read(&folder)?, &constants)?, constants))
}

/// Reads the constants of a definition that come from C headers.
pub(super) fn constants(path: &Path) -> Result<Constants, Error> {
    let text = read_text(path)?;
    Constants::from_toml(&text).map_err(|error| format!("in {}, {error}", path.display()).into())
}

/// Compiles a definition. The error lists all errors of the definition.
pub(super) fn compile(sources: &Sources, constants: &Constants) -> Result<Protocol, Error> {
    sources.compile(constants).map_err(|errors| {
        let text = errors.render_in(sources, false);
        format!("invalid definition:\n\n{text}").into()
    })
}
