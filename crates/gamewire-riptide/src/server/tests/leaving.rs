//! How connections end.

use gamewire_machine::Machine as _;

use super::support::{Harness, V20, V21, WIRES, at, bytes, data, host, message};
use crate::Format;
use crate::client::{self, Client, ClientConfig};
use crate::link::ConnectionSettings;
use crate::server::ServerConfig;
use crate::{ClientId, DisconnectReason, MessageSendMode, SendError};

#[test]
fn a_client_that_leaves_is_removed_and_the_others_are_notified() {
    for wire in WIRES {
        for other in WIRES {
            let mut harness = Harness::connected(
                ServerConfig { announce_clients: false, ..ServerConfig::new(4) },
                &[other, wire],
            );
            harness.server.config.announce_clients = true;
            harness.receive(2, wire.leave).unwrap();
            assert_eq!(harness.sent(), [(1, other.left.into())]);
            assert_eq!(harness.poll_events(), ["2 left: disconnected"]);
            assert!(harness.receive(2, wire.heartbeat).is_err(), "no such client");
            assert_eq!(harness.server.client_count(), 1);
            // The server repeats the notice until it is acknowledged.
            assert_eq!(harness.wait(60), [(1, other.left.into())]);
        }
    }
}

#[test]
fn a_kicked_client_is_notified_once_with_or_without_data() {
    for wire in WIRES {
        for (said, expected) in [(None, wire.kick), (Some(data(7)), wire.kick_with_data)] {
            let mut harness = Harness::connected(ServerConfig::new(4), &[wire]);
            harness.server.disconnect_client(ClientId(1), said.as_ref()).unwrap();
            assert_eq!(harness.sent(), [(1, expected.into())]);
            assert_eq!(harness.poll_events(), ["1 left: kicked"]);
            assert_eq!(harness.server.disconnect_client(ClientId(1), None), Err(SendError::NotConnected));
        }
    }
}

#[test]
fn messages_before_a_kick_are_sent_first() {
    for wire in WIRES {
        let last_words = || message(MessageSendMode::Reliable, 10);
        let mut harness = Harness::connected(ServerConfig::new(4), &[wire]);
        harness.server.send(&last_words(), ClientId(1)).unwrap();
        harness.server.disconnect_client(ClientId(1), None).unwrap();
        assert_eq!(harness.sent_to(1), [wire.reliable, wire.kick]);

        let mut harness = Harness::connected(ServerConfig::new(4), &[wire]);
        harness.server.send_to_all(&last_words()).all_sent().unwrap();
        harness.server.stop();
        assert_eq!(harness.sent_to(1), [wire.reliable, wire.stop]);
    }
}

#[test]
fn data_that_fit_no_packet_do_not_kick() {
    let mut harness = Harness::connected(ServerConfig::new(4), &[V20]);
    let mut large = data(7);
    large.add_bytes(&[0; 2_000]);
    assert!(harness.server.disconnect_client(ClientId(1), Some(&large)).is_err());
    assert_eq!((harness.sent(), harness.server.client_count()), (vec![], 1));
}

#[test]
fn a_server_that_stops_notifies_each_client_once_and_frees_its_state() {
    let mut harness = Harness::connected(ServerConfig::new(4), &[V20, V21]);
    harness.receive(3, V21.connect).unwrap();
    harness.drain();
    harness.server.stop();
    let stops = [(1, V20.stop.into()), (2, V21.stop.into()), (3, V21.stop.into())];
    assert_eq!(harness.wait(20_000), stops);
    assert_eq!(
        harness.poll_events(),
        ["1 left: the server stopped", "2 left: the server stopped", "3 failed: the server stopped"]
    );
    assert!(!harness.server.is_running());
    assert_eq!((harness.server.client_count(), harness.server.half_open_count()), (0, 0));
    assert!(harness.receive(4, V21.connect).is_err(), "no client is accepted");
    harness.open(9);
    assert_eq!(harness.stream_outputs(), [(9, "closed".into())]);
    assert_eq!(harness.wait(20_000), []);
}

#[test]
fn a_silent_client_times_out_and_one_with_heartbeats_does_not() {
    for wire in WIRES {
        let mut harness = Harness::connected(
            ServerConfig { announce_clients: false, ..ServerConfig::new(4) },
            &[wire, wire],
        );
        for _ in 0..20 {
            harness.wait(1_000);
            harness.receive(1, wire.heartbeat).unwrap();
        }
        assert_eq!(harness.poll_events(), ["2 left: timed out waiting for packets of the peer"]);
        assert_eq!(harness.server.client_count(), 1);
    }
}

