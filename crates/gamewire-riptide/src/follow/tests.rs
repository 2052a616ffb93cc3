//! Follows short conversations.

use gamewire_machine::record::NodeKind;
use gamewire_machine::{ConversationSide, Follow, Instant, Record};

use super::{Detection, Detector, Follower};

const CONNECT: &[u8] = &[0x12, 0x30, 0x80, 0x56, 0x96, 0x07];
const WELCOME: &[u8] = &[0x18, 0, 0x10, 0, 0];
const ACK_1: &[u8] = &[0x11, 0, 0x10, 0, 0];
const RELIABLE_2: &[u8] = &[0x27, 0, 0xa0, 0x40, 0x34, 0x23, 0x12, 0x01];
const HEARTBEAT: &[u8] = &[0x04, 0xf0, 0xff, 0x0f];
const REPLY: &[u8] = &[0x04, 0x00];
use ConversationSide::{First as Client, Second as Server};

fn follow(follower: &mut Follower, micros: u64, from: ConversationSide, data: &[u8]) -> Record {
    let mut record = Record::new();
    follower.follow(Instant::from_micros(micros), from, data, &mut record);
    record
}

fn names(record: &Record) -> Vec<String> {
    record.nodes().filter(|node| node.kind() != NodeKind::Source).map(|node| node.name().to_owned()).collect()
}

fn warnings(record: &Record) -> Vec<String> {
    let odd = record.nodes().filter(|node| matches!(node.kind(), NodeKind::Warning(_)));
    odd.map(|node| node.name().to_owned()).collect()
}

fn frames(packets: &[&[u8]]) -> Vec<u8> {
    packets.iter().flat_map(|packet| [&(packet.len() as u32).to_le_bytes(), *packet].concat()).collect()
}

fn datagrams() -> Follower {
    Follower::of_datagrams("riptide-2.1").unwrap()
}

#[test]
fn a_complete_connection_has_no_warnings() {
    let mut follower = datagrams();
    let packets = [
        (Client, CONNECT, "connect"),
        (Server, WELCOME, "welcome"),
        (Client, WELCOME, "welcome"),
        (Client, ACK_1, "ack"),
        (Server, ACK_1, "ack"),
        (Client, HEARTBEAT, "heartbeat"),
        (Server, REPLY, "heartbeat_reply"),
        (Client, RELIABLE_2, "reliable"),
        (Client, &[0x05], "leave"),
    ];
    for (from, packet, name) in packets {
        let record = follow(&mut follower, 0, from, packet);
        assert!(names(&record).contains(&name.to_owned()), "{name}: {:?}", names(&record));
        assert_eq!((record.warnings(), record.errors()), (0, 0), "{name}");
    }
    assert_eq!(follower.client(), Some(Client));
    assert_eq!(follower.dialect(), Some("riptide-2.1"));
}

#[test]
fn the_round_trip_time_is_traced_with_the_heartbeat_reply() {
    let mut follower = datagrams();
    follow(&mut follower, 5_000, Client, HEARTBEAT);
    let record = follow(&mut follower, 6_500, Server, REPLY);
    let round_trip = record.nodes().find(|node| node.name() == "round_trip").unwrap();
    assert_eq!(round_trip.value().unwrap().number(), Some(1_500));
    let record = follow(&mut follower, 6_600, Server, &[0x24, 0x00]);
    assert_eq!(warnings(&record), ["unsolicited_reply"]);
}

#[test]
fn duplicates_gaps_and_acks_of_unsent_messages_are_traced() {
    let mut follower = datagrams();
    follow(&mut follower, 0, Client, CONNECT);
    let record = follow(&mut follower, 0, Client, ACK_1);
    assert_eq!(warnings(&record), ["ack_unsent"], "the server has sent nothing");
    follow(&mut follower, 0, Server, WELCOME);
    assert_eq!(warnings(&follow(&mut follower, 0, Client, ACK_1)), [""; 0]);
    follow(&mut follower, 0, Client, WELCOME);
    assert!(names(&follow(&mut follower, 0, Client, WELCOME)).contains(&"repeated".to_owned()));
    let reliable_9 = [0x97, 0, 0xa0, 0x00];
    assert_eq!(warnings(&follow(&mut follower, 0, Client, &reliable_9)), ["sequence_gap"]);
    let ack_of_5_for_12 = [0x51, 0, 0xf0, 0x01, 0x90, 0x01, 0];
    let record = follow(&mut follower, 0, Server, &ack_of_5_for_12);
    assert_eq!(warnings(&record), ["ack_unsent"], "{:?}", names(&record));
    let other_id = [0x38, 0, 0x20, 0, 0];
    assert!(warnings(&follow(&mut follower, 0, Client, &other_id)).contains(&"other_client_id".to_owned()));
}

