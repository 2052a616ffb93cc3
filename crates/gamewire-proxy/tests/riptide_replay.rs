//! Recorded connections of the Python port of Riptide, replayed in memory and virtual time.
#![cfg(feature = "riptide")]
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test that overflows fails")]

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Machine, Role, Transport};
use gamewire_proxy::replay::riptide::{RecordingError, RiptideRecording, RiptideReplay, RiptideReplayPlayer};
use gamewire_proxy::replay::{PlayerEvent, RecordedConversation, ReplayMachine, ViewerEvent};
use gamewire_riptide::client::{self, Client, ClientConfig};
use gamewire_riptide::server::{self, Server, ServerConfig};
use gamewire_riptide::{ClientId, Format, Message, MessageSendMode};

const STEP: Duration = Duration::from_millis(5);
const CAPTURES: [&str; 2] = ["pytide-2.1.0a0-udp.pcapng", "pytide-2.1.0a0-tcp.pcapng"];

fn conversation(name: &str) -> RecordedConversation {
    let path = format!("{}/../../vectors/riptide/captures/{name}", env!("CARGO_MANIFEST_DIR"));
    RecordedConversation::load_all(&std::fs::read(path).unwrap(), "riptide").unwrap().remove(0)
}

fn recording(name: &str) -> RiptideRecording {
    RiptideRecording::new(&conversation(name)).unwrap()
}

fn address(port: u16) -> SocketAddr {
    ([127, 0, 0, 1], port).into()
}

/// Passes datagrams between a server and a client for `time`.
fn run(
    now: &mut Instant,
    time: Duration,
    server: &mut impl Machine,
    client: &mut impl Machine,
    client_port: u16,
) {
    let end = *now + time;
    let mut buffer = Vec::new();
    while *now < end {
        *now = *now + STEP;
        server.handle_timeout(*now);
        client.handle_timeout(*now);
        for _ in 0..4 {
            while client.poll_transmit(*now, &mut buffer).is_some() {
                let _ = server.handle_datagram(*now, address(client_port), &buffer);
            }
            while let Some(transmit) = server.poll_transmit(*now, &mut buffer) {
                if transmit.to == address(client_port) {
                    let _ = client.handle_datagram(*now, address(1), &buffer);
                }
            }
        }
    }
}

fn text(message: &mut Message) -> String {
    let value = message.get_int().unwrap();
    format!("{} {} {value}", message.mode(), message.id().unwrap())
}

/// Returns the messages of the first client in both captures.
fn sent() -> Vec<String> {
    let one = |value: i32| {
        [
            format!("{} 10 {}", MessageSendMode::Reliable, 1000 + value),
            format!("{} 11 {}", MessageSendMode::Unreliable, 2000 + value),
        ]
    };
    (0..6).flat_map(one).collect()
}

#[test]
fn a_client_sees_what_the_recorded_server_sent() {
    for name in CAPTURES {
        let recording = recording(name);
        assert_eq!((recording.format(), recording.messages(Role::Server)), (Format::V21, 12), "{name}");
        let mut now = Instant::ZERO;
        let mut replay = RiptideReplay::new(recording.clone(), now);
        let mut client = Client::connect(&ClientConfig::new(Format::V21), address(1), now).unwrap();
        run(&mut now, Duration::from_secs(1), &mut replay, &mut client, 2);
        let early = std::iter::from_fn(|| client.poll_event()).count();
        assert!((2..14).contains(&early), "{early} events of {name} after a second");
        replay.playback_mut().set_paused(true);
        run(&mut now, Duration::from_secs(3), &mut replay, &mut client, 2);
        assert_eq!(client.poll_event().map(|event| format!("{event:?}")), None, "{name} is paused");
        replay.playback_mut().set_paused(false);
        replay.playback_mut().set_speed(10.0);
        run(&mut now, Duration::from_secs(3), &mut replay, &mut client, 2);
        let events: Vec<_> = std::iter::from_fn(|| client.poll_event()).collect();
        let other = |event: &client::Event| {
            matches!(event, client::Event::ClientConnected { id } | client::Event::ClientDisconnected { id }
                if *id == ClientId(2))
        };
        assert_eq!(events.iter().filter(|event| other(event)).count(), 2, "{events:?}");
        assert!(matches!(events.last(), Some(client::Event::Disconnected { .. })), "{events:?}");
        let events: Vec<_> = std::iter::from_fn(|| replay.poll_event()).collect();
        assert!(matches!(
            events[..],
            [
                ViewerEvent::Connected { viewer: 1, .. },
                ViewerEvent::Finished { .. },
                ViewerEvent::Closed { .. }
            ]
        ));
    }
}

