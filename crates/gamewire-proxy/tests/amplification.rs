//! Bytes that a proxy and a replay send to an address that may be forged.
#![cfg(feature = "teeworlds")]
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test that overflows fails")]

use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine as _, Role};
use gamewire_proxy::Bridge as _;
use gamewire_proxy::replay::RecordedConversation;
use gamewire_proxy::replay::teeworlds::{TeeworldsRecording, TeeworldsReplay};
use gamewire_proxy::teeworlds::{InfoLimit, TeeworldsBridge, TeeworldsConfig};
use gamewire_teeworlds::browse::MAX_SHORT_REPLY;
use gamewire_teeworlds::raw::link::{Link, LinkInput, LinkTokens, Scratch};
use gamewire_teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{Dialect, LinkConfig};

/// CONNECT and CONNECTACCEPT of plain 0.6, and a rejection.
const CONNECT: &[u8] = &[0x10, 0, 0, 1];
const ACCEPTED: &[u8] = &[0x10, 0, 0, 2];
const FULL: &[u8] = b"\x10\0\0\x04This server is full\0";

fn at(millis: u64) -> Instant {
    Instant::from_micros(millis * 1_000)
}

fn address(port: u16) -> SocketAddr {
    ([127, 0, 0, 1], port).into()
}

fn replay() -> TeeworldsReplay {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/teeworlds/captures/tw-0.6-ddnet-20.pcap");
    let capture = std::fs::read(file).unwrap();
    let recording = RecordedConversation::load(&capture, "teeworlds", None, TeeworldsRecording::new).unwrap();
    TeeworldsReplay::new(recording, [1; 32], at(0))
}

/// Returns the datagrams that a replay sends to an address within a minute.
fn sent(replay: &mut TeeworldsReplay, to: SocketAddr) -> Vec<Vec<u8>> {
    let (mut sent, mut buffer) = (Vec::new(), Vec::new());
    for second in 0..60 {
        let now = at(second * 1_000);
        replay.handle_timeout(now);
        while let Some(transmit) = replay.poll_transmit(now, &mut buffer) {
            if transmit.to == to {
                sent.push(buffer.clone());
            }
        }
        while replay.poll_event().is_some() {}
    }
    sent
}

#[test]
fn p1_a_replay_sends_an_unproven_viewer_no_more_than_its_request() {
    let mut replay = replay();
    replay.handle_datagram(at(0), address(1), CONNECT).unwrap();
    assert_eq!(sent(&mut replay, address(1)), [ACCEPTED]);
}

#[test]
fn p1_a_full_replay_rejects_an_unproven_viewer_without_a_reason() {
    let mut replay = replay();
    for viewer in 1..=64 {
        replay.handle_datagram(at(0), address(viewer), CONNECT).unwrap();
    }
    replay.handle_datagram(at(0), address(99), CONNECT).unwrap();
    assert_eq!(sent(&mut replay, address(99)), [[0x10, 0, 0, 4]]);
}

/// A bridge of a client of plain 0.6.
fn bridge(server_dialect: Option<Dialect>) -> TeeworldsBridge {
    let config = TeeworldsConfig { client: address(2), server: address(1), server_dialect, seed: [3; 32] };
    TeeworldsBridge::new(config, at(0))
}

/// Returns the datagrams of a bridge to one side.
fn polled(bridge: &mut TeeworldsBridge, now: Instant, to: Role) -> Vec<Vec<u8>> {
    let (mut polled, mut buffer) = (Vec::new(), Vec::new());
    while bridge.poll_transmit(now, to, &mut buffer) {
        polled.push(buffer.clone());
    }
    polled
}

#[test]
fn p1_a_bridge_sends_an_unproven_client_no_more_than_its_request() {
    let mut bridge = bridge(None);
    bridge.handle(at(0), Role::Client, CONNECT);
    bridge.handle(at(1), Role::Server, FULL);
    let mut to_client = polled(&mut bridge, at(1), Role::Client);
    for second in 1..60 {
        bridge.handle_timeout(at(second * 1_000));
        to_client.extend(polled(&mut bridge, at(second * 1_000), Role::Client));
    }
    assert_eq!(to_client, [ACCEPTED]);
    assert!(bridge.is_over(), "the connection has timed out");
}

#[test]
fn a_rejection_reaches_the_client_after_its_first_message() {
    let mut bridge = bridge(None);
    bridge.handle(at(0), Role::Client, CONNECT);
    bridge.handle(at(1), Role::Server, FULL);
    bridge.handle(at(2), Role::Client, &[0x10, 0, 0, 3]);
    assert_eq!(polled(&mut bridge, at(2), Role::Client), [ACCEPTED], "ACCEPT can be forged, too");
    let mut client = Link::new(LinkTokens::V06, address(3), LinkConfig::vanilla(Dialect::V06), at(2));
    client.send(true, b"\x03").unwrap();
    client.flush();
    let mut message = Vec::new();
    client.poll_transmit(&mut message).unwrap();
    bridge.handle(at(3), Role::Client, &message);
    let [close] = polled(&mut bridge, at(3), Role::Client).try_into().unwrap();
    assert!(close.ends_with(b"\x04This server is full\0"), "{}", close.escape_ascii());
    assert!(bridge.is_over());
}