#[test]
fn a_client_that_may_not_time_out_does_not_once_it_is_connected() {
    let settings = ConnectionSettings { can_timeout: false, ..ConnectionSettings::default() };
    let config = ServerConfig { settings, ..ServerConfig::new(4) };
    let mut harness = Harness::connected(config, &[V21]);
    harness.receive(2, V21.connect).unwrap();
    harness.wait(60_000);
    assert_eq!(
        harness.poll_events(),
        ["2 failed: timed out waiting for packets of the peer"],
        "but only then"
    );
    harness.server.set_settings(ClientId(1), ConnectionSettings::default()).unwrap();
    harness.wait(7_000);
    assert_eq!(harness.poll_events(), ["1 left: timed out waiting for packets of the peer"]);
}

#[test]
fn a_client_of_2_1_that_acknowledges_nothing_is_disconnected_for_poor_quality() {
    let config = ServerConfig { settings: ConnectionSettings::csharp(), ..ServerConfig::new(4) };
    let mut harness = Harness::connected(config, &[V21]);
    harness.server.send(&message(MessageSendMode::Reliable, 10), ClientId(1)).unwrap();
    let sent = harness.wait(1_000);
    assert_eq!(sent.len(), 15);
    assert_eq!(harness.poll_events(), ["1 left: poor connection"]);
}

#[test]
fn clients_that_time_out_together_are_not_notified_of_each_other() {
    let mut harness = Harness::connected(ServerConfig::new(300), &[V21; 300]);
    let before = harness.server.held_bytes();
    harness.now = at(20_000);
    gamewire_machine::Machine::handle_timeout(&mut harness.server, harness.now);
    assert_eq!((harness.sent(), harness.poll_events().len()), (vec![], 300));
    assert!(harness.server.held_bytes() < before);
}

#[test]
fn remaining_clients_are_notified_of_each_simultaneous_disconnect() {
    let mut harness =
        Harness::connected(ServerConfig { announce_clients: false, ..ServerConfig::new(20) }, &[V21; 20]);
    harness.server.config.announce_clients = true;
    for _ in 0..5 {
        harness.wait(900);
        harness.receive(7, V21.heartbeat).unwrap();
    }
    harness.drain();
    let sent = harness.wait(1_600);
    let mut reported: Vec<_> = sent.iter().map(|(to, packet)| (*to, packet.split(' ').next())).collect();
    reported.dedup();
    assert_eq!(harness.poll_events().len(), 19);
    let ids: std::collections::BTreeSet<_> = sent.iter().map(|(_, packet)| packet).collect();
    assert!(reported.iter().all(|(to, _)| *to == 7) && ids.len() == 19, "{sent:?}");
}

#[test]
fn a_client_from_a_new_address_learns_at_once_that_its_session_is_over_if_the_server_answers() {
    for wire in WIRES {
        let mut harness = Harness::connected(ServerConfig::new(4), &[wire]);
        assert!(harness.receive(9, wire.heartbeat).is_err());
        assert_eq!(harness.sent(), [], "the default is that of the C# library");

        let config = ServerConfig { disconnect_unknown: true, ..ServerConfig::new(4) };
        let mut harness = Harness::connected(config, &[wire]);
        let over = if wire.format == Format::V20 { "06 03" } else { "35 00" };
        // The client is at address 9 now. Only its heartbeats are answered, with half their length.
        for packet in [wire.reliable, wire.unreliable, wire.ack, wire.welcome, wire.leave] {
            assert!(harness.receive(9, packet).is_err(), "{packet}");
        }
        harness.receive(9, wire.heartbeat).unwrap();
        assert_eq!(harness.sent(), [(9, over.into())]);
        harness.receive(1, wire.heartbeat).unwrap();
        assert_eq!(harness.sent(), [(1, wire.reply.into())], "the session at the old address goes on");
        assert_eq!((harness.server.client_count(), harness.server.half_open_count()), (1, 0));

        let server = host(77);
        let mut client = Client::connect(&ClientConfig::new(wire.format), server, at(0)).unwrap();
        client.handle_datagram(at(0), server, &bytes(wire.welcome)).unwrap();
        client.handle_datagram(at(1), server, &bytes(over)).unwrap();
        let last = core::iter::from_fn(|| client.poll_event()).last();
        assert!(
            matches!(last, Some(client::Event::Disconnected { reason: DisconnectReason::TimedOut, .. })),
            "{last:?}"
        );
    }
}
