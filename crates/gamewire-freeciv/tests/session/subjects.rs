//! Both roles as harnesses for the contract.

use core::time::Duration;
use std::sync::LazyLock;

#[cfg(feature = "agent")]
use gamewire_freeciv::agent::{Agent, AgentConfig, Command as AgentCommand, Event as AgentEvent};
use gamewire_freeciv::delta::Value;
use gamewire_freeciv::frame::CompressionLevel;
use gamewire_freeciv::session::PlayerRole;
use gamewire_freeciv::session::client::{Client, ClientConfig, Event, PasswordRequest};
use gamewire_freeciv::session::server::{ClientId, Event as ServerEvent, LoginPolicy, Server, ServerConfig};
use gamewire_machine::{Instant, Machine, Transmit, Wake};
use gamewire_sim::contract::{Command, Harness, Lifecycle, NoSuchStream, PEER, SUBJECT, StreamsAsDatagram};

use super::support::{Hand, client, finish, server, show_tiles, text};

/// Number of tiles that a server sends to the client under test. They are enough for a chunk.
const TILES: i64 = 8;

/// Returns a configuration with compression, a heartbeat or a password. The seed selects them.
fn client_config(seed: u64, name: &str) -> ClientConfig {
    let mut config = client(name);
    config.compression = is_compressed(seed).then_some(CompressionLevel::DEFAULT);
    config.heartbeat = (seed & 2 != 0).then_some(Duration::from_secs(14));
    config.password = (seed & 4 != 0).then(|| "sesame".to_owned());
    config
}

/// The bit of seeds for machines that never compress. A fuzzer would spend most of its time in the compressor.
pub(crate) const UNCOMPRESSED: u64 = 1 << 8;

/// Returns whether machines compress. One seed in eight compresses, because a new compressor takes more time than
/// everything else.
const fn is_compressed(seed: u64) -> bool {
    seed & UNCOMPRESSED == 0 && seed % 8 == 1
}

fn server_config(seed: u64, is_asked: bool) -> ServerConfig {
    let login_policy = if is_asked { LoginPolicy::Application } else { LoginPolicy::Open };
    let compression = if is_compressed(seed) { CompressionLevel::DEFAULT } else { CompressionLevel::NONE };
    ServerConfig { login_policy, compression, max_half_open: 32, max_per_ip: 10_000, ..server() }
}

/// A server with an application that answers every event.
pub(crate) struct Answering(StreamsAsDatagram<Server>);

impl Answering {
    fn new(seed: u64, now: Instant) -> Self {
        Self(StreamsAsDatagram::new(Server::new(server_config(seed, seed & 8 != 0), now).unwrap()))
    }

    fn answer(&mut self) {
        while let Some(event) = self.0.poll_event() {
            let server = self.0.machine_mut();
            // Each answer fails if the client is already disconnected.
            match event {
                ServerEvent::LoginRequested { client, .. } => {
                    let _ = server.ask_password(client, PasswordRequest::Login, "Who?");
                }
                ServerEvent::Password { client, password, .. } if password == "sesame" => {
                    let _ = server.accept(client);
                }
                ServerEvent::Password { client, .. } => {
                    let _ = server.wrong_password(client, "No.");
                }
                event @ ServerEvent::Joined { .. } => show_tiles(server, event, TILES),
                event => finish(server, event),
            }
        }
    }
}

impl Machine for Answering {
    type Event = ();
    type DatagramError = NoSuchStream;

    fn handle_timeout(&mut self, now: Instant) {
        self.0.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.0.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<()> {
        self.answer();
        None
    }

    fn handle_datagram(
        &mut self,
        now: Instant,
        from: std::net::SocketAddr,
        data: &[u8],
    ) -> Result<(), NoSuchStream> {
        self.0.handle_datagram(now, from, data)?;
        self.answer();
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.answer();
        self.0.poll_transmit(now, buffer)
    }
}

/// Harness of a client.
pub(crate) struct Connecting;

impl Harness for Connecting {
    type Machine = StreamsAsDatagram<Client>;
    type Peer = Answering;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(301));
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(seed: u64, now: Instant) -> StreamsAsDatagram<Client> {
        StreamsAsDatagram::connected(Client::new(client_config(seed, "alice"), now).unwrap(), now, PEER)
    }