#[test]
fn a_client_in_another_version_than_its_server_gets_the_option_that_helps() {
    let mut bridge = bridge(None);
    let config = ServerConfig::new([1; 32], "a server", Map::new("dm1", vec![7; 100]));
    let mut server = Server::new(config, WalkingGame::default(), at(0));
    let mut client = Link::new(LinkTokens::V06, address(3), LinkConfig::vanilla(Dialect::V06), at(0));
    bridge.handle(at(0), Role::Client, CONNECT);
    client.send(true, b"\x03").unwrap();
    client.flush();
    let (mut reasons, mut buffer, mut scratch) = (Vec::new(), Vec::new(), Scratch::new());
    client.poll_transmit(&mut buffer).unwrap();
    bridge.handle(at(0), Role::Client, &buffer);
    for turn in 0..1_500 {
        let now = at(turn * 10);
        server.handle_timeout(now);
        client.handle_timeout(now).unwrap();
        while client.poll_transmit(&mut buffer).is_some() {
            bridge.handle(now, Role::Client, &buffer);
        }
        bridge.handle_timeout(now);
        for datagram in polled(&mut bridge, now, Role::Server) {
            // A server of 0.7 drops what it does not know.
            let is_07 = datagram.first().is_some_and(|flags| flags & 0x34 == 0x04 || *flags == 0x21);
            if is_07 {
                let _ = server.handle_datagram(now, address(2), &datagram);
            }
        }
        while server.poll_transmit(now, &mut buffer).is_some() {
            bridge.handle(now, Role::Server, &buffer);
        }
        for datagram in polled(&mut bridge, now, Role::Client) {
            if let Ok(LinkInput::Close { reason }) = client.receive(now, &datagram, &mut scratch) {
                reasons.extend(reason.map(|reason| reason.to_string()));
            }
        }
    }
    assert!(bridge.is_over());
    assert_eq!(reasons, ["no answer in 0.6, but in 0.7: the proxy needs --to-dialect 0.7"]);
}

#[test]
fn p1_a_bridge_answers_server_info_requests_of_unproven_clients_briefly() {
    let requests =
        [[&[0xff; 10][..], b"gie3\x05"].concat(), [b"xe\x12\x34\0\0", &[0xff; 4][..], b"gie3\x05"].concat()];
    for request in requests {
        let mut bridge = bridge(Some(Dialect::V07));
        let mut config = ServerConfig::new([1; 32], "a name ".repeat(9), Map::new("dm1", vec![7; 100]));
        config.game_type = "a game type".into();
        let mut server = Server::new(config, WalkingGame::default(), at(0));
        let (mut to_client, mut buffer) = (Vec::new(), Vec::new());
        bridge.handle(at(0), Role::Client, &request);
        for turn in 0..20 {
            let now = at(turn * 10);
            bridge.handle_timeout(now);
            for datagram in polled(&mut bridge, now, Role::Server) {
                let _ = server.handle_datagram(now, address(2), &datagram);
            }
            while server.poll_transmit(now, &mut buffer).is_some() {
                bridge.handle(now, Role::Server, &buffer);
            }
            to_client.extend(polled(&mut bridge, now, Role::Client));
        }
        let [answer] = to_client.try_into().unwrap();
        assert!((40..=MAX_SHORT_REPLY).contains(&answer.len()), "{}", answer.escape_ascii());
    }
}

#[test]
fn p1_bridges_of_one_proxy_share_the_limit_of_server_info_requests() {
    let limit = InfoLimit::new([4; 32]);
    let asks = |client: SocketAddr, dialect: Dialect| {
        let request = [&[0xff; 10][..], b"gie3\x05"].concat();
        let config =
            TeeworldsConfig { client, server: address(1), server_dialect: Some(dialect), seed: [3; 32] };
        let mut bridge = TeeworldsBridge::new(config, at(0)).with_info_limit(limit.clone());
        bridge.handle(at(0), Role::Client, &request);
        !polled(&mut bridge, at(0), Role::Server).is_empty()
    };
    let asked = (1_000..1_050).filter(|port| asks(address(*port), Dialect::V06)).count();
    assert_eq!(asked, 20, "of 50 ports of an address");
    assert!(!asks(([127, 0, 0, 200], 7).into(), Dialect::V06), "the same prefix");
    assert!(asks(([127, 0, 1, 1], 7).into(), Dialect::V06), "another prefix");
}
