//! Every packet of the definition is encoded and decoded with every combination of capabilities.

use std::collections::BTreeSet;

use gamewire_freeciv::delta::{Direction, Value};

use super::codec::{Both, Row};
use super::definition::protocol;
use super::sample;
use gamewire_sim::random::Random;

#[test]
fn seven_packets_depend_on_four_capabilities() {
    let protocol = protocol();
    let with = protocol.packets.iter().filter(|packet| !packet.capabilities.is_empty());
    let names: BTreeSet<&str> = with.clone().map(|packet| packet.name.as_str()).collect();
    let expected = ["CITY_INFO", "CONN_PING_INFO", "EDIT_CITY", "GAME_INFO", "NEW_YEAR", "PLAYER_INFO"];
    let expected = expected.into_iter().chain(["SPACESHIP_INFO"]).map(|name| format!("PACKET_{name}"));
    assert_eq!(names, expected.collect::<Vec<_>>().iter().map(String::as_str).collect());
    assert!(with.clone().all(|packet| packet.variant_count() == 2));
    assert_eq!(protocol.capabilities.len(), 4);
    assert_eq!((protocol.packets.len(), protocol.variant_count()), (187, 194));
}

/// Returns all combinations of the capabilities.
fn combinations(capabilities: &[String]) -> Vec<Vec<&str>> {
    let pick = |mask: usize| {
        let is_in = |at: &usize| mask >> at & 1 == 1;
        (0..capabilities.len()).filter(is_in).map(|at| capabilities[at].as_str()).collect()
    };
    (0..1 << capabilities.len()).map(pick).collect()
}

/// Encodes random values for every packet of a direction, and decodes them. Returns the number of packets that were
/// sent.
fn there_and_back(direction: Direction, active: &[&str], rounds: usize) -> usize {
    let protocol = protocol();
    let (mut here, mut there) = (Both::new(direction), Both::new(direction));
    here.set_capabilities(active);
    there.set_capabilities(active);
    let mut random = Random::new(0x6672_6565_6369_7630);
    let mut sent = 0;
    for _ in 0..rounds {
        for packet in &protocol.packets {
            let goes = match direction {
                Direction::ToClient => packet.directions.to_client,
                Direction::ToServer => packet.directions.to_server,
            };
            if !goes {
                continue;
            }
            let variant = packet.variant(packet.mask(active.iter().copied()));
            let values = sample::row(packet, variant.mask(), &mut random);
            let row = Row { name: packet.name.clone(), values, bits: Vec::new(), is_known: false };
            let Some(body) = here.encode(packet.number, &row, false).unwrap() else { continue };
            let heard = there.decode(packet.number, &body).unwrap();
            assert_eq!(heard.values, row.values, "{} with {active:?}", packet.name);
            assert_eq!(heard.bits.len(), variant.bitvector_bytes(), "{}", packet.name);
            for (index, value) in heard.values.iter().enumerate() {
                assert_eq!(*value == Value::Absent, !variant.present().contains(&index), "{}", packet.name);
            }
            sent += 1;
        }
    }
    sent
}

#[test]
fn every_packet_goes_there_and_back_with_every_combination_of_capabilities() {
    for active in combinations(&protocol().capabilities) {
        let to_client = there_and_back(Direction::ToClient, &active, 12);
        let to_server = there_and_back(Direction::ToServer, &active, 12);
        assert!(to_client > 11 * 119 && to_server == 12 * 72, "{to_client} and {to_server}");
    }
}

#[test]
fn the_same_values_have_another_form_with_each_combination() {
    let protocol = protocol();
    for packet in protocol.packets.iter().filter(|packet| !packet.capabilities.is_empty()) {
        let direction = if packet.directions.to_client { Direction::ToClient } else { Direction::ToServer };
        let bodies = combinations(&packet.capabilities).into_iter().map(|active| {
            let mut codec = Both::new(direction);
            codec.set_capabilities(&active);
            let mask = packet.mask(active.iter().copied());
            let values = sample::row(packet, mask, &mut Random::new(7));
            let row = Row { name: packet.name.clone(), values, bits: Vec::new(), is_known: false };
            codec.encode(packet.number, &row, false).unwrap().unwrap()
        });
        let bodies: Vec<Vec<u8>> = bodies.collect();
        assert_ne!(bodies[0], bodies[1], "{}", packet.name);
    }
}

#[test]
fn before_the_join_they_are_refused_in_either_direction() {
    for packet in protocol().packets.iter().filter(|packet| !packet.capabilities.is_empty()) {
        let direction = if packet.directions.to_client { Direction::ToClient } else { Direction::ToServer };
        let error = Both::new(direction).decode(packet.number, &[0; 40]).unwrap_err().to_string();
        assert!(error.contains("depends on capabilities that are not negotiated yet"), "{error}");
    }
}
