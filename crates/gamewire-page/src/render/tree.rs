use gamewire_inspect::render::DisplayValue;
use gamewire_inspect::time::Timestamp;
use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::{Layer, Value};
use serde_json::{Value as Json, json};

use super::row::{row, seconds};
use crate::traffic::StoredPacket;

/// Maximum number of nodes of a packet that are shown. Further nodes are left out.
const MAX_NODES: usize = 20_000;

/// Returns all details of a packet. `loss` is the number of the packet that records its loss on the link.
pub(crate) fn details(packet: &StoredPacket, loss: Option<u64>) -> Json {
    let mut details = row(packet);
    if let Some(fields) = details.as_object_mut() {
        let (info, record) = (&packet.info, packet.record());
        fields.insert("timestamp".into(), Timestamp(info.timestamp).to_string().into());
        fields.insert("from".into(), info.from.to_string().into());
        fields.insert("to".into(), info.to.to_string().into());
        fields.insert("frame".into(), info.frame.into());
        fields.insert("protocol".into(), info.protocol.into());
        fields.insert("notes".into(), notes(packet, loss));
        fields.insert("has_snapshot".into(), packet.snapshot.is_some().into());
        fields.insert("tree".into(), tree(&record));
        fields.insert("sources".into(), sources(&record));
    }
    details
}

/// Returns notes about the delivery of a packet. Each has a sentence and links to other packets.
fn notes(packet: &StoredPacket, loss: Option<u64>) -> Json {
    let mut notes = Vec::new();
    let mut add = |text: String, links: &[(&str, Option<u64>)]| {
        let links =
            links.iter().filter_map(|(text, number)| Some((text, number.filter(|known| *known > 0)?)));
        let links = links.map(|(text, number)| json!({"text": format!("{text} {number}"), "number": number}));
        notes.push(json!({"text": text, "links": links.collect::<Vec<_>>()}));
    };
    let delivery = packet.delivery;
    if delivery.is_lost {
        add(
            "The impaired link lost this datagram: its receiver never got it.".into(),
            &[("it arrived here as packet", delivery.copy_of)],
        );
    }
    if loss.is_some() {
        add("The impaired link lost this datagram after it arrived here.".into(), &[("packet", loss)]);
    }
    if delivery.duplicate_of.is_some() {
        add(
            "The network duplicated a datagram: this is its copy.".into(),
            &[("packet", delivery.duplicate_of)],
        );
    }
    if delivery.asks_for_resend {
        add(
            "The sender asks for a resend: a message before the latest one that it received is missing."
                .into(),
            &[],
        );
    }
    if let Some(resent) = delivery.resent {
        let (sequence, time) = (resent.sequence, seconds(resent.after));
        let why = match resent.asked {
            Some(_) => "the receiver asked for it",
            None => "no acknowledgement came in time",
        };
        let others = match resent.others {
            0 => String::new(),
            others => format!(" So are {others} more of its messages."),
        };
        let text = format!(
            "Sequence number {sequence} was sent before, {time:.3} s earlier, and is sent again: {why}.{others}"
        );
        add(text, &[("first sent in packet", Some(resent.first)), ("asked for in packet", resent.asked)]);
    }
    Json::Array(notes)
}

/// Returns the bytes of all sources of a record, as names and hexadecimal digits.
pub(crate) fn sources(record: &Record) -> Json {
    let sources = record.nodes().filter(|node| node.kind() == NodeKind::Source);
    let source = |node: NodeRef<'_>| {
        let hex = match node.value() {
            Some(Value::Bytes(bytes)) => hex(bytes),
            _ => String::new(),
        };
        json!({"name": node.name(), "hex": hex})
    };
    sources.map(source).collect()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Returns the nodes of a record as a tree.
///
/// Each node has its kind `k` ("packet", "message", "item", "group", "list", "baseline", "source", "field", "warning"
/// or "error"), name `n`, value `v`, source `s`, range of bits `b` (the first one, and the one after the last), and
/// children `c`.
pub(crate) fn tree(record: &Record) -> Json {
    let mut left = MAX_NODES;
    record.roots().map_while(|root| node(root, &mut left)).collect()
}

fn node(from: NodeRef<'_>, left: &mut usize) -> Option<Json> {
    *left = left.checked_sub(1)?;
    let kind = match from.kind() {
        NodeKind::Group(Layer::Packet) => "packet",
        NodeKind::Group(Layer::Message) => "message",
        NodeKind::Group(Layer::Item) => "item",
        NodeKind::Group(Layer::Group) => "group",
        NodeKind::Group(Layer::List) => "list",
        NodeKind::Group(Layer::Baseline) => "baseline",
        NodeKind::Source => "source",
        NodeKind::Field => "field",
        NodeKind::Warning(_) => "warning",
        NodeKind::Error => "error",
    };
    let span = from.span();
    let mut shown = json!({
        "k": kind, "n": from.name(), "s": from.source(), "b": [span.start_bit(), span.end_bit()],
    });
    let fields = shown.as_object_mut()?;
    match (from.kind(), from.value()) {
        (NodeKind::Source, _) | (_, None) => {}
        (NodeKind::Warning(_) | NodeKind::Error, Some(Value::Text(text))) => {
            fields.insert("v".into(), String::from_utf8_lossy(text).into());
        }
        (_, Some(value)) => _ = fields.insert("v".into(), DisplayValue(value).to_string().into()),
    }
    let children: Vec<_> = from.children().map_while(|child| node(child, left)).collect();
    if !children.is_empty() {
        fields.insert("c".into(), children.into());
    }
    Some(shown)
}
