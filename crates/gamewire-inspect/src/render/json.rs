use std::io::{self, Write};

use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::Layer;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::escape::write_json;
use super::json_value::{JsonValue, Note, Source, Spanned};
use super::text::at_once;
use crate::conversation::{PacketMeta, PacketSource};
use crate::time::{Timestamp, seconds};

/// Initial capacity for the fields of a group.
const USUAL_FIELDS: usize = 16;

/// Writes a datagram as one line of JSON.
///
/// `messages` holds every message of the datagram, each under its name, with the groups around it (a chunk's header)
/// next to it: `.messages[].chat.text`. The items of a message are in its `items` in the same way. A name that occurs
/// twice in one place becomes an array. Numbers with a name are given by name, flags as an array of names, bytes as
/// hexadecimal digits, and text that is not UTF-8 has replacement characters.
///
/// With `spans`, every field is an object that also has its number, its source and its bits, and `sources` holds the
/// bytes. Fields that were not sent and keep their values are in `as_before`.
///
/// # Errors
/// The error of `out`.
pub fn json<'a>(
    out: &mut dyn Write,
    meta: impl Into<PacketMeta<'a>>,
    record: &Record,
    spans: bool,
) -> io::Result<()> {
    let line = PacketObject { meta: meta.into(), record, spans };
    at_once(out, &mut |out| write_line(out, &line))
}

// Not generic, so that it is compiled in this crate, once.
fn write_line(out: &mut dyn Write, line: &PacketObject<'_>) -> io::Result<()> {
    write_json(out, line)
}

/// The content of a record's group as an object with its fields by name, as [`json`] writes them.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(pub NodeRef<'a>);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Content { node: self.0, spans: false }.serialize(to)
    }
}

/// A datagram as an object, as [`json`] writes it.
#[derive(Clone, Copy, Debug)]
pub struct PacketObject<'a> {
    meta: PacketMeta<'a>,
    record: &'a Record,
    spans: bool,
}

impl<'a> PacketObject<'a> {
    /// Describes a datagram. With `spans`, every field is an object that also has its bits.
    pub fn new(meta: impl Into<PacketMeta<'a>>, record: &'a Record, spans: bool) -> Self {
        Self { meta: meta.into(), record, spans }
    }
}

/// The content of a record as an object, as [`json`] writes it, without the metadata of a datagram.
#[derive(Clone, Copy, Debug)]
pub struct RecordObject<'a> {
    /// The record.
    pub record: &'a Record,
    /// True if every field is an object that also has its bits.
    pub spans: bool,
}

impl Serialize for RecordObject<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.entries(&mut map)?;
        map.end()
    }
}

impl Serialize for PacketObject<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { meta, record, spans } = *self;
        let mut map = to.serialize_map(None)?;
        match meta.source {
            PacketSource::Conversation(passed) => {
                map.serialize_entry("frame", &passed.frame)?;
                map.serialize_entry("time", &seconds(passed.time))?;
                map.serialize_entry("timestamp", &Timestamp(passed.timestamp).to_string())?;
                map.serialize_entry("conversation", &passed.conversation)?;
            }
            PacketSource::File(place) => {
                map.serialize_entry("packet", &meta.number)?;
                map.serialize_entry("offset", &place.offset)?;
                if let Some(inflated) = place.inflated {
                    map.serialize_entry("inflated", &inflated)?;
                }
            }
        }
        map.serialize_entry("direction", meta.sender.name())?;
        map.serialize_entry("protocol", meta.protocol)?;
        if let Some(dialect) = meta.dialect {
            map.serialize_entry("dialect", dialect)?;
        }
        if let PacketSource::Conversation(passed) = meta.source {
            map.serialize_entry("from", &passed.from)?;
            map.serialize_entry("to", &passed.to)?;
        }
        map.serialize_entry("length", &meta.length)?;
        RecordObject { record, spans }.entries(&mut map)?;
        map.end()
    }
}

