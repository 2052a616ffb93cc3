use std::path::Path;

use gamewire_freeciv::session::codec::Definition;
use gamewire_inspect::render::Escaped;

use crate::compile;
use crate::end::Failure;

/// What is spoken: by a packets.def with what it leaves to headers, or by Freeciv 3.0.
pub(crate) fn definition(file: Option<&Path>, constants: Option<&Path>) -> Result<Definition, Failure> {
    let Some(path) = file else { return Ok(Definition::v30()) };
    Definition::interpreted(compile::load(path, constants)?).map_err(|error| {
        let name = Escaped(path.as_os_str().as_encoded_bytes());
        Failure::Failed(format!("cannot use the definition {name}: {error}"))
    })
}
