use crate::ir::{ArrayDiff, Count, Dim, Directions, Field, Info, Packet};

/// Returns the name of the side that sends a packet.
pub(super) fn sender(directions: Directions) -> &'static str {
    match (directions.to_client, directions.to_server) {
        (true, true) => "both",
        (true, false) => "server",
        (false, true) => "client",
        (false, false) => "none",
    }
}

/// Returns the flags of a packet that affect the wire, in the definition language, without directions and cancels.
pub(super) fn flags(packet: &Packet) -> Vec<&'static str> {
    let info = match packet.info {
        Info::Always => None,
        Info::Info => Some("is-info"),
        Info::GameInfo => Some("is-game-info"),
    };
    let flags = [packet.no_delta.then_some("no-delta"), info, packet.force.then_some("force")];
    flags.into_iter().flatten().collect()
}

/// Returns the name of a form of array-diff in a constants file.
pub(super) fn array_diff(form: ArrayDiff) -> &'static str {
    match form {
        ArrayDiff::End255 => "end-255",
        ArrayDiff::EndLength => "end-length",
    }
}

/// Returns the name of the field with this index, which holds the number of elements of an array.
pub(super) fn field_name(packet: &Packet, index: usize) -> &str {
    packet.fields.get(index).map_or("", |field| &field.name)
}

/// Returns the dimensions in the definition language: `[10]`, `[10:count]`, `[*]`. `name_of` returns the name of the
/// field with an index.
pub(super) fn dims<'a>(field: &Field, name_of: impl Fn(usize) -> &'a str) -> String {
    let dim = |dim: &Dim| match dim.count {
        Count::Fixed => format!("[{}]", dim.limit),
        Count::Field(index) => format!("[{}:{}]", dim.limit, name_of(index)),
        Count::Own => "[*]".to_owned(),
    };
    field.dims.iter().map(dim).collect()
}

/// Returns the wire type and dimensions of a field. A structure has its name.
pub(super) fn wire(field: &Field, packet: &Packet) -> String {
    let dims = dims(field, |index| field_name(packet, index));
    match &field.structure {
        Some(structure) => format!("{}{dims}", structure.name),
        None => format!("{}{dims}", field.wire),
    }
}

/// Returns the wire type and dimensions of a field. A structure has the types of its parts.
pub(super) fn wire_with_parts(field: &Field, packet: &Packet) -> String {
    match &field.structure {
        Some(structure) => format!("{structure}{}", dims(field, |index| field_name(packet, index))),
        None => wire(field, packet),
    }
}
