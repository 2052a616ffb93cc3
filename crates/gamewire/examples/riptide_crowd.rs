//! Many clients of a Riptide server on loopback, in one thread: `riptide_crowd [CLIENTS]...`. Without arguments, it
//! runs with 1 to 5,000 clients.
//!
//! In each frame the server is updated once, and it exchanges a reliable message of 64 bytes with each client, or with
//! the next 1,000 clients. Fails if a client is disconnected. 5,000 clients need as many sockets (`ulimit -n`).
//!
//! `riptide_crowd streams [CLIENTS]...` has each crowd over TCP and over WebSocket, in turns. Fails if WebSocket has less
//! than half of the messages a second.
#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss, reason = "figures to be looked at")]

use std::net::SocketAddr;
use std::time::{Duration, Instant as Clock};

use gamewire::machine::Instant;
use gamewire::net::blocking::Driver;
use gamewire::net::{DriverConfig, Transports};
use gamewire::riptide::client::{self, Client, ClientConfig};
use gamewire::riptide::server::{self, Server, ServerConfig};
use gamewire::riptide::websocket::{Target, WebSocketConfig};
use gamewire::riptide::{ClientId, Format, Message, MessageSendMode, SendError};

const SECONDS: Duration = Duration::from_secs(5);
/// Number of clients that connect in one frame.
const AT_ONCE: usize = 50;
/// Maximum number of clients that exchange messages in one frame.
const MAX_BUSY_CLIENTS: usize = 1_000;

type Failure = Box<dyn std::error::Error>;

/// Number of turns of each crowd of `streams`.
const TURNS: usize = 3;
/// Minimum messages over WebSocket, as a share of those over TCP.
const MIN_SHARE: f64 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Via {
    Udp,
    Tcp,
    WebSocket,
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1).peekable();
    let is_compared = arguments.next_if(|text| text == "streams").is_some();
    let mut crowds: Vec<u16> = arguments.map(|text| text.parse()).collect::<Result<_, _>>()?;
    if crowds.is_empty() {
        crowds = if is_compared { vec![10, 100, 1_000] } else { vec![1, 10, 100, 400, 1_000, 2_500, 5_000] };
    }
    println!("clients  messages/s  frames/s  resent  server KiB/client");
    for count in crowds {
        if is_compared {
            compare(count)?;
        } else {
            play(count, Via::Udp)?;
        }
    }
    Ok(())
}

/// Plays over TCP and WebSocket in turns, and compares the best turn of each.
fn compare(count: u16) -> Result<(), Failure> {
    let (mut tcp, mut websocket) = (0.0_f64, 0.0_f64);
    for _ in 0..TURNS {
        tcp = tcp.max(play(count, Via::Tcp)?);
        websocket = websocket.max(play(count, Via::WebSocket)?);
    }
    let share = websocket / tcp;
    println!("{count} clients: {share:.2} times as many messages over WebSocket as over TCP");
    if share < MIN_SHARE {
        return Err(format!("the limit is {MIN_SHARE}").into());
    }
    Ok(())
}

/// Plays with a crowd, and returns the messages a second.
fn play(count: u16, via: Via) -> Result<f64, Failure> {
    let mut crowd = Crowd::gather(count, via)?;
    let (began, mut frames, before) = (Clock::now(), 0_u32, crowd.received);
    while began.elapsed() < SECONDS {
        crowd.frame(MAX_BUSY_CLIENTS)?;
        frames += 1;
    }
    let seconds = began.elapsed().as_secs_f64();
    let messages = (crowd.received - before) as f64 / seconds;
    let resent = crowd.resent();
    let memory = crowd.server.machine().held_bytes() as f64 / 1024.0 / f64::from(count);
    let name = if via == Via::Udp { String::new() } else { format!("  {via:?}") };
    println!(
        "{count:7}  {messages:10.0}  {:8.0}  {resent:6}  {memory:17.1}{name}",
        f64::from(frames) / seconds
    );
    Ok(messages)
}

struct Crowd {
    server: Driver<Server>,
    clients: Vec<Driver<Client>>,
    ids: Vec<ClientId>,
    message: Message,
    received: u64,
    /// Index of the first client that exchanges messages in the next frame.
    turn: usize,
}

