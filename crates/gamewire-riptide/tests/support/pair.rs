//! A server and its clients on a network.
#![allow(unreachable_pub, dead_code, reason = "each program that includes this uses a part of it")]

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use core::time::Duration;

use gamewire_riptide::client::{self, Client, ClientConfig};
use gamewire_riptide::server::{self, Server, ServerConfig};
use gamewire_riptide::{ExtensionConfig, Format, Message, MessageSendMode};
use gamewire_sim::{Conditions, Network, NodeId};

/// Bytes of a large message.
pub const SIZE: usize = 100_000;

/// Id of the messages that contain a number.
pub const ID: u16 = 20;

pub const fn second(count: u64) -> Duration {
    Duration::from_secs(count)
}

pub fn extended_client(format: Format) -> ClientConfig {
    ClientConfig { extension: Some(ExtensionConfig::default()), ..ClientConfig::new(format) }
}

pub fn extended_server() -> ServerConfig {
    ServerConfig { extension: Some(ExtensionConfig::default()), ..ServerConfig::new(8) }
}

/// Returns a reliable message with a number.
pub fn numbered(number: u32) -> Message {
    let mut message = Message::create(MessageSendMode::Reliable, ID);
    message.add_uint(number);
    message
}

/// Returns a reliable message of [`SIZE`] bytes that depend on the number.
pub fn large(number: u32) -> Message {
    let mut message = Message::create(MessageSendMode::Reliable, ID).with_max_payload_size(SIZE + 10);
    message.add_uint(number).add_bytes_without_length(&filling(number));
    message
}

fn filling(number: u32) -> Vec<u8> {
    (0..SIZE - 4).map(|at| (at as u32 / 7 + number) as u8).collect()
}

/// Returns the number of a message. Panics if the rest of the message changed.
pub fn number(mut message: Message) -> u32 {
    let number = message.get_uint().unwrap();
    if message.bytes_in_use() > 100 {
        assert_eq!(message.get_bytes_of(SIZE - 4).unwrap(), filling(number));
    }
    number
}

pub struct Pair {
    pub network: Network,
    server: NodeId<Server>,
    client: NodeId<Client>,
    clients: u16,
}

fn address(port: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

impl Pair {
    pub fn new(seed: u64, client: ClientConfig, server: ServerConfig) -> Self {
        let mut network = Network::new(seed);
        let now = network.now();
        let server = network.add(address(7777), Server::new(server, now));
        let client = network.add(address(8000), Client::connect(&client, address(7777), now).unwrap());
        Self { network, server, client, clients: 1 }
    }

    pub fn add_client(&mut self, config: ClientConfig) -> NodeId<Client> {
        self.clients += 1;
        let client = Client::connect(&config, address(7777), self.network.now()).unwrap();
        self.network.add(address(8000 + self.clients), client)
    }

    pub fn set_conditions(&mut self, conditions: Conditions) {
        self.network.set_conditions(self.client, conditions, conditions);
    }

    pub fn run(&mut self, time: Duration) {
        self.network.run_for(time).unwrap();
    }

    /// Runs until both have negotiated the extension and measured the round trip.
    pub fn run_until_agreed(&mut self) {
        self.run(Duration::from_millis(2_500));
        assert!(self.client().extension().is_some());
    }

    pub fn client(&self) -> &Client {
        self.network.machine(self.client)
    }

    pub fn client_mut(&mut self) -> &mut Client {
        self.network.machine_mut(self.client)
    }

    pub fn server(&self) -> &Server {
        self.network.machine(self.server)
    }

    pub fn server_mut(&mut self) -> &mut Server {
        self.network.machine_mut(self.server)
    }

    pub fn client_events(&mut self) -> Vec<client::Event> {
        self.network.take_events(self.client)
    }

    pub fn server_events(&mut self) -> Vec<server::Event> {
        self.network.take_events(self.server)
    }

    /// Returns the messages that the server received since the last call.
    pub fn at_server(&mut self) -> Vec<Message> {
        let events = self.server_events().into_iter();
        events
            .filter_map(|event| match event {
                server::Event::MessageReceived { message, .. } => Some(message),
                _ => None,
            })
            .collect()
    }

    /// Returns the messages that a client received since the last call.
    pub fn at(&mut self, client: NodeId<Client>) -> Vec<Message> {
        let events = self.network.take_events(client).into_iter();
        events
            .filter_map(|event| match event {
                client::Event::MessageReceived { message } => Some(message),
                _ => None,
            })
            .collect()
    }

    pub fn at_client(&mut self) -> Vec<Message> {
        self.at(self.client)
    }

    pub fn server_numbers(&mut self) -> Vec<u32> {
        numbers(self.at_server())
    }

    pub fn numbers_of(&mut self, client: NodeId<Client>) -> Vec<u32> {
        numbers(self.at(client))
    }

    pub fn client_numbers(&mut self) -> Vec<u32> {
        numbers(self.at_client())
    }
}

fn numbers(messages: Vec<Message>) -> Vec<u32> {
    messages.into_iter().filter(|message| message.id() == Some(ID)).map(number).collect()
}
