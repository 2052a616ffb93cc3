//! The definition of a packet as a table in Rust.

use crate::ir::{ArrayDiff, Count, Field, Info, Packet, WireType};

/// The expression for a field.
pub(super) fn field(field: &Field) -> String {
    let mut row = format!("FieldRow::new({:?}, {})", field.name, wire(field.wire));
    if !(field.type_name.is_empty() && field.c_type.is_empty()) {
        row.push_str(&format!(".of_type({:?}, {:?})", field.type_name, field.c_type));
    }
    if !field.dims.is_empty() {
        let dims: Vec<String> = field
            .dims
            .iter()
            .map(|dim| match dim.count {
                Count::Fixed => format!("fixed({})", dim.limit),
                Count::Field(index) => format!("counted({}, {index})", dim.limit),
                Count::Own => "own()".to_owned(),
            })
            .collect();
        row.push_str(&format!(".dims(&[{}])", dims.join(", ")));
    }
    if field.key {
        row.push_str(".key()");
    }
    if let Some(form) = field.diff {
        row.push_str(&format!(".diff({})", diff(form)));
    }
    if !(field.add_caps.is_empty() && field.remove_caps.is_empty()) {
        row.push_str(&format!(".caps(&{:?}, &{:?})", field.add_caps, field.remove_caps));
    }
    if !field.doc.is_empty() {
        row.push_str(&format!(".doc({:?})", field.doc));
    }
    row
}

/// The lines that differ from those of a plain packet.
pub(super) fn flags(packet: &Packet) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(packet.no_delta.then(|| "no_delta: true,".to_owned()));
    match packet.info {
        Info::Always => {}
        Info::Info => lines.push("info: Info::Info,".into()),
        Info::GameInfo => lines.push("info: Info::GameInfo,".into()),
    }
    lines.extend(packet.force.then(|| "force: true,".to_owned()));
    if !packet.cancels.is_empty() {
        lines.push(format!("cancels: &{:?},", packet.cancels));
    }
    if !packet.capabilities.is_empty() {
        lines.push(format!("capabilities: &{:?},", packet.capabilities));
    }
    if !packet.topic.is_empty() {
        lines.push(format!("topic: {:?},", packet.topic));
    }
    if !packet.doc.is_empty() {
        lines.push(format!("doc: {:?},", packet.doc));
    }
    lines
}

/// The expression for who sends a packet.
pub(super) fn directions(packet: &Packet) -> &'static str {
    match (packet.directions.to_client, packet.directions.to_server) {
        (true, true) => "Directions::BOTH",
        (true, false) => "Directions::TO_CLIENT",
        (false, true) => "Directions::TO_SERVER",
        (false, false) => "Directions { to_client: false, to_server: false }",
    }
}

/// The expression for a form of array-diff.
pub(super) const fn diff(form: ArrayDiff) -> &'static str {
    match form {
        ArrayDiff::End255 => "ArrayDiff::End255",
        ArrayDiff::EndLength => "ArrayDiff::EndLength",
    }
}

fn wire(wire: WireType) -> String {
    // The names of the variants are those that `Debug` writes.
    format!("WireType::{wire:?}")
}
