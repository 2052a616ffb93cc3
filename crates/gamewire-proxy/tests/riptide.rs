//! A Riptide client and a server with a bridge between them, in memory and virtual time.
#![cfg(feature = "riptide")]
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test that overflows fails")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use gamewire_machine::{Instant, Machine, Role, Transport};
use gamewire_proxy::riptide::{RiptideBridge, RiptideConfig};
use gamewire_proxy::{Action, Bridge, MessageHook, Unchanged};
use gamewire_riptide::client::{self, Client, ClientConfig};
use gamewire_riptide::layout::{MessageDefinition, MessageKind, MessageLayouts};
use gamewire_riptide::server::{self, Server, ServerConfig};
use gamewire_riptide::{ClientId, DisconnectReason, Format, Message, MessageSendMode, RejectReason};
use gamewire_sim::{Conditioner, Conditions};

const STEP: Duration = Duration::from_millis(5);

/// A client, a bridge and a server, and the links between them.
struct Chain {
    now: Instant,
    client: Client,
    bridge: RiptideBridge,
    server: Server,
    links: [Conditioner<()>; 4],
    client_events: Vec<client::Event>,
    server_events: Vec<server::Event>,
    /// For each connect request: true if its data was correct.
    asked: Vec<bool>,
}

fn address(port: u16) -> SocketAddr {
    ([127, 0, 0, 1], port).into()
}

