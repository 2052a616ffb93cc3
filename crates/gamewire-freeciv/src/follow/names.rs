use gamewire_schema::ir::Field;

use crate::delta;

/// What traces call a packet: `city_info` for `PACKET_CITY_INFO`.
#[must_use]
pub fn label(packet: &str) -> String {
    delta::label(packet)
}

/// What traces call the parts of a field's structure; none if it is no structure.
pub fn part_names(field: &Field) -> impl Iterator<Item = &'static str> + use<> {
    delta::part_names(field)
}
