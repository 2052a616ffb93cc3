//! Inspects Riptide: captures of the Python port, the golden vectors as captures, mixed traffic, and
//! damaged captures.

#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

use crate::support;
use gamewire_machine::Role;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::support::{Segments, capture, datagrams, vectors};
use gamewire_inspect::capture::Reader;
use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector, PacketInfo};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::Catalog;
use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_sim::random::Random;
use gamewire_wire::Layer;

/// Counts of the content of a capture.
#[derive(Default)]
struct Observed {
    /// Riptide's messages by name and sender.
    messages: HashMap<(String, Role), usize>,
    /// Datagrams and runs by protocol.
    packets: BTreeMap<&'static str, usize>,
    warnings: Vec<String>,
    errors: u32,
    conversations: u64,
    other: usize,
}

impl Observed {
    fn count(&self) -> usize {
        self.messages.values().sum()
    }
}

/// Calls `each` with every packet of a capture.
fn inspect(bytes: &[u8], mut each: impl FnMut(&PacketInfo, &Record)) -> usize {
    let mut reader = Reader::new(bytes).unwrap();
    let mut inspector = Inspector::<gamewire_inspect::protocol::Protocol>::new(ConversationLimits::default());
    let mut record = Record::new();
    let mut other = 0_usize;
    let mut look = |outcome: FrameOutcome, record: &Record| match outcome {
        FrameOutcome::Deferred(info) => {
            other -= 1;
            each(&info, record);
        }
        FrameOutcome::Datagram(info) | FrameOutcome::Additional(info) => each(&info, record),
        _ => other += 1,
    };
    while let Some(frame) = reader.next() {
        let Ok(frame) = frame else { continue };
        record.clear();
        let mut next = Some(inspector.frame(&frame, &mut record));
        while let Some(outcome) = next {
            look(outcome, &record);
            record.clear();
            next = inspector.next_outcome(&mut record);
        }
    }
    inspector.finish();
    record.clear();
    while let Some(outcome) = inspector.next_outcome(&mut record) {
        look(outcome, &record);
        record.clear();
    }
    other
}

fn observe(bytes: &[u8]) -> Observed {
    let mut observed = Observed::default();
    observed.other = inspect(bytes, |info, record| {
        *observed.packets.entry(info.protocol).or_default() += 1;
        observed.conversations = observed.conversations.max(info.conversation);
        if info.protocol != "riptide" {
            return;
        }
        observed.errors += record.errors();
        for node in record.nodes() {
            match node.kind() {
                NodeKind::Group(Layer::Message) => {
                    *observed.messages.entry((node.name().to_owned(), info.sender)).or_default() += 1;
                }
                NodeKind::Warning(_) => observed.warnings.push(node.name().to_owned()),
                _ => {}
            }
        }
    });
    observed
}

