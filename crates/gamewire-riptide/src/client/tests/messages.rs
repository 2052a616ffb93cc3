use core::time::Duration;

use super::support::{Harness, V20, V21, WIRES, hex};
use crate::client::ClientConfig;
use crate::shared::payload::Payload;
use crate::{Format, Message, MessageSendMode};
use crate::{PacketError, SendError};

fn message(mode: MessageSendMode, id: u16) -> Message {
    let mut message = Message::create(mode, id);
    message.add_int(0x1122_3344);
    message
}

fn connected(format: Format) -> Harness {
    Harness::connected(&ClientConfig { delivery_events: true, ..ClientConfig::new(format) })
}

#[test]
fn messages_of_the_server_are_reported_in_order_of_arrival() {
    for wire in WIRES {
        let mut harness = connected(wire.format);
        [wire.reliable, wire.unreliable, wire.reliable]
            .iter()
            .for_each(|packet| harness.receive(packet).unwrap());
        assert_eq!(harness.poll_events(), ["reliable 10: 44332211", "unreliable 11: 44332211"]);
        // The client acknowledges both copies of the reliable message.
        assert_eq!(harness.sent().len(), 2);
        assert_eq!(harness.client.metrics().reliable_discarded, 1);
    }
}

#[test]
fn other_clients_connect_and_disconnect() {
    for wire in WIRES {
        let mut harness = connected(wire.format);
        [wire.left, wire.came, wire.came, wire.left]
            .iter()
            .for_each(|packet| harness.receive(packet).unwrap());
        // Events are in the order of arrival, and each message has one.
        assert_eq!(harness.poll_events(), ["2 left", "2 came"]);
    }
}

#[test]
fn a_message_before_the_welcome_is_dropped_and_resent() {
    for wire in WIRES {
        let mut harness = Harness::new(wire.format);
        harness.wait(5);
        for packet in [wire.reliable, wire.unreliable, wire.came] {
            assert_eq!(harness.receive(packet), Err(PacketError::NotConnected));
        }
        assert_eq!(harness.sent(), [] as [Vec<u8>; 0]);
        harness.receive(wire.welcome).unwrap();
        harness.receive(wire.reliable).unwrap();
        assert_eq!(harness.poll_events().len(), 2);
    }
}

#[test]
fn messages_are_encoded_as_in_the_csharp_library() {
    for wire in WIRES {
        let mut harness = connected(wire.format);
        let sent = harness.client.send(&message(MessageSendMode::Unreliable, 11));
        assert_eq!((sent, harness.sent()), (Ok(None), vec![hex(wire.unreliable)]));
        // The first reliable packet was the echo of the Welcome.
        let sent = harness.client.send(&message(MessageSendMode::Reliable, 10));
        assert_eq!((sent, harness.sent()), (Ok(Some(2)), vec![hex(wire.reliable)]));
        harness.receive(wire.ack).unwrap();
        let ack = if wire.format == Format::V20 { "01 02 00 03 00" } else { "21 00 30 00 00" };
        harness.receive(ack).unwrap();
        let delivered =
            [1, 2].map(|seq_id| format!("Delivery {{ seq_id: {seq_id}, outcome: ReliableDelivered }}"));
        assert_eq!(harness.poll_events(), delivered);
        assert_eq!(harness.wait(500), [] as [Vec<u8>; 0]);
    }
}

#[test]
fn notify_messages_have_verdicts_in_2_1_only() {
    let mut harness = connected(Format::V21);
    let mut notify = Message::create_notify();
    notify.add_int(0x1122_3344);
    assert_eq!(harness.client.send(&notify), Ok(Some(1)));
    assert_eq!(harness.client.send(&notify), Ok(Some(2)));
    let [first, second] = ["06 00 00 10 00 40 34 23 12 01", "06 00 00 20 00 40 34 23 12 01"].map(hex);
    assert_eq!(harness.sent(), [first, second]);
    // The server received the second message only, and sends a byte.
    harness.receive("26 00 00 10 00 70 00").unwrap();
    assert_eq!(
        harness.poll_events(),
        [
            "Delivery { seq_id: 1, outcome: NotifyLost }",
            "Delivery { seq_id: 2, outcome: NotifyDelivered }",
            "notify -: 07"
        ]
    );

    let mut harness = connected(Format::V20);
    assert_eq!(harness.client.send(&notify), Err(SendError::NoNotify));
}

#[test]
fn nothing_is_sent_without_a_connection_or_an_id() {
    let mut harness = Harness::new(Format::V21);
    let unreliable = message(MessageSendMode::Unreliable, 1);
    assert_eq!(harness.client.send(&unreliable), Err(SendError::NotConnected));
    let mut harness = connected(Format::V21);
    let mut data = Message::create_data();
    assert_eq!(harness.client.send(data.add_int(1)), Err(SendError::NoId));
    assert_eq!(harness.sent(), [] as [Vec<u8>; 0]);
}

#[test]
fn the_longest_messages_are_sent_and_longer_ones_refused() {
    use MessageSendMode::{Reliable, Unreliable};
    let cases = [
        (Format::V21, Unreliable, 1_u16, 1229, 1231),
        (Format::V21, Reliable, 127, 1227, 1231),
        (Format::V20, Unreliable, 1, 1227, 1230),
        (Format::V20, Reliable, 1, 1225, 1230),
    ];
    for (format, mode, id, payload, packet) in cases {
        let mut harness = connected(format);
        let bytes = vec![0x5a; payload + 1];
        let fits = Message::received(format, mode, Some(id), &Payload::new(&bytes[1..]));
        harness.client.send(&fits).unwrap();
        assert_eq!(harness.sent().pop().unwrap().len(), packet);
        let large = Message::received(format, mode, Some(id), &Payload::new(&bytes));
        assert!(harness.client.send(&large).is_err(), "{format} {mode:?}");
    }
}

#[test]
fn a_late_message_is_timed_from_its_first_send() {
    let mut harness = connected(Format::V21);
    harness.receive(V21.ack).unwrap();
    harness.wait(980);
    harness.client.send(&message(MessageSendMode::Reliable, 10)).unwrap();
    harness.now = harness.now + Duration::from_millis(9);
    assert_eq!(harness.sent(), [hex(V21.reliable)]);
    assert_eq!(harness.wait(49).len(), 1, "only the heartbeat");
    assert_eq!(harness.wait(1), [hex(V21.reliable)]);
}

#[test]
fn a_window_full_of_messages_is_filled_again_by_acks() {
    for wire in [V20, V21] {
        let mut harness = connected(wire.format);
        harness.receive(wire.ack).unwrap();
        let window = if wire.format == Format::V20 { 79 } else { 256 };
        for _ in 0..window + 5 {
            harness.client.send(&message(MessageSendMode::Reliable, 10)).unwrap();
        }
        assert_eq!(harness.sent().len(), window);
        let ack = if wire.format == Format::V20 { "01 03 00 03 00" } else { "31 00 30 00 00" };
        harness.receive(ack).unwrap();
        assert_eq!(harness.sent().len(), 2);
    }
}
