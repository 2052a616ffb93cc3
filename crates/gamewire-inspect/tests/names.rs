//! Every name that the captures of real games bring up can be asked for in a filter.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that panics fails")]

use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;

use gamewire_inspect::capture::Reader;
use gamewire_inspect::conversation::{Inspector, Limits, Sight};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::{Catalogue, Protocol};
use gamewire_machine::Record;
use gamewire_machine::record::{Kind, NodeRef};

fn captures() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/teeworlds/captures");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "pcap")).collect()
}

/// The paths of all groups and fields under `node`, from its innermost named group on.
fn names<'a>(node: NodeRef<'a>, group: &'a str, found: &mut BTreeSet<String>) {
    let inner = match node.kind() {
        Kind::Group(_) if !node.name().is_empty() => {
            found.insert(format!("teeworlds.{}", node.name()));
            node.name()
        }
        Kind::Field if !node.name().is_empty() => {
            found.insert(format!("teeworlds.{group}.{}", node.name()));
            return;
        }
        _ => group,
    };
    for child in node.children() {
        match child.kind() {
            Kind::Group(gamewire_wire::Layer::List) => {
                found.insert(format!("teeworlds.{inner}.{}", child.name()));
            }
            _ => names(child, inner, found),
        }
    }
}

#[test]
fn every_name_in_the_captures_is_known_to_filters() {
    let catalogue = Catalogue::of_all_protocols();
    let mut found = BTreeSet::new();
    for path in captures() {
        let mut reader = Reader::new(File::open(path).unwrap()).unwrap();
        let mut inspector = Inspector::<Protocol>::new(Limits::default());
        let mut record = Record::new();
        while let Some(frame) = reader.next() {
            record.clear();
            let sight = inspector.frame(&frame.unwrap(), &mut record);
            assert!(matches!(sight, Sight::Datagram(_)), "{sight:?}");
            record.roots().for_each(|root| names(root, "", &mut found));
        }
    }
    assert!(found.len() > 100, "only {} names", found.len());
    let unknown: Vec<_> = found.iter().filter(|name| Filter::parse(name, &catalogue).is_err()).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}