#[test]
fn every_packet_of_the_captures_is_followed() {
    for (file, odd) in [("udp", &[][..]), ("tcp", &["legacy_stop"])] {
        let observed = observe(&capture(&format!("riptide/captures/pytide-2.1.0a0-{file}.pcapng")));
        assert_eq!((observed.count(), observed.errors, observed.conversations), (74, 0, 3), "{file}");
        assert_eq!(observed.warnings, odd, "{file}");
        let count = |name: &str, role| observed.messages.get(&(name.to_owned(), role)).copied().unwrap_or(0);
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
fn filters_test_fields_of_riptide() {
    let catalog = Catalog::with_all_protocols();
    let bytes = capture("riptide/captures/pytide-2.1.0a0-udp.pcapng");
    for (filter, count) in [
        (r#"riptide.reliable.id == 10 && direction == "server""#, 6),
        ("riptide.connect", 3),
        (r#"riptide.disconnect.reason == "Kicked""#, 1),
        ("riptide.packet.round_trip < 10", 4),
        ("riptide.packet.user_bits > 50", 3),
        (r#"dialect == "riptide-2.1""#, 74),
    ] {
        let parsed = Filter::parse(filter, &catalog).unwrap();
        let mut held = 0;
        inspect(&bytes, |info, record| held += usize::from(parsed.holds(info, record)));
        assert_eq!(held, count, "{filter}");
    }
}

#[test]
fn every_name_in_a_record_is_known_to_filters() {
    fn check<'a>(node: NodeRef<'a>, group: &'a str, catalog: &Catalog) {
        let (name, inner) = match node.kind() {
            NodeKind::Group(_) => (format!("riptide.{}", node.name()), node.name()),
            NodeKind::Field => (format!("riptide.{group}.{}", node.name()), group),
            _ => (String::from("riptide"), group),
        };
        assert!(Filter::parse(&name, catalog).is_ok(), "{name}");
        node.children().for_each(|child| check(child, inner, catalog));
    }
    let catalog = Catalog::with_all_protocols();
    for file in ["udp", "tcp"] {
        let bytes = capture(&format!("riptide/captures/pytide-2.1.0a0-{file}.pcapng"));
        for start in [0, bytes.len() / 3] {
            // In the second run, the first packets of the capture are garbage.
            let mut bytes = bytes.clone();
            bytes[28 + 32..28 + 32 + start].fill(0);
            inspect(&bytes, |_, record| record.roots().for_each(|root| check(root, "", &catalog)));
        }
    }
}

/// The packets of the golden vectors, grouped by session.
#[test]
fn recorded_udp_sessions_are_followed_completely() {
    for (version, count) in [("2.0.0", 59), ("2.1.2", 70), ("2.1.0a0", 62)] {
        let packets = vectors("udp").into_iter().filter(|vector| vector.version == version);
        let packets: Vec<_> = packets.collect();
        let sent: Vec<_> =
            packets.iter().map(|vector| (vector.is_client, vector.packet.as_slice())).collect();
        assert_eq!(sent.len(), count, "{version}");
        let observed = observe(&datagrams(&sent));
        assert_eq!((observed.count(), observed.errors, observed.other), (count, 0, 0), "{version}");
        assert_eq!(observed.conversations, 1);
    }
}

#[test]
fn frames_of_2_0_are_followed_like_those_of_2_1() {
    let packets = vectors("udp").into_iter().filter(|vector| vector.version == "2.0.0");
    let mut segments = Segments::new();
    for vector in packets {
        let length = u16::try_from(vector.packet.len()).unwrap().to_le_bytes();
        segments.send(vector.is_client, &[&length, vector.packet.as_slice()].concat());
    }
    let observed = observe(&segments.finish());
    assert_eq!((observed.count(), observed.errors, observed.conversations), (59, 0, 1));
}

#[test]
fn recorded_tcp_sessions_are_followed_completely_for_any_segment_size() {
    for (version, count) in [("2.1.2", 65), ("2.2.1", 81)] {
        let frames: Vec<_> = vectors("tcp").into_iter().filter(|vector| vector.version == version).collect();
        for cut in [usize::MAX, 7, 3] {
            let mut segments = Segments::new();
            for (frame, number) in frames.iter().zip(0..) {
                // Detection needs complete frames for the first exchange.
                let cut = if number < 8 { usize::MAX } else { cut };
                frame.frame.chunks(cut).for_each(|part| segments.send(frame.is_client, part));
            }
            let observed = observe(&segments.finish());
            assert_eq!((observed.count(), observed.errors), (count, 0), "{version} cut to {cut}");
        }
    }
}

#[test]
fn riptide_traffic_does_not_change_how_teeworlds_is_followed() {
    let alone = observe(&capture("teeworlds/captures/tw-0.6-ddnet-tken.pcap"));
    assert_eq!(alone.packets.keys().copied().collect::<Vec<_>>(), ["teeworlds"]);
    let mixed = support::mixed(
        &capture("teeworlds/captures/tw-0.6-ddnet-tken.pcap"),
        &capture("riptide/captures/pytide-2.1.0a0-udp.pcapng"),
    );
    let mixed = observe(&mixed);
    assert_eq!(mixed.packets["teeworlds"], alone.packets["teeworlds"]);
    assert_eq!((mixed.packets["riptide"], mixed.count(), mixed.errors), (74, 74, 0));
}

/// In the first half, conversations have four datagrams each; the second half has ten long conversations. Most
/// datagrams are short, like Riptide's.
#[test]
fn random_datagrams_are_rarely_detected_as_riptide() {
    let mut taken = BTreeSet::new();
    for seed in 1..=10 {
        let mut random = Random::new(2 * seed);
        let mut recorder = support::recorder();
        for number in 0..100_000_u32 {
            let length = if random.below(4) == 0 { random.below(200) } else { random.below(9) };
            let data = random.bytes(length);
            let conversation = if number < 50_000 { number / 4 } else { 100_000 + number % 10 };
            support::datagram(&mut recorder, conversation, random.below(2) == 0, &data);
        }
        inspect(&support::recorded(recorder), |info, _| {
            if info.protocol == "riptide" {
                taken.insert((seed, info.conversation));
            }
        });
    }
    assert!(taken.len() <= 1, "{} conversations: {taken:?}", taken.len());
}

/// The capture begins in the middle of a connection.
#[test]
fn a_session_is_detected_late_by_its_heartbeats() {
    let mut sent: Vec<(bool, &[u8])> = vec![(true, &[0xb0, 0x40, 0x34, 0x23, 0x12, 0x51]); 100];
    let heartbeat: [(bool, &[u8]); 2] = [(true, &[0x74, 0x50, 0, 0]), (false, &[0x74, 0])];
    let next: [(bool, &[u8]); 3] = [(true, &[0x84, 0x50, 0, 0]), (false, &[0x84, 0]), (false, &[0x45, 0])];
    sent.extend(heartbeat);
    sent.extend(&sent.clone()[..100]);
    sent.extend(next);
    let observed = observe(&datagrams(&sent));
    assert_eq!(
        (observed.count(), observed.errors, observed.warnings.len()),
        (5, 0, 0),
        "{:?}",
        observed.messages
    );
    assert_eq!(observed.messages[&("disconnect".to_owned(), Role::Server)], 1);
}

#[test]
fn g1_mutated_captures_are_followed_to_their_end() {
    let mut random = Random::new(11);
    for file in ["udp", "tcp"] {
        let bytes = capture(&format!("riptide/captures/pytide-2.1.0a0-{file}.pcapng"));
        for _ in 0..400 {
            let mut mutant = bytes.clone();
            for _ in 0..1 + random.below(40) {
                let at = 60 + random.below(mutant.len() - 60);
                mutant[at] = random.byte();
            }
            let nodes = |record: &Record| record.nodes().count();
            let mut most = 0;
            inspect(&mutant, |_, record| most = most.max(nodes(record)));
            assert!(most < 10_000);
        }
    }
}

#[test]
fn a_new_connection_between_the_same_ports_is_another_conversation() {
    let connect = [1, 0, 0, 0, 0x02];
    let welcome = [5, 0, 0, 0, 0x18, 0, 0x10, 0, 0];
    let mut segments = Segments::new();
    for _ in 0..2 {
        segments.open();
        segments.send(true, &connect);
        segments.send(false, &welcome);
        segments.close();
    }
    let observed = observe(&segments.finish());
    assert_eq!((observed.conversations, observed.count(), observed.errors), (2, 4, 0));
}
