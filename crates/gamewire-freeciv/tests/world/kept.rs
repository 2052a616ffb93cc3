//! Every packet that a server can send changes the world, or is in a list with the reason.

use std::collections::BTreeSet;

use gamewire_freeciv::codec::{Fields, Memory, ProtocolVersion};
use gamewire_freeciv::delta::Value;
use gamewire_freeciv::packets::{
    CityInfo, DiplomacyAcceptTreaty, DiplomacyCreateClause, EndgameReport, FreezeClient, MapInfo, NewYear,
    OwnedPacket, Packet, PageMsg, PlayerAttributeChunk, PlayerInfo, ResearchInfo, RulesetControl, ServerInfo,
    ServerJoinReply, StartPhase, ThawClient, UnitInfo, UnitShortInfo, VoteNew,
};
use gamewire_freeciv::world::{Change, NOT_KEPT, REPORTED_ONLY, World};

/// Returns a value that differs from a blank one: 1, true or a text.
fn filled(blank: &Value) -> Value {
    match blank {
        Value::List(elements) => Value::List(elements.iter().map(filled).collect()),
        Value::Bytes(bytes) => Value::Bytes(bytes.iter().map(|_| 1).collect()),
        Value::Bool(_) => Value::Bool(true),
        Value::Int(_) => Value::Int(1),
        Value::Scaled(_) => Value::Scaled(1),
        Value::Text(_) => Value::Text(b"x".to_vec()),
        Value::Absent | Value::Parts(_) => Value::Absent,
    }
}

/// Sets a field that exists only in some versions, or a list without elements.
fn fill_by_type(fields: &mut dyn Fields, index: usize) {
    let one = [Value::Int(1), Value::Bool(true), Value::Scaled(1), Value::Text(b"x".to_vec())];
    let lists = one.clone().map(|element| Value::List(vec![element]));
    let bytes = [Value::Bytes(vec![1])];
    let _ = one.iter().chain(&lists).chain(&bytes).any(|value| fields.set_value(index, value).is_ok());
}

/// Sets every field of a packet to 1, true, or a text.
fn fill(packet: &mut OwnedPacket) {
    let fields = packet.fields_mut();
    for index in 0..fields.names().len() {
        let value = filled(&fields.value(index));
        let is_empty =
            value == Value::Absent || value == Value::List(Vec::new()) || value == Value::Bytes(Vec::new());
        if is_empty || fields.set_value(index, &value).is_err() {
            fill_by_type(fields, index);
        }
    }
}

/// Returns a running game in which the number 1 is a player, a city, a unit, a vote and a meeting.
fn world(version: ProtocolVersion) -> World {
    let minor_version =
        u32::try_from(ProtocolVersion::ALL.iter().position(|it| *it == version).unwrap()).unwrap();
    let mut world = World::new();
    let attributes = PlayerAttributeChunk { data: Memory(vec![7]), ..Default::default() };
    let clause = DiplomacyCreateClause { counterpart: 1, giver: 1, r#type: 1, value: 1 };
    let accepted = DiplomacyAcceptTreaty { counterpart: 1, other_accepted: true, ..Default::default() };
    let packets: &[Packet<'_>] = &[
        Packet::ServerInfo(&ServerInfo { major_version: 3, minor_version, ..Default::default() }),
        Packet::ServerJoinReply(&ServerJoinReply { you_can_join: true, conn_id: 9, ..Default::default() }),
        Packet::RulesetControl(&RulesetControl {
            num_extra_types: 20,
            desc_length: 100,
            ..Default::default()
        }),
        Packet::MapInfo(&MapInfo { xsize: 16, ysize: 16, ..Default::default() }),
        Packet::PlayerInfo(&PlayerInfo { playerno: 1, ..Default::default() }),
        Packet::ResearchInfo(&ResearchInfo { id: 1, ..Default::default() }),
        Packet::CityInfo(&CityInfo { id: 1, tile: 2, ..Default::default() }),
        Packet::UnitInfo(&UnitInfo { id: 1, tile: 2, ..Default::default() }),
        Packet::UnitShortInfo(&UnitShortInfo { id: 3, packet_use: 1, info_city_id: 1, ..Default::default() }),
        Packet::VoteNew(&VoteNew { vote_no: 1, ..Default::default() }),
        Packet::DiplomacyCreateClause(&clause),
        Packet::DiplomacyAcceptTreaty(&accepted),
        Packet::PageMsg(&PageMsg { parts: 3, ..Default::default() }),
        Packet::PlayerAttributeChunk(&attributes),
        Packet::EndgameReport(&EndgameReport { player_num: 5, ..Default::default() }),
        Packet::NewYear(&NewYear { turn: 5, ..Default::default() }),
        Packet::FreezeClient(&FreezeClient),
        Packet::StartPhase(&StartPhase { phase: 0 }),
        Packet::ThawClient(&ThawClient),
    ];
    packets.iter().for_each(|packet| _ = world.apply(packet));
    world.take_changes();
    world
}

/// Applies a packet. Returns whether it concerned the world, whether the world differs, and the reported changes.
fn applied(packet: &Packet<'_>, version: ProtocolVersion) -> (bool, bool, Vec<Change>) {
    let mut world = world(version);
    if matches!(packet, Packet::ThawClient(_)) {
        world.apply(&Packet::FreezeClient(&FreezeClient));
    }
    let before = format!("{world:?}");
    let is_applied = world.apply(packet);
    let changes = world.take_changes();
    (is_applied, format!("{world:?}") != before, changes)
}

#[test]
fn every_packet_of_a_server_changes_the_world_or_there_is_a_reason() {
    let mut listed_and_sent = BTreeSet::new();
    for version in ProtocolVersion::ALL {
        let mut kept = 0;
        for number in 0..1_024 {
            let Some(mut packet) = OwnedPacket::blank(number, version) else { continue };
            fill(&mut packet);
            let packet = packet.as_packet();
            if !packet.definition().directions.to_client {
                continue;
            }
            let name = packet.name();
            let is_in = |list: &[(&str, &str)]| list.iter().any(|(listed, _)| *listed == name);
            let (is_applied, is_different, changes) = applied(&packet, version);
            if is_in(NOT_KEPT) {
                assert_eq!((is_applied, is_different, changes), (false, false, vec![]), "{version} {name}");
                listed_and_sent.insert(name);
            } else if is_in(REPORTED_ONLY) {
                assert!(is_applied && !is_different && !changes.is_empty(), "{version} {name}: {changes:?}");
                listed_and_sent.insert(name);
            } else {
                assert!(is_applied && is_different, "{version} {name} changes nothing");
                kept += 1;
            }
        }
        assert!(kept >= 98, "{kept} in {version}");
    }
    let listed: BTreeSet<_> = NOT_KEPT.iter().chain(REPORTED_ONLY).map(|(name, _)| *name).collect();
    assert_eq!(listed_and_sent, listed, "every exception is a packet of some version");
}
