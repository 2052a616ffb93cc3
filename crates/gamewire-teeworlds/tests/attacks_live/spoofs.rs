//! T13: datagrams with a forged sender address cannot close or take over a connection.

use gamewire_teeworlds::CloseReason;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::{self, Client};
use gamewire_teeworlds::server;

use super::world::{WITH_TOKENS, first_datagram, strict};
use crate::support::{Play, client_config, host, server_address};

/// Returns CONNECT, CONNECTACCEPT, ACCEPT, CLOSE and TOKEN in all dialects, without a token or with a guessed one.
fn forgeries(guess: [u8; 4]) -> Vec<Vec<u8>> {
    let mut forgeries = Vec::new();
    for id in 0..=5 {
        forgeries.push(vec![0x10, 0, 0, id]);
        forgeries.push([&[0x10, 0, 0, id], b"TKEN".as_slice(), &guess].concat());
        forgeries.push([&[0x10, 0, 0, id], guess.as_slice()].concat());
        forgeries.push([&[0x10, 0, 0, id], b"bye\0".as_slice(), &guess].concat());
        forgeries.push([&[0x18, 0, 0], guess.as_slice(), &[id], &guess].concat());
        forgeries.push([&[4, 0, 0], guess.as_slice(), &[id], &guess].concat());
        forgeries.push([&[4, 0, 0, 0xff, 0xff, 0xff, 0xff, id], guess.as_slice(), &[0; 512]].concat());
    }
    forgeries
}

#[test]
fn t13_forged_control_messages_to_either_side_change_nothing() {
    for dialect in WITH_TOKENS {
        let mut play = Play::new(strict());
        let client = play.join(10, dialect);
        play.run(1_000);
        assert_eq!(play.network.machine(client).state(), "playing");
        let resent = play.network.machine(client).stats().link.resent;
        for number in 0..500_u32 {
            let guess = number.wrapping_mul(0x9e37_79b9).to_be_bytes();
            for forgery in forgeries(guess).iter().chain(&[first_datagram(dialect)]) {
                play.network.inject(host(10), server_address(), forgery);
                play.network.inject(server_address(), host(10), forgery);
            }
            play.run(5);
        }
        play.run(2_000);
        let ended = |event: &client::Event| matches!(event, client::Event::Closed(_));
        assert!(!play.network.events(client).iter().any(ended), "{dialect:?}");
        let (machine, server) = (play.network.machine(client), play.network.machine(play.server));
        assert_eq!((machine.state(), server.client_count()), ("playing", 1), "{dialect:?}");
        assert_eq!(machine.stats().link.resent, resent, "{dialect:?}");
        assert_eq!(play.network.events(play.server).len(), 2, "connected and entered, once");
    }
}

#[test]
fn t13_a_restarted_client_reconnects_with_its_token_and_the_old_connection_closes_once() {
    for dialect in [Dialect::Tken, Dialect::V07] {
        let mut play = Play::new(strict());
        play.join(10, dialect);
        play.run(1_000);
        let now = play.network.now();
        let anew = Client::connect(server_address(), client_config(99, dialect), now);
        let anew = play.network.add(host(10), anew);
        play.run(2_000);
        assert_eq!(play.network.machine(anew).state(), "playing", "{dialect:?}");
        let reported: Vec<_> = play
            .network
            .events(play.server)
            .iter()
            .filter_map(|event| match event {
                server::Event::Connected { .. } => Some("connected"),
                server::Event::Closed { reason: CloseReason::PeerClosed { .. }, .. } => Some("closed"),
                _ => None,
            })
            .collect();
        assert_eq!(reported, ["connected", "closed", "connected"], "{dialect:?}");
        assert_eq!(play.network.machine(play.server).client_count(), 1);
    }
}
