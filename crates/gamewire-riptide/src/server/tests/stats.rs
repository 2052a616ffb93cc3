//! Counters of a server.

use super::support::{Harness, V20, V21, message};
use crate::server::{PacketErrorStats, ServerConfig};
use crate::{ClientId, MessageSendMode};

#[test]
fn dropped_packets_are_counted_by_their_reason() {
    let mut harness = Harness::connected(ServerConfig::new(4), &[V21]);
    for (packet, from) in [("27 00", 1), ("27", 1), (V21.heartbeat, 9), ("", 9)] {
        harness.receive(from, packet).unwrap_err();
    }
    harness.server.stop();
    harness.receive(2, V21.connect).unwrap_err();
    let expected = PacketErrorStats { malformed: 2, unknown_address: 2, stopped: 1, ..Default::default() };
    assert_eq!(*harness.server.packet_errors(), expected);
    assert_eq!(expected.by_reason().map(|(_, count)| count).iter().sum::<u64>(), 5);
}

#[test]
fn the_metrics_of_a_client_that_left_stay_in_the_total() {
    let config = ServerConfig { announce_clients: false, ..ServerConfig::new(4) };
    let mut harness = Harness::connected(config, &[V20, V21]);
    harness.server.send(&message(MessageSendMode::Reliable, 10), ClientId(1)).unwrap();
    harness.wait(500);
    harness.receive(2, V21.unreliable).unwrap();
    let before = harness.server.total_metrics();
    assert!(before.reliable_out > before.reliable_uniques, "it was sent again: {before:?}");
    assert_eq!(before.reliable_uniques, 3, "two Welcomes and the message");

    harness.receive(1, V20.leave).unwrap();
    harness.receive(2, V21.leave).unwrap();
    let after = harness.server.total_metrics();
    assert_eq!(harness.server.client_count(), 0);
    assert_eq!((after.reliable_out, after.reliable_uniques), (before.reliable_out, before.reliable_uniques));
    assert_eq!(after.unreliable_bytes_out, before.unreliable_bytes_out);
}
