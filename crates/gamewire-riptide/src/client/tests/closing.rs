use gamewire_machine::Machine;

use super::support::{Harness, V20, V21, WIRES, hex};
use crate::client::ClientConfig;
use crate::link::ConnectionSettings;
use crate::{Message, MessageSendMode, PacketMachine};
use crate::{PacketError, SendError};

#[test]
fn a_kick_comes_with_its_data() {
    for wire in WIRES {
        for (packet, expected) in
            [(wire.kick, "disconnected: Kicked with 07"), (wire.bare_kick, "disconnected: Kicked")]
        {
            let mut harness = Harness::connected(&ClientConfig::new(wire.format));
            harness.receive(packet).unwrap();
            assert_eq!(harness.poll_events(), [expected]);
            assert_eq!(harness.receive(packet), Err(PacketError::Closed));
            assert_eq!((harness.wait(60_000), harness.poll_events()), (vec![], vec![]));
            assert_eq!(harness.client.poll_timeout(), None);
        }
    }
}

#[test]
fn a_server_that_stops_sends_one_of_two_notices() {
    for (wire, packet) in [(V20, V20.stop), (V21, V21.stop), (V21, "05 05")] {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        harness.receive(packet).unwrap();
        assert_eq!(harness.poll_events(), ["disconnected: ServerStopped"]);
    }
}

#[test]
fn a_server_may_stop_while_a_client_is_pending() {
    for wire in WIRES {
        let mut harness = Harness::new(wire.format);
        harness.wait(5);
        harness.receive(wire.pending).unwrap();
        harness.receive(wire.stop).unwrap();
        assert_eq!(harness.poll_events(), ["disconnected: ServerStopped"]);
    }
}

#[test]
fn silence_ends_the_connection_within_five_to_six_seconds() {
    for wire in WIRES {
        for sign in [11, 300, 700, 999] {
            let mut harness = Harness::connected(&ClientConfig::new(wire.format));
            harness.receive(wire.ack).unwrap();
            harness.wait(990 + sign);
            harness.receive(wire.reply).unwrap();
            harness.wait(5_000);
            assert_eq!(harness.poll_events(), [] as [&str; 0]);
            harness.wait(1_001);
            assert_eq!(harness.poll_events(), ["disconnected: TimedOut"]);
        }
    }
}

#[test]
fn an_old_heartbeat_reply_extends_the_timeout_but_is_not_measured() {
    for wire in WIRES {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        harness.receive(wire.ack).unwrap();
        for _ in 0..20 {
            harness.wait(1_000);
            harness.wait(1_000);
            harness.receive(wire.reply).unwrap();
        }
        assert_eq!(harness.poll_events(), [] as [&str; 0]);
        assert_eq!(harness.client.rtt(), None);
    }
}

#[test]
fn messages_are_no_sign_of_life() {
    for wire in WIRES {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        harness.receive(wire.ack).unwrap();
        for _ in 0..6 {
            harness.wait(1_000);
            let _ = harness.receive(wire.unreliable);
        }
        assert_eq!(harness.poll_events().last().map(String::as_str), Some("disconnected: TimedOut"));
    }
}

#[test]
fn a_silent_peer_does_not_time_out_if_timeouts_are_disabled() {
    let mut harness = Harness::connected(&ClientConfig::new(V21.format));
    harness.receive(V21.ack).unwrap();
    harness.client.set_settings(ConnectionSettings { can_timeout: false, ..ConnectionSettings::default() });
    harness.wait(60_000);
    assert!(harness.client.is_connected());
    harness.client.set_settings(ConnectionSettings::default());
    harness.client.reset_timeout();
    harness.wait(5_000);
    assert!(harness.client.is_connected());
    harness.wait(1_000);
    assert_eq!(harness.poll_events(), ["disconnected: TimedOut"]);
}

#[test]
fn a_client_that_disconnects_sends_its_queued_messages_first() {
    for wire in WIRES {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        let mut message = Message::create(MessageSendMode::Reliable, 10_u16);
        harness.client.send(message.add_int(0x1122_3344)).unwrap();
        harness.client.disconnect();
        harness.client.disconnect();
        assert_eq!(harness.sent(), [hex(wire.reliable), hex(wire.leave)]);
        assert_eq!(harness.poll_events(), ["disconnected: Disconnected"]);
        assert_eq!(harness.client.send(&message), Err(SendError::NotConnected));
        assert_eq!((harness.wait(60_000), harness.poll_events()), (vec![], vec![]));
    }
}

#[test]
fn a_server_that_acknowledges_nothing_ends_the_connection_of_2_1_only() {
    for (wire, expected) in [(V20, vec![]), (V21, vec!["disconnected: PoorConnection"])] {
        let settings = ConnectionSettings::csharp();
        let mut harness = Harness::connected(&ClientConfig { settings, ..ClientConfig::new(wire.format) });
        // The echo of the Welcome is not acknowledged.
        let sends = harness.wait(900).iter().filter(|packet| **packet == hex(wire.welcome)).count();
        assert_eq!((sends, harness.poll_events()), (14, expected.into_iter().map(str::to_owned).collect()));
    }
}

#[test]
fn a_closed_transport_is_reported_once() {
    for wire in WIRES {
        let mut harness = Harness::new(wire.format);
        harness.client.handle_transport_end(harness.now, ());
        harness.client.handle_transport_end(harness.now, ());
        assert_eq!(harness.poll_events(), ["failed: NoConnection"]);
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        harness.client.handle_transport_end(harness.now, ());
        assert_eq!(harness.poll_events(), ["disconnected: TransportError"]);
    }
}
