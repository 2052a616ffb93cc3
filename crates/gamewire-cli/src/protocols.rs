use std::path::Path;
use std::sync::Arc;

use gamewire_freeciv::follow::{Definition, Definitions};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::{Catalog, ProtocolConfig};

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

/// Returns the names that filters can use: of all protocols and of the user's own messages.
pub(crate) fn catalog(settings: &ProtocolConfig) -> Catalog {
    let mut catalog = Catalog::with_all_protocols();
    catalog.add_riptide_messages(&settings.riptide_messages);
    catalog.add_freeciv_packets(&settings.freeciv);
    catalog
}

/// Parses a filter.
pub(crate) fn parse_filter(text: &str, catalog: &Catalog) -> Result<Filter, Failure> {
    Filter::parse(text, catalog).map_err(|error| Failure::Usage(format!("invalid filter: {error}")))
}