    fn peer(seed: u64, now: Instant) -> Option<Answering> {
        (seed % 16 != 15).then(|| Answering::new(seed, now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        static SAMPLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(server_packets);
        SAMPLES.clone()
    }

    fn commands() -> &'static [Command<StreamsAsDatagram<Client>>] {
        &[
            ("chat", |client, number| {
                let _ = client.machine_mut().chat(&format!("line {number}"));
            }),
            ("orders", |client, number| {
                let orders = [("unit_id", small(number))];
                let _ = client.machine_mut().send_fields("PACKET_UNIT_ORDERS", &orders);
            }),
            ("answer", |client, number| {
                let password = if number.is_multiple_of(2) { "sesame" } else { "guess" };
                let _ = client.machine_mut().send_password(password);
            }),
            ("close", |client, number| {
                if number.is_multiple_of(16) {
                    client.machine_mut().close();
                }
            }),
        ]
    }

    fn held_bytes(_: &StreamsAsDatagram<Client>) -> usize {
        0
    }

    fn lifecycle(event: &Event) -> Lifecycle {
        match event {
            Event::Closed(_) => Lifecycle::Closed(0),
            _ => Lifecycle::Active(0),
        }
    }
}

/// Harness of an agent.
#[cfg(feature = "agent")]
pub(crate) struct Commanding;

#[cfg(feature = "agent")]
impl Harness for Commanding {
    type Machine = StreamsAsDatagram<Agent>;
    type Peer = Answering;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(301));
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(seed: u64, now: Instant) -> StreamsAsDatagram<Agent> {
        let config =
            AgentConfig { client: client_config(seed, "alice"), starts: seed & 16 != 0, takes: None };
        StreamsAsDatagram::connected(Agent::new(config, now).unwrap(), now, PEER)
    }

    fn peer(seed: u64, now: Instant) -> Option<Answering> {
        Connecting::peer(seed, now)
    }

    fn samples(seed: u64) -> Vec<Vec<u8>> {
        Connecting::samples(seed)
    }

    fn commands() -> &'static [Command<StreamsAsDatagram<Agent>>] {
        &[
            ("say", |agent, number| {
                let text = format!("line {number}");
                let _ = agent.machine_mut().execute(&AgentCommand::Say { text });
            }),
            ("end turn", |agent, _| {
                let _ = agent.machine_mut().execute(&AgentCommand::EndTurn {});
            }),
            ("ask", |agent, number| {
                let unit = number as u16 % 9;
                let _ = agent.machine_mut().execute(&AgentCommand::CityName { unit: unit.into() });
                let _ = agent.machine_mut().execute(&AgentCommand::World { parts: None });
            }),
            ("password", |agent, _| {
                let _ = agent.machine_mut().send_password("sesame");
            }),
            ("close", |agent, number| {
                if number.is_multiple_of(16) {
                    agent.machine_mut().close();
                }
            }),
        ]
    }

    fn held_bytes(_: &StreamsAsDatagram<Agent>) -> usize {
        0
    }

    fn lifecycle(event: &AgentEvent) -> Lifecycle {
        match event {
            AgentEvent::Closed(_) => Lifecycle::Closed(0),
            _ => Lifecycle::Active(0),
        }
    }
}

/// Harness of a server, with or without an application that decides which clients are accepted.
pub(crate) struct Serving<const IS_ASKED: bool>;

impl<const IS_ASKED: bool> Harness for Serving<IS_ASKED> {
    type Machine = StreamsAsDatagram<Server>;
    type Peer = StreamsAsDatagram<Client>;

