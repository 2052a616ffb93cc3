//! Filters know every name that the follower reports: names in captures of games, and names of unknown data.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gamewire_freeciv::follow::Definitions;
use gamewire_inspect::capture::Reader;
use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::{Catalog, Detect, Detection, Protocol, ProtocolConfig};
use gamewire_inspect::render::{Escaped, Hyphenated};
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_machine::{ConversationSide, Follow, Instant, Record, Transport};
use gamewire_wire::{Layer, Value};

fn captures() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/teeworlds/captures");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "pcap")).collect()
}

/// Collects the paths of all groups and fields under `node`, from its innermost named group.
fn names<'a>(node: NodeRef<'a>, group: &'a str, found: &mut BTreeSet<String>) {
    let inner = match node.kind() {
        NodeKind::Group(_) if !node.name().is_empty() => {
            found.insert(format!("teeworlds.{}", node.name()));
            node.name()
        }
        NodeKind::Field if !node.name().is_empty() => {
            found.insert(format!("teeworlds.{group}.{}", node.name()));
            return;
        }
        _ => group,
    };
    for child in node.children() {
        match child.kind() {
            NodeKind::Group(Layer::List) => {
                found.insert(format!("teeworlds.{inner}.{}", child.name()));
            }
            _ => names(child, inner, found),
        }
    }
}

/// Collects the names in a capture. The follower starts at frame `first`.
fn names_in(path: &Path, first: u64, found: &mut BTreeSet<String>) {
    let mut reader = Reader::new(File::open(path).unwrap()).unwrap();
    let mut inspector = Inspector::<Protocol>::new(ConversationLimits::default());
    let mut record = Record::new();
    while let Some(frame) = reader.next() {
        let frame = frame.unwrap();
        if frame.number < first {
            continue;
        }
        record.clear();
        let outcome = inspector.frame(&frame, &mut record);
        assert!(first > 1 || matches!(outcome, FrameOutcome::Datagram(_)), "{outcome:?}");
        record.roots().for_each(|root| names(root, "", found));
    }
}

/// Returns the names in a client's datagrams.
fn names_of(datagrams: &[&[u8]]) -> BTreeSet<String> {
    let first = datagrams.first().unwrap();
    let detection = Protocol::detect(
        &Default::default(),
        &mut Default::default(),
        Transport::Udp,
        ConversationSide::First,
        first,
    );
    let Detection::Match(mut follower) = detection else { panic!("{first:?} is not recognized") };
    let mut found = BTreeSet::new();
    for datagram in datagrams {
        let mut record = Record::new();
        follower.follow(Instant::ZERO, ConversationSide::First, datagram, &mut record);
        record.roots().for_each(|root| names(root, "", &mut found));
    }
    found
}

fn assert_known(found: &BTreeSet<String>) {
    let catalog = Catalog::with_all_protocols();
    let unknown: Vec<_> = found.iter().filter(|name| Filter::parse(name, &catalog).is_err()).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

#[test]
fn every_name_in_the_captures_is_known_to_filters() {
    let mut found = BTreeSet::new();
    captures().iter().for_each(|path| names_in(path, 1, &mut found));
    assert!(found.len() > 100, "only {} names", found.len());
    for group in ["snapshot", "type_declaration", "unknown_item"] {
        assert!(found.contains(&format!("teeworlds.{group}")), "no {group}");
    }
    assert_known(&found);
}

/// Adds a comparison for each field under `node`, by the form of its value.
fn comparisons(node: NodeRef<'_>, path: &str, group: &str, found: &mut BTreeMap<String, String>) {
    let inner = match node.kind() {
        NodeKind::Group(Layer::Baseline) => group.to_owned(),
        NodeKind::Group(Layer::List) => format!("{group}.{}", node.name()),
        NodeKind::Group(_) if !node.name().is_empty() => node.name().to_owned(),
        _ => group.to_owned(),
    };
    // Changed elements of an array are named by their index. Filters do not know these names.
    let is_element = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty();
    if let (NodeKind::Field, Some(value), false) = (node.kind(), node.value(), is_element(node.name())) {
        let literal = match value {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) | Value::Named { value, name: "" } => value.to_string(),
            Value::Uint(value) => value.to_string(),
            Value::Named { name, .. } => format!("{name:?}"),
            Value::Flags { bits, .. } => bits.to_string(),
            Value::Text(text) if text.is_ascii() => format!("\"{}\"", Escaped(text)),
            Value::Bytes([one, two, ..]) => format!("{one:02x}:{two:02x}"),
            Value::Decimal { raw: 0, .. } => "0".to_owned(),
            Value::Hex { value, .. } => format!("{value:#x}"),
            Value::Uuid(uuid) => format!("\"{}\"", Hyphenated(uuid)),
            _ => return,
        };
        let name = if node.name().is_empty() { group.to_owned() } else { format!("{group}.{}", node.name()) };
        let slice = if matches!(value, Value::Bytes(_)) { "[:2]" } else { "" };
        let form = literal.chars().next().filter(|first| !first.is_ascii_digit());
        found
            .entry(format!("{path}.{name} {form:?}"))
            .or_insert_with(|| format!("{path}.{name}{slice} == {literal}"));
    }
    node.children().for_each(|child| comparisons(child, path, &inner, found));
}

