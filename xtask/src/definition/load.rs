//! Definitions from files.

use std::path::Path;

use gamewire_schema::ir::Protocol;
use gamewire_schema::{Constants, Sources, constants_file, read_text};

use crate::Error;
use crate::project::Project;

/// Folder of the shipped definition.
pub(super) const SHIPPED: &str = "definitions/freeciv-3.0";

/// Returns the shipped definition and its constants.
pub(super) fn shipped(project: &Project) -> Result<(Protocol, Constants), Error> {
    let folder = project.root.join(SHIPPED);
    let constants = constants(&constants_file(&folder))?;
    Ok((compile(&Sources::read(&folder)?, &constants)?, constants))
}

/// Reads the constants that a definition takes from C headers.
pub(super) fn constants(path: &Path) -> Result<Constants, Error> {
    let text = read_text(path)?;
    Constants::from_toml(&text).map_err(|error| format!("in {}, {error}", path.display()).into())
}

/// Compiles a definition. The error lists all its errors.
pub(super) fn compile(sources: &Sources, constants: &Constants) -> Result<Protocol, Error> {
    sources.compile(constants).map_err(|errors| {
        let text = errors.render_in(sources, false);
        format!("invalid definition:\n\n{text}").into()
    })
}
