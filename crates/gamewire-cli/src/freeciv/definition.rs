use std::path::Path;

use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::v30;
use gamewire_inspect::render::Escaped;

use crate::compile;
use crate::end::Failure;

/// What is spoken: by a packets.def with what it leaves to headers, or by Freeciv 3.0.
pub(crate) fn definition(file: Option<&Path>, constants: Option<&Path>) -> Result<Definition, Failure> {
    let Some(path) = file else {
        return Definition::interpreted(v30::protocol()).map_err(|error| Failure::Failed(error.to_string()));
    };
    Definition::interpreted(compile::load(path, constants)?).map_err(|error| {
        let name = Escaped(path.as_os_str().as_encoded_bytes());
        Failure::Failed(format!("{name} is no definition that can be spoken: {error}"))
    })
}
