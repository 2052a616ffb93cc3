//! Riptide under the inspector: captures of the Python port, the golden vectors as captures, foreign
//! traffic beside it, and damage.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that panics fails")]
#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

mod support;

use gamewire_machine::Role;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gamewire_inspect::capture::Reader;
use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector, PacketInfo};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::Catalog;
use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::Layer;
use support::{Segments, capture, datagrams, random, vectors};

/// What was told of a capture.
#[derive(Default)]
struct Told {
    /// Riptide's messages by name and sender.
    messages: HashMap<(String, Role), usize>,
    /// Datagrams and runs by protocol.
    sightings: BTreeMap<&'static str, usize>,
    warnings: Vec<String>,
    errors: u32,
    conversations: u64,
    other: usize,
}

impl Told {
    fn count(&self) -> usize {
        self.messages.values().sum()
    }
}

/// Everything that the inspector tells of a capture, one after the other.
fn inspect(bytes: &[u8], mut each: impl FnMut(&PacketInfo, &Record)) -> usize {
    let mut reader = Reader::new(bytes).unwrap();
    let mut inspector = Inspector::<gamewire_inspect::protocol::Protocol>::new(ConversationLimits::default());
    let mut record = Record::new();
    let mut other = 0_usize;
    let mut look = |sight: FrameOutcome, record: &Record| match sight {
        FrameOutcome::Deferred(sighting) => {
            other -= 1;
            each(&sighting, record);
        }
        FrameOutcome::Datagram(sighting) | FrameOutcome::Additional(sighting) => each(&sighting, record),
        _ => other += 1,
    };
    while let Some(frame) = reader.next() {
        let Ok(frame) = frame else { continue };
        record.clear();
        let mut next = Some(inspector.frame(&frame, &mut record));
        while let Some(sight) = next {
            look(sight, &record);
            record.clear();
            next = inspector.next_outcome(&mut record);
        }
    }
    inspector.finish();
    record.clear();
    while let Some(sight) = inspector.next_outcome(&mut record) {
        look(sight, &record);
        record.clear();
    }
    other
}

fn told(bytes: &[u8]) -> Told {
    let mut told = Told::default();
    told.other = inspect(bytes, |sighting, record| {
        *told.sightings.entry(sighting.protocol).or_default() += 1;
        told.conversations = told.conversations.max(sighting.conversation);
        if sighting.protocol != "riptide" {
            return;
        }
        told.errors += record.errors();
        for node in record.nodes() {
            match node.kind() {
                NodeKind::Group(Layer::Message) => {
                    *told.messages.entry((node.name().to_owned(), sighting.sender)).or_default() += 1;
                }
                NodeKind::Warning(_) => told.warnings.push(node.name().to_owned()),
                _ => {}
            }
        }
    });
    told
}

#[test]
fn every_packet_of_the_captures_is_told() {
    for (file, odd) in [("udp", &[][..]), ("tcp", &["legacy_stop"])] {
        let told = told(&capture(&format!("riptide/captures/pytide-2.1.0a0-{file}.pcapng")));
        assert_eq!((told.count(), told.errors, told.conversations), (74, 0, 3), "{file}");
        assert_eq!(told.warnings, odd, "{file}");
        let count = |name: &str, role| told.messages.get(&(name.to_owned(), role)).copied().unwrap_or(0);
        for (name, client, server) in
            [("connect", 3, 0), ("welcome", 3, 3), ("reliable", 7, 7), ("unreliable", 6, 6), ("ack", 14, 10)]
        {
            assert_eq!(
                (count(name, Role::Client), count(name, Role::Server)),
                (client, server),
                "{name}, {file}"
            );
        }
        assert_eq!((count("leave", Role::Client), count("client_connected", Role::Server)), (1, 2));
    }
}

