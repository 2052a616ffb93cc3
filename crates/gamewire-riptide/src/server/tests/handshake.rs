//! Connection attempts of clients.

use gamewire_machine::Machine as _;

use super::support::{Harness, V20, V21, WIRES, data, host};
use crate::server::{ServerConfig, ServerPacketError};
use crate::{ClientId, ConnectionId, Endpoint, SendError};

fn deciding(max_client_count: u16) -> ServerConfig {
    ServerConfig { handle_connection: true, ..ServerConfig::new(max_client_count) }
}

#[test]
fn a_client_of_either_format_is_connected_when_it_echoes_the_welcome() {
    for wire in WIRES {
        let mut harness = Harness::new(4);
        harness.receive(1, wire.connect).unwrap();
        assert_eq!(harness.sent(), [(1, wire.welcome.into())]);
        assert_eq!((harness.server.client_count(), harness.server.half_open_count()), (0, 1));
        assert_eq!(harness.poll_events(), [""; 0]);

        harness.receive(1, wire.welcome).unwrap();
        assert_eq!(harness.sent(), [(1, wire.ack.into())]);
        assert_eq!(harness.poll_events(), [format!("1 came with {}", wire.format)]);
        assert_eq!((harness.server.client_count(), harness.server.half_open_count()), (1, 0));
        harness.receive(1, wire.ack).unwrap();
        harness.receive(1, wire.heartbeat).unwrap();
        assert_eq!(harness.sent(), [(1, wire.reply.into())]);

        let client = harness.server.client(ClientId(1)).unwrap();
        assert_eq!((client.format(), client.address()), (wire.format, Some(host(1))));
        assert_eq!(client.endpoint(), Endpoint::Udp(host(1)));
        assert!(client.is_connected() && client.unacked() == 0 && client.rtt().is_none());
    }
}

#[test]
fn clients_of_both_formats_connect_and_are_notified_of_each_other() {
    let mut harness = Harness::new(4);
    harness.connect(1, &V20);
    harness.drain();
    harness.receive(2, V21.connect).unwrap();
    assert_eq!(harness.sent(), [(2, V21.welcome_2.into())]);
    harness.receive(2, V21.welcome_2).unwrap();
    // The notice to the other client, then the ack: reliable packets leave first.
    assert_eq!(harness.sent(), [(1, V20.came.into()), (2, V21.ack.into())]);
    let ids: Vec<_> = harness.server.clients().map(|client| (client.id().0, client.format())).collect();
    assert_eq!(ids, [(1, V20.format), (2, V21.format)]);
}

#[test]
fn a_welcome_is_resent_until_it_is_answered_a_limited_number_of_times() {
    for wire in WIRES {
        let mut harness = Harness::new(4);
        harness.receive(1, wire.connect).unwrap();
        let welcomes = harness.wait(900);
        assert_eq!(welcomes, vec![(1, wire.welcome.into())], "one by itself");
        harness.receive(1, wire.connect).unwrap();
        assert_eq!(harness.wait(900), [(1, wire.welcome.into())], "one more for another connect request");
        assert_eq!(harness.wait(10_000), []);
        assert_eq!(harness.poll_events(), ["1 failed: timed out waiting for packets of the peer"]);
        assert_eq!(harness.server.half_open_count(), 0);

        harness.receive(1, wire.connect).unwrap();
        assert_eq!(harness.sent().len(), 1, "a new handshake may start");
    }
}

#[test]
fn ids_are_given_in_turn_and_those_that_are_free_again_last() {
    let mut harness = Harness::new(3);
    harness.connect(1, &V21);
    harness.connect(2, &V20);
    harness.receive(1, V21.leave).unwrap();
    harness.connect(3, &V21);
    harness.connect(4, &V20);
    let ids = |harness: &Harness| {
        harness
            .server
            .clients()
            .map(|client| (client.id().0, client.address().unwrap().port()))
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&harness), [(1, 1004), (2, 1002), (3, 1003)]);
}

#[test]
fn a_server_that_accepts_no_clients_keeps_those_that_it_has() {
    for wire in WIRES {
        let mut harness = Harness::new(4);
        harness.connect(1, &wire);
        harness.receive(2, wire.connect).unwrap();
        harness.drain();
        harness.server.set_accepts_clients(false);
        harness.receive(3, wire.connect).unwrap();
        assert_eq!(harness.sent(), [(3, wire.reject.into())]);
        harness.receive(1, wire.heartbeat).unwrap();
        assert_eq!(harness.sent(), [(1, wire.reply.into())]);
        harness.receive(2, wire.welcome_2).unwrap();
        assert_eq!(harness.server.client_count(), 2, "a half-open connection completes its handshake");
        assert_eq!((harness.server.rejected_closed(), harness.server.rejected_full()), (1, 0));
        harness.drain();

        harness.server.set_accepts_clients(true);
        harness.connect(3, &wire);
        assert_eq!(harness.server.client_count(), 3);
    }
}

#[test]
fn a_full_server_refuses() {
    for wire in WIRES {
        let mut harness = Harness::connected(ServerConfig::new(1), &[wire]);
        harness.receive(2, wire.connect).unwrap();
        assert_eq!(harness.sent(), vec![(2, wire.full.into())]);
        assert_eq!(harness.poll_events(), [""; 0]);
        assert_eq!(harness.server.half_open_count(), 0);
    }
}

#[test]
fn half_open_connections_take_places_for_a_second() {
    let mut harness = Harness::new(1);
    harness.receive(1, V21.connect).unwrap();
    harness.drain();
    assert_eq!(harness.receive(2, V21.connect), Err(ServerPacketError::HalfOpen), "it repeats the request");
    assert_eq!(harness.sent(), []);
    harness.wait(1_000);
    harness.receive(2, V21.connect).unwrap();
    assert_eq!(harness.sent(), vec![(2, V21.welcome.into())]);
    assert_eq!(harness.poll_events(), ["1 failed: timed out waiting for packets of the peer"]);
}

