//! Many clients of a Riptide server without sockets: `riptide_crowd_memory [CLIENTS]...`. Without arguments, it runs
//! with 1 to 5,000 clients.
//!
//! In each round every client sends a reliable message of 64 bytes, and the server sends one to each client. The time
//! of a message includes both ends and its ack. It grows with the memory that a round uses, not with the number of
//! clients.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "figures to be looked at"
)]

use std::net::SocketAddr;
use std::time::{Duration, Instant as Clock};

use gamewire::machine::{Instant, Machine as _};
use gamewire::riptide::client::{self, Client, ClientConfig};
use gamewire::riptide::server::{self, Server, ServerConfig};
use gamewire::riptide::{Format, Message, MessageSendMode};

/// Number of messages that are timed for each number of clients.
const MESSAGES: usize = 2_000_000;
const SERVER: ([u8; 4], u16) = ([127, 0, 0, 1], 7777);
/// Time between two rounds.
const ROUND: Duration = Duration::from_millis(16);

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut crowds: Vec<u16> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    if crowds.is_empty() {
        crowds = vec![1, 10, 100, 400, 1_000, 2_500, 5_000];
    }
    println!("clients  ns/message  server KiB/client");
    for count in crowds {
        let mut crowd = Crowd::gather(count)?;
        let began = Clock::now();
        let mut received = 0;
        while received < MESSAGES {
            crowd.send()?;
            received += crowd.round()?;
        }
        let nanos = began.elapsed().as_nanos() as f64 / received as f64;
        let memory = crowd.server.held_bytes() as f64 / 1024.0 / f64::from(count);
        println!("{count:7}  {nanos:10.0}  {memory:17.1}");
    }
    Ok(())
}

struct Crowd {
    now: Instant,
    server: Server,
    clients: Vec<(SocketAddr, Client)>,
    message: Message,
    buffer: Vec<u8>,
}

impl Crowd {
    /// Connects all clients.
    fn gather(count: u16) -> Result<Self, Failure> {
        let config = ServerConfig { announce_clients: false, ..ServerConfig::new(count) };
        let config = ServerConfig { max_half_open: count.into(), max_half_open_per_ip: None, ..config };
        let now = Instant::ZERO;
        let clients = (0..count).map(|number| {
            let client = Client::connect(&ClientConfig::new(Format::V21), SERVER.into(), now)?;
            Ok((SocketAddr::from(([127, 0, 0, 1], 10_000 + number)), client))
        });
        let mut message = Message::create(MessageSendMode::Reliable, 1_u16);
        message.add_bytes(&[7; 64]);
        let clients = clients.collect::<Result<_, Failure>>()?;
        let mut crowd = Self { now, server: Server::new(config, now), clients, message, buffer: Vec::new() };
        while crowd.server.client_count() < usize::from(count) {
            crowd.round()?;
        }
        Ok(crowd)
    }

    /// Sends a message from every client, and one to every client.
    fn send(&mut self) -> Result<(), Failure> {
        for (_, client) in &mut self.clients {
            client.send(&self.message)?;
        }
        let all_sent = self.server.send_to_all(&self.message).all_sent();
        Ok(all_sent?)
    }

    /// Delivers all packets, and returns the number of messages that arrived.
    fn round(&mut self) -> Result<usize, Failure> {
        self.now = self.now + ROUND;
        let Self { now, server, clients, buffer, .. } = self;
        let mut received = 0;
        for (address, client) in &mut *clients {
            client.handle_timeout(*now);
            while client.poll_transmit(*now, buffer).is_some() {
                server.handle_datagram(*now, *address, buffer)?;
            }
        }
        server.handle_timeout(*now);
        while let Some(event) = server.poll_event() {
            match event {
                server::Event::MessageReceived { .. } => received += 1,
                server::Event::ClientConnected { .. } => {}
                other => return Err(format!("the server: {other:?}").into()),
            }
        }
        while let Some(transmit) = server.poll_transmit(*now, buffer) {
            let index = usize::from(transmit.to.port() - 10_000);
            let Some((_, client)) = clients.get_mut(index) else { continue };
            client.handle_datagram(*now, SERVER.into(), buffer)?;
            while let Some(event) = client.poll_event() {
                match event {
                    client::Event::MessageReceived { .. } => received += 1,
                    client::Event::Connected { .. } => {}
                    other => return Err(format!("a client: {other:?}").into()),
                }
            }
        }
        Ok(received)
    }
}
