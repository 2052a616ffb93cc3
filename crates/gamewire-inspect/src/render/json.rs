use std::io::{self, Write};

use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::Layer;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::escape::write_json;
use super::json_value::{JsonValue, Note, Source, Spanned};
use super::line::seconds;
use crate::conversation::{PacketMeta, PacketSource};

/// Writes a datagram as one line of JSON.
///
/// `messages` holds every message of the datagram, each under its name, with the groups around it
/// (a chunk's header) next to it: `.messages[].chat.text`. Items are in their message's `items`
/// in the same way. A name that occurs twice in one place becomes an array. Numbers with a name
/// are given by name, flags as an array of names, bytes as hexadecimal digits, text that is not
/// UTF-8 with replacement characters.
///
/// With `spans`, every field is an object that also has its number, its source and its bits, and
/// `sources` holds the bytes; fields that were not sent and keep their values are in `as_before`.
///
/// # Errors
/// Returns an error when `out` fails.
pub fn json(out: &mut impl Write, meta: &impl PacketMeta, record: &Record, spans: bool) -> io::Result<()> {
    write_json(out, &JsonLine { meta, record, spans })
}

/// The content of a record's group as an object with its fields by name, as [`json`] writes them.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(pub NodeRef<'a>);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Content::of(self.0, false).serialize(to)
    }
}

struct JsonLine<'a, C> {
    meta: &'a C,
    record: &'a Record,
    spans: bool,
}

impl<C: PacketMeta> Serialize for JsonLine<'_, C> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { meta, record, spans } = *self;
        let mut map = to.serialize_map(None)?;
        match meta.origin() {
            PacketSource::Conversation(passed) => {
                map.serialize_entry("frame", &passed.frame)?;
                map.serialize_entry("time", &seconds(passed.time))?;
                map.serialize_entry("conversation", &passed.conversation)?;
            }
            PacketSource::File(place) => {
                map.serialize_entry("packet", &meta.number())?;
                map.serialize_entry("offset", &place.offset)?;
                if let Some(inflated) = place.inflated {
                    map.serialize_entry("inflated", &inflated)?;
                }
            }
        }
        map.serialize_entry("direction", meta.sender().name())?;
        map.serialize_entry("protocol", meta.protocol())?;
        if let Some(dialect) = meta.dialect() {
            map.serialize_entry("dialect", dialect)?;
        }
        if let PacketSource::Conversation(passed) = meta.origin() {
            map.serialize_entry("from", &passed.from.to_string())?;
            map.serialize_entry("to", &passed.to.to_string())?;
        }
        map.serialize_entry("length", &meta.length())?;
        Content { nodes: record.roots().collect(), spans }.entries(&mut map)?;
        map.serialize_entry("messages", &Messages { record, spans })?;
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
        map.end()
    }
}

/// The content of a group: fields, groups and lists by name, items in their own array. Messages, and
/// groups around them, are in `messages` instead.
struct Content<'a> {
    nodes: Vec<NodeRef<'a>>,
    spans: bool,
}

impl<'a> Content<'a> {
    fn of(node: NodeRef<'a>, spans: bool) -> Self {
        Self { nodes: node.children().collect(), spans }
    }

    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let mut named: Vec<(&str, Vec<NodeRef<'_>>)> = Vec::new();
        let mut items = Vec::new();
        for node in &self.nodes {
            collect(*node, self.spans, &mut named, &mut items);
        }
        for (name, nodes) in &named {
            match nodes.as_slice() {
                [node] => map.serialize_entry(name, &Node { node: *node, spans: self.spans })?,
                nodes => map.serialize_entry(name, &Nodes { nodes, spans: self.spans })?,
            }
        }
        if !items.is_empty() {
            map.serialize_entry("items", &Items { items: &items, spans: self.spans })?;
        }
        Ok(())
    }
}

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.entries(&mut map)?;
        map.end()
    }
}

