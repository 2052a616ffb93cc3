use std::collections::HashMap;
use std::fmt;

use serde_json::{Value, json};

use super::notes;
use crate::ir::{Count, Dim, Field, Packet, Part, PartType, Protocol, Structure, WireType};

/// A protocol as JSON for other tools. It contains everything that affects the wire, with names in place of indices and
/// numbers.
#[derive(Clone, Copy, Debug)]
pub struct Json<'a>(pub &'a Protocol);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:#}", protocol(self.0))
    }
}

fn protocol(protocol: &Protocol) -> Value {
    let names: HashMap<u16, &str> =
        protocol.packets.iter().map(|packet| (packet.number, packet.name.as_str())).collect();
    let aliases = protocol.aliases.iter().map(|alias| json!({"name": alias.name, "source": alias.source}));
    let topics = protocol
        .topics
        .iter()
        .map(|topic| without_empty(json!({"name": topic.name, "doc": topic.doc}), &["doc"]));
    let whole = json!({
        "name": protocol.name,
        "capabilities": protocol.capabilities,
        "aliases": aliases.collect::<Value>(),
        "topics": topics.collect::<Value>(),
        "packets": protocol.packets.iter().map(|of| packet(of, &names)).collect::<Value>(),
    });
    without_empty(whole, &["topics"])
}

fn packet(packet: &Packet, names: &HashMap<u16, &str>) -> Value {
    let cancels = packet.cancels.iter().filter_map(|number| names.get(number).copied());
    let whole = json!({
        "number": packet.number,
        "name": packet.name,
        "topic": packet.topic,
        "doc": packet.doc,
        "sender": notes::sender(packet.directions),
        "flags": notes::flags(packet),
        "cancels": cancels.collect::<Value>(),
        "capabilities": packet.capabilities,
        "fields": packet.fields.iter().map(|of| field(of, packet)).collect::<Value>(),
    });
    without_empty(whole, &["topic", "doc"])
}

fn field(field: &Field, packet: &Packet) -> Value {
    let (factor, size) = match field.wire {
        WireType::Ufloat { factor } | WireType::Sfloat { factor } => (Some(factor), None),
        // For a bitvector, the number of bytes. For a string, the maximum bytes including the NUL.
        WireType::Bitvector { bytes: size }
        | WireType::String { size }
        | WireType::Estring { size }
        | WireType::BitString { size }
        // The maximum number of values.
        | WireType::EndedList { max: size, .. } => (None, Some(size)),
        _ => (None, None),
    };
    let end = match field.wire {
        WireType::EndedList { end, .. } => Some(end),
        _ => None,
    };
    let dim = |dim: &Dim| {
        let count = match dim.count {
            Count::Field(index) => Some(notes::field_name(packet, index)),
            Count::Fixed | Count::Own => None,
        };
        let own_length = dim.count == Count::Own;
        let whole = json!({"limit": dim.limit, "count": count, "own_length": own_length});
        without_empty(whole, &["count", "own_length"])
    };
    let whole = json!({
        "name": field.name,
        "aliases": field.aliases,
        "doc": field.doc,
        "type": field.type_name,
        "public": field.c_type,
        "wire": field.wire.word(),
        "factor": factor,
        "size": size,
        "end": end,
        "parts": field.structure.as_ref().map_or(Value::Null, |structure| parts(structure)),
        "dims": field.dims.iter().map(dim).collect::<Value>(),
        "key": field.key,
        "folded": packet.is_folded(field),
        "array_diff": field.diff,
        "add_caps": field.add_caps,
        "remove_caps": field.remove_caps,
    });
    let optional = [
        "aliases",
        "doc",
        "factor",
        "size",
        "end",
        "parts",
        "dims",
        "key",
        "folded",
        "array_diff",
        "add_caps",
        "remove_caps",
    ];
    without_empty(whole, &optional)
}

fn parts(structure: &Structure) -> Value {
    let part = |part: &Part| {
        let (wire, inner) = match &part.part_type {
            PartType::Number(wire) => (wire.word(), Value::Null),
            PartType::Structure(inner) => (&*inner.name, parts(inner)),
        };
        let whole = json!({"name": part.name, "wire": wire, "count": part.count, "parts": inner});
        without_empty(whole, &["count", "parts"])
    };
    structure.parts.iter().map(part).collect()
}

/// Removes the optional members that are `null`, `false` or empty.
fn without_empty(mut object: Value, optional: &[&str]) -> Value {
    let is_empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    };
    if let Some(members) = object.as_object_mut() {
        members.retain(|name, value| !optional.contains(&name.as_str()) || !is_empty(value));
    }
    object
}
