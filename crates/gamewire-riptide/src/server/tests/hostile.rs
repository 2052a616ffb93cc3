//! Attacks. Test names start with the id of the threat model.

use gamewire_machine::Machine as _;

use super::support::{Harness, V20, V21, WIRES, bytes, host, message};
use crate::server::{ServerConfig, ServerPacketError};
use crate::{ClientId, ConnectionId, Format, MessageSendMode};
use std::net::SocketAddr;

/// Returns one of many unique addresses.
fn stranger(number: u32) -> SocketAddr {
    let [_, a, b, c] = (number / 50_000).to_be_bytes();
    SocketAddr::from(([10, a, b, c], (number % 50_000) as u16 + 1))
}

#[test]
fn r1_connect_requests_of_65536_ports_are_limited_and_expire() {
    for (wire, strict) in WIRES.into_iter().zip([false, true]) {
        let config = ServerConfig::new(60_000);
        let config = if strict { config.hardened() } else { config };
        let cap = if strict { 8 } else { 4_096 };
        let mut harness = Harness::with(config);
        let question = bytes(wire.connect);
        let mut taken = 0;
        for port in 0..=u16::MAX {
            let from = SocketAddr::from(([203, 0, 113, 5], port));
            match harness.server.handle_datagram(harness.now, from, &question) {
                Ok(()) => taken += 1,
                Err(reject) => assert_eq!(reject, ServerPacketError::HalfOpen),
            }
            harness.sent().clear();
        }
        assert_eq!((taken, harness.server.half_open_count()), (cap, cap));
        let held = harness.server.held_bytes();
        assert!(held < cap * 4_096 + 200_000, "{held} bytes");

        harness.wait(if strict { 3_000 } else { 6_001 });
        assert_eq!((harness.poll_events().len(), harness.server.half_open_count()), (cap, 0));
        // Later clients find free slots.
        harness.connect(1, &wire);
        assert_eq!(harness.server.client_count(), 1);
    }
}

#[test]
fn r1_a_million_forged_connect_requests_do_not_block_other_clients() {
    let mut harness = Harness::with(ServerConfig::new(5_000));
    for number in 0..1_000_000_u32 {
        let _ = harness.server.handle_datagram(harness.now, stranger(number), &[0x02]);
        if number % 1_000 == 0 {
            harness.wait(1);
            harness.drain();
        }
    }
    assert!(harness.server.half_open_count() <= 4_096);
    harness.wait(7_000);
    harness.drain();
    harness.connect(1, &V21);
    assert_eq!(harness.server.client_count(), 1);
}

#[test]
fn r1_connections_that_the_application_does_not_decide_on_are_bounded_too() {
    let config = ServerConfig { handle_connection: true, max_half_open: 10, ..ServerConfig::new(100) };
    let mut harness = Harness::with(config);
    for number in 0..100 {
        let _ = harness.receive(number, V21.connect_with_data);
    }
    assert_eq!(harness.poll_events().len(), 10);
    harness.wait(12_000);
    assert_eq!((harness.poll_events().len(), harness.server.half_open_count()), (10, 0));
}

#[test]
fn r1_no_client_is_accepted_while_the_event_queue_is_full() {
    let mut harness = Harness::with(ServerConfig::new(100));
    harness.connect(1, &V21);
    let mut rejected = 0;
    for _ in 0..100_000 {
        rejected += usize::from(harness.receive(1, V21.unreliable).is_err());
    }
    assert_eq!(rejected, 100_000 - 16_384 + 1);
    assert_eq!(harness.receive(2, V21.connect), Err(crate::PacketError::Busy.into()));
    let reported = harness.poll_events();
    assert_eq!((reported.len(), reported[0].as_str()), (16_385, "Missed { count: 83617 }"));
    harness.receive(2, V21.connect).unwrap();
}

#[test]
fn a_client_that_fills_the_event_queue_does_not_block_others() {
    for wire in WIRES {
        let mut harness = Harness::connected(ServerConfig::new(4), &[wire, wire]);
        harness.server.send(&message(MessageSendMode::Reliable, 10), ClientId(1)).unwrap();
        harness.sent();
        while harness.receive(2, wire.unreliable).is_ok() {}
        // The client acknowledges its Welcome, the notice of the other client and the message.
        let ack = if wire.format == Format::V20 { "01 03 00 03 00" } else { "31 00 30 00 00" };
        harness.receive(1, ack).unwrap();
        harness.receive(1, wire.heartbeat).unwrap();
        assert_eq!(harness.sent(), [(1, wire.reply.into())]);
        assert!(harness.wait(4_000).iter().all(|(to, _)| *to != 1), "nothing is sent again");
        harness.receive(1, wire.leave).unwrap();
        assert_eq!(harness.server.client_count(), 1);
    }
}

