//! Golden vectors: every packet and value that real programs sent decodes to its fields and encodes to the
//! same bytes.

use gamewire_machine::Role;

use std::collections::BTreeSet;

use crate::support::values::{Kind, check};
use crate::support::vectors::{Vector, vectors};
use gamewire_riptide::raw::{Header, Packet, Payload, V20, V21, Version, packet_definitions};
use serde_json::Value as Json;

/// Vectors, by version and value, whose bytes show a bug of the sender. The encoder does not reproduce it.
const BUGS: [(&str, &str, &str); 2] = [
    ("2.1.2", "shorts 1 -1", "2.1.0 to 2.1.2 write the length of the array and none of its numbers"),
    ("2.1.2", "ushorts 1 65535", "2.1.0 to 2.1.2 write the length of the array and none of its numbers"),
];

#[test]
fn every_packet_decodes_and_encodes_to_the_same_bytes() {
    let (mut counts, mut bugs) = ((0, 0, 0), 0);
    for vector in vectors().iter().filter(|vector| vector.sender.is_some()) {
        if vector.is_v20() {
            packet::<V20>(vector)
        } else {
            packet::<V21>(vector)
        }
        counts.0 += 1;
        if let Some(frame) = &vector.frame {
            if vector.is_v20() {
                framed::<V20>(vector, frame)
            } else {
                framed::<V21>(vector, frame)
            }
            counts.1 += 1;
        }
    }
    for vector in vectors().iter().filter(|vector| vector.sender.is_none()) {
        let is_bug =
            BUGS.iter().any(|(version, value, _)| vector.version == *version && vector.value() == *value);
        let bytes = if vector.is_v20() { check::<V20>(vector) } else { check::<V21>(vector) };
        assert_eq!(is_bug, vector.has_note, "{vector:?}");
        assert_eq!(is_bug, bytes != vector.bytes, "{vector:?}: {bytes:02x?}");
        counts.2 += 1;
        bugs += usize::from(is_bug);
    }
    println!("{} packets, {} of them in frames, {} values", counts.0, counts.1, counts.2);
    assert_eq!(bugs, BUGS.len(), "each of them is still one");
    assert_eq!((counts.0 + counts.2, counts.0, counts.2), (557, 337, 220));
    assert_eq!(counts.1, vectors().iter().filter(|vector| vector.transport == "tcp").count());
}

/// Checks that a packet decodes to the fields of the vector, and encodes to the same bytes.
fn packet<V: Version>(vector: &Vector) {
    let sender = vector.sender.unwrap();
    let packet = Packet::decode::<V, _>(&vector.bytes, sender, &mut ()).unwrap();
    let header = vector.number("header").unwrap();
    assert_eq!(V::header(u8::try_from(header).unwrap()), header_of::<V>(&packet), "{vector:?}");
    assert_eq!(header_of::<V>(&packet).name(), vector.kind, "{vector:?}");
    let mut reported = BTreeSet::new();
    let mut field = |name: &'static str, value: i64| {
        reported.insert(name);
        assert_eq!(vector.number(name), Some(value), "{name} of {vector:?}");
    };
    let payload = fields(&packet, &mut field);
    let written =
        ["seq", "id", "client_id", "ping_id", "rtt", "reason", "last_received_seq", "received_bits"];
    for name in written.into_iter().filter(|name| vector.number(name).is_some()) {
        assert!(reported.contains(name), "{name} of {vector:?}");
    }
    if let Packet::Ack(ack) = &packet {
        extra::<V>(vector, ack.for_seq_id, ack.trailing);
    } else if let Some(payload) = payload {
        let wanted = vector.hex("payload_hex");
        assert_eq!(payload.to_vec(), wanted, "{vector:?}");
    }
    let mut buffer = [0xff; 1300];
    let mut writer = gamewire_riptide::raw::Writer::<V>::new(&mut buffer);
    packet.encode(&mut writer).unwrap();
    assert_eq!(writer.written(), vector.bytes, "{vector:?}");
}

/// Returns the header of a packet in a version: 2.0 has two headers for an ack.
fn header_of<V: Version>(packet: &Packet<'_>) -> Header {
    if let Packet::Ack(ack) = packet { ack.header::<V>() } else { packet.header() }
}

