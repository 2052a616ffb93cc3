//! Clients over byte streams.

use core::time::Duration;

use gamewire_machine::Machine as _;

use super::support::{Harness, V20, V21, WIRES, Wire, bytes, data, host, message, stream};
use crate::server::ServerConfig;
use crate::{ClientId, ConnectionId, MessageSendMode};

fn frame(wire: &Wire, packet: &str) -> String {
    super::support::hex(&wire.frame(packet))
}

/// Returns a server with one client over a stream.
fn connected(wire: &Wire) -> Harness {
    let mut harness = Harness::new(4);
    harness.open(1);
    for packet in [wire.connect, wire.welcome, wire.ack] {
        harness.receive_bytes(1, &wire.frame(packet));
        harness.stream_outputs();
    }
    harness.drain();
    harness
}

#[test]
fn a_client_of_either_format_connects_over_a_stream() {
    for wire in WIRES {
        let mut harness = Harness::new(4);
        harness.open(1);
        assert_eq!(harness.server.half_open_count(), 1);
        harness.receive_bytes(1, &wire.frame(wire.connect));
        assert_eq!(harness.stream_outputs(), [(1, frame(&wire, wire.welcome))]);
        harness.receive_bytes(1, &wire.frame(wire.welcome));
        assert_eq!(harness.stream_outputs(), [(1, frame(&wire, wire.ack))]);
        harness.receive_bytes(1, &wire.frame(wire.heartbeat));
        assert_eq!(harness.stream_outputs(), [(1, frame(&wire, wire.reply))]);
        assert_eq!(harness.poll_events(), [format!("1 came with {}", wire.format)]);
        assert_eq!((harness.server.client_count(), harness.server.half_open_count()), (1, 0));
        assert_eq!(harness.sent(), [], "no datagram is sent");
        assert_eq!(harness.server.client(ClientId(1)).unwrap().address(), Some(host(1)));
    }
}

#[test]
fn r7_the_result_does_not_depend_on_how_a_stream_is_split() {
    for wire in WIRES {
        let packets =
            [wire.connect_with_data, wire.welcome, wire.ack, wire.unreliable, wire.reliable, wire.heartbeat];
        let whole: Vec<u8> = packets.iter().flat_map(|packet| wire.frame(packet)).collect();
        let run = |cuts: &mut dyn Iterator<Item = usize>| {
            let mut harness = Harness::new(4);
            harness.open(1);
            let (mut rest, mut stream_outputs) = (whole.as_slice(), Vec::new());
            while !rest.is_empty() {
                let (part, after) = rest.split_at(cuts.next().unwrap().clamp(1, rest.len()));
                harness.receive_bytes(1, part);
                stream_outputs.extend(harness.stream_outputs());
                rest = after;
            }
            // The order of replies and resends depends on the splits.
            stream_outputs.sort();
            (harness.poll_events(), stream_outputs)
        };
        let expected = run(&mut core::iter::repeat(1));
        assert_eq!(expected.0.len(), 3);
        for first in 1..whole.len() {
            for second in 1..whole.len() - first + 1 {
                let mut cuts = [first, second].into_iter().chain(core::iter::repeat(usize::MAX));
                assert_eq!(run(&mut cuts), expected, "{first}, {second}");
            }
        }
    }
}

#[test]
fn clients_over_streams_and_datagrams_are_notified_of_each_other() {
    let mut harness = connected(&V20);
    harness.connect(2, &V21);
    assert_eq!(harness.stream_outputs(), [(1, frame(&V20, V20.came))]);
    harness.server.send_to_all(&message(MessageSendMode::Unreliable, 11)).all_sent().unwrap();
    assert_eq!(harness.stream_outputs(), [(1, frame(&V20, V20.unreliable))]);
    assert_eq!(harness.sent(), [(2, V21.unreliable.into()), (2, V21.ack.into())]);
}

#[test]
fn a_client_is_disconnected_when_its_stream_closes() {
    for wire in WIRES {
        let mut harness = connected(&wire);
        harness.server.handle_close(harness.now, stream(1));
        assert_eq!(harness.poll_events(), ["1 left: the transport failed"]);
        assert_eq!(harness.stream_outputs(), [], "there is nothing to close");
        harness.receive_bytes(1, &wire.frame(wire.connect));
        assert_eq!(harness.server.half_open_count(), 0, "the stream is removed");
    }
}