#[test]
fn r2_every_short_datagram_is_handled_without_a_panic() {
    for wire in WIRES {
        let mut harness = Harness::connected(ServerConfig::new(1_000), &[wire]);
        let mut number = 100;
        for length in 0..=8_usize {
            for first in 0..=u8::MAX {
                for fill in [0x00, 0xff, 0x5a] {
                    let mut datagram = vec![fill; length];
                    datagram.iter_mut().take(1).for_each(|byte| *byte = first);
                    let _ = harness.server.handle_datagram(harness.now, host(1), &datagram);
                    number += 1;
                    let result = harness.server.handle_datagram(harness.now, stranger(number), &datagram);
                    let is_question = length > 0 && (first == 3 || first & 0x0f == 2);
                    assert_eq!(result.is_ok(), is_question, "{datagram:02x?}");
                    harness.drain();
                    if harness.server.client_count() == 0 {
                        harness.connect(1, &wire);
                        harness.drain();
                    }
                }
            }
        }
    }
}

#[test]
fn r2_headers_without_a_meaning_are_acknowledged_and_dropped() {
    let mut harness = Harness::connected(ServerConfig::new(4), &[V21, V20]);
    for header in 11..=15_u8 {
        harness.server.handle_datagram(harness.now, host(1), &[header, 0, 0, 0, 0]).unwrap();
    }
    for header in 11..=255_u8 {
        harness.server.handle_datagram(harness.now, host(2), &[header, 0, 0, 0, 0]).unwrap();
    }
    assert_eq!(harness.poll_events(), [""; 0]);
}

#[test]
fn r3_packets_of_a_connection_are_dropped_from_unknown_addresses() {
    for wire in WIRES {
        let mut harness = Harness::connected(ServerConfig::new(4), &[wire]);
        for packet in [
            wire.welcome,
            wire.leave,
            wire.heartbeat,
            wire.ack,
            wire.reliable,
            wire.unreliable,
            wire.kick,
            wire.full,
        ] {
            let rejected = harness.receive(2, packet);
            assert_eq!(rejected, Err(crate::PacketError::UnknownAddress.into()), "{packet}");
        }
        assert_eq!((harness.sent(), harness.poll_events()), (vec![], vec![]));
        assert_eq!(harness.server.client_count(), 1);
    }
}

#[test]
fn r3_an_echo_with_another_id_ends_the_connection() {
    for wire in WIRES {
        let mut harness = Harness::new(4);
        harness.receive(1, wire.connect).unwrap();
        harness.drain();
        harness.receive(1, wire.welcome_2).unwrap();
        assert_eq!(harness.poll_events(), ["1 failed: the transport failed"]);
        assert_eq!((harness.server.client_count(), harness.server.half_open_count()), (0, 0));
        // The id was freed, so it is the last one of the queue.
        harness.receive(1, wire.connect).unwrap();
        assert!(harness.sent().contains(&(1, wire.welcome_2.into())));
    }
}

#[test]
fn r3_an_echo_before_the_welcome_makes_no_client() {
    for wire in WIRES {
        let mut harness = Harness::with(ServerConfig { handle_connection: true, ..ServerConfig::new(4) });
        harness.receive(1, wire.connect).unwrap();
        harness.drain();
        for packet in [wire.welcome, wire.reliable, wire.unreliable, wire.heartbeat, wire.ack] {
            assert_eq!(harness.receive(1, packet), Err(crate::PacketError::NotConnected.into()), "{packet}");
        }
        assert_eq!((harness.sent(), harness.poll_events()), (vec![], vec![]));
        harness.server.accept(ConnectionId(1));
        harness.receive(1, wire.welcome).unwrap();
        assert_eq!(harness.server.client_count(), 1);
    }
}

#[test]
fn r3_server_packets_are_ignored_from_a_client() {
    let packets = [
        (V21, ["29 00 20 00 00", "2a 00 20 00 00", "23 00", "45 00"]),
        (V20, ["09 02 00 02 00", "0a 02 00 02 00", "04 03", "05 00 00 00"]),
    ];
    for (wire, packets) in packets {
        let mut harness = Harness::connected(ServerConfig::new(4), &[wire, wire]);
        for packet in packets {
            let _ = harness.receive(1, packet);
        }
        assert!(harness.server.client(ClientId(2)).is_some());
        assert!(harness.poll_events().iter().all(|reported| reported == "1 left: disconnected"));
    }
}

