//! The shipped definition of Freeciv 3.0, 3.1 and 3.2. `cargo xtask check-definition` compares it with the
//! `packets.def` of a Freeciv release.
#![cfg(feature = "compiler")]

use std::collections::HashSet;
use std::path::Path;

use gamewire_schema::ir::{Protocol, WireType};
use gamewire_schema::{Constants, Sources, compile, read_text};

fn freeciv(version: &str) -> Protocol {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../definitions/freeciv"));
    let constants = read_text(&folder.join(format!("{version}.toml"))).unwrap();
    let constants = Constants::from_toml(&constants).unwrap();
    let sources = Sources::read(folder).unwrap();
    sources.compile(&constants).map_err(|errors| errors.render_in(&sources, false)).unwrap()
}

#[test]
fn the_definition_of_3_0_is_complete() {
    let protocol = freeciv("3.0");
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

#[test]
fn the_definitions_of_3_1_and_3_2_are_complete() {
    let sizes = |protocol: &Protocol| {
        let fields = protocol.packets.iter().map(|packet| packet.fields.len()).sum::<usize>();
        (protocol.packets.len(), fields, protocol.variant_count())
    };
    assert_eq!(sizes(&freeciv("3.1")), (193, 1265, 237));
    assert_eq!(sizes(&freeciv("3.2")), (203, 1268, 205));
    assert_eq!(freeciv("3.1").capabilities, ["ids32", "city-original", "rsdesc32"]);
    assert_eq!(freeciv("3.2").capabilities, ["hap2clnt", "tu32"]);
}

#[test]
fn a_version_comes_with_its_number_and_the_capabilities_of_a_client() {
    for version in ["3.0", "3.1", "3.2"] {
        let protocol = freeciv(version);
        assert_eq!(protocol.name, format!("freeciv-{version}"));
        assert!(protocol.version.unwrap().to_string().starts_with(version));
        let words: Vec<&str> = protocol.capability_string.split(' ').collect();
        assert_eq!(words[0], format!("+Freeciv-{version}-network"));
        assert!(protocol.capabilities.iter().all(|name| words.contains(&name.as_str())));
    }
}

#[test]
fn the_constants_of_other_servers_come_with_their_names_and_capabilities() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../definitions/constants"));
    let definition =
        "PACKET_TILES = 5; sc\n  uint8(int) techs[A_LAST];\n  bitvector(bv_extras) extras;\nend\n";
    for (name, capability) in
        [("freeciv-web", "+Freeciv.Web.Devel-3.3"), ("freeciv21", "+Freeciv21.21April13")]
    {
        let constants = read_text(&folder.join(format!("{name}.toml"))).unwrap();
        let protocol = compile(definition, &Constants::from_toml(&constants).unwrap()).unwrap();
        assert_eq!(protocol.name, name);
        assert!(protocol.capability_string.starts_with(capability), "{}", protocol.capability_string);
        assert_eq!(protocol.packets[0].fields[0].dims[0].limit, 251);
        assert_eq!(protocol.packets[0].fields[1].wire, WireType::Bitvector { bytes: 16 });
    }
}

/// Checks the number of bits of one variant of the packets with the most bits.
#[test]
fn the_largest_bitvectors_have_their_wire_size() {
    let protocol = freeciv("3.0");
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
    for protocol in ["3.0", "3.1", "3.2"].map(freeciv) {
        for packet in &protocol.packets {
            assert!(packet.doc.ends_with('.'), "{}", packet.name);
            assert!(protocol.topics.iter().any(|topic| topic.name == packet.topic), "{}", packet.name);
        }
        assert!(protocol.topics.iter().all(|topic| topic.doc.ends_with('.')));
    }
}