#[test]
fn a_stream_is_closed_after_the_last_packet() {
    for wire in WIRES {
        let mut harness = connected(&wire);
        harness.server.disconnect_client(ClientId(1), Some(&data(7))).unwrap();
        assert_eq!(harness.stream_outputs(), [(1, frame(&wire, wire.kick_with_data)), (1, "closed".into())]);

        let mut harness = connected(&wire);
        harness.server.stop();
        assert_eq!(harness.stream_outputs(), [(1, frame(&wire, wire.stop)), (1, "closed".into())]);

        let mut harness = connected(&wire);
        harness.receive_bytes(1, &[wire.frame(wire.leave), wire.frame(wire.unreliable)].concat());
        assert_eq!(harness.poll_events(), ["1 left: disconnected"], "later packets are ignored");
        assert_eq!(harness.stream_outputs(), [(1, "closed".into())]);
    }
}

#[test]
fn a_rejection_is_sent_once_and_the_stream_closed() {
    for wire in WIRES {
        let mut harness = Harness::with(ServerConfig { handle_connection: true, ..ServerConfig::new(4) });
        harness.open(1);
        harness.receive_bytes(1, &wire.frame(wire.connect));
        assert_eq!(harness.stream_outputs(), [(1, frame(&wire, wire.pending))]);
        harness.server.reject(ConnectionId(1), None).unwrap();
        assert_eq!(harness.stream_outputs(), [(1, frame(&wire, wire.reject)), (1, "closed".into())]);

        let mut harness = Harness::connected(ServerConfig::new(1), &[wire]);
        harness.open(2);
        harness.receive_bytes(2, &wire.frame(wire.connect));
        assert_eq!(harness.stream_outputs(), [(2, frame(&wire, wire.full)), (2, "closed".into())]);
        assert_eq!(harness.server.half_open_count(), 0);
    }
}

#[test]
fn r7_a_stream_that_does_not_start_with_a_connect_request_is_closed() {
    for wire in WIRES {
        for first in [wire.heartbeat, wire.welcome, wire.unreliable, wire.leave, wire.ack] {
            let mut harness = Harness::new(4);
            harness.open(1);
            harness.receive_bytes(1, &wire.frame(first));
            assert_eq!(harness.stream_outputs(), [(1, "closed".into())], "{first}");
            assert_eq!((harness.poll_events(), harness.server.half_open_count()), (vec![], 0));
        }
    }
    for first in ["47 45 54 20 2f", "ff ff ff ff", "16 03 01 02 00", "01 00 04"] {
        let mut harness = Harness::new(4);
        harness.open(1);
        harness.receive_bytes(1, &bytes(first));
        assert_eq!(harness.stream_outputs(), [(1, "closed".into())], "{first}");
    }
}

#[test]
fn r7_an_invalid_packet_length_closes_the_connection() {
    // Lengths 0, -1, the maximum, and one more than the largest packet. A length of 2.0 has 16 bits.
    for length in ["00 00 00 00", "ff ff ff ff", "ff ff ff 7f", "d0 04 00 00"] {
        let mut harness = connected(&V21);
        harness.receive_bytes(1, &bytes(length));
        assert_eq!(harness.poll_events(), ["1 left: the transport failed"], "{length}");
        assert_eq!(harness.stream_outputs(), [(1, "closed".into())]);
    }
    for length in ["00 00", "ff ff", "cf 04"] {
        let mut harness = connected(&V20);
        harness.receive_bytes(1, &bytes(length));
        assert_eq!(harness.poll_events(), ["1 left: the transport failed"], "{length}");
        assert_eq!(harness.stream_outputs(), [(1, "closed".into())]);
    }
    for length in ["00 00 00 00", "ff ff 00 80", "00 00 03"] {
        let mut harness = Harness::new(4);
        harness.open(1);
        harness.receive_bytes(1, &bytes(length));
        assert_eq!(harness.stream_outputs(), [(1, "closed".into())], "{length}");
        assert_eq!(harness.server.half_open_count(), 0);
    }
}

#[test]
fn r7_a_silent_or_slow_stream_is_closed_at_the_connect_timeout() {
    let mut harness = Harness::new(4);
    for number in 1..=3 {
        harness.open(number);
    }
    // A frame of 100 bytes, sent one byte per second.
    let slow = [bytes("64 00 00 00 02"), vec![0; 99]].concat();
    for byte in slow.chunks(1).take(9) {
        harness.receive_bytes(2, byte);
        harness.wait(1_000);
    }
    assert_eq!(harness.stream_outputs(), []);
    harness.receive_bytes(3, &V20.frame(V20.connect));
    harness.wait(1_000);
    assert_eq!(harness.stream_outputs()[1..], [(1, "closed".into()), (2, "closed".into())]);
    assert_eq!(harness.server.half_open_count(), 1, "the third sent a connect request");
}

#[test]
fn r7_a_client_that_stalls_within_a_frame_times_out() {
    for wire in WIRES {
        let mut harness = connected(&wire);
        let whole = wire.frame(wire.reliable);
        harness.receive_bytes(1, &whole[..whole.len() - 1]);
        harness.wait(7_000);
        assert_eq!(harness.poll_events(), ["1 left: timed out waiting for packets of the peer"]);
        assert_eq!(harness.stream_outputs(), [(1, "closed".into())]);
    }
}