#[test]
fn r8_a_client_killed_during_the_handshake_is_removed() {
    for wire in WIRES {
        let config = ServerConfig { handle_connection: true, ..ServerConfig::new(1) };
        let mut harness = Harness::with(config);
        for killed_after in 0..3 {
            harness.receive(1, wire.connect).unwrap();
            let connection = harness.requested().unwrap();
            if killed_after > 0 {
                assert_eq!(harness.server.accept(connection), Some(ClientId(1)));
            }
            if killed_after > 1 {
                // The client has sent its echo, but no acks.
                harness.receive(1, wire.welcome).unwrap();
                assert_eq!(harness.server.client_count(), 1);
            }
            harness.wait(12_000);
            harness.drain();
            assert_eq!((harness.server.client_count(), harness.server.half_open_count()), (0, 0));
        }
        // Its id is free.
        harness.receive(2, wire.connect).unwrap();
        let connection = harness.requested().unwrap();
        assert_eq!(harness.server.accept(connection), Some(ClientId(1)));
    }
}

#[test]
fn r8_a_stream_client_killed_during_the_handshake_is_removed() {
    use gamewire_machine::Machine as _;
    for wire in WIRES {
        let mut harness = Harness::new(1);
        let whole: Vec<u8> =
            [wire.connect, wire.welcome, wire.ack].iter().flat_map(|it| wire.frame(it)).collect();
        for (number, length) in (1_u64..).zip(0..=whole.len()) {
            harness.open(number);
            harness.receive_bytes(number, &whole[..length]);
            harness.server.handle_close(harness.now, super::support::stream(number));
            harness.stream_outputs();
            assert_eq!((harness.server.client_count(), harness.server.half_open_count()), (0, 0), "{length}");
        }
        assert_eq!(harness.sent(), []);
    }
}

#[test]
fn a_clock_may_jump_back_or_to_its_maximum() {
    for wire in WIRES {
        let mut harness = Harness::connected(
            ServerConfig { announce_clients: false, ..ServerConfig::new(4) },
            &[wire, wire],
        );
        harness.wait(1_000);
        harness.now = super::support::at(0);
        harness.receive(1, wire.heartbeat).unwrap();
        harness.drain();
        harness.now = gamewire_machine::Instant::from_micros(u64::MAX);
        let _ = harness.receive(1, wire.heartbeat);
        gamewire_machine::Machine::handle_timeout(&mut harness.server, harness.now);
        harness.drain();
    }
}

#[test]
fn r1_a_flood_of_one_address_does_not_lock_out_other_clients() {
    let mut harness = Harness::with(ServerConfig::new(100));
    harness.connect(1, &V21);
    let flood = |harness: &mut Harness| {
        for port in 1..=1_500 {
            let from = SocketAddr::from(([203, 0, 113, 5], port));
            let _ = harness.server.handle_datagram(harness.now, from, &[0x02]);
        }
        harness.drain();
    };
    for _ in 0..40 {
        flood(&mut harness);
        harness.wait(50);
    }
    // Another address gets a place during the flood.
    harness.connect(2, &V21);
    assert_eq!(harness.server.client_count(), 2);
    // The flooding address gets one with the first request that is a second younger than the flood.
    flood(&mut harness);
    let newcomer = SocketAddr::from(([203, 0, 113, 5], 60_000));
    assert_eq!(
        harness.server.handle_datagram(harness.now, newcomer, &[0x02]),
        Err(ServerPacketError::HalfOpen)
    );
    harness.wait(1_000);
    assert_eq!(harness.server.handle_datagram(harness.now, newcomer, &[0x02]), Ok(()));
    assert!(harness.server.half_open_count() <= 75, "three quarters of 99");
    assert_eq!(harness.server.rejected_full(), 0);
}

#[test]
fn clients_of_one_address_that_connect_together_fill_the_server() {
    let mut harness = Harness::with(ServerConfig::new(100));
    // Clients repeat their request each second, at most five times.
    for _ in 0..5 {
        let mut echoes = Vec::new();
        for port in 1..=100 {
            let _ = harness.receive(port, V21.connect);
            echoes.extend(harness.sent());
        }
        for (client, welcome) in echoes {
            let _ = harness.receive(client, &welcome);
        }
        harness.drain();
        if harness.server.client_count() == 100 {
            return;
        }
        harness.wait(1_000);
    }
    panic!("{} clients", harness.server.client_count());
}
