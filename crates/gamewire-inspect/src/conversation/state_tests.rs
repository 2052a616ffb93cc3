//! Tests of packets that were not on the wire.

use std::net::SocketAddr;

use gamewire_machine::{Record, Transport};

use super::{Counter, FrameOutcome, Inspector};
use crate::capture::{Frame, LinkType};
use crate::protocol::test_protocol::TestProtocol;

/// Returns an IPv4 packet with a UDP datagram between two local ports.
fn packet(from: u16, to: u16, data: &[u8]) -> Vec<u8> {
    let length = |count: usize| u16::try_from(count).unwrap().to_be_bytes();
    let ip =
        [&[0x45, 0][..], &length(28 + data.len()), &[0, 1, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1]];
    let udp = [&from.to_be_bytes()[..], &to.to_be_bytes(), &length(8 + data.len()), &[0, 0], data];
    [ip.concat(), udp.concat()].concat()
}

/// Inspects a datagram from port 5000 to port 80. Returns the outcomes, and the number of lines that were traced.
fn inspect(
    inspector: &mut Inspector<TestProtocol>,
    is_state: bool,
    data: &[u8],
) -> (Vec<FrameOutcome>, usize) {
    let bytes = packet(5000, 80, data);
    let original_len = u32::try_from(bytes.len()).unwrap();
    let frame = Frame {
        number: 1,
        time: 1_000,
        link: LinkType::RAW,
        interface: 0,
        is_state,
        data: &bytes,
        original_len,
    };
    let mut record = Record::new();
    let mut outcomes = vec![inspector.frame_to(&frame, (&mut record).into())];
    let mut lines = record.nodes().filter(|node| node.name() == "say").count();
    record.clear();
    while let Some(outcome) = inspector.outcome_to((&mut record).into()) {
        outcomes.push(outcome);
        lines += record.nodes().filter(|node| node.name() == "say").count();
        record.clear();
    }
    (outcomes, lines)
}

#[test]
fn state_is_followed_but_neither_shown_nor_counted() {
    for is_shown in [false, true] {
        let mut inspector = Inspector::<TestProtocol>::default();
        if is_shown {
            inspector = inspector.with_state();
        }
        let (outcomes, lines) = inspect(&mut inspector, true, b"toy\0say before");
        assert!(matches!(outcomes[..], [FrameOutcome::State(Some(_))]), "{outcomes:?}");
        assert_eq!((outcomes[0].packet(), lines), (None, usize::from(is_shown)));
        assert_eq!(inspector.counters(), []);
        let (outcomes, lines) = inspect(&mut inspector, false, b"toy\x01say now");
        let packet = outcomes[0].packet().unwrap();
        assert_eq!((packet.dialect, lines), (Some("toy-1"), 1), "the state has the dialect");
        assert_eq!(inspector.counters(), [Counter { conversation: 1, name: "datagrams_seen", count: 1 }]);
    }
}

#[test]
fn state_of_a_conversation_that_is_followed_is_ignored() {
    let mut inspector = Inspector::<TestProtocol>::default().with_state();
    inspect(&mut inspector, false, b"toy\0say hi");
    assert_eq!(inspect(&mut inspector, true, b"toy\0say again"), (vec![FrameOutcome::State(None)], 0));
    assert_eq!(inspector.counters(), [Counter { conversation: 1, name: "datagrams_seen", count: 1 }]);
}

#[test]
fn state_that_shows_no_protocol_is_not_counted_as_other_traffic() {
    let mut inspector = Inspector::<TestProtocol>::default();
    for data in [&b"something else"[..], b"perhaps"] {
        assert_eq!(inspect(&mut inspector, true, data).0, [FrameOutcome::State(None)]);
    }
    let (outcomes, _) = inspect(&mut inspector, false, b"toy\0say hi");
    assert!(
        matches!(outcomes[..], [FrameOutcome::State(Some(_)), FrameOutcome::Datagram(_)]),
        "{outcomes:?}"
    );
}

#[test]
fn the_state_of_a_conversation_goes_from_its_sender_to_its_receiver() {
    let [client, server] = [5000, 80].map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
    let mut inspector = Inspector::<TestProtocol>::default();
    let resumed = |inspector: &Inspector<TestProtocol>, ends| {
        let mut sent = Vec::new();
        inspector.resume(Transport::Udp, ends, 5_999, &mut |ends, time, data| {
            sent.push((ends, time, data.to_vec()))
        });
        sent
    };
    inspect(&mut inspector, false, b"perhaps");
    assert_eq!(resumed(&inspector, (server, client)), [((client, server), 5_000, b"perhaps".to_vec())]);
    inspect(&mut inspector, false, b"toy\0say hi");
    for ends in [(client, server), (server, client)] {
        assert_eq!(resumed(&inspector, ends), [((client, server), 5_000, b"toy\0say resumed".to_vec())]);
    }
    assert!(resumed(&inspector, (server, server)).is_empty());
}
