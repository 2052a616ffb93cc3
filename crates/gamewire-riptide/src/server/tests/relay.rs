//! Messages that clients send to each other.

use gamewire_machine::Machine as _;

use super::support::{Harness, V20, V21, message};
use crate::server::{RelayBudget, ServerConfig};
use crate::{ClientId, MessageSendMode};

fn relaying(ids: &[u16]) -> ServerConfig {
    ServerConfig {
        relay_filter: ids.iter().copied().collect(),
        announce_clients: false,
        ..ServerConfig::new(8)
    }
}

#[test]
fn relayed_messages_keep_their_mode_and_use_each_receivers_format() {
    let mut harness = Harness::connected(relaying(&[10, 11]), &[V20, V21, V20, V21]);
    for (from, wire) in [(1, V20), (2, V21)] {
        harness.receive(from, wire.unreliable).unwrap();
        let expected: Vec<_> = [(1, V20), (2, V21), (3, V20), (4, V21)]
            .into_iter()
            .filter(|(to, _)| *to != from)
            .map(|(to, wire)| (to, wire.unreliable.to_owned()))
            .collect();
        assert_eq!(harness.sent(), expected);
    }
    harness.receive(1, V20.reliable).unwrap();
    let sent = harness.sent();
    // Each client receives the message with a sequence id of its connection; the ack follows.
    let second = |to| (to, if to == 3 { V20.reliable.to_owned() } else { V21.reliable.to_owned() });
    assert_eq!(sent[..3], [second(2), second(3), second(4)]);
    assert_eq!(harness.poll_events(), [""; 0], "the application hears nothing");
}

#[test]
fn a_message_with_relaying_disabled_is_passed_to_the_application() {
    let mut harness = Harness::connected(relaying(&[11]), &[V21, V21]);
    harness.server.relay_filter_mut().disable_relay(11_u16);
    harness.receive(1, V21.unreliable).unwrap();
    assert_eq!((harness.sent(), harness.poll_events().len()), (vec![], 1));
}

#[test]
fn odd_bits_survive_between_peers_of_their_format() {
    let mut harness = Harness::connected(relaying(&[3]), &[V21, V21, V20]);
    // Message 3 and three bits.
    harness.receive(1, "30 50").unwrap();
    assert_eq!(harness.sent(), [(2, "30 50".into()), (3, "00 03 00 05".into())]);
}

#[test]
fn r9_every_id_is_relayed_or_not_and_none_is_out_of_bounds() {
    let mut harness = Harness::connected(relaying(&[0, u16::MAX]), &[V20, V20]);
    for id in 0..=u16::MAX {
        let [low, high] = id.to_le_bytes();
        harness.server.handle_datagram(harness.now, super::support::host(1), &[0, low, high]).unwrap();
        let (relayed, reported) = (harness.sent().len(), harness.poll_events().len());
        assert_eq!((relayed, reported), if id == 0 || id == u16::MAX { (1, 0) } else { (0, 1) });
    }
}

#[test]
fn r9_a_storm_of_relayed_messages_is_cut_to_the_budget() {
    let budget = RelayBudget { messages_per_second: 100, bytes_per_second: 1_000_000 };
    let config = ServerConfig { relay_budget: budget, ..relaying(&[11]) };
    let mut harness = Harness::connected(config, &[V21; 5]);
    let mut sent = 0;
    for _ in 0..10_000 {
        harness.receive(1, V21.unreliable).unwrap();
        sent += harness.sent().len();
    }
    assert_eq!(sent, 100 * 4);
    assert_eq!(harness.server.relay_dropped(), 9_900);
    // Another client has a separate budget.
    harness.receive(2, V21.unreliable).unwrap();
    assert_eq!(harness.sent().len(), 4);
    harness.wait(1_000);
    harness.receive(1, V21.unreliable).unwrap();
    assert_eq!(harness.sent().len(), 4, "a second later there is some again");
}

#[test]
fn r9_reliable_messages_over_the_budget_are_unacknowledged_and_come_again() {
    let budget = RelayBudget { messages_per_second: 100, bytes_per_second: 1_000_000 };
    let config = ServerConfig { relay_budget: budget, ..relaying(&[11]) };
    let mut harness = Harness::connected(config, &[V20, V20]);
    let mut waiting: Vec<u16> = (2..302).collect();
    let left: Vec<usize> = (0..3)
        .map(|_| {
            waiting.retain(|seq_id| {
                let [low, high] = seq_id.to_le_bytes();
                let packet = [7, low, high, 11, 0];
                harness.server.handle_datagram(harness.now, super::support::host(1), &packet).is_err()
            });
            harness.wait(1_000);
            waiting.len()
        })
        .collect();
    assert_eq!(left, [200, 100, 0]);
    let server = &harness.server;
    assert_eq!((server.relay_deferred(), server.relay_dropped()), (200 + 100, 0));
}