/// Passes every field of a packet to `field` by its name in the vectors. Returns the bits after the fields.
fn fields<'a>(packet: &Packet<'a>, field: &mut impl FnMut(&'static str, i64)) -> Option<Payload<'a>> {
    let mut id = |name, value: u16| field(name, value.into());
    Some(match packet {
        Packet::Unreliable(packet) => {
            id("id", packet.id);
            packet.payload
        }
        Packet::Ack(packet) => {
            id("last_received_seq", packet.last_received_seq_id);
            id("received_bits", packet.received_seq_ids);
            return None;
        }
        Packet::Connect(packet) => packet.data,
        Packet::Pending(packet) => packet.trailing,
        Packet::Reject(packet) => {
            id("reason", packet.reason.into());
            packet.data
        }
        Packet::Heartbeat(packet) => {
            id("ping_id", packet.ping_id.into());
            field("rtt", packet.rtt.into());
            packet.trailing
        }
        Packet::HeartbeatReply(packet) => {
            id("ping_id", packet.ping_id.into());
            packet.trailing
        }
        Packet::Leave(packet) => packet.trailing,
        Packet::Disconnect(packet) => {
            id("reason", packet.reason.into());
            packet.data
        }
        Packet::Notify(packet) => {
            id("last_received_seq", packet.last_received_seq_id);
            id("received_bits", packet.received_seq_ids.into());
            id("seq", packet.seq_id);
            packet.payload
        }
        Packet::Reliable(packet) => {
            id("seq", packet.seq_id);
            id("id", packet.id);
            packet.payload
        }
        Packet::Welcome(packet) => {
            id("seq", packet.seq_id);
            id("client_id", packet.client_id);
            packet.trailing
        }
        Packet::ClientConnected(packet) => {
            id("seq", packet.seq_id);
            id("client_id", packet.client_id);
            packet.trailing
        }
        Packet::ClientDisconnected(packet) => {
            id("seq", packet.seq_id);
            id("client_id", packet.client_id);
            packet.trailing
        }
        other => panic!("{other:?}"),
    })
}

/// Checks the additional id of an ack: the flag or the header announces it; in 2.1.0 to 2.1.2 it may be only among the
/// trailing bits.
fn extra<V: Version>(vector: &Vector, id: Option<u16>, trailing: Payload<'_>) {
    let there = vector.number("extra_seq_field");
    let is_named = vector.number("has_extra").map_or(vector.kind == "AckExtra", |flag| flag == 1);
    assert_eq!(id.is_some(), is_named, "{vector:?}");
    match (there, id) {
        (Some(there), Some(id)) => assert_eq!(there, i64::from(id), "{vector:?}"),
        (Some(there), None) => {
            let id = trailing.reader::<V>().u16().unwrap();
            assert_eq!(there, i64::from(id), "{vector:?}");
        }
        (None, Some(id)) => panic!("{id}, which {vector:?} does not have"),
        (None, None) => assert!(trailing.is_zero(), "{vector:?}"),
    }
}

/// Checks that the frame decodes to the packet, and the packet encodes to the frame.
fn framed<V: Version>(vector: &Vector, frame: &[u8]) {
    let mut data = frame;
    let mut splitter = gamewire_riptide::raw::FrameSplitter::new(V::FORMAT, V::MAX_SIZE);
    assert_eq!(splitter.next(&mut data), Ok(Some(vector.bytes.as_slice())));
    assert_eq!((data, splitter.buffered()), ([].as_slice(), 0));
    let mut buffer = [0; 1300];
    let mut writer = gamewire_wire::Writer::new(&mut buffer);
    gamewire_riptide::raw::write_frame(V::FORMAT, &vector.bytes, &mut writer).unwrap();
    assert_eq!(writer.written(), frame);
}

#[test]
fn every_header_of_both_versions_has_a_vector_from_each_side_that_sends_it() {
    let seen: BTreeSet<_> = vectors()
        .iter()
        .filter_map(|vector| {
            let sender = vector.sender?;
            let packet = match vector.is_v20() {
                true => Packet::decode::<V20, _>(&vector.bytes, sender, &mut ()),
                false => Packet::decode::<V21, _>(&vector.bytes, sender, &mut ()),
            };
            Some((vector.is_v20(), packet.unwrap().name()))
        })
        .collect();
    let versions = [
        (true, packet_definitions::<V20>().collect::<Vec<_>>()),
        (false, packet_definitions::<V21>().collect()),
    ];
    for (is_v20, definitions) in versions {
        // No program sends an unknown header; the attack tests cover it.
        for definition in definitions.iter().filter(|definition| definition.name != "unknown_header") {
            assert!(seen.contains(&(is_v20, definition.name)), "{} {is_v20}", definition.name);
        }
        assert_eq!(seen.iter().filter(|(version, _)| *version == is_v20).count(), definitions.len() - 1);
    }
    let all = vectors();
    let both: BTreeSet<_> =
        all.iter().filter_map(|v| Some((v.kind.as_str(), v.sender? == Role::Client))).collect();
    for kind in ["Unreliable", "Reliable", "Notify", "Ack", "Heartbeat", "Welcome", "Connect", "Disconnect"] {
        assert!(both.contains(&(kind, true)) && both.contains(&(kind, false)), "{kind}");
    }
}

#[test]
fn every_kind_of_value_has_a_vector_in_each_version_that_has_it() {
    for is_v20 in [true, false] {
        let of_version =
            vectors().into_iter().filter(|vector| vector.sender.is_none() && vector.is_v20() == is_v20);
        let seen: BTreeSet<Kind> = of_version.flat_map(|vector| Kind::all_of(vector.value())).collect();
        for kind in Kind::ALL {
            assert_eq!(seen.contains(&kind), !(is_v20 && kind.is_new_in_v21()), "{kind:?} {is_v20}");
        }
    }
}

#[test]
fn the_stop_of_older_servers_has_reason_80() {
    let stops = vectors().into_iter().filter(|vector| vector.bytes == [5, 5]);
    let mut count = 0;
    for vector in stops {
        let packet = Packet::decode::<V21, _>(&vector.bytes, Role::Server, &mut ()).unwrap();
        assert!(matches!(packet, Packet::Disconnect(disconnect) if disconnect.reason == 80));
        assert_eq!(vector.fields["reason"], Json::from(80));
        count += 1;
    }
    assert!(count > 0);
}
