//! Amplification of requests with a forged source address, by the bytes of datagrams, without and with the 28 bytes
//! that IPv4 and UDP add to each.

use super::support::{Harness, V20, V21, WIRES, Wire, message};
use crate::server::ServerConfig;
use crate::{ClientId, MessageSendMode};

const HEADERS: usize = 28;

/// Number of bytes and datagrams.
#[derive(Clone, Copy, Debug, Default)]
struct Traffic {
    bytes: usize,
    datagrams: usize,
}

impl Traffic {
    fn note(&mut self, packet: &str) {
        self.bytes += packet.len().div_ceil(3);
        self.datagrams += 1;
    }

    fn with_headers(self) -> usize {
        self.bytes + HEADERS * self.datagrams
    }
}

/// Returns the amplification factors in hundredths: of bytes, and of bytes with headers.
fn factors(asked: Traffic, answered: Traffic) -> [usize; 2] {
    [answered.bytes * 100 / asked.bytes, answered.with_headers() * 100 / asked.with_headers()]
}

/// Returns the bytes of connect requests in one minute, and of the replies to a client that stays silent.
fn flood(config: &ServerConfig, wire: &Wire, every: u64) -> (Traffic, Traffic) {
    let mut harness = Harness::with(config.clone());
    let (mut asked, mut answered) = (Traffic::default(), Traffic::default());
    for _ in 0..60_000 / every {
        harness.receive(1, wire.connect).unwrap();
        asked.note(wire.connect);
        for (to, packet) in harness.wait(every) {
            assert_eq!(to, 1);
            answered.note(&packet);
        }
        while harness.requested().is_some() {}
    }
    (asked, answered)
}

/// Returns the amplification factors of one connect request.
fn single(config: &ServerConfig, wire: &Wire) -> [usize; 2] {
    let (asked, answered) = flood(config, wire, 60_000);
    assert_eq!(asked.datagrams, 1);
    factors(asked, answered)
}

#[test]
fn r1_a_single_connect_request_gets_one_welcome() {
    for wire in WIRES {
        let config = ServerConfig::new(4);
        // 5 bytes for 1 byte, which a client needs; the C# library sends them 15 times.
        assert_eq!(single(&config, &wire), [500, 113]);
        assert_eq!(single(&config.hardened(), &wire), [500, 113]);
    }
}

#[test]
fn r1_each_repeated_connect_request_gets_a_welcome_and_at_most_two_if_strict() {
    for wire in WIRES {
        let config = ServerConfig::new(4);
        let (asked, answered) = flood(&config, &wire, 10);
        assert!(answered.datagrams <= asked.datagrams + 2 * 11, "{asked:?} {answered:?}");
        let [bytes, with_headers] = factors(asked, answered);
        assert!(bytes <= 505 && with_headers <= 115, "{bytes} {with_headers}");

        let (asked, answered) = flood(&config.hardened(), &wire, 10);
        // The server gives up the connection after 3 s; the next request starts a new one.
        assert!(answered.datagrams <= 2 * 21, "{asked:?} {answered:?}");
        assert_eq!(factors(asked, answered)[0], 100 * answered.bytes / 6_000);
        assert!(factors(asked, answered)[0] <= 4 && factors(asked, answered)[1] <= 1);
    }
}

#[test]
fn r1_a_rejection_is_one_datagram() {
    for wire in WIRES {
        let full = |config: ServerConfig| {
            let mut harness = Harness::connected(config, &[wire]);
            harness.receive(2, wire.connect).unwrap();
            let (mut asked, mut answered) = (Traffic::default(), Traffic::default());
            asked.note(wire.connect);
            harness.sent().iter().for_each(|(_, packet)| answered.note(packet));
            factors(asked, answered)
        };
        assert_eq!(full(ServerConfig::new(1)), [200, 103]);
        assert_eq!(full(ServerConfig::new(1).hardened()), [200, 103]);
    }
}

#[test]
fn r1_strictly_an_address_is_sent_two_datagrams_until_it_answers() {
    for wire in WIRES {
        for handle_connection in [false, true] {
            let config = ServerConfig { handle_connection, ..ServerConfig::new(4).hardened() };
            let mut harness = Harness::with(config);
            let mut sent = 0;
            // All packets that a client may send before the echo, without pauses.
            for millis in 0..2_000_u64 {
                for packet in
                    [wire.connect, wire.unreliable, wire.reliable, wire.heartbeat, wire.connect_with_data]
                {
                    let _ = harness.receive(1, packet);
                }
                if millis == 500
                    && let Some(connection) = harness.requested()
                {
                    harness.server.accept(connection);
                }
                sent += harness.wait(1).len();
            }
            assert_eq!(sent, 2, "{handle_connection}");
        }
    }
}

#[test]
fn a_strict_server_repeats_a_lost_welcome() {
    for wire in WIRES {
        let mut harness = Harness::with(ServerConfig::new(4).hardened());
        harness.receive(1, wire.connect).unwrap();
        assert_eq!(harness.wait(1_000).len(), 1);
        harness.receive(1, wire.connect).unwrap();
        assert_eq!(harness.wait(50), [(1, wire.welcome.into())]);
        harness.receive(1, wire.welcome).unwrap();
        assert_eq!(harness.server.client_count(), 1);
    }
}

#[test]
fn r1_strictly_an_echo_with_an_id_that_counts_as_handled_is_not_acknowledged() {
    // Ids 0 and 40000, which are before the first id.
    let early = [(V20, ["08 00 00 01 00", "08 40 9c 01 00"]), (V21, ["08 00 10 00 00", "08 c4 19 00 00"])];
    for (wire, early) in early {
        let mut harness = Harness::with(ServerConfig::new(4).hardened());
        harness.receive(1, wire.connect).unwrap();
        assert_eq!(harness.sent(), [(1, wire.welcome.into())]);
        for packet in early {
            assert!(harness.receive(1, packet).is_err());
            assert_eq!(harness.sent(), []);
        }
        harness.receive(1, wire.welcome).unwrap();
        assert_eq!(harness.sent(), [(1, wire.ack.into())]);
        assert_eq!(harness.server.client_count(), 1);
    }
}

#[test]
fn r1_reliable_messages_before_the_echo_wait_for_it() {
    for wire in WIRES {
        let mut harness = Harness::with(ServerConfig::new(4));
        harness.receive(1, wire.connect).unwrap();
        harness.server.send(&message(MessageSendMode::Reliable, 10), ClientId(1)).unwrap();
        let welcomes = |count| vec![(1, wire.welcome.to_owned()); count];
        assert_eq!(harness.wait(500), welcomes(1));
        harness.receive(1, wire.connect).unwrap();
        assert_eq!(harness.wait(500), welcomes(1));
        harness.receive(1, wire.ack).unwrap();
        harness.receive(1, wire.welcome).unwrap();
        assert_eq!(harness.sent(), [(1, wire.reliable.into()), (1, wire.ack.into())]);
    }
}
