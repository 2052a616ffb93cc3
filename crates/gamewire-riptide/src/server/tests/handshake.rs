//! How clients come in.

use gamewire_machine::Machine as _;

use super::support::{Bench, V20, V21, WIRES, data, host};
use crate::server::ServerConfig;
use crate::{ClientId, ConnectionId, Endpoint, SendError};

fn deciding(max_client_count: u16) -> ServerConfig {
    ServerConfig { handle_connection: true, ..ServerConfig::new(max_client_count) }
}

#[test]
fn a_client_of_either_format_is_welcomed_and_there_when_it_says_so() {
    for wire in WIRES {
        let mut bench = Bench::new(4);
        bench.hear(1, wire.connect).unwrap();
        assert_eq!(bench.sent(), [(1, wire.welcome.into())]);
        assert_eq!((bench.server.client_count(), bench.server.half_open_count()), (0, 1));
        assert_eq!(bench.told(), [""; 0]);

        bench.hear(1, wire.welcome).unwrap();
        assert_eq!(bench.sent(), [(1, wire.ack.into())]);
        assert_eq!(bench.told(), [format!("1 came with {}", wire.format)]);
        assert_eq!((bench.server.client_count(), bench.server.half_open_count()), (1, 0));
        bench.hear(1, wire.ack).unwrap();
        bench.hear(1, wire.heartbeat).unwrap();
        assert_eq!(bench.sent(), [(1, wire.reply.into())]);

        let client = bench.server.client(ClientId(1)).unwrap();
        assert_eq!((client.format(), client.address()), (wire.format, Some(host(1))));
        assert_eq!(client.endpoint(), Endpoint::Udp(host(1)));
        assert!(client.is_connected() && client.unacked() == 0 && client.rtt().is_none());
    }
}

#[test]
fn both_formats_come_to_one_server_and_are_told_of_each_other() {
    let mut bench = Bench::new(4);
    bench.connect(1, &V20);
    bench.settle();
    bench.hear(2, V21.connect).unwrap();
    assert_eq!(bench.sent(), [(2, V21.welcome_2.into())]);
    bench.hear(2, V21.welcome_2).unwrap();
    // What the other one is told, then the ack: what is reliable goes first.
    assert_eq!(bench.sent(), [(1, V20.came.into()), (2, V21.ack.into())]);
    let ids: Vec<_> = bench.server.clients().map(|client| (client.id().0, client.format())).collect();
    assert_eq!(ids, [(1, V20.format), (2, V21.format)]);
}

#[test]
fn a_welcome_comes_again_until_it_is_answered_but_not_for_ever() {
    for wire in WIRES {
        let mut bench = Bench::new(4);
        bench.hear(1, wire.connect).unwrap();
        let welcomes = bench.wait(900);
        assert_eq!(welcomes, vec![(1, wire.welcome.into()); 3], "three by themselves");
        bench.hear(1, wire.connect).unwrap();
        assert_eq!(bench.wait(900), [(1, wire.welcome.into())], "one more when it is asked again");
        assert_eq!(bench.wait(10_000), []);
        assert_eq!(bench.told(), ["1 failed: timed out waiting for packets of the peer"]);
        assert_eq!(bench.server.half_open_count(), 0);

        bench.hear(1, wire.connect).unwrap();
        assert_eq!(bench.sent().len(), 1, "it may begin anew");
    }
}

#[test]
fn ids_are_given_in_turn_and_those_that_are_free_again_last() {
    let mut bench = Bench::new(3);
    bench.connect(1, &V21);
    bench.connect(2, &V20);
    bench.hear(1, V21.leave).unwrap();
    bench.connect(3, &V21);
    bench.connect(4, &V20);
    let ids = |bench: &Bench| {
        bench
            .server
            .clients()
            .map(|client| (client.id().0, client.address().unwrap().port()))
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&bench), [(1, 1004), (2, 1002), (3, 1003)]);
}

#[test]
fn a_full_server_refuses() {
    for wire in WIRES {
        let mut bench = Bench::connected(ServerConfig::new(1), &[wire]);
        bench.hear(2, wire.connect).unwrap();
        assert_eq!(bench.sent(), vec![(2, wire.full.into()); wire.refusals]);
        assert_eq!(bench.told(), [""; 0]);
        assert_eq!(bench.server.half_open_count(), 0);
    }
}

#[test]
fn what_is_half_open_takes_a_place_too() {
    let mut bench = Bench::new(1);
    bench.hear(1, V21.connect).unwrap();
    bench.settle();
    bench.hear(2, V21.connect).unwrap();
    assert_eq!(bench.sent(), vec![(2, V21.full.into()); 3]);
}

