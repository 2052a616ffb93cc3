//! A program that stalls, such as a game that loads a scene: its packets wait in its socket.

use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::{Instant, Machine};
use gamewire_riptide::client::{self, Client, ClientConfig};
use gamewire_riptide::server::{self, Server, ServerConfig};
use gamewire_riptide::{
    ClientId, ConnectionLimit, ConnectionSettings, DisconnectReason, ExceededLimit, Format, Message,
    MessageSendMode,
};
use gamewire_sim::contract::{PEER, START, SUBJECT};

const ONE: ClientId = ClientId(1);
/// Time between two messages of each side.
const PAUSE: Duration = Duration::from_millis(100);
const STEP: Duration = Duration::from_millis(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Server,
    Client,
}

type Ending = (DisconnectReason, Option<ConnectionLimit>);

/// A server and a client, which send numbered messages to each other until one of them ends the connection.
struct Game {
    server: Server,
    client: Client,
    /// Datagrams that wait in the socket of each.
    to_server: VecDeque<Vec<u8>>,
    to_client: VecDeque<Vec<u8>>,
    now: Instant,
    sent: u32,
    at_server: Vec<u32>,
    at_client: Vec<u32>,
    server_end: Option<Ending>,
    client_end: Option<Ending>,
}

fn limit(exceeded: Option<ExceededLimit>) -> Option<ConnectionLimit> {
    exceeded.map(|exceeded| exceeded.limit)
}

fn number(mut message: Message) -> u32 {
    message.get_uint().unwrap()
}

impl Game {
    fn new(format: Format, settings: ConnectionSettings) -> Self {
        let config = ServerConfig { settings, ..ServerConfig::new(4) };
        let client = ClientConfig { settings, ..ClientConfig::new(format) };
        let mut game = Self {
            server: Server::new(config, START),
            client: Client::connect(&client, SUBJECT, START).unwrap(),
            to_server: VecDeque::new(),
            to_client: VecDeque::new(),
            now: START,
            sent: 0,
            at_server: Vec::new(),
            at_client: Vec::new(),
            server_end: None,
            client_end: None,
        };
        game.run(Duration::from_secs(3), None, false);
        game
    }

    /// Runs for a time in which one of the programs is frozen.
    fn run(&mut self, time: Duration, frozen: Option<Who>, sends: bool) {
        let end = self.now + time;
        while self.now < end {
            self.now = self.now + STEP;
            let is_time = self.now.since(START).as_micros().is_multiple_of(PAUSE.as_micros());
            if frozen != Some(Who::Server) {
                self.run_server(sends && is_time);
            }
            if frozen != Some(Who::Client) {
                self.run_client(sends && is_time);
            }
            self.sent += u32::from(sends && is_time);
        }
    }

    fn message(&self) -> Message {
        let mut message = Message::create(MessageSendMode::Reliable, 7_u16);
        message.add_uint(self.sent);
        message
    }

    /// Reads what waits, like a driver after a stall, and then fires the timers.
    fn run_server(&mut self, sends: bool) {
        while let Some(datagram) = self.to_server.pop_front() {
            self.server.handle_datagram(self.now, PEER, &datagram).ok();
        }
        self.server.handle_timeout(self.now);
        if sends {
            self.server.send(&self.message(), ONE).ok();
        }
        while let Some(event) = self.server.poll_event() {
            match event {
                server::Event::MessageReceived { message, .. } => self.at_server.push(number(message)),
                server::Event::ClientDisconnected { reason, exceeded, .. } => {
                    self.server_end = Some((reason, limit(exceeded)));
                }
                _ => {}
            }
        }
        let mut buffer = Vec::new();
        while self.server.poll_transmit(self.now, &mut buffer).is_some() {
            self.to_client.push_back(buffer.clone());
        }
    }

    fn run_client(&mut self, sends: bool) {
        while let Some(datagram) = self.to_client.pop_front() {
            self.client.handle_datagram(self.now, SUBJECT, &datagram).ok();
        }
        self.client.handle_timeout(self.now);
        if sends {
            self.client.send(&self.message()).ok();
        }
        while let Some(event) = self.client.poll_event() {
            match event {
                client::Event::MessageReceived { message } => self.at_client.push(number(message)),
                client::Event::Disconnected { reason, exceeded, .. } => {
                    self.client_end = Some((reason, limit(exceeded)));
                }
                _ => {}
            }
        }
        let mut buffer = Vec::new();
        while self.client.poll_transmit(self.now, &mut buffer).is_some() {
            self.to_server.push_back(buffer.clone());
        }
    }
}

/// Freezes one program for `stall` milliseconds in the middle of a game.
fn stalled(format: Format, who: Who, stall: u64, settings: ConnectionSettings) -> Game {
    let mut game = Game::new(format, settings);
    game.run(Duration::from_secs(2), None, true);
    game.run(Duration::from_millis(stall), Some(who), true);
    game.run(Duration::from_secs(3), None, true);
    game.run(Duration::from_secs(9), None, false);
    game
}

#[test]
fn a_stall_of_up_to_three_seconds_loses_nothing() {
    for format in Format::ALL {
        for who in [Who::Server, Who::Client] {
            for stall in [150, 1_000, 3_000] {
                let mut game = stalled(format, who, stall, ConnectionSettings::default());
                assert_eq!((game.server_end, game.client_end), (None, None), "{format} {who:?} {stall}");
                game.at_server.sort_unstable();
                game.at_client.sort_unstable();
                let all: Vec<u32> = (0..game.sent).collect();
                // The frozen program sends nothing.
                let (frozen, other) = match who {
                    Who::Server => (&game.at_client, &game.at_server),
                    Who::Client => (&game.at_server, &game.at_client),
                };
                assert_eq!(*other, all, "{format} {who:?} {stall}");
                let left_out = usize::try_from(stall / 100).unwrap();
                assert_eq!(frozen.len(), all.len() - left_out, "{format} {who:?} {stall}");
            }
        }
    }
}

#[test]
fn a_stall_of_six_and_a_half_seconds_is_a_timeout() {
    for format in Format::ALL {
        for who in [Who::Server, Who::Client] {
            let game = stalled(format, who, 6_500, ConnectionSettings::default());
            let ends = [game.server_end.unwrap(), game.client_end.unwrap()];
            assert!(
                ends.iter().all(|(reason, _)| *reason == DisconnectReason::TimedOut),
                "{format} {who:?}: {ends:?}"
            );
        }
    }
}

#[test]
fn with_the_rules_of_csharp_a_stall_of_a_second_ends_2_1_and_the_end_says_why() {
    let game = stalled(Format::V21, Who::Client, 1_000, ConnectionSettings::csharp());
    let (reason, limit) = game.server_end.unwrap();
    assert_eq!(reason, DisconnectReason::PoorConnection);
    assert!(matches!(limit, Some(ConnectionLimit::SendAttempts { attempts: 15, .. })), "{limit:?}");
}
