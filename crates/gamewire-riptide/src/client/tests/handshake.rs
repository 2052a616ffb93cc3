use super::support::{Harness, SERVER, V20, V21, WIRES, at, hex};
use crate::client::{Client, ClientConfig};
use crate::link::ConnectionState;
use crate::{Format, Message};
use crate::{PacketError, SendError};

#[test]
fn a_client_asks_is_welcomed_and_sends_the_welcome_back() {
    for wire in WIRES {
        let mut harness = Harness::new(wire.format);
        assert_eq!((harness.wait(10), harness.poll_events()), (vec![hex(wire.connect)], vec![]));
        assert_eq!((harness.client.state(), harness.client.id()), (ConnectionState::Connecting, None));
        harness.receive(wire.welcome).unwrap();
        assert_eq!(harness.sent(), [hex(wire.welcome), hex(wire.ack)]);
        assert_eq!(harness.poll_events(), ["connected 1"]);
        assert_eq!(harness.client.id().map(|id| id.0), Some(1));

        // The echo was lost, so the server resends the Welcome.
        harness.receive(wire.welcome).unwrap();
        assert_eq!((harness.sent(), harness.poll_events()), (vec![hex(wire.ack)], vec![]));
        assert_eq!(harness.wait(50), [hex(wire.welcome)]);
        harness.receive(wire.ack).unwrap();
        assert_eq!(harness.wait(500), [] as [Vec<u8>; 0]);
    }
}

#[test]
fn the_first_id_of_the_python_port_is_taken_too() {
    let mut harness = Harness::new(Format::V21);
    harness.wait(10);
    harness.receive("28 00 10 00 00").unwrap();
    assert_eq!(harness.sent(), [hex(V21.welcome), hex("21 00 20 00 00")]);
    assert_eq!(harness.poll_events(), ["connected 1"]);
}

#[test]
fn heartbeats_measure_the_round_trip() {
    for wire in WIRES {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        harness.receive(wire.ack).unwrap();
        assert_eq!(harness.wait(990), [hex(wire.heartbeat)]);
        assert_eq!(harness.client.rtt(), None);
        harness.wait(42);
        harness.receive(wire.reply).unwrap();
        assert_eq!(harness.client.rtt().map(|rtt| rtt.as_millis()), Some(42));
        assert_eq!(harness.client.smooth_rtt(), harness.client.rtt());
        // The next heartbeat carries the round trip.
        let next = if wire.format == Format::V20 { "05 01 2a 00" } else { "14 a0 02 00" };
        assert_eq!(harness.wait(1000), [hex(next)]);
    }
}

#[test]
fn every_connect_request_carries_the_connect_data() {
    for (wire, expected) in [(V20, "03 07"), (V21, "72 00")] {
        let mut data = Message::create_data();
        data.add_byte(7);
        let mut harness =
            Harness::with(&ClientConfig { connect_data: Some(data), ..ClientConfig::new(wire.format) });
        assert_eq!(harness.wait(1500), [hex(expected), hex(expected)]);
    }
}

#[test]
fn data_that_does_not_fit_is_an_error_before_anything_is_sent() {
    let mut data = Message::create_data();
    data.add_int(7);
    let mut config = ClientConfig::new(Format::V21);
    (config.connect_data, config.max_payload_size) = (Some(data), 0);
    assert!(Client::connect(&config, SERVER, at(0)).is_ok());
    let mut data = Message::create_data();
    data.add_int(7).add_int(8);
    config.connect_data = Some(data);
    let refused = Client::connect(&config, SERVER, at(0)).unwrap_err();
    assert_eq!(refused, SendError::TooLong { length: 9, max: 6 });
}

#[test]
fn without_an_answer_a_client_gives_up_after_five_questions() {
    for wire in WIRES {
        let mut harness = Harness::new(wire.format);
        assert_eq!(harness.wait(4999), vec![hex(wire.connect); 5]);
        assert_eq!(harness.poll_events(), [] as [&str; 0]);
        assert_eq!(harness.wait(60_000), [] as [Vec<u8>; 0]);
        assert_eq!(harness.poll_events(), ["failed: NoConnection"]);
        assert!(harness.client.is_ended());
        assert_eq!(harness.receive(wire.welcome), Err(PacketError::Closed));
    }
}

#[test]
fn a_pending_client_waits_ten_seconds_without_asking_again() {
    for wire in WIRES {
        let mut harness = Harness::new(wire.format);
        harness.wait(20);
        harness.receive(wire.pending).unwrap();
        assert_eq!(harness.client.state(), ConnectionState::Pending);
        assert_eq!(harness.wait(9_900), [] as [Vec<u8>; 0]);
        harness.receive(wire.welcome).unwrap();
        assert_eq!(harness.sent(), [hex(wire.welcome), hex(wire.ack)]);
        assert_eq!(harness.poll_events(), ["connected 1"]);
        // A late notice changes nothing.
        harness.receive(wire.pending).unwrap();
        assert!(harness.client.is_connected());

        let mut harness = Harness::new(wire.format);
        harness.wait(20);
        harness.receive(wire.pending).unwrap();
        harness.wait(9_980);
        assert_eq!(harness.poll_events(), [] as [&str; 0]);
        harness.wait(1_000);
        assert_eq!(harness.poll_events(), ["disconnected: TimedOut"]);
    }
}

#[test]
fn a_rejected_client_reports_the_reason_of_its_format() {
    let refusals = [
        (V21, "03 00", "failed: NoConnection"),
        (V21, "13 00", "failed: AlreadyConnected"),
        (V21, "23 00", "failed: ServerFull"),
        (V21, "33 00", "failed: Rejected"),
        (V21, "43 00", "failed: Custom"),
        (V21, "43 70 00", "failed: Custom with 07"),
        // The Python port sends this number for `Custom`.
        (V21, "53 70 00", "failed: Other(5)"),
        (V20, "04 00", "failed: NoConnection"),
        (V20, "04 01", "failed: AlreadyConnected"),
        (V20, "04 02", "failed: Pending"),
        (V20, "04 03", "failed: ServerFull"),
        (V20, "04 04", "failed: Rejected"),
        (V20, "04 05 07", "failed: Custom with 07"),
        (V20, "04 06 07", "failed: Other(6)"),
    ];
    for (wire, packet, expected) in refusals {
        for is_pending in [false, true] {
            let mut harness = Harness::new(wire.format);
            harness.wait(5);
            if is_pending {
                harness.receive(wire.pending).unwrap();
            }
            harness.receive(packet).unwrap();
            assert_eq!(harness.poll_events(), [expected]);
            // A server sends several copies of a rejection.
            assert_eq!(harness.receive(packet), Err(PacketError::Closed));
            assert_eq!((harness.wait(60_000), harness.poll_events()), (vec![], vec![]));
        }
    }
}

#[test]
fn a_connected_client_ignores_a_rejection() {
    for wire in WIRES {
        let mut harness = Harness::connected(&ClientConfig::new(wire.format));
        assert_eq!(harness.receive(wire.full), Err(PacketError::Unexpected("reject")));
        assert!(harness.client.is_connected());
    }
}