impl Chain {
    fn new(
        format: Format,
        server_format: Option<Format>,
        conditions: Conditions,
        hook: impl MessageHook<Message> + 'static,
    ) -> Self {
        let door = ["id: byte", "is_open: bool", "is_locked: bool"];
        let door = MessageDefinition::new(MessageKind::Message(1), "door", door);
        let config = RiptideConfig {
            client: address(1),
            server: address(4),
            transport: Transport::Udp,
            server_format,
            layouts: Arc::new(MessageLayouts::new(&[], &[door]).unwrap()),
        };
        let mut data = Message::create_data();
        data.add_string("let me in");
        let client = ClientConfig { connect_data: Some(data), ..ClientConfig::new(format) };
        let formats: &[Format] = match server_format.unwrap_or(format) {
            Format::V20 => &[Format::V20],
            Format::V21 => &[Format::V21],
        };
        let server = ServerConfig { handle_connection: true, formats, ..ServerConfig::new(10) };
        Self {
            now: Instant::ZERO,
            client: Client::connect(&client, address(2), Instant::ZERO).unwrap(),
            bridge: RiptideBridge::with_hook(config, Instant::ZERO, Box::new(hook)),
            server: Server::new(server, Instant::ZERO),
            links: [1, 2, 3, 4].map(|seed| Conditioner::new(conditions, seed)),
            client_events: Vec::new(),
            server_events: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// Runs the chain for `time`.
    fn run(&mut self, time: Duration) {
        let end = self.now + time;
        let mut buffer = Vec::new();
        while self.now < end {
            self.now = self.now + STEP;
            let now = self.now;
            self.client.handle_timeout(now);
            self.bridge.handle_timeout(now);
            self.server.handle_timeout(now);
            let [up, on, back, down] = &mut self.links;
            while self.client.poll_transmit(now, &mut buffer).is_some() {
                up.push(now, (), &buffer);
            }
            while self.bridge.poll_transmit(now, Role::Server, &mut buffer) {
                on.push(now, (), &buffer);
            }
            while let Some(transmit) = self.server.poll_transmit(now, &mut buffer) {
                if transmit.to == address(3) {
                    back.push(now, (), &buffer);
                }
            }
            while self.bridge.poll_transmit(now, Role::Client, &mut buffer) {
                down.push(now, (), &buffer);
            }
            while up.pop(now, &mut buffer).is_some() {
                self.bridge.handle(now, Role::Client, &buffer);
            }
            while on.pop(now, &mut buffer).is_some() {
                let _ = self.server.handle_datagram(now, address(3), &buffer);
            }
            while back.pop(now, &mut buffer).is_some() {
                self.bridge.handle(now, Role::Server, &buffer);
            }
            while down.pop(now, &mut buffer).is_some() {
                let _ = self.client.handle_datagram(now, address(2), &buffer);
            }
            self.client_events.extend(std::iter::from_fn(|| self.client.poll_event()));
            while let Some(event) = self.server.poll_event() {
                if let server::Event::ConnectionRequested { connection, data, .. } = &event {
                    let mut data = data.clone();
                    let is_right = data.get_string().is_ok_and(|text| text == "let me in");
                    self.asked.push(is_right);
                    // Ids 1 and 2 belong to other clients.
                    let _ = self.server.accept_as(*connection, ClientId(3));
                }
                self.server_events.push(event);
            }
        }
    }

    fn at_client(&self) -> Vec<i32> {
        let messages = self.client_events.iter().filter_map(|event| match event {
            client::Event::MessageReceived { message } => Some(message.clone().get_int().unwrap()),
            _ => None,
        });
        messages.collect()
    }

    fn at_server(&self) -> Vec<i32> {
        let messages = self.server_events.iter().filter_map(|event| match event {
            server::Event::MessageReceived { message, .. } => Some(message.clone().get_int().unwrap()),
            _ => None,
        });
        messages.collect()
    }
}

fn number(mode: MessageSendMode, value: i32) -> Message {
    let mut message = Message::create(mode, 10_u16);
    message.add_int(value);
    message
}

#[test]
fn all_messages_pass_in_both_formats_whatever_the_links_lose() {
    for format in Format::ALL {
        for conditions in [
            Conditions::PERFECT,
            Conditions { loss: 0.2, jitter: Duration::from_millis(20), ..Conditions::LAN },
        ] {
            let mut chain = Chain::new(format, None, conditions, Unchanged);
            chain.run(Duration::from_secs(4));
            let id = chain.client_events.iter().find_map(|event| match event {
                client::Event::Connected { id } => Some(*id),
                _ => None,
            });
            assert_eq!(id, Some(ClientId(3)), "{format:?}: the id that the server gave");
            assert_eq!(chain.asked, [true], "the connect data arrive");
            for value in 0..200 {
                chain.client.send(&number(MessageSendMode::Reliable, value)).unwrap();
                chain.server.send(&number(MessageSendMode::Reliable, -value), ClientId(3)).unwrap();
                chain.run(STEP * 2);
            }
            chain.run(Duration::from_secs(3));
            let (mut there, mut back) = (chain.at_server(), chain.at_client());
            there.sort_unstable();
            back.sort_unstable();
            assert_eq!(there, (0..200).collect::<Vec<_>>(), "{format:?} {conditions:?}");
            assert_eq!(back, (-199..=0).collect::<Vec<_>>(), "{format:?} {conditions:?}");
        }
    }
}

#[test]
fn a_client_of_one_version_plays_on_a_server_of_the_other() {
    for (from, to) in [(Format::V20, Format::V21), (Format::V21, Format::V20)] {
        let mut chain = Chain::new(from, Some(to), Conditions::PERFECT, Unchanged);
        chain.run(Duration::from_secs(2));
        let mut door = Message::create(MessageSendMode::Reliable, 1_u16);
        door.add_byte(7).add_bool(true).add_bool(false);
        chain.client.send(&door).unwrap();
        chain.server.send(&door, ClientId(3)).unwrap();
        chain.run(Duration::from_secs(1));
        let there = chain.server_events.iter().find_map(|event| match event {
            server::Event::MessageReceived { message, .. } => Some(message.clone()),
            _ => None,
        });
        let back = chain.client_events.iter().find_map(|event| match event {
            client::Event::MessageReceived { message } => Some(message.clone()),
            _ => None,
        });
        for (message, format) in [(there, to), (back, from)] {
            let mut message = message.unwrap();
            assert_eq!(message.format(), Some(format));
            let read =
                (message.get_byte().unwrap(), message.get_bool().unwrap(), message.get_bool().unwrap());
            assert_eq!(read, (7, true, false), "{from:?} to {to:?}");
        }
        assert_eq!(chain.bridge.untranslated(), 0);
    }
}

#[test]
fn a_hook_drops_changes_and_repeats_messages() {
    let hook = |from: Role, message: &mut Message| {
        let value = message.clone().get_int().unwrap();
        match (from, value % 3) {
            (Role::Server, _) => Action::Forward,
            (Role::Client, 0) => Action::Drop,
            (Role::Client, 1) => Action::Duplicate,
            (Role::Client, _) => {
                *message = number(message.mode(), value * 100);
                Action::Forward
            }
        }
    };
    let mut chain = Chain::new(Format::V21, None, Conditions::PERFECT, hook);
    chain.run(Duration::from_secs(2));
    (0..6).for_each(|value| _ = chain.client.send(&number(MessageSendMode::Reliable, value)).unwrap());
    chain.run(Duration::from_secs(1));
    let mut there = chain.at_server();
    there.sort_unstable();
    assert_eq!(there, [1, 1, 4, 4, 200, 500]);
}

#[test]
fn each_side_learns_why_the_other_left() {
    let mut chain = Chain::new(Format::V21, None, Conditions::PERFECT, Unchanged);
    chain.run(Duration::from_secs(2));
    let mut reason = Message::create_data();
    reason.add_string("bye");
    chain.server.disconnect_client(ClientId(3), Some(&reason)).unwrap();
    chain.run(Duration::from_secs(1));
    let Some(client::Event::Disconnected { reason: DisconnectReason::Kicked, data: Some(data), .. }) =
        chain.client_events.last()
    else {
        panic!("{:?}", chain.client_events)
    };
    assert_eq!(data.clone().get_string().unwrap(), "bye");
    assert!(chain.bridge.is_over());

    let mut chain = Chain::new(Format::V21, None, Conditions::PERFECT, Unchanged);
    chain.run(Duration::from_secs(2));
    chain.client.disconnect();
    chain.run(Duration::from_secs(1));
    let last = chain.server_events.last();
    let is_left = matches!(
        last,
        Some(server::Event::ClientDisconnected {
            client: ClientId(3),
            reason: DisconnectReason::Disconnected,
            ..
        })
    );
    assert!(is_left, "{last:?}");
    assert!(chain.bridge.is_over());
}

#[test]
fn a_rejection_passes_with_its_reason() {
    let mut chain = Chain::new(Format::V21, None, Conditions::PERFECT, Unchanged);
    // Another client occupies the only slot.
    chain.server =
        Server::new(ServerConfig { formats: &[Format::V21], ..ServerConfig::new(1) }, Instant::ZERO);
    let mut first = Client::connect(&ClientConfig::new(Format::V21), address(4), Instant::ZERO).unwrap();
    let mut buffer = Vec::new();
    let now = Instant::from_micros(1);
    first.handle_timeout(now);
    while !first.is_connected() {
        while first.poll_transmit(now, &mut buffer).is_some() {
            chain.server.handle_datagram(now, address(9), &buffer).unwrap();
        }
        while chain.server.poll_transmit(now, &mut buffer).is_some() {
            first.handle_datagram(now, address(4), &buffer).unwrap();
        }
    }
    while first.poll_transmit(now, &mut buffer).is_some() {
        chain.server.handle_datagram(now, address(9), &buffer).unwrap();
    }
    chain.run(Duration::from_secs(2));
    let reason = chain.client_events.iter().find_map(|event| match event {
        client::Event::ConnectionFailed { reason, .. } => Some(*reason),
        _ => None,
    });
    assert_eq!(reason, Some(RejectReason::ServerFull));
}

#[test]
fn p1_garbage_of_either_side_is_answered_with_less_than_it_was() {
    let mut chain = Chain::new(Format::V21, None, Conditions::PERFECT, Unchanged);
    chain.run(Duration::from_secs(2));
    chain.links.iter_mut().for_each(|link| {
        link.set_conditions(Conditions { corrupt: 0.3, ..Conditions::PERFECT });
    });
    for value in 0..100 {
        // A corrupted packet may have closed the connection.
        let _ = chain.client.send(&number(MessageSendMode::Reliable, value));
        chain.run(STEP);
    }
    let mut random = gamewire_sim::random::Random::new(7);
    let (mut received, mut sent, mut buffer) = (0, 0, Vec::new());
    for round in 0..20_000_u64 {
        let length = random.below(64);
        let bytes = random.bytes(length);
        let from = if round.is_multiple_of(2) { Role::Client } else { Role::Server };
        chain.bridge.handle(chain.now, from, &bytes);
        received += bytes.len();
        for to in Role::BOTH {
            while chain.bridge.poll_transmit(chain.now, to, &mut buffer) {
                sent += buffer.len();
            }
        }
    }
    assert!(sent <= received, "{sent} bytes in answer to {received}");
    chain.run(Duration::from_secs(1));
}