#[test]
fn every_message_arrives_once_and_in_order() {
    for name in CAPTURES {
        let mut now = Instant::ZERO;
        let mut replay = RiptideReplay::new(recording(name), now);
        replay.playback_mut().set_speed(1_000.0);
        let mut client = Client::connect(&ClientConfig::new(Format::V21), address(1), now).unwrap();
        run(&mut now, Duration::from_millis(500), &mut replay, &mut client, 2);
        let mut received = Vec::new();
        while let Some(event) = client.poll_event() {
            if let client::Event::MessageReceived { mut message } = event {
                received.push(text(&mut message));
            }
        }
        assert_eq!(received, sent(), "the server of {name} sends back what it receives");
    }
}

#[test]
fn two_viewers_have_different_ids() {
    let mut now = Instant::ZERO;
    let mut replay = RiptideReplay::new(recording(CAPTURES[0]), now);
    replay.playback_mut().set_paused(true);
    let mut clients =
        [2, 3].map(|_| Client::connect(&ClientConfig::new(Format::V21), address(1), now).unwrap());
    let ids = clients.iter_mut().zip([2, 3]).map(|(client, port)| {
        run(&mut now, Duration::from_millis(50), &mut replay, client, port);
        client.id().unwrap()
    });
    assert_eq!(ids.collect::<Vec<_>>(), [ClientId(1), ClientId(2)]);
}

#[test]
fn a_client_of_the_other_format_is_rejected() {
    let mut now = Instant::ZERO;
    let mut replay = RiptideReplay::new(recording(CAPTURES[0]), now);
    let mut client = Client::connect(&ClientConfig::new(Format::V20), address(1), now).unwrap();
    run(&mut now, Duration::from_secs(1), &mut replay, &mut client, 2);
    assert!(matches!(client.poll_event(), Some(client::Event::ConnectionFailed { .. })));
    assert_eq!(replay.poll_event(), None);
}

#[test]
fn a_server_gets_what_the_recorded_client_sent() {
    for name in CAPTURES {
        let mut now = Instant::ZERO;
        let config = ServerConfig { handle_connection: true, ..ServerConfig::new(10) };
        let mut server = Server::new(config, now);
        let mut player =
            RiptideReplayPlayer::connect(recording(name), Transport::Udp, address(1), now).unwrap();
        player.playback_mut().set_speed(4.0);
        run(&mut now, Duration::from_millis(50), &mut server, &mut player, 2);
        let Some(server::Event::ConnectionRequested { connection, mut data, .. }) = server.poll_event()
        else {
            panic!("no request in {name}");
        };
        assert_eq!(data.get_string(), Ok("first".into()));
        server.accept(connection).unwrap();
        run(&mut now, Duration::from_secs(4), &mut server, &mut player, 2);
        let mut received = Vec::new();
        while let Some(event) = server.poll_event() {
            if let server::Event::MessageReceived { mut message, .. } = event {
                received.push(text(&mut message));
            }
        }
        assert_eq!(received, sent(), "{name}");
        let events: Vec<_> = std::iter::from_fn(|| player.poll_event()).collect();
        assert!(matches!(
            events[..],
            [PlayerEvent::Connected { .. }, PlayerEvent::Finished, PlayerEvent::Closed { .. }]
        ));
    }
}

#[test]
fn a_recording_without_its_beginning_is_an_error() {
    let mut conversation = conversation(CAPTURES[0]);
    conversation.packets.drain(..2);
    assert_eq!(RiptideRecording::new(&conversation).unwrap_err(), RecordingError::NoConnection);
}
