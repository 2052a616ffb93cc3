use gamewire_machine::Machine;

use super::support::{Bench, V20, V21, WIRES, hex};
use crate::client::ClientConfig;
use crate::link::ConnectionSettings;
use crate::{Message, MessageSendMode};
use crate::{PacketError, SendError};

#[test]
fn a_kick_comes_with_its_data() {
    for wire in WIRES {
        for (packet, expected) in
            [(wire.kick, "disconnected: Kicked with 07"), (wire.bare_kick, "disconnected: Kicked")]
        {
            let mut bench = Bench::connected(&ClientConfig::new(wire.format));
            bench.hear(packet).unwrap();
            assert_eq!(bench.told(), [expected]);
            assert_eq!(bench.hear(packet), Err(PacketError::Closed));
            assert_eq!((bench.wait(60_000), bench.told()), (vec![], vec![]));
            assert_eq!(bench.client.poll_timeout(), None);
        }
    }
}

#[test]
fn a_server_that_stops_says_so_in_one_of_two_ways() {
    for (wire, packet) in [(V20, V20.stop), (V21, V21.stop), (V21, "05 05")] {
        let mut bench = Bench::connected(&ClientConfig::new(wire.format));
        bench.hear(packet).unwrap();
        assert_eq!(bench.told(), ["disconnected: ServerStopped"]);
    }
}

#[test]
fn a_server_may_stop_while_the_client_still_waits() {
    for wire in WIRES {
        let mut bench = Bench::new(wire.format);
        bench.wait(5);
        bench.hear(wire.pending).unwrap();
        bench.hear(wire.stop).unwrap();
        assert_eq!(bench.told(), ["disconnected: ServerStopped"]);
    }
}

#[test]
fn silence_ends_the_connection_within_five_to_six_seconds() {
    for wire in WIRES {
        for sign in [11, 300, 700, 999] {
            let mut bench = Bench::connected(&ClientConfig::new(wire.format));
            bench.hear(wire.ack).unwrap();
            bench.wait(990 + sign);
            bench.hear(wire.reply).unwrap();
            bench.wait(5_000);
            assert_eq!(bench.told(), [] as [&str; 0]);
            bench.wait(1_001);
            assert_eq!(bench.told(), ["disconnected: TimedOut"]);
        }
    }
}

#[test]
fn an_old_answer_to_a_heartbeat_is_a_sign_of_life_but_no_measure() {
    for wire in WIRES {
        let mut bench = Bench::connected(&ClientConfig::new(wire.format));
        bench.hear(wire.ack).unwrap();
        for _ in 0..20 {
            bench.wait(1_000);
            bench.wait(1_000);
            bench.hear(wire.reply).unwrap();
        }
        assert_eq!(bench.told(), [] as [&str; 0]);
        assert_eq!(bench.client.rtt(), None);
    }
}

#[test]
fn messages_are_no_sign_of_life() {
    for wire in WIRES {
        let mut bench = Bench::connected(&ClientConfig::new(wire.format));
        bench.hear(wire.ack).unwrap();
        for _ in 0..6 {
            bench.wait(1_000);
            let _ = bench.hear(wire.unreliable);
        }
        assert_eq!(bench.told().last().map(String::as_str), Some("disconnected: TimedOut"));
    }
}

#[test]
fn silence_is_borne_when_the_settings_say_so() {
    let mut bench = Bench::connected(&ClientConfig::new(V21.format));
    bench.hear(V21.ack).unwrap();
    bench.client.set_settings(ConnectionSettings { can_timeout: false, ..ConnectionSettings::default() });
    bench.wait(60_000);
    assert!(bench.client.is_connected());
    bench.client.set_settings(ConnectionSettings::default());
    bench.client.reset_timeout();
    bench.wait(5_000);
    assert!(bench.client.is_connected());
    bench.wait(1_000);
    assert_eq!(bench.told(), ["disconnected: TimedOut"]);
}

#[test]
fn a_client_that_leaves_says_what_it_has_to_say_first() {
    for wire in WIRES {
        let mut bench = Bench::connected(&ClientConfig::new(wire.format));
        let mut message = Message::create(MessageSendMode::Reliable, 10_u16);
        bench.client.send(message.add_int(0x1122_3344)).unwrap();
        bench.client.disconnect();
        bench.client.disconnect();
        assert_eq!(bench.sent(), [hex(wire.reliable), hex(wire.leave)]);
        assert_eq!(bench.told(), ["disconnected: Disconnected"]);
        assert_eq!(bench.client.send(&message), Err(SendError::NotConnected));
        assert_eq!((bench.wait(60_000), bench.told()), (vec![], vec![]));
    }
}

#[test]
fn a_server_that_acknowledges_nothing_ends_the_connection_of_2_1_only() {
    for (wire, expected) in [(V20, vec![]), (V21, vec!["disconnected: PoorConnection"])] {
        let mut bench = Bench::connected(&ClientConfig::new(wire.format));
        // The echo of the Welcome is not acknowledged.
        let sends = bench.wait(900).iter().filter(|packet| **packet == hex(wire.welcome)).count();
        assert_eq!((sends, bench.told()), (14, expected.into_iter().map(str::to_owned).collect()));
    }
}

#[test]
fn a_transport_that_ends_is_told_once() {
    for wire in WIRES {
        let mut bench = Bench::new(wire.format);
        bench.client.handle_transport_end();
        bench.client.handle_transport_end();
        assert_eq!(bench.told(), ["failed: NoConnection"]);
        let mut bench = Bench::connected(&ClientConfig::new(wire.format));
        bench.client.handle_transport_end();
        assert_eq!(bench.told(), ["disconnected: TransportError"]);
    }
}
