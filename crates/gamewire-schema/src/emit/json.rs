use std::fmt;

use serde::Serialize;

use super::notes;
use crate::ir::{ArrayDiff, Count, Dim, Field, Packet, Protocol, WireType};

/// A protocol as JSON, for tools: everything that affects the wire, with names instead of indices and
/// numbers.
#[derive(Clone, Copy, Debug)]
pub struct Json<'a>(pub &'a Protocol);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string_pretty(&ProtocolView::new(self.0)).map_err(|_| fmt::Error)?;
        writeln!(f, "{text}")
    }
}

#[derive(Serialize)]
struct ProtocolView<'a> {
    name: &'a str,
    capabilities: &'a [String],
    aliases: Vec<AliasView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    topics: Vec<TopicView<'a>>,
    packets: Vec<PacketView<'a>>,
}

#[derive(Serialize)]
struct TopicView<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    doc: &'a str,
}

#[derive(Serialize)]
struct AliasView<'a> {
    name: &'a str,
    source: &'a str,
}

#[derive(Serialize)]
struct PacketView<'a> {
    number: u16,
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    topic: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    doc: &'a str,
    sender: &'static str,
    flags: Vec<&'static str>,
    cancels: Vec<&'a str>,
    capabilities: &'a [String],
    fields: Vec<FieldView<'a>>,
}

#[derive(Serialize)]
struct FieldView<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    doc: &'a str,
    /// Type as the definition writes it.
    #[serde(rename = "type")]
    type_name: &'a str,
    public: &'a str,
    wire: &'static str,
    #[serde(flatten)]
    parameter: Parameter,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dims: Vec<DimView<'a>>,
    #[serde(skip_serializing_if = "is_false")]
    key: bool,
    /// True if the bit in the bitvector is the value.
    #[serde(skip_serializing_if = "is_false")]
    folded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    array_diff: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    add_caps: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    remove_caps: &'a [String],
}

/// Parameters of a wire type.
#[derive(Default, Serialize)]
struct Parameter {
    #[serde(skip_serializing_if = "Option::is_none")]
    factor: Option<u32>,
    /// Bytes of a bitvector; maximum bytes of a string, with the NUL.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u32>,
}

#[derive(Serialize)]
struct DimView<'a> {
    limit: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<&'a str>,
    /// True if a uint16 length is sent.
    #[serde(skip_serializing_if = "is_false")]
    own_length: bool,
}

fn is_false(value: &bool) -> bool {
    !*value
}

impl<'a> ProtocolView<'a> {
    fn new(protocol: &'a Protocol) -> Self {
        let aliases = protocol.aliases.iter();
        let topics = protocol.topics.iter();
        let names: std::collections::HashMap<u16, &str> =
            protocol.packets.iter().map(|packet| (packet.number, packet.name.as_str())).collect();
        let packets = protocol.packets.iter().map(|packet| {
            let cancels = packet.cancels.iter().filter_map(|number| names.get(number).copied());
            PacketView::new(packet, cancels.collect())
        });
        Self {
            name: &protocol.name,
            capabilities: &protocol.capabilities,
            aliases: aliases.map(|alias| AliasView { name: &alias.name, source: &alias.source }).collect(),
            topics: topics.map(|topic| TopicView { name: &topic.name, doc: &topic.doc }).collect(),
            packets: packets.collect(),
        }
    }
}

impl<'a> PacketView<'a> {
    fn new(packet: &'a Packet, cancels: Vec<&'a str>) -> Self {
        Self {
            number: packet.number,
            name: &packet.name,
            topic: &packet.topic,
            doc: &packet.doc,
            sender: notes::sender(packet.directions),
            flags: notes::flags(packet),
            cancels,
            capabilities: &packet.capabilities,
            fields: packet.fields.iter().map(|field| FieldView::new(field, packet)).collect(),
        }
    }
}

impl<'a> FieldView<'a> {
    fn new(field: &'a Field, packet: &'a Packet) -> Self {
        let parameter = match field.wire {
            WireType::Ufloat { factor } | WireType::Sfloat { factor } => {
                Parameter { factor: Some(factor), size: None }
            }
            WireType::Bitvector { bytes: size } | WireType::String { size } | WireType::Estring { size } => {
                Parameter { factor: None, size: Some(size) }
            }
            _ => Parameter::default(),
        };
        let dim = |dim: &Dim| DimView {
            limit: dim.limit,
            count: notes::count_name(*dim, packet),
            own_length: dim.count == Count::Own,
        };
        Self {
            name: &field.name,
            doc: &field.doc,
            type_name: &field.type_name,
            public: &field.c_type,
            wire: field.wire.word(),
            parameter,
            dims: field.dims.iter().map(dim).collect(),
            key: field.key,
            folded: packet.is_folded(field),
            array_diff: field.diff.map(|form| match form {
                ArrayDiff::End255 => "end-255",
                ArrayDiff::EndLength => "end-length",
            }),
            add_caps: &field.add_caps,
            remove_caps: &field.remove_caps,
        }
    }
}