impl RecordObject<'_> {
    /// Adds the entries of the object.
    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self { record, spans } = *self;
        content(record.roots(), spans, map)?;
        let mut found = Vec::new();
        record.roots().for_each(|root| messages(root, &mut Vec::new(), spans, &mut found));
        map.serialize_entry("messages", &found)?;
        let notes = |kind: fn(NodeKind) -> bool| -> Vec<Note<'_>> {
            let nodes = record.nodes().filter(|node| kind(node.kind()));
            nodes.map(|node| Note { node, spans }).collect()
        };
        if record.warnings() > 0 {
            map.serialize_entry("warnings", &notes(|kind| matches!(kind, NodeKind::Warning(_))))?;
        }
        if record.errors() > 0 {
            map.serialize_entry("errors", &notes(|kind| kind == NodeKind::Error))?;
        }
        if spans {
            let sources = record.nodes().filter(|node| node.kind() == NodeKind::Source);
            map.serialize_entry("sources", &sources.map(Source).collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// The content of a group: fields, groups and lists by name, items in their own array. Messages, and
/// groups around them, are in `messages` instead.
struct Content<'a> {
    node: NodeRef<'a>,
    spans: bool,
}

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        content(self.node.children(), self.spans, &mut map)?;
        map.end()
    }
}

/// Adds the entries of a [`Content`].
fn content<'a, M: SerializeMap>(
    nodes: impl Iterator<Item = NodeRef<'a>>,
    spans: bool,
    map: &mut M,
) -> Result<(), M::Error> {
    let mut named = Vec::with_capacity(USUAL_FIELDS);
    let mut items = Vec::new();
    nodes.for_each(|node| collect(node, spans, &mut named, &mut items));
    for Named { name, first, further } in &named {
        if further.is_empty() {
            map.serialize_entry(name, first)?;
        } else {
            let all: Vec<_> = [first].into_iter().chain(further).collect();
            map.serialize_entry(name, &all)?;
        }
    }
    if !items.is_empty() {
        map.serialize_entry("items", &items)?;
    }
    Ok(())
}

/// The nodes of a group that have the same name. Most names occur once.
struct Named<'a> {
    name: &'a str,
    first: JsonNode<'a>,
    further: Vec<JsonNode<'a>>,
}

/// Adds a node to `named` or `items`. The children of a source are added as children of its parent.
fn collect<'a>(node: NodeRef<'a>, spans: bool, named: &mut Vec<Named<'a>>, items: &mut Vec<Entry<'a>>) {
    match node.kind() {
        NodeKind::Source => node.children().for_each(|child| collect(child, spans, named, items)),
        NodeKind::Group(Layer::Item) => items.push(Entry { around: Vec::new(), node, spans }),
        NodeKind::Group(Layer::Message) | NodeKind::Warning(_) | NodeKind::Error => {}
        NodeKind::Group(Layer::Baseline) if !spans => {}
        NodeKind::Group(Layer::Group) if holds_message(node) => {}
        NodeKind::Group(_) | NodeKind::Field => {
            let (name, first) = (node.name(), JsonNode { node, spans });
            match named.iter_mut().find(|known| known.name == name) {
                Some(known) => known.further.push(first),
                None => named.push(Named { name, first, further: Vec::new() }),
            }
        }
    }
}

fn holds_message(node: NodeRef<'_>) -> bool {
    node.children().any(|child| match child.kind() {
        NodeKind::Group(Layer::Message) => true,
        NodeKind::Group(_) | NodeKind::Source => holds_message(child),
        NodeKind::Field | NodeKind::Warning(_) | NodeKind::Error => false,
    })
}

/// A field, list or group as a value.
pub(crate) struct JsonNode<'a> {
    node: NodeRef<'a>,
    spans: bool,
}

#[cfg(feature = "parquet")]
impl<'a> JsonNode<'a> {
    /// Returns the value without spans.
    pub(crate) const fn new(node: NodeRef<'a>) -> Self {
        Self { node, spans: false }
    }
}

impl Serialize for JsonNode<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { node, spans } = *self;
        match (node.kind(), node.value()) {
            (NodeKind::Group(Layer::List), _) => {
                let members = node
                    .children()
                    .filter(|child| matches!(child.kind(), NodeKind::Field | NodeKind::Group(_)));
                to.collect_seq(members.map(|node| JsonNode { node, spans }))
            }
            (NodeKind::Field, Some(value)) if spans => Spanned { node, value }.serialize(to),
            (NodeKind::Field, Some(value)) => JsonValue(value).serialize(to),
            _ => Content { node, spans }.serialize(to),
        }
    }
}

/// A message or item under its name, and each group around it under its name.
struct Entry<'a> {
    around: Vec<NodeRef<'a>>,
    node: NodeRef<'a>,
    spans: bool,
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        for group in &self.around {
            map.serialize_entry(group.name(), &Content { node: *group, spans: self.spans })?;
        }
        map.serialize_entry(self.node.name(), &Content { node: self.node, spans: self.spans })?;
        map.end()
    }
}