#[test]
fn r7_streams_without_a_connect_request_are_half_open_and_limited() {
    let config = ServerConfig { max_half_open: 8, max_half_open_per_ip: Some(5), ..ServerConfig::new(100) };
    let mut harness = Harness::with(config);
    for number in 0..100 {
        harness.open(number);
    }
    assert_eq!(harness.stream_outputs().len(), 95, "all have one address");
    assert_eq!(harness.server.half_open_count(), 5);
    // Closed streams free their slots.
    for number in 95..100 {
        harness.server.handle_close(harness.now, stream(number));
    }
    assert_eq!(harness.server.half_open_count(), 0);
    harness.open(200);
    assert_eq!(harness.stream_outputs(), []);
    harness.receive_bytes(200, &V21.frame(V21.connect));
    assert_eq!(harness.server.half_open_count(), 1, "it is counted once");
    harness.receive_bytes(200, &V21.frame(V21.welcome));
    assert_eq!(harness.server.half_open_count(), 0);
}

#[test]
fn r7_idle_streams_give_way_to_a_client() {
    let mut harness = Harness::new(4);
    let open = |harness: &mut Harness, number: u64, network: u16| {
        let from = format!("[2001:db8:{network:x}::{number:x}]:1").parse().unwrap();
        harness.server.handle_open(harness.now, stream(number), from);
    };
    for number in 1..=10_000 {
        open(&mut harness, number, 1);
    }
    assert_eq!((harness.stream_outputs().len(), harness.server.half_open_count()), (10_000 - 64, 64));
    let connect = |harness: &mut Harness, number, network| {
        open(harness, number, network);
        harness.receive_bytes(number, &V21.frame(V21.connect));
        let outputs = harness.stream_outputs();
        let answers: Vec<_> = outputs.iter().filter(|(to, _)| *to == number).collect();
        assert!(matches!(answers[..], [(_, answer)] if answer != "closed"), "{answers:?}");
    };
    // Clients of the same network and of another one.
    connect(&mut harness, 20_001, 1);
    connect(&mut harness, 20_002, 2);
    for number in 30_000..40_000 {
        open(&mut harness, number, u16::try_from(number).unwrap());
    }
    connect(&mut harness, 50_000, 1);
    assert_eq!(harness.server.half_open_count(), 1_023 + 3, "idle streams, and connections without an echo");
}

#[test]
fn r7_idle_streams_of_an_address_leave_its_share_to_datagrams() {
    let mut harness = Harness::new(4);
    for number in 0..64 {
        harness.open(number);
    }
    for number in 101..=103 {
        harness.receive(number, V21.connect).unwrap();
    }
    assert_eq!(harness.sent().len(), 3, "a Welcome each");
    assert!(harness.receive(104, V21.connect).is_err(), "three quarters of the places are in use");
}

#[test]
fn r7_a_stream_that_is_refused_closes_no_other() {
    let config = ServerConfig { max_half_open_per_ip: Some(1), ..ServerConfig::new(100) };
    let mut harness = Harness::with(config);
    for number in 1..=1_024_u32 {
        let from = ((0x0a00_0000 | number).to_be_bytes(), 1).into();
        harness.server.handle_open(harness.now, stream(number.into()), from);
    }
    harness.receive(1, V21.connect).unwrap();
    assert_eq!(harness.stream_outputs(), [], "as many streams as a server holds");
    harness.server.handle_open(harness.now, stream(2_000), host(2));
    assert_eq!(harness.stream_outputs(), [(2_000, "closed".into())], "its address has its only place");
    harness.server.handle_open(harness.now, stream(2_001), ([192, 168, 1, 1], 1).into());
    assert_eq!(harness.stream_outputs(), [(1, "closed".into())], "the oldest stream");
}

#[test]
fn an_unknown_stream_and_a_second_open_are_ignored() {
    let mut harness = connected(&V21);
    harness.open(1);
    harness.receive_bytes(9, &V21.frame(V21.connect));
    harness.server.handle_close(harness.now, stream(9));
    assert_eq!((harness.stream_outputs(), harness.poll_events()), (vec![], vec![]));
    assert_eq!((harness.server.client_count(), harness.server.half_open_count()), (1, 0));
}

#[test]
fn the_stream_connect_timeout_is_configurable() {
    let config = ServerConfig { stream_connect_timeout: Duration::from_millis(50), ..ServerConfig::new(4) };
    let mut harness = Harness::with(config);
    harness.open(1);
    harness.wait(49);
    assert_eq!(harness.stream_outputs(), []);
    harness.wait(1);
    assert_eq!(harness.stream_outputs(), [(1, "closed".into())]);
}
