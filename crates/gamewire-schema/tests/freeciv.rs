//! The definition of Freeciv 3.0 that this project ships. `cargo xtask check-definition` compares it
//! with the `packets.def` of a Freeciv.
#![cfg(feature = "compiler")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that panics fails")]

use std::collections::HashSet;
use std::path::Path;

use gamewire_schema::ir::Protocol;
use gamewire_schema::{Constants, Sources, constants_file, read_text};

fn freeciv() -> Protocol {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../definitions/freeciv-3.0"));
    let constants = Constants::from_toml(&read_text(&constants_file(folder)).unwrap()).unwrap();
    let sources = Sources::read(folder).unwrap();
    sources.compile(&constants).map_err(|errors| errors.render_in(&sources, false)).unwrap()
}

#[test]
fn the_definition_of_3_0_is_complete() {
    let protocol = freeciv();
    let fields = || protocol.packets.iter().flat_map(|packet| &packet.fields);
    assert_eq!((protocol.packets.len(), fields().count(), protocol.variant_count()), (187, 1168, 194));
    assert_eq!(fields().filter(|field| field.key).count(), 27);
    assert_eq!(fields().filter(|field| field.diff.is_some()).count(), 5);
    assert_eq!(fields().filter(|field| field.add_caps.len() + field.remove_caps.len() > 0).count(), 21);
    assert_eq!(protocol.capabilities.iter().collect::<HashSet<_>>().len(), 4);
    let folded = protocol
        .packets
        .iter()
        .map(|packet| packet.fields.iter().filter(|field| packet.is_folded(field)).count());
    assert_eq!(folded.sum::<usize>(), 145);
}

/// The bits of one variant of the packets that have most of them.
#[test]
fn the_largest_bitvectors_have_their_wire_size() {
    let protocol = freeciv();
    let bits = |name: &str| {
        let packet = protocol.packet_named(name).unwrap();
        packet.variants().map(|variant| variant.bits().count()).max().unwrap()
    };
    assert_eq!(bits("PACKET_GAME_INFO"), 114);
    assert_eq!(bits("PACKET_CITY_INFO"), 49);
    assert_eq!(bits("PACKET_RULESET_UNIT"), 47);
    assert_eq!(bits("PACKET_PLAYER_INFO"), 43);
    assert_eq!(bits("PACKET_UNIT_INFO"), 39);
}

#[test]
fn every_packet_and_topic_is_documented() {
    let protocol = freeciv();
    for packet in &protocol.packets {
        assert!(packet.doc.ends_with('.'), "{}", packet.name);
        assert!(protocol.topics.iter().any(|topic| topic.name == packet.topic), "{}", packet.name);
    }
    assert!(protocol.topics.iter().all(|topic| topic.doc.ends_with('.')));
}
