use std::fmt::Write as _;

use crate::ir::{ArrayDiff, Count, Dim, Directions, Field, Info, Packet, WireType};

/// Returns the sender of a packet, for a reader.
pub(super) fn sender(directions: Directions) -> &'static str {
    match (directions.to_client, directions.to_server) {
        (true, true) => "both",
        (true, false) => "server",
        (false, true) => "client",
        (false, false) => "none",
    }
}

/// Returns the flags of a packet that affect the wire, as the definition language names them, without
/// directions and cancels.
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

/// Returns the flags of a field, as the definition language names them.
pub(super) fn field_flags(field: &Field) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    flags.extend(field.key.then(|| "key".to_owned()));
    flags.extend(field.diff.map(|_| "diff".to_owned()));
    flags.extend(field.add_caps.iter().map(|name| format!("add-cap({name})")));
    flags.extend(field.remove_caps.iter().map(|name| format!("remove-cap({name})")));
    flags
}

/// Returns the name of the field that counts the elements of a dimension.
pub(super) fn count_name(dim: Dim, packet: &Packet) -> Option<&str> {
    match dim.count {
        Count::Field(index) => packet.fields.get(index).map(|field| field.name.as_str()),
        Count::Fixed | Count::Own => None,
    }
}

/// Returns the dimensions as the definition language writes them: `[10]`, `[10:count]`, `[*]`.
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

/// Returns the word of the definition language for a type, with its factor.
pub(super) fn word(wire: WireType) -> String {
    match wire {
        WireType::Ufloat { factor } | WireType::Sfloat { factor } => format!("{}{factor}", wire.word()),
        _ => wire.word().to_owned(),
    }
}

/// Returns the wire type and dimensions of a field.
pub(super) fn wire(field: &Field, packet: &Packet) -> String {
    format!("{}{}", field.wire, dims(field, packet))
}

/// Returns the key for matching fields: the name and the capabilities.
pub(super) fn field_id(field: &Field) -> String {
    let mut id = field.name.clone();
    for capability in field.add_caps.iter().map(|name| format!(" +{name}")) {
        id.push_str(&capability);
    }
    for capability in field.remove_caps.iter().map(|name| format!(" -{name}")) {
        id.push_str(&capability);
    }
    id
}

/// Describes everything about a field that affects the wire.
pub(super) fn described(field: &Field, packet: &Packet) -> String {
    let mut text = wire(field, packet);
    if packet.is_folded(field) {
        text.push_str(" folded");
    }
    for flag in field_flags(field) {
        text.push(' ');
        text.push_str(&flag);
    }
    if field.diff == Some(ArrayDiff::EndLength) {
        text.push_str(" ending with the length");
    }
    text
}
