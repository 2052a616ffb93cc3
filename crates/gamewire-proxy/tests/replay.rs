//! Recorded games of Teeworlds, replayed in memory and virtual time.
#![cfg(feature = "teeworlds")]
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test that overflows fails")]

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Machine, Role};
use gamewire_proxy::replay::teeworlds::{
    RecordingError, TeeworldsRecording, TeeworldsReplay, TeeworldsReplayPlayer,
};
use gamewire_proxy::replay::{LoadError, PlayerEvent, RecordedConversation, ReplayMachine, ViewerEvent};
use gamewire_teeworlds::client::{self, Client, ClientConfig};
use gamewire_teeworlds::server::{self, Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{CloseReason, Dialect};

const STEP: Duration = Duration::from_millis(5);

fn capture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../vectors/teeworlds/captures/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn recording(name: &str) -> TeeworldsRecording {
    RecordedConversation::load(&capture(name), "teeworlds", None, TeeworldsRecording::new).unwrap()
}

fn address(port: u16) -> SocketAddr {
    ([127, 0, 0, 1], port).into()
}

/// Passes datagrams between two machines until neither has any to send.
fn exchange(
    now: Instant,
    one: &mut impl Machine,
    at_one: SocketAddr,
    two: &mut impl Machine,
    at_two: SocketAddr,
) {
    let mut buffer = Vec::new();
    loop {
        let mut is_idle = true;
        while one.poll_transmit(now, &mut buffer).is_some() {
            let _ = two.handle_datagram(now, at_one, &buffer);
            is_idle = false;
        }
        while two.poll_transmit(now, &mut buffer).is_some() {
            let _ = one.handle_datagram(now, at_two, &buffer);
            is_idle = false;
        }
        if is_idle {
            return;
        }
    }
}

/// Runs a replay and a client for `time`, and returns the client's events.
fn watch(
    replay: &mut TeeworldsReplay,
    client: &mut Client,
    now: &mut Instant,
    time: Duration,
) -> Vec<client::Event> {
    let (end, mut events) = (*now + time, Vec::new());
    while *now < end {
        *now = *now + STEP;
        replay.handle_timeout(*now);
        client.handle_timeout(*now);
        exchange(*now, replay, address(1), client, address(2));
        events.extend(std::iter::from_fn(|| client.poll_event()));
    }
    events
}

#[test]
fn a_client_of_each_version_sees_a_recorded_game_to_its_end() {
    for (name, dialect, line) in [
        ("tw-0.7-two-clients.pcap", Dialect::V07, None),
        ("tw-0.7-ddnet-20.pcap", Dialect::V07, Some("hello")),
        ("tw-0.6.5-tokens.pcap", Dialect::V065, Some("hello from 0.6.5")),
        ("tw-0.6-ddnet-tken.pcap", Dialect::Tken, None),
        ("tw-0.6-ddnet-20.pcap", Dialect::V06, None),
    ] {
        let recording = recording(name);
        let length = recording.duration();
        let (mut now, config) = (Instant::ZERO, ClientConfig::new(dialect, "viewer", [3; 32]));
        let mut replay = TeeworldsReplay::new(recording, [1; 32], now);
        let mut client = Client::connect(address(1), config, now);
        replay.playback_mut().set_speed(4.0);
        let events = watch(&mut replay, &mut client, &mut now, length / 4 + Duration::from_secs(2));
        let count = events.iter().filter(|event| matches!(event, client::Event::Snapshot { .. })).count();
        assert!(count > 20, "{name}: {count}");
        let is_line = |event: &client::Event| matches!(event, client::Event::Chat { text, .. } if Some(text.to_string().as_str()) == line);
        assert!(line.is_none() || events.iter().any(is_line), "{name}");
        let over = CloseReason::PeerClosed { reason: "The recording is over".into() };
        assert_eq!(events.last(), Some(&client::Event::Closed(over)), "{name}");
        let stats = client.stats();
        assert_eq!((stats.snapshots.bad, stats.undecodable), (0, 0), "{name}");
        let events: Vec<_> = std::iter::from_fn(|| replay.poll_event()).collect();
        assert!(events.contains(&ViewerEvent::Finished { viewer: 1 }), "{name}: {events:?}");
    }
}

#[test]
fn a_replay_ends_after_the_viewer_has_acknowledged_the_last_messages() {
    let (mut now, config) = (Instant::ZERO, ClientConfig::new(Dialect::V065, "viewer", [3; 32]));
    let mut replay = TeeworldsReplay::new(recording("tw-0.6.5-tokens.pcap"), [1; 32], now);
    let mut client = Client::connect(address(1), config, now);
    replay.playback_mut().set_speed(8.0);
    while client.state() != "playing" {
        watch(&mut replay, &mut client, &mut now, STEP);
    }
    // The viewer's datagrams are lost, until three seconds after the last message was sent.
    let (mut finished_at, mut buffer) = (None, Vec::new());
    while finished_at.is_none_or(|at| now < at + Duration::from_secs(3)) {
        now = now + STEP;
        replay.handle_timeout(now);
        client.handle_timeout(now);
        while client.poll_transmit(now, &mut buffer).is_some() {}
        while replay.poll_transmit(now, &mut buffer).is_some() {
            let _ = client.handle_datagram(now, address(1), &buffer);
        }
        while let Some(event) = replay.poll_event() {
            assert!(!matches!(event, ViewerEvent::Closed { .. }), "{event:?}");
            if event == (ViewerEvent::Finished { viewer: 1 }) {
                finished_at = Some(now);
            }
        }
    }
    let events = watch(&mut replay, &mut client, &mut now, Duration::from_secs(3));
    let over = CloseReason::PeerClosed { reason: "The recording is over".into() };
    assert_eq!(events.last(), Some(&client::Event::Closed(over)));
}

#[test]
fn a_paused_replay_stands_still_and_goes_on_in_steps() {
    let (mut now, config) = (Instant::ZERO, ClientConfig::new(Dialect::V07, "viewer", [3; 32]));
    let mut replay = TeeworldsReplay::new(recording("tw-0.7-two-clients.pcap"), [1; 32], now);
    let mut client = Client::connect(address(1), config, now);
    watch(&mut replay, &mut client, &mut now, Duration::from_secs(2));
    let tick = |events: Vec<client::Event>| {
        events.into_iter().rev().find_map(|event| match event {
            client::Event::Snapshot { tick } => Some(tick),
            _ => None,
        })
    };
    replay.playback_mut().set_paused(true);
    watch(&mut replay, &mut client, &mut now, Duration::from_secs(1));
    assert_eq!(tick(watch(&mut replay, &mut client, &mut now, Duration::from_secs(5))), None);
    replay.playback_mut().step(Duration::from_secs(1));
    let stepped = tick(watch(&mut replay, &mut client, &mut now, Duration::from_secs(1))).unwrap();
    replay.playback_mut().set_paused(false);
    let later = tick(watch(&mut replay, &mut client, &mut now, Duration::from_secs(1))).unwrap();
    assert!((45..=55).contains(&(later - stepped)), "{stepped} {later}");
}

#[test]
fn a_server_gets_what_the_recorded_client_sent() {
    let mut now = Instant::ZERO;
    let config = ServerConfig::new([1; 32], "a server", Map::new("dm1", vec![7; 10_000]));
    let mut server = Server::new(config, WalkingGame::default(), now);
    let recording = recording("tw-0.6.5-tokens.pcap");
    let end = recording.duration() + Duration::from_secs(3);
    let mut player = TeeworldsReplayPlayer::connect(recording, address(1), None, [2; 32], now);
    let (mut seen, mut sent) = (Vec::new(), Vec::new());
    while now < Instant::ZERO + end {
        now = now + STEP;
        server.handle_timeout(now);
        player.handle_timeout(now);
        exchange(now, &mut server, address(1), &mut player, address(2));
        seen.extend(std::iter::from_fn(|| server.poll_event()));
        sent.extend(std::iter::from_fn(|| player.poll_event()));
    }
    let is_line = |event: &server::Event| matches!(event, server::Event::Chat { text, .. } if text.as_bytes() == b"hello from 0.6.5");
    assert!(seen.iter().any(is_line), "{seen:?}");
    assert!(sent.contains(&PlayerEvent::Entered) && sent.contains(&PlayerEvent::Finished), "{sent:?}");
    assert_eq!(server.undecodable(), 0);
}

#[test]
fn a_viewer_without_the_map_is_told_and_leaves() {
    let (mut now, mut config) = (Instant::ZERO, ClientConfig::new(Dialect::V07, "viewer", [3; 32]));
    config.maps = client::MapPolicy::Ask;
    let mut replay = TeeworldsReplay::new(recording("tw-0.7-two-clients.pcap"), [1; 32], now);
    let mut client = Client::connect(address(1), config, now);
    watch(&mut replay, &mut client, &mut now, Duration::from_millis(100));
    client.download_map().unwrap();
    let events = watch(&mut replay, &mut client, &mut now, Duration::from_secs(1));
    let reason = "The recording has no map: install it, or name its file".into();
    assert_eq!(events.last(), Some(&client::Event::Closed(CloseReason::PeerClosed { reason })));
    let events: Vec<_> = std::iter::from_fn(|| replay.poll_event()).collect();
    assert!(matches!(events.last(), Some(ViewerEvent::Closed { viewer: 1, .. })), "{events:?}");
}

/// Returns a pcap file of datagrams between a server and clients with these ports.
fn pcap(datagrams: &[(u16, Role, &[u8])]) -> Vec<u8> {
    let mut file = [0xa1b2_c3d4, 0x0002_0004, 0, 0, 65_535, 101].map(u32::to_be_bytes).concat();
    for (number, (client, sender, bytes)) in datagrams.iter().enumerate() {
        let ports = if *sender == Role::Client { [*client, 8303] } else { [8303, *client] };
        let (udp, ip) = (bytes.len() as u16 + 8, bytes.len() as u32 + 28);
        file.extend([0, number as u32 * 1_000, ip, ip].map(u32::to_be_bytes).concat());
        file.extend(
            [0x4500, ip as u16, 0, 0, 0x4011, 0, 0x7f00, 1, 0x7f00, 1].map(u16::to_be_bytes).concat(),
        );
        file.extend([ports[0], ports[1], udp, 0].map(u16::to_be_bytes).concat());
        file.extend(*bytes);
    }
    file
}

#[test]
fn the_first_conversation_with_a_login_is_replayed() {
    let (client, server) = (Role::Client, Role::Server);
    let question = b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffgie3\x05".as_slice();
    let refused = [(2, client, b"\x10\0\0\x01".as_slice()), (2, server, b"\x10\0\0\x04full\0")];
    let capture = capture("tw-0.6-ddnet-20.pcap");
    let login = RecordedConversation::load_all(&capture, "teeworlds").unwrap().remove(0);
    let mut datagrams = vec![(1, client, question)];
    datagrams.extend(refused);
    let load = |datagrams: &[_], number| {
        RecordedConversation::load(&pcap(datagrams), "teeworlds", number, TeeworldsRecording::new)
    };
    let error = load(&datagrams, None).unwrap_err().to_string();
    let reason = "the conversation does not begin with a player who joins; record it from the start";
    assert_eq!(error, format!("conversation 1: {reason}; conversation 2: {reason}"));

    // The client that was refused tries again on the same socket.
    datagrams.extend(login.packets.iter().map(|packet| (2, packet.sender, packet.bytes.as_slice())));
    let whole = recording("tw-0.6-ddnet-20.pcap");
    for number in [None, Some(2)] {
        let found = load(&datagrams, number).unwrap();
        assert_eq!((found.map_name(), found.messages()), (whole.map_name(), whole.messages()));
    }
    let error = load(&datagrams, Some(1)).unwrap_err().to_string();
    assert_eq!(error, format!("conversation 1: {reason}; use conversation 2"));
}

#[test]
fn what_cannot_be_replayed_is_said() {
    let capture = capture("tw-0.7-two-clients.pcap");
    let load =
        |number| RecordedConversation::load(&capture, "teeworlds", number, TeeworldsRecording::new).map(drop);
    let other = LoadError::Other { number: 99, protocol: "teeworlds", usable: vec![1, 2] };
    assert_eq!(load(Some(99)), Err(other));
    let all = |capture: &[u8], protocol| RecordedConversation::load_all(capture, protocol);
    assert_eq!(all(&capture, "freeciv").unwrap_err(), LoadError::Missing("freeciv"));
    assert!(matches!(all(b"nonsense", "teeworlds"), Err(LoadError::Capture(_))));
    let mut cut = all(&capture, "teeworlds").unwrap().remove(0);
    cut.packets.drain(..40);
    assert_eq!(TeeworldsRecording::new(&cut).unwrap_err(), RecordingError::Login);
}

#[test]
fn p1_floods_and_noise_at_a_replay_are_bounded() {
    let (mut now, config) = (Instant::ZERO, ClientConfig::new(Dialect::V07, "viewer", [3; 32]));
    let mut replay = TeeworldsReplay::new(recording("tw-0.7-two-clients.pcap"), [1; 32], now);
    let mut client = Client::connect(address(1), config, now);
    watch(&mut replay, &mut client, &mut now, Duration::from_secs(1));
    let mut random = gamewire_sim::random::Random::new(1);
    let mut answered = 0_usize;
    let mut buffer = Vec::new();
    for number in 0..20_000_u16 {
        let noise = random.number().to_be_bytes().repeat(usize::from(number % 170));
        let from = if number % 2 == 0 { address(2) } else { address(number) };
        let _ = replay.handle_datagram(now, from, &noise);
        while replay.poll_transmit(now, &mut buffer).is_some() {
            answered += buffer.len();
        }
    }
    assert!(answered < 20_000, "{answered}");
    let events = watch(&mut replay, &mut client, &mut now, Duration::from_secs(2));
    assert!(events.iter().any(|event| matches!(event, client::Event::Snapshot { .. })));
}
