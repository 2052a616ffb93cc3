//! The application's own transports.

use super::support::{Harness, V20, V21, WIRES, bytes, message};
use crate::server::ServerConfig;
use crate::{ClientId, Endpoint, MessageSendMode, PacketMachine};

#[test]
fn a_client_connects_over_a_transport_of_the_application() {
    for wire in WIRES {
        let mut harness = Harness::new(4);
        let (peer, mut carried) = (Endpoint::Other(77), Vec::new());
        for packet in [wire.connect, wire.welcome, wire.ack] {
            harness.server.handle_packet(harness.now, peer, &bytes(packet)).unwrap();
            carried.extend(harness.sent_to_others());
        }
        assert_eq!(carried, [(peer, wire.welcome.into()), (peer, wire.ack.into())]);
        assert_eq!(harness.poll_events(), [format!("1 came with {}", wire.format)]);
        harness.server.send(&message(MessageSendMode::Reliable, 10), ClientId(1)).unwrap();
        assert_eq!(harness.sent_to_others(), [(peer, wire.reliable.into())]);
        assert_eq!((harness.sent(), harness.stream_outputs()), (vec![], vec![]));

        harness.server.disconnect_client(ClientId(1), None).unwrap();
        assert_eq!(harness.sent_to_others(), [(peer, wire.kick.into())]);
        assert_eq!((harness.server.poll_close(), harness.server.poll_close()), (Some(peer), None));
    }
}

#[test]
fn a_closed_transport_disconnects_its_client() {
    let mut harness = Harness::new(4);
    for packet in [V21.connect, V21.welcome] {
        harness.server.handle_packet(harness.now, Endpoint::Other(5), &bytes(packet)).unwrap();
    }
    harness.drain();
    harness.server.handle_transport_end(harness.now, Endpoint::Other(5));
    harness.server.handle_transport_end(harness.now, Endpoint::Other(5));
    assert_eq!(harness.poll_events(), ["1 left: the transport failed"]);
}

#[test]
fn all_transports_and_formats_at_once_are_one_room() {
    let mut harness = Harness::with(ServerConfig { announce_clients: false, ..ServerConfig::new(8) });
    harness.connect(1, &V20);
    harness.connect(2, &V21);
    let mut id = 2;
    for (number, wire) in [(3, V20), (4, V21)] {
        harness.open(number);
        id += 1;
        let echo = if id == 3 { "08 01 00 03 00" } else { "18 00 40 00 00" };
        for packet in [wire.connect, echo, wire.ack] {
            harness.receive_bytes(number, &wire.frame(packet));
        }
    }
    for (number, wire, echo) in [(5, V20, "08 01 00 05 00"), (6, V21, "18 00 60 00 00")] {
        for packet in [wire.connect, echo, wire.ack] {
            harness.server.handle_packet(harness.now, Endpoint::Other(number), &bytes(packet)).unwrap();
        }
    }
    (harness.stream_outputs(), harness.sent_to_others()).0.clear();
    harness.drain();
    assert_eq!(harness.server.client_count(), 6);
    harness.server.relay_filter_mut().enable_relay(11_u16);
    harness.receive(1, V20.unreliable).unwrap();
    assert_eq!(harness.sent(), [(2, V21.unreliable.into())]);
    assert_eq!(harness.stream_outputs().len(), 2);
    assert_eq!(
        harness.sent_to_others(),
        [(Endpoint::Other(5), V20.unreliable.into()), (Endpoint::Other(6), V21.unreliable.into())]
    );
}

#[test]
fn packets_are_not_taken_for_streams() {
    let mut harness = Harness::new(4);
    harness.open(1);
    let stream = Endpoint::Tcp(super::support::stream(1));
    assert!(harness.server.handle_packet(harness.now, stream, &bytes(V21.connect)).is_err());
}