#[test]
fn the_client_is_found_if_the_server_is_captured_first() {
    let mut follower = datagrams();
    follow(&mut follower, 0, Client, &[0x70, 0x00, 0x10]);
    assert_eq!(follower.client(), None);
    follow(&mut follower, 0, Client, REPLY);
    assert_eq!(follower.client(), Some(Server));
    let record = follow(&mut follower, 0, Client, &[0x45, 0x30, 0x20, 0x96, 0x57, 0x06]);
    assert!(names(&record).contains(&"disconnect".to_owned()));
}

#[test]
fn frames_are_traced_wherever_the_stream_is_split() {
    let bytes = frames(&[CONNECT, HEARTBEAT, RELIABLE_2]);
    for cut in 1..bytes.len() {
        let mut follower = Follower::of_streams("riptide-2.1").unwrap();
        let (one, other) = bytes.split_at(cut);
        let records = [one, other].map(|run| follow(&mut follower, 0, Client, run));
        let found: Vec<_> = records.iter().flat_map(names).collect();
        for name in ["connect", "heartbeat", "reliable"] {
            assert_eq!(found.iter().filter(|found| *found == name).count(), 1, "cut at {cut}: {found:?}");
        }
        assert!(records.iter().all(|record| record.errors() + record.warnings() == 0), "cut at {cut}");
    }
}

#[test]
fn a_stream_resumes_after_missing_bytes_at_complete_frames() {
    let mut follower = Follower::of_streams("riptide-2.1").unwrap();
    follow(&mut follower, 0, Client, &frames(&[CONNECT]));
    follower.skip(Client, 1000);
    let record = follow(&mut follower, 0, Client, &[1, 2, 3]);
    assert_eq!(warnings(&record), ["stream_out_of_sync"]);
    let record = follow(&mut follower, 0, Client, &frames(&[RELIABLE_2]));
    assert!(names(&record).contains(&"reliable".to_owned()));
    let offset = record.nodes().find(|node| node.name() == "offset").unwrap();
    assert_eq!(offset.value().unwrap().number(), Some(10 + 1000 + 3));
}

#[test]
fn f_an_invalid_length_is_one_error_before_resynchronizing() {
    let mut follower = Follower::of_streams("riptide-2.1").unwrap();
    follow(&mut follower, 0, Client, &frames(&[CONNECT]));
    let record = follow(&mut follower, 0, Client, &[0xff; 64]);
    assert_eq!((record.errors(), record.warnings()), (1, 0));
    let record = follow(&mut follower, 0, Client, &[0xff; 64]);
    assert_eq!((record.errors(), record.warnings()), (0, 1));
    let record = follow(&mut follower, 0, Client, &frames(&[HEARTBEAT]));
    assert_eq!((record.errors(), record.warnings()), (0, 0));
}

fn detections(packets: &[(ConversationSide, &[u8])]) -> Vec<Option<bool>> {
    let mut detector = Detector::default();
    let outcome = |outcome| match outcome {
        Detection::Match(_) => Some(true),
        Detection::Possible => Some(false),
        Detection::NoMatch => None,
    };
    packets.iter().map(|(from, packet)| outcome(detector.datagram(*from, packet))).collect()
}