impl Crowd {
    /// Connects all clients.
    fn gather(count: u16, via: Via) -> Result<Self, Failure> {
        // Disable the notices about each join to all other clients.
        let mut config = ServerConfig { announce_clients: false, ..ServerConfig::new(count) };
        config.websocket = (via == Via::WebSocket).then(WebSocketConfig::default);
        let server = listen(Server::new(config, Instant::ZERO), via, usize::from(count))?;
        let mut message = Message::create(MessageSendMode::Reliable, 1_u16);
        message.add_bytes(&[7; 64]);
        let mut crowd = Self { server, clients: Vec::new(), ids: Vec::new(), message, received: 0, turn: 0 };
        let began = Clock::now();
        while crowd.ids.len() < usize::from(count) {
            for _ in crowd.clients.len()..usize::from(count).min(crowd.ids.len() + AT_ONCE) {
                crowd.clients.push(connect(crowd.server.local_addr(), via)?);
            }
            crowd.frame(0)?;
            if began.elapsed() > Duration::from_secs(60) {
                return Err(format!("{} of {count} clients connected in a minute", crowd.ids.len()).into());
            }
        }
        Ok(crowd)
    }

    /// Updates the server and all clients once. `busy` clients in turn exchange messages.
    fn frame(&mut self, busy: usize) -> Result<(), Failure> {
        let count = self.clients.len();
        let turn = self.turn;
        let sends = |index: usize| (index + count - turn) % count < busy;
        self.turn = (turn + busy) % count.max(1);
        for event in self.server.update()? {
            match event {
                server::Event::MessageReceived { .. } => self.received += 1,
                server::Event::ClientConnected { client, .. } => self.ids.push(client),
                other => return Err(format!("the server: {other:?}").into()),
            }
        }
        let server = self.server.machine_mut();
        for (_, id) in self.ids.iter().enumerate().filter(|(index, _)| sends(*index)) {
            sent(server.send(&self.message, *id))?;
        }
        for (index, client) in self.clients.iter_mut().enumerate() {
            for event in client.update()? {
                match event {
                    client::Event::MessageReceived { .. } => self.received += 1,
                    client::Event::Connected { .. } => {}
                    other => return Err(format!("a client: {other:?}").into()),
                }
            }
            if sends(index) {
                sent(client.machine_mut().send(&self.message))?;
            }
        }
        Ok(())
    }

    /// Returns the number of resent reliable messages in both directions.
    fn resent(&self) -> u64 {
        let of_clients = self.clients.iter().map(|client| client.machine().metrics());
        let machine = self.server.machine();
        let of_server = self.ids.iter().filter_map(|id| machine.client(*id)).map(|view| view.metrics());
        of_clients
            .chain(of_server)
            .map(|metrics| metrics.reliable_out.saturating_sub(metrics.reliable_uniques))
            .sum()
    }
}

fn listen(server: Server, via: Via, count: usize) -> Result<Driver<Server>, Failure> {
    let local = ([127, 0, 0, 1], 0).into();
    if via == Via::Udp {
        return Ok(Driver::bind(local, server)?);
    }
    // A stream that is not a client yet counts as well.
    let config = DriverConfig { max_streams: Some(count + AT_ONCE), ..DriverConfig::default() };
    Ok(Driver::listen_with(local, Transports::Tcp, server, config)?)
}

fn connect(server: SocketAddr, via: Via) -> Result<Driver<Client>, Failure> {
    let config = ClientConfig::new(Format::V21);
    let client = match via {
        Via::Udp => {
            let client = Client::connect(&config, server, Instant::ZERO)?;
            return Ok(Driver::bind(([127, 0, 0, 1], 0).into(), client)?);
        }
        Via::Tcp => Client::connect_over_transport(&config, Instant::ZERO)?,
        Via::WebSocket => {
            Client::connect_over_websocket(&config, &Target::new("localhost"), 1, Instant::ZERO)?
        }
    };
    Ok(Driver::connect(server, Duration::from_secs(5), client)?)
}

/// Ignores a full send buffer, because the next frame tries again.
fn sent(result: Result<Option<u16>, SendError>) -> Result<(), SendError> {
    match result {
        Ok(_) | Err(SendError::Full) => Ok(()),
        Err(error) => Err(error),
    }
}