#[test]
fn the_application_accepts_pending_clients() {
    for wire in WIRES {
        let mut harness = Harness::with(deciding(4));
        harness.receive(1, wire.connect_with_data).unwrap();
        assert_eq!(harness.sent(), [(1, wire.pending.into())]);
        let reported = format!("1 of {} asks from udp 192.0.2.1:1001: 010203", wire.format);
        assert_eq!(harness.poll_events(), [reported]);
        // For another connect request the client receives another pending notice, and the application receives no
        // event.
        harness.receive(1, wire.connect_with_data).unwrap();
        assert_eq!(harness.sent(), [(1, wire.pending.into())]);
        harness.wait(3_000);
        assert_eq!(harness.poll_events(), [""; 0]);

        assert_eq!(harness.server.accept(ConnectionId(1)), Some(ClientId(1)));
        assert_eq!(harness.server.accept(ConnectionId(1)), None, "only once");
        assert_eq!(harness.sent(), [(1, wire.welcome.into())]);
        harness.receive(1, wire.welcome).unwrap();
        assert_eq!(harness.poll_events(), [format!("1 came with {}", wire.format)]);
    }
}

#[test]
fn the_application_rejects_with_or_without_data() {
    for wire in WIRES {
        for (said, expected) in [(None, wire.reject), (Some(data(7)), wire.reject_with_data)] {
            let mut harness = Harness::with(deciding(4));
            harness.receive(1, wire.connect).unwrap();
            harness.drain();
            harness.server.reject(ConnectionId(1), said.as_ref()).unwrap();
            assert_eq!(harness.sent(), vec![(1, expected.into())]);
            assert_eq!(harness.poll_events(), ["1 failed: the server rejected the client"]);
            assert_eq!(harness.server.reject(ConnectionId(1), None), Err(SendError::NotConnected));

            // Its next connect request is a new connection.
            harness.receive(1, wire.connect).unwrap();
            assert_eq!(harness.requested(), Some(ConnectionId(2)));
        }
    }
}

#[test]
fn data_that_fit_no_packet_do_not_reject() {
    let mut harness = Harness::with(deciding(4));
    harness.receive(1, V21.connect).unwrap();
    harness.drain();
    let mut large = data(7);
    large.add_bytes(&[0; 2_000]);
    assert!(harness.server.reject(ConnectionId(1), Some(&large)).is_err());
    assert_eq!(harness.sent(), []);
    assert_eq!(harness.server.accept(ConnectionId(1)), Some(ClientId(1)), "it waits still");
}

#[test]
fn a_pending_client_may_disconnect_or_time_out() {
    let mut harness = Harness::with(deciding(4));
    harness.receive(1, V21.connect).unwrap();
    harness.receive(2, V20.connect).unwrap();
    harness.drain();
    harness.wait(4_000);
    harness.receive(2, V20.leave).unwrap();
    assert_eq!(harness.poll_events(), ["2 failed: disconnected"]);
    harness.wait(5_000);
    assert_eq!(harness.poll_events(), [""; 0]);
    harness.wait(2_001);
    assert_eq!(harness.poll_events(), ["1 failed: timed out waiting for packets of the peer"]);
    assert_eq!(harness.server.accept(ConnectionId(1)), None);
}

#[test]
fn a_full_server_rejects_a_client_that_the_application_accepts() {
    let mut harness = Harness::with(deciding(1));
    harness.receive(1, V21.connect).unwrap();
    harness.receive(2, V21.connect).unwrap();
    harness.drain();
    assert_eq!(harness.server.accept(ConnectionId(2)), Some(ClientId(1)));
    assert_eq!(harness.server.accept(ConnectionId(1)), None);
    let sent = harness.sent();
    assert_eq!(sent.iter().filter(|(to, packet)| *to == 1 && packet == V21.full).count(), 1, "{sent:?}");
    assert_eq!(harness.poll_events(), ["1 failed: the server rejected the client"]);
}

#[test]
fn an_unsupported_format_gets_no_reply() {
    let config = ServerConfig { formats: &[crate::Format::V21], ..ServerConfig::new(4) };
    let mut harness = Harness::with(config);
    assert_eq!(harness.receive(1, V20.connect), Err(ServerPacketError::Format(crate::Format::V20)));
    harness.receive(1, V21.connect).unwrap();
    harness.drain();
    harness.open(7);
    harness.receive_bytes(7, &V20.frame(V20.connect));
    assert_eq!(harness.stream_outputs(), [(7, "closed".into())]);
}

#[test]
fn a_late_duplicate_of_the_connect_request_is_ignored() {
    for wire in WIRES {
        let mut harness = Harness::connected(ServerConfig::new(4), &[wire]);
        harness.receive(1, wire.connect).unwrap();
        harness.receive(1, wire.welcome).unwrap();
        assert_eq!(harness.sent(), [(1, wire.ack.into())], "duplicates are acknowledged");
        assert_eq!(harness.poll_events(), [""; 0]);
    }
}

#[test]
fn data_may_fill_the_largest_packet() {
    let mut harness = Harness::with(deciding(4));
    let mut largest = vec![0x02];
    largest.resize(1_231, 0);
    harness.server.handle_datagram(harness.now, host(1), &largest).unwrap();
    assert!(harness.requested().is_some());
    largest.push(0);
    assert!(harness.server.handle_datagram(harness.now, host(2), &largest).is_err());
}
