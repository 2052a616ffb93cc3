use core::time::Duration;

use gamewire_machine::{Machine, StreamId};

use super::support::{Harness, SERVER, V20, V21, WIRES, Wire, hex};
use crate::client::ClientConfig;
use crate::{Message, MessageSendMode, SendError};

const STREAM: StreamId = StreamId::new(0);
/// Time in which the client tries to join again, in milliseconds.
const TIMEOUT: u64 = 20_000;

fn config(wire: Wire) -> ClientConfig {
    ClientConfig { reconnect: Some(Duration::from_millis(TIMEOUT)), ..ClientConfig::new(wire.format) }
}

/// Returns a client whose server has been silent until the connection timed out.
fn lost(wire: Wire) -> Harness {
    let mut harness = Harness::connected(&config(wire));
    harness.receive(wire.ack).unwrap();
    let mut waited = 0;
    while harness.client.is_connected() {
        harness.wait(100);
        waited += 100;
        assert!(waited <= 7_000);
    }
    harness
}

/// Answers each connect request of ten seconds with these packets. Returns the number of requests, which is about ten.
fn requests_in_ten_seconds(harness: &mut Harness, wire: Wire, answers: &[&str]) -> usize {
    let mut requests = 0;
    for _ in 0..100 {
        for packet in harness.wait(100) {
            if packet == hex(wire.connect) {
                requests += 1;
                answers.iter().for_each(|answer| harness.receive(answer).unwrap());
            }
        }
    }
    assert!((8..=11).contains(&requests), "{requests} in ten seconds");
    requests
}

#[test]
fn a_lost_connection_is_replaced_and_one_event_says_so() {
    for wire in WIRES {
        let mut harness = lost(wire);
        assert_eq!(harness.poll_events(), [] as [&str; 0]);
        let mut message = Message::create(MessageSendMode::Reliable, 10_u16);
        message.add_int(0x1122_3344);
        assert_eq!(harness.client.send(&message), Err(SendError::NotConnected));
        assert!(harness.wait(1_000).contains(&hex(wire.connect)));
        harness.receive(wire.welcome).unwrap();
        assert_eq!(harness.poll_events(), ["Reconnected { id: ClientId(1), reason: TimedOut, unacked: 0 }"]);
        assert_eq!(harness.sent(), [hex(wire.welcome), hex(wire.ack)], "the echo and an ack");
        harness.client.send(&message).unwrap();
        assert_eq!(harness.sent(), [hex(wire.reliable)]);
    }
}

#[test]
fn unacknowledged_messages_are_counted() {
    let mut harness = Harness::connected(&config(V21));
    harness.receive(V21.ack).unwrap();
    harness.client.send(&Message::create(MessageSendMode::Reliable, 10_u16)).unwrap();
    while harness.client.is_connected() {
        harness.wait(100);
    }
    harness.wait(1_000);
    harness.receive(V21.welcome).unwrap();
    let [event] = harness.poll_events().try_into().unwrap();
    assert!(event.ends_with("unacked: 1 }"), "{event}");
}

#[test]
fn a_server_that_stays_silent_is_given_up_with_the_reason_of_the_loss() {
    for wire in WIRES {
        let mut harness = lost(wire);
        harness.wait(TIMEOUT - 200);
        assert_eq!(harness.poll_events(), [] as [&str; 0]);
        harness.wait(1_500);
        assert_eq!(harness.poll_events(), ["disconnected: TimedOut"]);
        assert_eq!((harness.wait(60_000), harness.poll_events()), (vec![], vec![]));
        assert!(harness.client.is_ended());
    }
}

#[test]
fn a_server_that_still_has_the_old_connection_is_asked_once_a_second() {
    for (wire, refusal) in [(V20, "04 01"), (V21, "13 00")] {
        let mut harness = lost(wire);
        requests_in_ten_seconds(&mut harness, wire, &[refusal]);
        harness.wait(1_000);
        harness.receive(wire.welcome).unwrap();
        assert_eq!(harness.poll_events(), ["Reconnected { id: ClientId(1), reason: TimedOut, unacked: 0 }"]);
    }
}

#[test]
fn a_server_that_closes_each_new_connection_is_asked_once_a_second() {
    for (wire, timed_out) in [(V20, "06 03"), (V21, "35 00")] {
        let mut harness = lost(wire);
        let requests = requests_in_ten_seconds(&mut harness, wire, &[wire.welcome, timed_out]);
        assert_eq!(harness.poll_events().len(), requests);
    }
}

#[test]
fn a_refusal_or_the_user_ends_the_attempts() {
    for wire in WIRES {
        let mut harness = lost(wire);
        harness.wait(1_000);
        harness.receive(wire.full).unwrap();
        assert_eq!(harness.poll_events(), ["failed: ServerFull"]);
        let mut harness = lost(wire);
        harness.client.disconnect();
        assert_eq!(harness.poll_events(), ["disconnected: Disconnected"]);
        assert!(harness.client.is_ended());
    }
}

#[test]
fn a_connection_that_was_closed_on_purpose_is_not_replaced() {
    for wire in WIRES {
        for (packet, event) in
            [(wire.kick, "disconnected: Kicked with 07"), (wire.stop, "disconnected: ServerStopped")]
        {
            let mut harness = Harness::connected(&config(wire));
            harness.receive(packet).unwrap();
            assert_eq!(harness.poll_events(), [event]);
            assert_eq!(harness.wait(60_000), [] as [Vec<u8>; 0]);
        }
    }
}

#[test]
fn a_server_that_never_answered_is_not_asked_longer() {
    for wire in WIRES {
        let mut harness = Harness::with(&config(wire));
        harness.wait(TIMEOUT);
        assert_eq!(harness.poll_events(), ["failed: NoConnection"]);
    }
}

#[test]
fn a_stream_is_not_replaced() {
    let mut harness = Harness::with(&config(V21));
    harness.client.handle_open(harness.now, STREAM, SERVER);
    harness.client.handle_close(harness.now, STREAM);
    assert_eq!(harness.poll_events(), ["failed: NoConnection"]);
}
