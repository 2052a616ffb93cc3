use super::support::{Bench, SERVER, V20, V21, WIRES, at, hex};
use crate::client::{Client, ClientConfig};
use crate::link::ConnectionState;
use crate::{Format, Message};
use crate::{PacketError, SendError};

#[test]
fn a_client_asks_is_welcomed_and_sends_the_welcome_back() {
    for wire in WIRES {
        let mut bench = Bench::new(wire.format);
        assert_eq!((bench.wait(10), bench.told()), (vec![hex(wire.connect)], vec![]));
        assert_eq!((bench.client.state(), bench.client.id()), (ConnectionState::Connecting, None));
        bench.hear(wire.welcome).unwrap();
        assert_eq!(bench.sent(), [hex(wire.welcome), hex(wire.ack)]);
        assert_eq!(bench.told(), ["connected 1"]);
        assert_eq!(bench.client.id().map(|id| id.0), Some(1));

        // The server has not heard the echo, and asks again.
        bench.hear(wire.welcome).unwrap();
        assert_eq!((bench.sent(), bench.told()), (vec![hex(wire.ack)], vec![]));
        assert_eq!(bench.wait(50), [hex(wire.welcome)]);
        bench.hear(wire.ack).unwrap();
        assert_eq!(bench.wait(500), [] as [Vec<u8>; 0]);
    }
}

#[test]
fn the_first_id_of_the_python_port_is_taken_too() {
    let mut bench = Bench::new(Format::V21);
    bench.wait(10);
    bench.hear("28 00 10 00 00").unwrap();
    assert_eq!(bench.sent(), [hex(V21.welcome), hex("21 00 20 00 00")]);
    assert_eq!(bench.told(), ["connected 1"]);
}

#[test]
fn heartbeats_measure_the_round_trip() {
    for wire in WIRES {
        let mut bench = Bench::connected(&ClientConfig::new(wire.format));
        bench.hear(wire.ack).unwrap();
        assert_eq!(bench.wait(990), [hex(wire.heartbeat)]);
        assert_eq!(bench.client.rtt(), None);
        bench.wait(42);
        bench.hear(wire.reply).unwrap();
        assert_eq!(bench.client.rtt().map(|rtt| rtt.as_millis()), Some(42));
        assert_eq!(bench.client.smooth_rtt(), bench.client.rtt());
        // The next one says so.
        let next = if wire.format == Format::V20 { "05 01 2a 00" } else { "14 a0 02 00" };
        assert_eq!(bench.wait(1000), [hex(next)]);
    }
}

#[test]
fn the_question_carries_the_data_of_the_application_each_time() {
    for (wire, expected) in [(V20, "03 07"), (V21, "72 00")] {
        let mut data = Message::create_data();
        data.add_byte(7);
        let mut bench =
            Bench::with(&ClientConfig { connect_data: Some(data), ..ClientConfig::new(wire.format) });
        assert_eq!(bench.wait(1500), [hex(expected), hex(expected)]);
    }
}

#[test]
fn data_that_do_not_fit_are_told_before_anything_is_sent() {
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
        let mut bench = Bench::new(wire.format);
        assert_eq!(bench.wait(4999), vec![hex(wire.connect); 5]);
        assert_eq!(bench.told(), [] as [&str; 0]);
        assert_eq!(bench.wait(60_000), [] as [Vec<u8>; 0]);
        assert_eq!(bench.told(), ["failed: NoConnection"]);
        assert!(bench.client.is_ended());
        assert_eq!(bench.hear(wire.welcome), Err(PacketError::Closed));
    }
}

#[test]
fn a_pending_client_waits_ten_seconds_without_asking_again() {
    for wire in WIRES {
        let mut bench = Bench::new(wire.format);
        bench.wait(20);
        bench.hear(wire.pending).unwrap();
        assert!(bench.client.is_pending());
        assert_eq!(bench.wait(9_900), [] as [Vec<u8>; 0]);
        bench.hear(wire.welcome).unwrap();
        assert_eq!(bench.sent(), [hex(wire.welcome), hex(wire.ack)]);
        assert_eq!(bench.told(), ["connected 1"]);
        // A late notice changes nothing.
        bench.hear(wire.pending).unwrap();
        assert!(bench.client.is_connected());

        let mut bench = Bench::new(wire.format);
        bench.wait(20);
        bench.hear(wire.pending).unwrap();
        bench.wait(9_980);
        assert_eq!(bench.told(), [] as [&str; 0]);
        bench.wait(1_000);
        assert_eq!(bench.told(), ["disconnected: TimedOut"]);
    }
}

#[test]
fn a_refused_client_says_why_by_the_numbers_of_its_format() {
    let refusals = [
        (V21, "03 00", "failed: NoConnection"),
        (V21, "13 00", "failed: AlreadyConnected"),
        (V21, "23 00", "failed: ServerFull"),
        (V21, "33 00", "failed: Rejected"),
        (V21, "43 00", "failed: Custom"),
        (V21, "43 70 00", "failed: Custom with 07"),
        // The Python port says Custom so.
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
            let mut bench = Bench::new(wire.format);
            bench.wait(5);
            if is_pending {
                bench.hear(wire.pending).unwrap();
            }
            bench.hear(packet).unwrap();
            assert_eq!(bench.told(), [expected]);
            // The other copies of it.
            assert_eq!(bench.hear(packet), Err(PacketError::Closed));
            assert_eq!((bench.wait(60_000), bench.told()), (vec![], vec![]));
        }
    }
}

#[test]
fn a_refusal_means_nothing_to_a_connected_client() {
    for wire in WIRES {
        let mut bench = Bench::connected(&ClientConfig::new(wire.format));
        assert_eq!(bench.hear(wire.full), Err(PacketError::Unexpected("reject")));
        assert!(bench.client.is_connected());
    }
}