#[test]
fn every_value_in_the_captures_can_be_compared() {
    let config = ProtocolConfig { freeciv: Arc::new(Definitions::shipped()), ..ProtocolConfig::default() };
    let mut catalog = Catalog::with_all_protocols();
    catalog.add_freeciv_packets(&config.freeciv);
    let mut count = 0;
    let mut wrong = Vec::new();
    for name in [
        "freeciv/captures/game.pcap",
        "riptide/captures/pytide-2.1.0a0-udp.pcapng",
        "riptide/captures/pytide-2.1.0a0-tcp.pcapng",
    ]
    .map(|name| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/")).join(name))
    .into_iter()
    .chain(captures())
    {
        let mut known = BTreeSet::new();
        let mut reader = Reader::new(File::open(name).unwrap()).unwrap();
        let mut inspector = Inspector::<Protocol>::with_config(ConversationLimits::default(), config.clone());
        let mut record = Record::new();
        while let Some(frame) = reader.next() {
            record.clear();
            let mut outcome = Some(inspector.frame(&frame.unwrap(), &mut record));
            while let Some(shown) = outcome {
                let mut found = BTreeMap::new();
                if let Some(info) = shown.packet() {
                    record.roots().for_each(|root| comparisons(root, info.protocol, "", &mut found));
                    for (field, filter) in found.into_iter().filter(|(field, _)| known.insert(field.clone()))
                    {
                        count += 1;
                        match Filter::parse(&filter, &catalog) {
                            Ok(parsed) if parsed.holds(info, &record) => {}
                            Ok(_) => wrong.push(format!("{filter} does not hold")),
                            Err(error) => wrong.push(format!("{field}: {error}")),
                        }
                    }
                }
                record.clear();
                outcome = inspector.next_outcome(&mut record);
            }
        }
    }
    assert!(count > 1000, "only {count} fields");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn names_are_known_when_the_capture_begins_in_the_middle() {
    let mut found = BTreeSet::new();
    captures().iter().for_each(|path| names_in(path, 200, &mut found));
    for name in ["difference", "difference.object", "difference.ints"] {
        assert!(found.contains(&format!("teeworlds.{name}")), "no {name}");
    }
    assert_known(&found);
}

#[test]
fn names_of_unknown_data_are_known() {
    const CONNECT: &[u8] = &[0x10, 0, 0, 1];
    const CONTROL_99: &[u8] = &[0x10, 0, 0, 99, 0xaa, 0xbb];
    const SYSTEM_MESSAGE_60: &[u8] = &[0, 0, 1, 0, 4, 0xb9, 1, 0xaa, 0xbb];
    let mut found = names_of(&[CONNECT, CONTROL_99, SYSTEM_MESSAGE_60]);
    let asked = b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffgie3\0";
    let unheard_of = b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffzzzzbody";
    found.extend(names_of(&[asked, unheard_of]));
    for group in ["unknown_control", "unknown_message", "unknown_connless"] {
        for name in [format!("teeworlds.{group}"), format!("teeworlds.{group}.body")] {
            assert!(found.contains(&name), "no {name} in {found:#?}");
        }
    }
    assert_known(&found);
}