/// Adds the messages in `node` to `found`.
fn messages<'a>(node: NodeRef<'a>, around: &mut Vec<NodeRef<'a>>, spans: bool, found: &mut Vec<Entry<'a>>) {
    match node.kind() {
        NodeKind::Field | NodeKind::Warning(_) | NodeKind::Error => return,
        NodeKind::Group(Layer::Message) => found.push(Entry { around: around.clone(), node, spans }),
        NodeKind::Group(_) | NodeKind::Source => {}
    }
    let is_around = matches!(node.kind(), NodeKind::Group(Layer::Group)) && !node.name().is_empty();
    if is_around {
        around.push(node);
    }
    node.children().for_each(|child| messages(child, around, spans, found));
    if is_around {
        around.pop();
    }
}

#[cfg(test)]
mod tests {
    use gamewire_wire::{Span, Value};
    use serde_json::json as expected;

    use super::super::tests::{packet_info, record};
    use super::*;

    fn parsed(data: &[u8], spans: bool) -> serde_json::Value {
        let mut out = Vec::new();
        json(&mut out, &packet_info(), &record(data), spans).unwrap();
        assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 1);
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn a_line_has_the_addresses_the_packet_and_the_messages() {
        assert_eq!(
            parsed(b"toy\0say hi\nhit 0", false),
            expected!({
                "frame": 7, "time": 1.25, "timestamp": "2023-11-14T22:13:21.250000000Z", "conversation": 3, "direction": "client", "protocol": "toy",
                "dialect": "toy-1", "from": "127.0.0.1:5000", "to": "[::1]:80", "length": 10,
                "packet": {"sequence": 0, "flags": ["first"]},
                "messages": [
                    {"chunk": {"size": 6}, "say": {"text": "hi"}},
                    {"chunk": {"size": 5}, "hit": {"damage": 0.0, "weapon": "hammer"}},
                ],
            })
        );
    }

    #[test]
    fn lists_are_arrays_and_items_are_in_their_message() {
        let line = parsed(b"toy\x05world 9", false);
        assert_eq!(
            line["messages"][0]["world"],
            expected!({"sizes": [7, 9], "items": [
                {"player": {"id": 0, "x": 9, "token": "00000a0b"}},
                {"player": {"id": 1, "x": 9, "token": "00000a0b"}},
            ]})
        );
    }

    #[test]
    fn warnings_and_errors_are_left_out_if_empty() {
        let line = parsed(b"toy\x05odd\n!", false);
        assert_eq!(line["warnings"], expected!(["odd_line"]));
        assert_eq!(line["errors"], expected!(["unknown: expected a known verb at byte 8, found 1 byte"]));
        assert_eq!(
            line["messages"][0]["odd"],
            expected!({"raw": "6f6464", "id": "abababab-abab-abab-abab-abababababab", "yes": true})
        );
        assert!(parsed(b"toy\x05say", false).get("errors").is_none());
    }

    #[test]
    fn with_spans_every_field_has_its_bits() {
        let line = parsed(b"toy\0hit 250\nodd", true);
        assert_eq!(
            line["packet"]["flags"],
            expected!({"value": 1, "names": ["first"], "source": 0, "bits": [0, 3]})
        );
        let hit = &line["messages"][0]["hit"];
        assert_eq!(hit["weapon"], expected!({"value": 1, "name": "pistol", "source": 0, "bits": [64, 88]}));
        assert_eq!(hit["damage"]["value"], expected!(2.5));
        assert_eq!(line["warnings"][0]["bits"], expected!([96, 120]));
        assert_eq!(line["sources"][0]["name"], "datagram");
        assert_eq!(line["sources"][0]["bytes"], "746f7900686974203235300a6f6464");
    }

    #[test]
    fn text_that_is_not_utf8_is_replaced_and_controls_are_escaped() {
        let mut out = Vec::new();
        json(&mut out, &packet_info(), &record(b"toy\0say \x1b\xff\xe2\x80\xae"), false).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains(r#""text":"\u001b�\u202e""#), "{text}");
    }

    #[test]
    fn a_name_that_occurs_twice_in_one_place_becomes_an_array() {
        use gamewire_wire::Trace;
        let mut record = Record::new();
        record.enter(Layer::Message, "twice", Span::default());
        record.field("x", Span::default(), Value::Int(1));
        record.field("x", Span::default(), Value::Int(2));
        record.exit();
        let mut out = Vec::new();
        json(&mut out, &packet_info(), &record, false).unwrap();
        let line: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(line["messages"][0]["twice"], expected!({"x": [1, 2]}));
    }
}