#[test]
fn r9_a_repeated_message_is_acknowledged_without_a_budget() {
    let budget = RelayBudget { messages_per_second: 1, bytes_per_second: 1_000_000 };
    let config = ServerConfig { relay_budget: budget, ..relaying(&[10]) };
    let mut harness = Harness::connected(config, &[V21, V21]);
    harness.receive(1, V21.reliable).unwrap();
    harness.drain();
    harness.receive(1, V21.reliable).unwrap();
    assert!(harness.sent().iter().any(|(to, _)| *to == 1), "the ack");
}

#[test]
fn r9_relayed_bytes_count_once_per_receiver() {
    let budget = RelayBudget { messages_per_second: 100_000, bytes_per_second: 10_000 };
    let config = ServerConfig { relay_budget: budget, ..relaying(&[11]) };
    let mut harness = Harness::connected(config, &[V21; 6]);
    let mut large = super::support::bytes("b0 00");
    large.resize(1_000, 7);
    let mut fanned_out = 0;
    for _ in 0..1_000 {
        harness.server.handle_datagram(harness.now, super::support::host(1), &large).unwrap();
        fanned_out += harness.sent().iter().map(|(_, packet)| packet.len().div_ceil(3)).sum::<usize>();
    }
    assert!(fanned_out <= 10_000 + 5_000, "{fanned_out}");
}

#[test]
fn r9_empty_messages_count_against_the_relay_budget() {
    for (wire, empty) in [(V20, "00 0b 00"), (V21, "b0 00")] {
        let budget = RelayBudget { messages_per_second: 100_000, bytes_per_second: 10_000 };
        let config = ServerConfig { relay_budget: budget, ..relaying(&[11]) };
        let mut harness = Harness::connected(config, &[wire; 6]);
        let mut packets = 0;
        for _ in 0..10_000 {
            harness.receive(1, empty).unwrap();
            packets += harness.sent().len();
        }
        assert!((200..=400).contains(&packets), "{packets}: each is more than 28 bytes on the network");
    }
}

#[test]
fn r9_messages_relayed_by_the_application_count_against_the_budget() {
    let budget = RelayBudget { messages_per_second: 10, bytes_per_second: 1_000_000 };
    let config = ServerConfig { relay_budget: budget, ..relaying(&[]) };
    let mut harness = Harness::connected(config, &[V21, V20, V21]);
    let word = message(MessageSendMode::Unreliable, 11);
    let allowed = (0..30).filter(|_| harness.server.relay(&word, ClientId(1))).count();
    let sent = harness.sent();
    assert_eq!((allowed, sent.len(), harness.server.relay_dropped()), (10, 20, 20));
    assert!(sent.iter().all(|(to, _)| *to != 1), "{sent:?}");
    assert!(!harness.server.relay(&word, ClientId(9)), "there is no such client");
}

#[test]
fn a_client_without_an_echo_relays_nothing() {
    let mut harness = Harness::connected(relaying(&[11]), &[V21]);
    harness.receive(2, V21.connect).unwrap();
    harness.drain();
    harness.receive(2, V21.unreliable).unwrap();
    assert_eq!(harness.sent(), []);
    harness.server.send(&message(MessageSendMode::Unreliable, 11), ClientId(1)).unwrap();
    assert_eq!(harness.sent().len(), 1);
}

#[test]
fn a_message_before_the_echo_is_resent_and_relayed_after_it() {
    let mut harness = Harness::connected(relaying(&[10]), &[V21]);
    harness.receive(2, V21.connect).unwrap();
    harness.drain();
    harness.receive(2, V21.reliable).unwrap_err();
    assert_eq!(harness.sent(), [], "it is not acknowledged");
    harness.receive(2, V21.welcome_2).unwrap();
    harness.drain();
    harness.receive(2, V21.reliable).unwrap();
    assert_eq!(harness.sent().len(), 2, "the ack, and what the other one gets");
}