#[test]
fn the_application_accepts_whom_it_was_told_of() {
    for wire in WIRES {
        let mut bench = Bench::with(deciding(4));
        bench.hear(1, wire.connect_with_data).unwrap();
        assert_eq!(bench.sent(), [(1, wire.pending.into())]);
        let told = format!("1 of {} asks from udp 192.0.2.1:1001: 010203", wire.format);
        assert_eq!(bench.told(), [told]);
        // Asked again it says again that it is pending, and the application is not bothered.
        bench.hear(1, wire.connect_with_data).unwrap();
        assert_eq!(bench.sent(), [(1, wire.pending.into())]);
        bench.wait(3_000);
        assert_eq!(bench.told(), [""; 0]);

        assert_eq!(bench.server.accept(ConnectionId(1)), Some(ClientId(1)));
        assert_eq!(bench.server.accept(ConnectionId(1)), None, "only once");
        assert_eq!(bench.sent(), [(1, wire.welcome.into())]);
        bench.hear(1, wire.welcome).unwrap();
        assert_eq!(bench.told(), [format!("1 came with {}", wire.format)]);
    }
}

#[test]
fn the_application_rejects_with_or_without_a_word() {
    for wire in WIRES {
        for (said, expected) in [(None, wire.reject), (Some(data(7)), wire.reject_with_data)] {
            let mut bench = Bench::with(deciding(4));
            bench.hear(1, wire.connect).unwrap();
            bench.settle();
            bench.server.reject(ConnectionId(1), said.as_ref()).unwrap();
            assert_eq!(bench.sent(), vec![(1, expected.into()); wire.refusals]);
            assert_eq!(bench.told(), ["1 failed: the server rejected the client"]);
            assert_eq!(bench.server.reject(ConnectionId(1), None), Err(SendError::NotConnected));

            // It may ask again, and is another one then.
            bench.hear(1, wire.connect).unwrap();
            assert_eq!(bench.requested(), Some(ConnectionId(2)));
        }
    }
}

#[test]
fn data_that_fit_no_packet_do_not_reject() {
    let mut bench = Bench::with(deciding(4));
    bench.hear(1, V21.connect).unwrap();
    bench.settle();
    let mut large = data(7);
    large.add_bytes(&[0; 2_000]);
    assert!(bench.server.reject(ConnectionId(1), Some(&large)).is_err());
    assert_eq!(bench.sent(), []);
    assert_eq!(bench.server.accept(ConnectionId(1)), Some(ClientId(1)), "it waits still");
}

#[test]
fn whom_the_application_leaves_waiting_gives_up_or_is_given_up() {
    let mut bench = Bench::with(deciding(4));
    bench.hear(1, V21.connect).unwrap();
    bench.hear(2, V20.connect).unwrap();
    bench.settle();
    bench.wait(4_000);
    bench.hear(2, V20.leave).unwrap();
    assert_eq!(bench.told(), ["2 failed: disconnected"]);
    bench.wait(5_000);
    assert_eq!(bench.told(), [""; 0]);
    bench.wait(2_001);
    assert_eq!(bench.told(), ["1 failed: timed out waiting for packets of the peer"]);
    assert_eq!(bench.server.accept(ConnectionId(1)), None);
}

#[test]
fn a_server_that_filled_up_meanwhile_refuses_whom_its_application_accepts() {
    let mut bench = Bench::with(deciding(1));
    bench.hear(1, V21.connect).unwrap();
    bench.hear(2, V21.connect).unwrap();
    bench.settle();
    assert_eq!(bench.server.accept(ConnectionId(2)), Some(ClientId(1)));
    assert_eq!(bench.server.accept(ConnectionId(1)), None);
    let sent = bench.sent();
    assert_eq!(sent.iter().filter(|(to, packet)| *to == 1 && packet == V21.full).count(), 3, "{sent:?}");
    assert_eq!(bench.told(), ["1 failed: the server rejected the client"]);
}

#[test]
fn a_format_that_is_not_spoken_is_not_answered() {
    let config = ServerConfig { formats: &[crate::Format::V21], ..ServerConfig::new(4) };
    let mut bench = Bench::with(config);
    assert_eq!(bench.hear(1, V20.connect), Err(crate::server::ServerPacketError::Format(crate::Format::V20)));
    bench.hear(1, V21.connect).unwrap();
    bench.settle();
    bench.open(7);
    bench.pour(7, &V20.frame(V20.connect));
    assert_eq!(bench.poured(), [(7, "closed".into())]);
}

#[test]
fn a_late_copy_of_the_question_changes_nothing() {
    for wire in WIRES {
        let mut bench = Bench::connected(ServerConfig::new(4), &[wire]);
        bench.hear(1, wire.connect).unwrap();
        bench.hear(1, wire.welcome).unwrap();
        assert_eq!(bench.sent(), [(1, wire.ack.into())], "duplicates are acknowledged");
        assert_eq!(bench.told(), [""; 0]);
    }
}

#[test]
fn data_come_up_to_the_largest_packet() {
    let mut bench = Bench::with(deciding(4));
    let mut largest = vec![0x02];
    largest.resize(1_231, 0);
    bench.server.handle_datagram(bench.now, host(1), &largest).unwrap();
    assert!(bench.requested().is_some());
    largest.push(0);
    assert!(bench.server.handle_datagram(bench.now, host(2), &largest).is_err());
}
