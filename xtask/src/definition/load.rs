//! Definitions from files.

use std::path::Path;

use gamewire_schema::ir::Protocol;
use gamewire_schema::{Constants, Sources, constants_file, read_text};

use crate::Error;
use crate::project::Project;

/// The folder of the definition that is shipped.
pub(super) const SHIPPED: &str = "definitions/freeciv-3.0";

/// The definition that is shipped, and its constants.
pub(super) fn shipped(project: &Project) -> Result<(Protocol, Constants), Error> {
    let folder = project.root.join(SHIPPED);
    let constants = constants(&constants_file(&folder))?;
    Ok((compile(&Sources::read(&folder)?, &constants)?, constants))
}

/// The constants that a definition leaves to C headers.
pub(super) fn constants(path: &Path) -> Result<Constants, Error> {
    let text = read_text(path)?;
    Constants::from_toml(&text).map_err(|error| format!("in {}, {error}", path.display()).into())
}

/// Reads a definition; an error shows all that is wrong with it.
pub(super) fn compile(sources: &Sources, constants: &Constants) -> Result<Protocol, Error> {
    sources.compile(constants).map_err(|errors| {
        let text = errors.render_in(sources, false);
        format!("invalid definition:\n\n{text}").into()
    })
}