    const MAX_UNVERIFIED_BYTES: usize = 32 * 16_384;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(320));

    fn make(seed: u64, now: Instant) -> StreamsAsDatagram<Server> {
        StreamsAsDatagram::new(Server::new(server_config(seed, IS_ASKED), now).unwrap())
    }

    fn peer(seed: u64, now: Instant) -> Option<StreamsAsDatagram<Client>> {
        Some(StreamsAsDatagram::connected(
            Client::new(client_config(seed, "alice"), now).unwrap(),
            now,
            SUBJECT,
        ))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        static SAMPLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(client_packets);
        SAMPLES.clone()
    }

    fn commands() -> &'static [Command<StreamsAsDatagram<Server>>] {
        fn id(number: u64) -> ClientId {
            ClientId(number.to_le_bytes()[0] as u16 % 9)
        }
        &[
            ("accept", |server, number| drop(server.machine_mut().accept(id(number)))),
            ("ask", |server, number| {
                drop(server.machine_mut().ask_password(id(number), PasswordRequest::Login, "Who?"));
            }),
            ("wrong", |server, number| drop(server.machine_mut().wrong_password(id(number), "No."))),
            ("refuse", |server, number| drop(server.machine_mut().refuse(id(number), "Go."))),
            ("finish", |server, number| drop(server.machine_mut().finish_request(id(number)))),
            ("freeze", |server, number| drop(server.machine_mut().freeze(id(number)))),
            ("thaw", |server, number| drop(server.machine_mut().thaw(id(number)))),
            ("role", |server, number| {
                let role = PlayerRole { player: Some(number as u16 % 200), is_observer: number & 1 != 0 };
                drop(server.machine_mut().set_role(id(number), role));
            }),
            ("tile", |server, number| {
                let fields = [("tile", small(number)), ("owner", Value::Int(3))];
                drop(server.machine_mut().send_fields(id(number), "PACKET_TILE_INFO", &fields));
            }),
            ("kick", |server, number| drop(server.machine_mut().kick(id(number), "enough"))),
            ("shut down", |server, number| {
                if number.is_multiple_of(16) {
                    server.machine_mut().shut_down();
                }
            }),
        ]
    }

    fn held_bytes(server: &StreamsAsDatagram<Server>) -> usize {
        server.machine().held_bytes()
    }

    fn lifecycle(event: &ServerEvent) -> Lifecycle {
        let number = event.client().unwrap().0.into();
        match event {
            ServerEvent::LoginRequested { .. } => Lifecycle::Opened(number),
            ServerEvent::Joined { .. } if !IS_ASKED => Lifecycle::Opened(number),
            ServerEvent::Closed { .. } => Lifecycle::Closed(number),
            _ => Lifecycle::Active(number),
        }
    }
}

/// Returns a number that fits in any field.
fn small(number: u64) -> Value {
    Value::Int(i64::from(number as u16))
}

/// Returns packets of every kind that a server sends.
fn server_packets() -> Vec<Vec<u8>> {
    let mut server = Hand::of_server();
    let mut samples = vec![
        server.say("PROCESSING_STARTED", &[]),
        server.say("SERVER_INFO", &[("major_version", Value::Int(3))]),
        server.say("AUTHENTICATION_REQ", &[("type", Value::Int(2)), ("message", text("Who?"))]),
        server.say("CONNECT_MSG", &[("message", text("hello"))]),
        server.accept(),
        server.say("CONN_PING", &[]),
        server.say("CONN_INFO", &[("id", Value::Int(1)), ("player_num", Value::Int(3))]),
        server.say("TILE_INFO", &[("tile", Value::Int(9)), ("owner", Value::Int(3))]),
        server.say("NEW_YEAR", &[("year32", Value::Int(9))]),
        server.say("SERVER_SHUTDOWN", &[]),
        Vec::new(),
    ];
    server.writer.freeze();
    (0..50).for_each(|_| drop(server.say("CHAT_MSG", &[("message", text("again and again"))])));
    let mut chunk = Vec::new();
    server.writer.thaw(&mut chunk);
    samples.push(chunk);
    samples
}

/// Returns packets of every kind that a client sends.
fn client_packets() -> Vec<Vec<u8>> {
    let mut bob = Hand::of_client();
    let mut samples = vec![
        bob.ask("bob", ClientConfig::CAPABILITIES_3_0),
        bob.ask("1bob", ""),
        bob.ask("bob", "+x"),
        bob.say("AUTHENTICATION_REPLY", &[("password", text("sesame"))]),
        bob.say("CONN_PONG", &[]),
        Vec::new(),
    ];
    bob.writer.use_wide_types();
    samples.extend([
        bob.say("CONN_PONG", &[]),
        bob.say("CLIENT_HEARTBEAT", &[]),
        bob.say("CHAT_MSG_REQ", &[("message", text("hello"))]),
        bob.say("UNIT_ORDERS", &[("orders", text("north"))]),
    ]);
    samples
}
