use std::path::Path;
use std::sync::Arc;

use gamewire_freeciv::follow::{Definition, Definitions};
use gamewire_inspect::protocol::ProtocolConfig;

use crate::compile;
use crate::exit_status::Failure;

/// Returns the protocol settings that contain the user's own messages and packets.
pub(crate) fn protocols(
    messages: Option<&Path>,
    definition: Option<&Path>,
    constants: Option<&Path>,
) -> Result<ProtocolConfig, Failure> {
    let layouts = messages.map(crate::messages::load).transpose()?.unwrap_or_default();
    let mut definitions = Definitions::shipped();
    if let Some(path) = definition {
        let protocol = compile::load(path, constants)?;
        let definition = Definition::new(protocol)
            .map_err(|error| Failure::Failed(format!("cannot use the definition: {error}")))?;
        definitions = definitions.with_definition(Arc::new(definition));
    }
    Ok(ProtocolConfig {
        riptide_messages: Arc::new(layouts),
        freeciv: Arc::new(definitions),
        ..ProtocolConfig::default()
    })
}
