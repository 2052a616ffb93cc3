//! Messages of the application.

use super::support::{Harness, V20, V21, WIRES, message};
use crate::server::ServerConfig;
use crate::{ClientId, ConnectionSettings, MessageSendMode, SendError};

#[test]
fn messages_arrive_in_every_send_mode() {
    for wire in WIRES {
        let mut harness = Harness::connected(ServerConfig::new(4), &[wire]);
        harness.receive(1, wire.unreliable).unwrap();
        harness.receive(1, wire.reliable).unwrap();
        harness.receive(1, wire.reliable).unwrap();
        let says = |mode, id| format!("1 says {mode} {id}: 44332211");
        assert_eq!(
            harness.poll_events(),
            [says(MessageSendMode::Unreliable, 11), says(MessageSendMode::Reliable, 10)]
        );
        assert_eq!(harness.sent().len(), 2, "each copy is acknowledged");
    }
    let mut harness = Harness::connected(ServerConfig::new(4), &[V21]);
    harness.receive(1, "06 00 00 10 00 40 34 23 12 01").unwrap();
    assert_eq!(harness.poll_events(), [format!("1 says {} -: 44332211", MessageSendMode::Notify)]);
}

#[test]
fn a_message_is_sent_to_each_client_in_its_format() {
    let config = ServerConfig { announce_clients: false, ..ServerConfig::new(4) };
    let mut harness = Harness::connected(config, &[V20, V21]);
    harness.server.send_to_all(&message(MessageSendMode::Unreliable, 11)).all_sent().unwrap();
    assert_eq!(harness.sent(), [(1, V20.unreliable.into()), (2, V21.unreliable.into())]);
    harness
        .server
        .send_to_all_except(&message(MessageSendMode::Reliable, 10), ClientId(1))
        .all_sent()
        .unwrap();
    assert_eq!(harness.sent(), [(2, V21.reliable.into())]);
    assert_eq!(harness.server.send(&message(MessageSendMode::Reliable, 10), ClientId(1)), Ok(Some(2)));
    assert_eq!(harness.sent(), [(1, V20.reliable.into())]);
}

#[test]
fn a_message_that_a_format_cannot_encode_is_an_error_and_reaches_the_other_clients() {
    let config = ServerConfig { announce_clients: false, ..ServerConfig::new(4) };
    let mut harness = Harness::connected(config, &[V20, V21]);
    let mut notify = crate::Message::create_notify();
    notify.add_int(0x1122_3344);
    assert_eq!(harness.server.send_to_all(&notify).all_sent(), Err(SendError::NoNotify));
    assert_eq!(harness.sent(), [(2, "06 00 00 10 00 40 34 23 12 01".into())]);
    assert_eq!(harness.server.send(&notify, ClientId(3)), Err(SendError::NotConnected));
    assert_eq!(harness.server.send(&super::support::data(1), ClientId(2)), Err(SendError::NoId));
}

#[test]
fn a_reliable_message_is_sent_until_it_is_acknowledged() {
    for wire in WIRES {
        let mut harness =
            Harness::connected(ServerConfig { delivery_events: true, ..ServerConfig::new(4) }, &[wire]);
        harness.server.send(&message(MessageSendMode::Reliable, 10), ClientId(1)).unwrap();
        let sent = harness.wait(120);
        assert_eq!(sent, vec![(1, wire.reliable.into()); 3]);
        let ack = if wire.format == crate::Format::V20 { "01 02 00 01 00" } else { "21 00 10 00 00" };
        harness.receive(1, ack).unwrap();
        assert_eq!(
            harness.poll_events(),
            ["Delivery { client: ClientId(1), seq_id: 2, outcome: ReliableDelivered }"]
        );
        assert_eq!(harness.wait(1_000), []);
        assert_eq!(harness.server.client(ClientId(1)).unwrap().metrics().reliable_uniques, 2);
        harness.server.reset_metrics(ClientId(1));
        assert_eq!(harness.server.client(ClientId(1)).unwrap().metrics().reliable_uniques, 0);
    }
}

