use std::fmt::Write as _;

use crate::ir::{Count, Dim, Directions, Field, Info, Packet};

/// Who sends a packet, for a reader.
pub(super) fn sender(directions: Directions) -> &'static str {
    match (directions.to_client, directions.to_server) {
        (true, true) => "both",
        (true, false) => "server",
        (false, true) => "client",
        (false, false) => "nobody",
    }
}

/// The flags of a packet that matter on the wire, in the words of the definition language,
/// without directions and cancels.
pub(super) fn flags(packet: &Packet) -> Vec<&'static str> {
    let info = match packet.info {
        Info::Always => None,
        Info::Info => Some("is-info"),
        Info::GameInfo => Some("is-game-info"),
    };
    let no_delta = packet.no_delta.then_some("no-delta");
    let force = packet.force.then_some("force");
    [no_delta, info, force].into_iter().flatten().collect()
}

/// The flags of a field in the words of the definition language.
pub(super) fn field_flags(field: &Field) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    flags.extend(field.key.then(|| "key".to_owned()));
    flags.extend(field.diff.map(|_| "diff".to_owned()));
    flags.extend(field.add_caps.iter().map(|name| format!("add-cap({name})")));
    flags.extend(field.remove_caps.iter().map(|name| format!("remove-cap({name})")));
    flags
}

/// The field that counts the elements of a dimension.
pub(super) fn count_name(dim: Dim, packet: &Packet) -> Option<&str> {
    match dim.count {
        Count::Field(index) => packet.fields.get(index).map(|field| field.name.as_str()),
        Count::Fixed | Count::Own => None,
    }
}

/// The dimensions as the definition language writes them: `[10]`, `[10:count]`, `[*]`.
pub(super) fn dims(field: &Field, packet: &Packet) -> String {
    let mut text = String::new();
    for &dim in &field.dims {
        // Writing to a String does not fail.
        let _ = match (dim.count, count_name(dim, packet)) {
            (Count::Own, _) => write!(text, "[*]"),
            (_, Some(name)) => write!(text, "[{}:{name}]", dim.limit),
            (_, None) => write!(text, "[{}]", dim.limit),
        };
    }
    text
}

/// How a field is sent: its wire type and dimensions.
pub(super) fn wire(field: &Field, packet: &Packet) -> String {
    format!("{}{}", field.wire, dims(field, packet))
}