#[test]
fn an_exchange_is_evidence_where_one_packet_is_not() {
    let (possible, matched, no_match) = (Some(false), Some(true), None);
    assert_eq!(detections(&[(Client, CONNECT), (Server, WELCOME)]), [possible, matched]);
    let reject: (ConversationSide, &[u8]) = (Server, &[0x23, 0x00]);
    assert_eq!(detections(&[(Client, CONNECT), reject, reject]), [possible, possible, matched]);
    assert_eq!(detections(&[(Client, &[0x03]), (Server, &[0x04, 0x03])]), [possible, matched]);
    let pending: (ConversationSide, &[u8]) = (Server, &[0x02]);
    assert_eq!(
        detections(&[(Client, CONNECT), pending, reject]),
        [possible, possible, matched],
        "a server that decides later"
    );
    assert_eq!(
        detections(&[(Client, &[0x03, 7]), (Server, &[0x03]), (Server, &[0x04, 0x04])]),
        [possible, possible, matched]
    );
    // The Python port's number of a rejection with data.
    let with_data: (ConversationSide, &[u8]) = (Server, &[0x53, 0x40, 0xe0]);
    assert_eq!(detections(&[(Client, CONNECT), with_data, with_data]), [possible, possible, matched]);
    assert_eq!(detections(&[(Client, CONNECT), pending, (Client, reject.1)]), [possible, possible, no_match]);
    assert_eq!(detections(&[reject]), [no_match]);
    let ack_2: (ConversationSide, &[u8]) = (Server, &[0x21, 0, 0x10, 0, 0]);
    let exchange = [(Client, RELIABLE_2), ack_2, (Client, RELIABLE_2), ack_2];
    assert_eq!(detections(&exchange), [possible, possible, possible, matched]);
    assert_eq!(detections(&[(Client, RELIABLE_2), (Client, ack_2.1)]), [possible, no_match]);
    let heartbeats: [(ConversationSide, &[u8]); 2] =
        [(Client, &[0x74, 0x10, 0, 0]), (Client, &[0x84, 0x10, 0, 0])];
    let replies: [(ConversationSide, &[u8]); 2] = [(Server, &[0x74, 0]), (Server, &[0x84, 0])];
    assert_eq!(
        detections(&[heartbeats[0], replies[0], heartbeats[1], replies[1]]),
        [possible, possible, possible, matched]
    );
    assert_eq!(detections(&[heartbeats[0], replies[0], replies[0]]), [possible, possible, no_match]);
    assert_eq!(
        detections(&[heartbeats[0], replies[1], heartbeats[1], replies[1]]),
        [possible, no_match, possible, possible]
    );
}

#[test]
fn frames_are_evidence_only_if_they_are_complete() {
    let mut detector = Detector::default();
    assert!(matches!(detector.run(Client, &frames(&[CONNECT])), Detection::Possible));
    assert!(matches!(detector.run(Server, &frames(&[WELCOME])[..8]), Detection::NoMatch));
    assert!(matches!(detector.run(Server, &frames(&[WELCOME])), Detection::Match(_)));
    let mut detector = Detector::default();
    assert!(matches!(detector.run(Client, &frames(&[CONNECT])), Detection::Possible));
    assert!(matches!(detector.run(Server, &frames(&[&[0x02]])), Detection::Possible));
    assert!(matches!(detector.run(Server, &frames(&[&[0x23, 0x00]])), Detection::Match(_)), "it comes once");
}

#[test]
fn the_state_after_a_connect_request_lets_each_reply_show_the_protocol() {
    let reject: &[u8] = &[0x23, 0x00];
    for (reply, name) in [(reject, "reject"), (WELCOME, "welcome")] {
        let mut follower = datagrams();
        // The server has rejected an earlier request from this address.
        for (from, packet) in [(Client, CONNECT), (Server, reject), (Server, reject), (Client, CONNECT)] {
            follow(&mut follower, 0, from, packet);
        }
        let mut detector = Detector::default();
        let mut state = Vec::new();
        follower.resume(&mut |from, _, packet| state.push((from, packet.to_vec())));
        for (from, packet) in &state {
            assert!(matches!(detector.datagram(*from, packet), Detection::Possible), "{packet:?}");
        }
        let Detection::Match(mut found) = detector.datagram(Server, reply) else { panic!("{name}") };
        for (from, packet) in &state {
            follow(&mut found, 0, *from, packet);
        }
        let record = follow(&mut found, 0, Server, reply);
        assert!(names(&record).contains(&name.to_owned()), "{:?}", names(&record));
        assert_eq!((record.warnings(), record.errors(), found.client()), (0, 0, Some(Client)), "{name}");
    }
}

const UPGRADE: &[u8] = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n";
const SWITCHING: &[u8] = b"HTTP/1.1 101 Switching Protocols\r\n\r\n";

