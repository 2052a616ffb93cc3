//! Every name that the follower reports is known to filters: names in captures of games, and names of
//! unknown data.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that panics fails")]

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use gamewire_inspect::capture::Reader;
use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::{Catalog, Detect, Detection, Protocol, Transport};
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_machine::{ConversationSide, Follow, Instant, Record};

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
            NodeKind::Group(gamewire_wire::Layer::List) => {
                found.insert(format!("teeworlds.{inner}.{}", child.name()));
            }
            _ => names(child, inner, found),
        }
    }
}

/// Collects the names in a capture, for a follower that starts at frame `first`.
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