/// Sorts a node into `named` or `items`; the children of sources count as those of their parent.
fn collect<'a>(
    node: NodeRef<'a>,
    spans: bool,
    named: &mut Vec<(&'a str, Vec<NodeRef<'a>>)>,
    items: &mut Vec<NodeRef<'a>>,
) {
    match node.kind() {
        NodeKind::Source => node.children().for_each(|child| collect(child, spans, named, items)),
        NodeKind::Group(Layer::Item) => items.push(node),
        NodeKind::Group(Layer::Message) | NodeKind::Warning(_) | NodeKind::Error => {}
        NodeKind::Group(Layer::Baseline) if !spans => {}
        NodeKind::Group(Layer::Group) if holds_message(node) => {}
        NodeKind::Group(_) | NodeKind::Field => match named.iter_mut().find(|(name, _)| *name == node.name())
        {
            Some((_, nodes)) => nodes.push(node),
            None => named.push((node.name(), vec![node])),
        },
    }
}

fn holds_message(node: NodeRef<'_>) -> bool {
    node.children().any(|child| match child.kind() {
        NodeKind::Group(Layer::Message) => true,
        NodeKind::Group(_) | NodeKind::Source => holds_message(child),
        NodeKind::Field | NodeKind::Warning(_) | NodeKind::Error => false,
    })
}

struct Node<'a> {
    node: NodeRef<'a>,
    spans: bool,
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { node, spans } = *self;
        match (node.kind(), node.value()) {
            (NodeKind::Group(Layer::List), _) => {
                let members = node
                    .children()
                    .filter(|child| matches!(child.kind(), NodeKind::Field | NodeKind::Group(_)));
                Nodes { nodes: &members.collect::<Vec<_>>(), spans }.serialize(to)
            }
            (NodeKind::Field, Some(value)) if spans => Spanned { node, value }.serialize(to),
            (NodeKind::Field, Some(value)) => JsonValue(value).serialize(to),
            _ => Content::of(node, spans).serialize(to),
        }
    }
}

struct Nodes<'a> {
    nodes: &'a [NodeRef<'a>],
    spans: bool,
}

impl Serialize for Nodes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.nodes.iter().map(|node| Node { node: *node, spans: self.spans }))
    }
}

/// Each item under its name.
struct Items<'a> {
    items: &'a [NodeRef<'a>],
    spans: bool,
}

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.items.iter().map(|item| Entry { around: &[], node: *item, spans: self.spans }))
    }
}

/// A message or item under its name, and the groups around it under theirs.
struct Entry<'a> {
    around: &'a [NodeRef<'a>],
    node: NodeRef<'a>,
    spans: bool,
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        for group in self.around {
            map.serialize_entry(group.name(), &Content::of(*group, self.spans))?;
        }
        map.serialize_entry(self.node.name(), &Content::of(self.node, self.spans))?;
        map.end()
    }
}

struct Messages<'a> {
    record: &'a Record,
    spans: bool,
}

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(None)?;
        let mut around = Vec::new();
        for root in self.record.roots() {
            messages(root, &mut around, self.spans, &mut seq)?;
        }
        seq.end()
    }
}

fn messages<'a, S: SerializeSeq>(
    node: NodeRef<'a>,
    around: &mut Vec<NodeRef<'a>>,
    spans: bool,
    seq: &mut S,
) -> Result<(), S::Error> {
    match node.kind() {
        NodeKind::Field | NodeKind::Warning(_) | NodeKind::Error => return Ok(()),
        NodeKind::Group(Layer::Message) => seq.serialize_element(&Entry { around, node, spans })?,
        NodeKind::Group(_) | NodeKind::Source => {}
    }
    let is_around = matches!(node.kind(), NodeKind::Group(Layer::Group)) && !node.name().is_empty();
    if is_around {
        around.push(node);
    }
    for child in node.children() {
        messages(child, around, spans, seq)?;
    }
    if is_around {
        around.pop();
    }
    Ok(())
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
                "frame": 7, "time": 1.25, "conversation": 3, "direction": "client", "protocol": "toy",
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
    fn lists_are_arrays_and_items_stand_in_their_message() {
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
    fn warnings_and_errors_are_there_only_when_there_are_some() {
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
    fn spans_tell_where_everything_stands() {
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
