use gamewire_machine::Machine;

use super::support::{Harness, SERVER, UNKNOWN, V21, WIRES, hex};
use crate::PacketError;
use crate::client::ClientConfig;
use crate::link::ConnectionState;

/// The observable state of a client.
fn seen(harness: &mut Harness) -> (ConnectionState, Vec<Vec<u8>>, Vec<String>) {
    (harness.client.state(), harness.sent(), harness.poll_events())
}

#[test]
fn r2_empty_and_short_packets_are_handled_in_every_state() {
    for wire in WIRES {
        let makes: [fn(&ClientConfig) -> Harness; 2] = [Harness::with, Harness::connected];
        for make in makes {
            let mut harness = make(&ClientConfig::new(wire.format));
            harness.wait(5);
            assert!(matches!(
                harness.client.handle_datagram(harness.now, SERVER, &[]),
                Err(PacketError::Malformed(_))
            ));
            for first in 0..=u8::MAX {
                for length in 1..=8 {
                    for filler in [0, 0x5a, 0xff] {
                        let mut harness = make(&ClientConfig::new(wire.format));
                        harness.wait(5);
                        let mut packet = vec![filler; length];
                        packet[0] = first;
                        let before = harness.client.state();
                        let metrics = harness.client.metrics().messages_in();
                        let result = harness.client.handle_datagram(harness.now, SERVER, &packet);
                        if result.is_err() {
                            assert_eq!(seen(&mut harness), (before, vec![], vec![]), "{packet:?}");
                            assert_eq!(harness.client.metrics().messages_in(), metrics);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn r2_a_packet_without_an_end_is_dropped_and_not_acknowledged() {
    for wire in WIRES {
        for packet in [wire.reliable, wire.came, wire.welcome] {
            let packet = hex(packet);
            for end in 0..4 {
                let mut harness = Harness::connected(&ClientConfig::new(wire.format));
                let result = harness.client.handle_datagram(harness.now, SERVER, &packet[..end]);
                assert!(matches!(result, Err(PacketError::Malformed(_))), "{end} bytes");
                assert_eq!(seen(&mut harness), (ConnectionState::Connected, vec![], vec![]));
            }
        }
    }
}

#[test]
fn r2_unknown_headers_are_acknowledged_and_dropped() {
    for (wire, packet) in WIRES.iter().zip([["0b 02 00", "ff 03 00"], ["2b 00 00", "3f 00 00"]]) {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        packet.iter().for_each(|packet| harness.receive(packet).unwrap());
        let (state, sent, reported) = seen(&mut harness);
        assert_eq!((state, sent.len(), reported), (ConnectionState::Connected, 2, vec![]));
    }
}

#[test]
fn r2_a_packet_longer_than_agreed_is_dropped() {
    let mut harness = Harness::connected(&ClientConfig::new(V21.format));
    let mut packet = hex(V21.unreliable);
    packet.resize(1232, 0);
    let result = harness.client.handle_datagram(harness.now, SERVER, &packet);
    assert_eq!(result, Err(PacketError::TooLong { length: 1232 }));
    packet.pop();
    assert_eq!(harness.client.handle_datagram(harness.now, SERVER, &packet), Ok(()));
}

#[test]
fn r3_packets_of_other_addresses_are_ignored() {
    for wire in WIRES {
        let makes: [fn(&ClientConfig) -> Harness; 2] = [Harness::with, Harness::connected];
        for make in makes {
            let mut harness = make(&ClientConfig::new(wire.format));
            harness.wait(5);
            let before = harness.client.state();
            for packet in [wire.welcome, wire.full, wire.kick, wire.stop, wire.reply, wire.ack, wire.reliable]
            {
                let result = harness.client.handle_datagram(harness.now, UNKNOWN, &hex(packet));
                assert_eq!(result, Err(PacketError::UnknownAddress));
            }
            assert_eq!(seen(&mut harness), (before, vec![], vec![]));
        }
    }
}

#[test]
fn r3_a_late_welcome_is_acknowledged_and_changes_nothing() {
    // Reliable packet 2, client 9.
    for (wire, other) in WIRES.iter().zip(["08 02 00 09 00", "28 00 90 00 00"]) {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        harness.receive(other).unwrap();
        let (state, sent, reported) = seen(&mut harness);
        assert_eq!((state, sent.len(), reported), (ConnectionState::Connected, 1, vec![]));
        assert_eq!(harness.client.id().map(|id| id.0), Some(1));
    }
}

#[test]
fn r3_a_forged_disconnect_from_the_right_address_ends_it_as_the_protocol_has_no_token() {
    for wire in WIRES {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        harness.receive(wire.bare_kick).unwrap();
        assert_eq!(harness.poll_events(), ["disconnected: Kicked"]);
    }
}

#[test]
fn r5_an_ack_of_an_unsent_id_is_ignored() {
    for (wire, ack) in WIRES.iter().zip(["01 09 00 ff ff", "91 00 f0 ff 0f"]) {
        let config = ClientConfig { delivery_events: true, ..ClientConfig::new(wire.format) };
        let mut harness = Harness::connected(&config);
        harness.receive(ack).unwrap();
        assert_eq!((harness.poll_events(), harness.client.metrics().acks_ignored), (vec![], 1));
    }
}

#[test]
fn unpolled_events_are_limited_and_reliable_messages_are_resent() {
    for wire in WIRES {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        let results: Vec<_> = (0..5000).map(|_| harness.receive(wire.unreliable)).collect();
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 4096);
        assert_eq!(harness.receive(wire.reliable), Err(PacketError::Busy));
        assert_eq!(harness.sent(), Vec::<Vec<u8>>::new());
        let reported = harness.poll_events();
        assert_eq!((reported.len(), reported[0].as_str()), (4097, "Missed { count: 904 }"));
        harness.receive(wire.reliable).unwrap();
        assert_eq!((harness.sent().len(), harness.poll_events().len()), (1, 1));
    }
}

#[test]
fn a_full_event_queue_does_not_drop_acks_heartbeats_or_the_close() {
    for wire in WIRES {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        harness.receive(wire.ack).unwrap();
        harness.wait(1_000);
        while harness.receive(wire.unreliable).is_ok() {}
        for packet in [wire.ack, wire.reply, wire.bare_kick] {
            harness.receive(packet).unwrap();
        }
        assert!(harness.client.rtt().is_some());
        assert_eq!(harness.poll_events().last().map(String::as_str), Some("disconnected: Kicked"));
    }
}