#[test]
fn messages_to_a_client_leave_in_the_order_in_which_they_were_sent() {
    let mut harness = Harness::connected(ServerConfig::new(4), &[V21]);
    harness.receive(1, V21.reliable).unwrap();
    for mode in [MessageSendMode::Reliable, MessageSendMode::Unreliable, MessageSendMode::Reliable] {
        let id = if mode == MessageSendMode::Reliable { 10 } else { 11 };
        harness.server.send(&message(mode, id), ClientId(1)).unwrap();
    }
    let kinds: Vec<_> = harness.sent().iter().map(|(_, packet)| packet.as_bytes()[1]).collect();
    // Messages spawn, move and despawn, and then the ack.
    assert_eq!(kinds, *b"7071");
}

#[test]
fn delivery_events_are_disabled_by_default() {
    let mut harness = Harness::connected(ServerConfig::new(4), &[V21]);
    harness.server.send(&message(MessageSendMode::Reliable, 10), ClientId(1)).unwrap();
    harness.sent();
    harness.receive(1, "21 00 10 00 00").unwrap();
    assert_eq!(harness.poll_events(), [""; 0]);
}

#[test]
fn a_client_of_2_0_that_acknowledges_nothing_loses_the_message_and_stays_connected() {
    let mut harness = Harness::connected(
        ServerConfig {
            delivery_events: true,
            settings: ConnectionSettings::csharp(),
            ..ServerConfig::new(4)
        },
        &[V20],
    );
    harness.server.send(&message(MessageSendMode::Reliable, 10), ClientId(1)).unwrap();
    assert_eq!(harness.wait(1_000).len(), 15);
    assert_eq!(
        harness.poll_events(),
        ["Delivery { client: ClientId(1), seq_id: 2, outcome: ReliableGivenUp }"]
    );
    assert_eq!(harness.server.client_count(), 1);
}

#[test]
fn before_the_echo_a_client_is_handled_as_in_the_csharp_library_but_not_counted() {
    for wire in WIRES {
        let mut harness = Harness::new(4);
        harness.receive(1, wire.connect).unwrap();
        harness.drain();
        harness.receive(1, wire.unreliable).unwrap();
        assert_eq!(harness.poll_events(), [format!("1 says {} 11: 44332211", MessageSendMode::Unreliable)]);
        assert_eq!(harness.server.client_count(), 0);
        harness.server.send_to_all(&message(MessageSendMode::Unreliable, 11)).all_sent().unwrap();
        assert_eq!(harness.sent(), [], "and gets nothing that is for all");
        harness.server.send(&message(MessageSendMode::Unreliable, 11), ClientId(1)).unwrap();
        assert_eq!(harness.sent(), [(1, wire.unreliable.into())]);
    }
}

#[test]
fn with_the_gate_messages_before_the_echo_are_ignored() {
    for wire in WIRES {
        let mut harness = Harness::with(ServerConfig { require_handshake: true, ..ServerConfig::new(4) });
        harness.receive(1, wire.connect).unwrap();
        harness.drain();
        for packet in [wire.unreliable, wire.reliable] {
            assert!(harness.receive(1, packet).is_err());
        }
        assert_eq!((harness.poll_events(), harness.sent()), (vec![], vec![]), "nor is it answered");
        harness.receive(1, wire.welcome).unwrap();
        harness.receive(1, wire.reliable).unwrap();
        assert_eq!(harness.poll_events().len(), 2, "what is reliable comes again");
    }
}

#[test]
fn many_large_messages_wait_for_their_turn_and_none_is_dropped() {
    let config = ServerConfig { announce_clients: false, ..ServerConfig::new(1_000) };
    let mut harness = Harness::connected(config, &[V21; 1_000]);
    let mut large = crate::Message::create(MessageSendMode::Reliable, 10_u16);
    large.add_bytes(&[7; 1_200]);
    for _ in 0..3 {
        harness.server.send_to_all(&large).all_sent().unwrap();
    }
    let mut small = crate::Message::create(MessageSendMode::Unreliable, 10_u16);
    small.add_bytes(&[7; 1_000]);
    harness.server.send_to_all(&small).all_sent().unwrap();
    assert_eq!(harness.sent().len(), 4_000);
    assert_eq!(harness.server.dropped(), 0);
}