#[test]
fn filters_ask_for_fields_of_riptide() {
    let catalogue = Catalog::with_all_protocols();
    let bytes = capture("riptide/captures/pytide-2.1.0a0-udp.pcapng");
    for (filter, count) in [
        (r#"riptide.reliable.id == 10 && direction == "server""#, 6),
        ("riptide.connect", 3),
        (r#"riptide.disconnect.reason == "Kicked""#, 1),
        ("riptide.packet.round_trip < 10", 4),
        ("riptide.packet.user_bits > 50", 3),
        (r#"dialect == "riptide-2.1""#, 74),
    ] {
        let parsed = Filter::parse(filter, &catalogue).unwrap();
        let mut held = 0;
        inspect(&bytes, |sighting, record| held += usize::from(parsed.holds(sighting, record)));
        assert_eq!(held, count, "{filter}");
    }
}

#[test]
fn every_name_that_is_told_is_known_to_filters() {
    fn check<'a>(node: NodeRef<'a>, group: &'a str, catalogue: &Catalog) {
        let (name, inner) = match node.kind() {
            NodeKind::Group(_) => (format!("riptide.{}", node.name()), node.name()),
            NodeKind::Field => (format!("riptide.{group}.{}", node.name()), group),
            _ => (String::from("riptide"), group),
        };
        assert!(Filter::parse(&name, catalogue).is_ok(), "{name}");
        node.children().for_each(|child| check(child, inner, catalogue));
    }
    let catalogue = Catalog::with_all_protocols();
    for file in ["udp", "tcp"] {
        let bytes = capture(&format!("riptide/captures/pytide-2.1.0a0-{file}.pcapng"));
        for start in [0, bytes.len() / 3] {
            // The second time the capture begins with garbage where packets were.
            let mut bytes = bytes.clone();
            bytes[28 + 32..28 + 32 + start].fill(0);
            inspect(&bytes, |_, record| record.roots().for_each(|root| check(root, "", &catalogue)));
        }
    }
}

/// The packets of the golden vectors, session by session.
#[test]
fn recorded_sessions_over_udp_are_told_whole() {
    for (version, count) in [("2.0.0", 59), ("2.1.2", 70), ("2.1.0a0", 62)] {
        let packets = vectors("udp").into_iter().filter(|vector| vector.version == version);
        let packets: Vec<_> = packets.collect();
        let sent: Vec<_> =
            packets.iter().map(|vector| (vector.is_client, vector.packet.as_slice())).collect();
        assert_eq!(sent.len(), count, "{version}");
        let told = told(&datagrams(&sent));
        assert_eq!((told.count(), told.errors, told.other), (count, 0, 0), "{version}");
        assert_eq!(told.conversations, 1);
    }
}

#[test]
fn frames_of_2_0_are_told_like_those_of_2_1() {
    let packets = vectors("udp").into_iter().filter(|vector| vector.version == "2.0.0");
    let mut segments = Segments::new();
    for vector in packets {
        let length = u16::try_from(vector.packet.len()).unwrap().to_le_bytes();
        segments.send(vector.is_client, &[&length, vector.packet.as_slice()].concat());
    }
    let told = told(&segments.finish());
    assert_eq!((told.count(), told.errors, told.conversations), (59, 0, 1));
}

#[test]
fn recorded_sessions_over_tcp_are_told_whole_however_segments_are_cut() {
    for (version, count) in [("2.1.2", 65), ("2.2.1", 81)] {
        let frames: Vec<_> = vectors("tcp").into_iter().filter(|vector| vector.version == version).collect();
        for cut in [usize::MAX, 7, 3] {
            let mut segments = Segments::new();
            for (frame, number) in frames.iter().zip(0..) {
                // The exchange that shows what it is has to come in whole frames.
                let cut = if number < 8 { usize::MAX } else { cut };
                frame.frame.chunks(cut).for_each(|part| segments.send(frame.is_client, part));
            }
            let told = told(&segments.finish());
            assert_eq!((told.count(), told.errors), (count, 0), "{version} cut to {cut}");
        }
    }
}

#[test]
fn a_teeworlds_capture_stays_what_it_was_with_riptide_beside_it() {
    let alone = told(&capture("teeworlds/captures/tw-0.6-ddnet-tken.pcap"));
    assert_eq!(alone.sightings.keys().copied().collect::<Vec<_>>(), ["teeworlds"]);
    let mixed = support::mixed(
        &capture("teeworlds/captures/tw-0.6-ddnet-tken.pcap"),
        &capture("riptide/captures/pytide-2.1.0a0-udp.pcapng"),
    );
    let mixed = told(&mixed);
    assert_eq!(mixed.sightings["teeworlds"], alone.sightings["teeworlds"]);
    assert_eq!((mixed.sightings["riptide"], mixed.count(), mixed.errors), (74, 74, 0));
}

/// In the first half conversations have four datagrams each, in the second there are ten long ones. Most
/// datagrams are short: that is what Riptide looks like.
#[test]
fn random_datagrams_are_hardly_ever_taken_for_riptide() {
    let mut taken = BTreeSet::new();
    for seed in 1..=10 {
        let mut random = random(seed);
        let mut recorder = support::recorder();
        for number in 0..100_000_u32 {
            let length = if random().is_multiple_of(4) { random() % 200 } else { random() % 9 };
            let data: Vec<u8> = (0..length).map(|_| random().to_le_bytes()[0]).collect();
            let conversation = if number < 50_000 { number / 4 } else { 100_000 + number % 10 };
            support::datagram(&mut recorder, conversation, random().is_multiple_of(2), &data);
        }
        inspect(&support::recorded(recorder), |sighting, _| {
            if sighting.protocol == "riptide" {
                taken.insert((seed, sighting.conversation));
            }
        });
    }
    assert!(taken.len() <= 1, "{} conversations: {taken:?}", taken.len());
}

/// What a capture shows that begins in the midst of a connection.
#[test]
fn a_session_is_recognised_late_by_its_heartbeats() {
    let mut sent: Vec<(bool, &[u8])> = vec![(true, &[0xb0, 0x40, 0x34, 0x23, 0x12, 0x51]); 100];
    let heartbeat: [(bool, &[u8]); 2] = [(true, &[0x74, 0x50, 0, 0]), (false, &[0x74, 0])];
    let next: [(bool, &[u8]); 3] = [(true, &[0x84, 0x50, 0, 0]), (false, &[0x84, 0]), (false, &[0x45, 0])];
    sent.extend(heartbeat);
    sent.extend(&sent.clone()[..100]);
    sent.extend(next);
    let told = told(&datagrams(&sent));
    assert_eq!((told.count(), told.errors, told.warnings.len()), (5, 0, 0), "{:?}", told.messages);
    assert_eq!(told.messages[&("disconnect".to_owned(), Role::Server)], 1);
}

#[test]
fn g1_mutated_captures_are_told_to_their_end() {
    let mut random = random(11);
    for file in ["udp", "tcp"] {
        let bytes = capture(&format!("riptide/captures/pytide-2.1.0a0-{file}.pcapng"));
        for _ in 0..400 {
            let mut mutant = bytes.clone();
            for _ in 0..1 + random() % 40 {
                let at = 60 + usize::try_from(random()).unwrap() % (mutant.len() - 60);
                mutant[at] = random().to_le_bytes()[0];
            }
            let nodes = |record: &Record| record.nodes().count();
            let mut most = 0;
            inspect(&mutant, |_, record| most = most.max(nodes(record)));
            assert!(most < 10_000);
        }
    }
}

#[test]
fn a_connection_that_begins_anew_between_the_same_ports_is_another_conversation() {
    let connect = [1, 0, 0, 0, 0x02];
    let welcome = [5, 0, 0, 0, 0x18, 0, 0x10, 0, 0];
    let mut segments = Segments::new();
    for _ in 0..2 {
        segments.open();
        segments.send(true, &connect);
        segments.send(false, &welcome);
        segments.close();
    }
    let told = told(&segments.finish());
    assert_eq!((told.conversations, told.count(), told.errors), (2, 4, 0));
}
