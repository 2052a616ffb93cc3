//! Transports of the application's own.

use super::support::{Bench, V20, V21, WIRES, bytes, message};
use crate::server::ServerConfig;
use crate::{ClientId, Endpoint, MessageSendMode};

#[test]
fn a_client_comes_over_a_transport_of_the_applications_own() {
    for wire in WIRES {
        let mut bench = Bench::new(4);
        let (peer, mut carried) = (Endpoint::Other(77), Vec::new());
        for packet in [wire.connect, wire.welcome, wire.ack] {
            bench.server.handle_packet(bench.now, peer, &bytes(packet)).unwrap();
            carried.extend(bench.carried());
        }
        assert_eq!(carried, [(peer, wire.welcome.into()), (peer, wire.ack.into())]);
        assert_eq!(bench.told(), [format!("1 came with {}", wire.format)]);
        bench.server.send(&message(MessageSendMode::Reliable, 10), ClientId(1)).unwrap();
        assert_eq!(bench.carried(), [(peer, wire.reliable.into())]);
        assert_eq!((bench.sent(), bench.poured()), (vec![], vec![]));

        bench.server.disconnect_client(ClientId(1), None).unwrap();
        assert_eq!(bench.carried(), [(peer, wire.kick.into())]);
        assert_eq!((bench.server.poll_close(), bench.server.poll_close()), (Some(peer), None));
    }
}

#[test]
fn a_transport_that_ends_takes_its_client_with_it() {
    let mut bench = Bench::new(4);
    for packet in [V21.connect, V21.welcome] {
        bench.server.handle_packet(bench.now, Endpoint::Other(5), &bytes(packet)).unwrap();
    }
    bench.settle();
    bench.server.handle_transport_end(bench.now, Endpoint::Other(5));
    bench.server.handle_transport_end(bench.now, Endpoint::Other(5));
    assert_eq!(bench.told(), ["1 left: the transport failed"]);
}

#[test]
fn all_transports_and_formats_at_once_are_one_room() {
    let mut bench = Bench::with(ServerConfig { announce_clients: false, ..ServerConfig::new(8) });
    bench.connect(1, &V20);
    bench.connect(2, &V21);
    let mut id = 2;
    for (number, wire) in [(3, V20), (4, V21)] {
        bench.open(number);
        id += 1;
        let echo = if id == 3 { "08 01 00 03 00" } else { "18 00 40 00 00" };
        for packet in [wire.connect, echo, wire.ack] {
            bench.pour(number, &wire.frame(packet));
        }
    }
    for (number, wire, echo) in [(5, V20, "08 01 00 05 00"), (6, V21, "18 00 60 00 00")] {
        for packet in [wire.connect, echo, wire.ack] {
            bench.server.handle_packet(bench.now, Endpoint::Other(number), &bytes(packet)).unwrap();
        }
    }
    (bench.poured(), bench.carried()).0.clear();
    bench.settle();
    assert_eq!(bench.server.client_count(), 6);
    bench.server.relay_filter_mut().enable_relay(11_u16);
    bench.hear(1, V20.unreliable).unwrap();
    assert_eq!(bench.sent(), [(2, V21.unreliable.into())]);
    assert_eq!(bench.poured().len(), 2);
    assert_eq!(
        bench.carried(),
        [(Endpoint::Other(5), V20.unreliable.into()), (Endpoint::Other(6), V21.unreliable.into())]
    );
}

#[test]
fn packets_are_not_taken_for_streams() {
    let mut bench = Bench::new(4);
    bench.open(1);
    let stream = Endpoint::Tcp(super::support::stream(1));
    assert!(bench.server.handle_packet(bench.now, stream, &bytes(V21.connect)).is_err());
}