/// Returns packets in frames of a WebSocket.
fn messages(from: ConversationSide, packets: &[&[u8]]) -> Vec<u8> {
    let mut frames = Vec::new();
    for packet in packets {
        let mask = (from == Client).then_some([1, 2, 3, 4]);
        gamewire_websocket::append_frame(gamewire_websocket::Opcode::Binary, packet, mask, &mut frames);
    }
    frames
}

/// The runs of a conversation over a WebSocket.
fn websocket_runs() -> Vec<(ConversationSide, Vec<u8>)> {
    vec![
        (Client, UPGRADE.to_vec()),
        (Server, SWITCHING.to_vec()),
        (Client, messages(Client, &[CONNECT])),
        (Server, messages(Server, &[WELCOME])),
        (Client, messages(Client, &[WELCOME, ACK_1, HEARTBEAT])),
        (Server, [&[0x89, 0][..], &messages(Server, &[ACK_1, REPLY])].concat()),
        (Client, [&[0x8a, 0x80, 0, 0, 0, 0][..], &messages(Client, &[RELIABLE_2, &[0x05]])].concat()),
        (Client, vec![0x88, 0x80, 0, 0, 0, 0]),
    ]
}

#[test]
fn a_websocket_is_detected_by_its_packets_and_followed_from_its_upgrade() {
    let (mut detector, mut earlier) = (Detector::default(), Vec::new());
    let mut runs = websocket_runs().into_iter();
    let mut follower = loop {
        let (from, run) = runs.next().unwrap();
        earlier.push((from, run.clone()));
        match detector.run(from, &run) {
            Detection::Match(follower) => break follower,
            Detection::Possible => {}
            Detection::NoMatch => panic!("{run:02x?}"),
        }
    };
    assert_eq!(earlier.len(), 4, "the Welcome is the proof");
    let mut all = Vec::new();
    for (from, run) in earlier.into_iter().chain(runs) {
        let record = follow(&mut follower, 0, from, &run);
        assert_eq!((record.warnings(), record.errors()), (0, 0), "{run:02x?} {:?}", names(&record));
        all.extend(names(&record));
    }
    let packets =
        ["upgrade", "connect", "welcome", "ack", "heartbeat", "heartbeat_reply", "reliable", "leave"];
    for name in packets {
        assert!(all.contains(&name.to_owned()), "{name}: {all:?}");
    }
    assert_eq!(all.iter().filter(|name| *name == "upgrade").count(), 2);
    assert_eq!((follower.client(), follower.dialect()), (Some(Client), Some("riptide-2.1")));
}

#[test]
fn a_websocket_has_the_same_packets_wherever_its_runs_are_cut() {
    let packets = |size: usize| {
        let (mut follower, mut packets) = (Follower::of_websocket("riptide-2.1").unwrap(), 0);
        for (from, run) in websocket_runs() {
            for part in run.chunks(size) {
                let record = follow(&mut follower, 0, from, part);
                assert_eq!((record.warnings(), record.errors()), (0, 0), "{size}: {part:02x?}");
                packets += names(&record).iter().filter(|name| *name == "packet").count();
            }
        }
        packets
    };
    let whole = packets(usize::MAX);
    assert_eq!(whole, 9);
    for size in 13..60 {
        assert_eq!(packets(size), whole, "{size}");
    }
}

#[test]
fn a_websocket_is_followed_again_after_lost_bytes_and_invalid_frames() {
    let mut follower = Follower::of_websocket("riptide-2.1").unwrap();
    let hello = messages(Client, &[RELIABLE_2]);
    follow(&mut follower, 0, Client, UPGRADE);
    follow(&mut follower, 0, Client, &hello);
    follower.skip(Client, 10);
    assert_eq!(warnings(&follow(&mut follower, 0, Client, &hello[3..])), ["stream_out_of_sync"]);
    let record = follow(&mut follower, 0, Client, &messages(Client, &[HEARTBEAT]));
    assert!(names(&record).contains(&"heartbeat".to_owned()), "{:?}", names(&record));
    let record = follow(&mut follower, 0, Client, &[0xf2, 0x85, 0, 0]);
    assert_eq!(record.errors(), 1);
    assert_eq!(warnings(&follow(&mut follower, 0, Client, &[1, 2])), ["stream_out_of_sync"]);
}
