//! A small definition, and a simulated network of clients and a server.

use core::time::Duration;
use std::sync::LazyLock;

use gamewire_freeciv::delta::{DeltaLimits, Direction, EncodeOptions, Value};
use gamewire_freeciv::frame::{CompressionLevel, FrameSplitter, FrameWriter};
use gamewire_freeciv::session::client::{Client, ClientConfig, CloseReason, Event as ClientEvent};
use gamewire_freeciv::session::codec::{Decoder, Definition, Encoder, PacketBuf};
use gamewire_freeciv::session::server::{ClientId, Event, Server, ServerConfig};
use gamewire_machine::{Instant, Machine, StreamId};
use gamewire_schema::ir::{Directions, Field, Info, Packet, Protocol, WireType};
use gamewire_sim::{StreamConditions, StreamNetwork};

pub(crate) type Table = StreamNetwork<Server, Client>;

pub(crate) const START: Instant = Instant::ZERO;
/// The only stream of a client.
pub(crate) const STREAM: StreamId = StreamId::new(0);

/// Returns a client with an open stream to the server.
pub(crate) fn connected(config: ClientConfig) -> Client {
    let mut client = Client::new(config, START).unwrap();
    client.handle_open(START, STREAM, ([192, 0, 2, 1], 5556).into());
    client
}

/// Returns a definition with the packets of sessions, and a few packets of a game.
pub(crate) fn definition() -> Definition {
    static DEFINITION: LazyLock<Definition> = LazyLock::new(make_definition);
    DEFINITION.clone()
}

fn make_definition() -> Definition {
    let sc = |name: &str, number| Packet::new(format!("PACKET_{name}"), number, Directions::TO_CLIENT);
    let cs = |name: &str, number| Packet::new(format!("PACKET_{name}"), number, Directions::TO_SERVER);
    let text = |name: &str, size| Field::new(name, WireType::String { size });
    let int = |name: &str, wire| Field::new(name, wire);
    let version = |packet: Packet| {
        packet
            .field(text("version_label", 48))
            .field(int("major_version", WireType::Uint32))
            .field(int("minor_version", WireType::Uint32))
            .field(int("patch_version", WireType::Uint32))
    };
    let flag = |name: &str| {
        let mut field = Field::new(name, WireType::Bool8);
        field.c_type = "bool".to_owned();
        field
    };
    let request =
        cs("SERVER_JOIN_REQ", 4).no_delta().field(text("username", 48)).field(text("capability", 512));
    let packets = vec![
        sc("PROCESSING_STARTED", 0),
        sc("PROCESSING_FINISHED", 1),
        version(request),
        sc("SERVER_JOIN_REPLY", 5)
            .no_delta()
            .field(flag("you_can_join"))
            .field(text("message", 1536))
            .field(text("capability", 512))
            .field(text("challenge_file", 4095))
            .field(int("conn_id", WireType::Sint16)),
        sc("AUTHENTICATION_REQ", 6).field(int("type", WireType::Uint8)).field(text("message", 1536)),
        cs("AUTHENTICATION_REPLY", 7).field(text("password", 512)),
        sc("SERVER_SHUTDOWN", 8),
        sc("CHAT_MSG", 25).field(text("message", 1536)).field(int("conn_id", WireType::Sint16)),
        cs("CHAT_MSG_REQ", 26).field(text("message", 1536)),
        sc("CONNECT_MSG", 27).field(text("message", 1536)),
        version(sc("SERVER_INFO", 29)),
        sc("CONN_PING", 88),
        cs("CONN_PONG", 89),
        sc("CONN_INFO", 115)
            .info(Info::Info)
            .field(int("id", WireType::Sint16).key())
            .field(flag("used"))
            .field(flag("observer"))
            .field(int("player_num", WireType::Uint8))
            .field(text("username", 48)),
        cs("CLIENT_INFO", 119).field(int("gui", WireType::Uint8)).field(text("distribution", 48)),
        sc("NEW_YEAR", 127)
            .field(int("year16", WireType::Sint16).remove_capability("year32"))
            .field(int("year32", WireType::Sint32).add_capability("year32")),
        cs("CLIENT_HEARTBEAT", 254),
        sc("TILE_INFO", 300)
            .info(Info::GameInfo)
            .field(int("tile", WireType::Sint32).key())
            .field(int("owner", WireType::Uint8)),
        cs("UNIT_ORDERS", 301).field(int("unit_id", WireType::Uint16)).field(text("orders", 9000)),
    ];
    let mut protocol = Protocol::new("a small definition", packets);
    protocol.capabilities = vec!["year32".to_owned()];
    Definition::interpreted(protocol).unwrap()
}

pub(crate) fn client(name: &str) -> ClientConfig {
    ClientConfig { packet_events: true, ..ClientConfig::of(definition(), name) }
}

pub(crate) fn server() -> ServerConfig {
    ServerConfig { welcome: "Welcome".to_owned(), ..ServerConfig::new(definition()) }
}

pub(crate) fn table(config: ServerConfig, conditions: StreamConditions, seed: u64) -> Table {
    StreamNetwork::new(Server::new(config, START).unwrap(), conditions, seed)
}

pub(crate) fn call(table: &mut Table, config: ClientConfig) -> usize {
    let now = table.now();
    table.connect(Client::new(config, now).unwrap())
}

pub(crate) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Advances the time. `answer` is the server's application.
pub(crate) fn run(table: &mut Table, time: Duration, mut answer: impl FnMut(&mut Server, Event)) {
    let step = Duration::from_millis(5);
    let end = table.now() + time;
    while table.now() < end {
        table.run_for(step).unwrap();
        for event in table.take_host_events() {
            answer(table.host_mut(), event);
        }
    }
}

/// An application that finishes each request immediately.
pub(crate) fn finish(server: &mut Server, event: Event) {
    if let Event::Joined { client, .. } | Event::Packet { client, .. } = event {
        let _ = server.finish_request(client);
    }
}

/// Sends a small world to new clients.
pub(crate) fn show_world(server: &mut Server, event: Event) {
    show_tiles(server, event, 500);
}

/// Sends a world with this number of tiles to new clients.
pub(crate) fn show_tiles(server: &mut Server, event: Event, tiles: i64) {
    if let Event::Joined { client, .. } = &event {
        let _ = server.set_role(*client, gamewire_freeciv::session::PlayerRole::playing(client.0));
        for tile in 0..tiles {
            let fields = [("tile", Value::Int(tile)), ("owner", Value::Int(tile % 7))];
            let _ = server.send_fields(*client, "PACKET_TILE_INFO", &fields);
        }
        let _ = server.send_fields(*client, "PACKET_NEW_YEAR", &[("year32", Value::Int(-3950))]);
    }
    finish(server, event);
}

/// Returns all queued events.
pub(crate) fn events(client: &mut Client) -> Vec<ClientEvent> {
    core::iter::from_fn(|| client.poll_event()).collect()
}

/// Returns the reason in the closing event, which must be the last event and the only closing event.
pub(crate) fn end(events: &[ClientEvent]) -> Option<CloseReason> {
    let ends: Vec<_> = events
        .iter()
        .enumerate()
        .filter_map(|(at, event)| match event {
            ClientEvent::Closed(reason) => Some((at, reason.clone())),
            _ => None,
        })
        .collect();
    assert!(ends.len() <= 1, "{ends:?}");
    let (at, reason) = ends.into_iter().next()?;
    assert_eq!(at + 1, events.len(), "no event follows the close");
    Some(reason)
}

/// Returns the packets with a name.
pub(crate) fn packets<'e>(events: &'e [ClientEvent], name: &str) -> Vec<&'e PacketBuf> {
    let packets = events.iter().filter_map(|event| match event {
        ClientEvent::Packet(packet) => Some(packet),
        _ => None,
    });
    packets.filter(|packet| packet.name() == name).collect()
}

/// One side of a stream, with handmade packets.
pub(crate) struct Hand {
    pub definition: Definition,
    pub encoder: Encoder,
    pub decoder: Decoder,
    pub writer: FrameWriter,
    pub splitter: FrameSplitter,
}

impl Hand {
    fn new(sends: Direction, hears: Direction) -> Self {
        let definition = definition();
        Self {
            encoder: Encoder::new(&definition, sends, DeltaLimits::DEFAULT),
            decoder: Decoder::new(&definition, hears, DeltaLimits::DEFAULT),
            definition,
            writer: FrameWriter::new(CompressionLevel::DEFAULT),
            splitter: FrameSplitter::default(),
        }
    }

    /// Creates a server's side.
    pub(crate) fn of_server() -> Self {
        Self::new(Direction::ToClient, Direction::ToServer)
    }

    /// Creates a client's side.
    pub(crate) fn of_client() -> Self {
        Self::new(Direction::ToServer, Direction::ToClient)
    }

    /// Returns a packet as bytes. The result is empty while the writer is frozen.
    pub(crate) fn say(&mut self, name: &str, fields: &[(&str, Value)]) -> Vec<u8> {
        let number = self.definition.number(&format!("PACKET_{name}")).unwrap();
        let (mut body, mut out) = (Vec::new(), Vec::new());
        assert!(self.encoder.encode_fields(number, fields, EncodeOptions::default(), &mut body).unwrap());
        self.writer.write(number, &body, &mut out).unwrap();
        out
    }

    /// Returns an accepting reply.
    pub(crate) fn accept(&mut self) -> Vec<u8> {
        let reply = [
            ("you_can_join", Value::Bool(true)),
            ("capability", text(ClientConfig::CAPABILITIES_3_0)),
            ("conn_id", Value::Int(1)),
        ];
        let out = self.say("SERVER_JOIN_REPLY", &reply);
        self.encoder.set_capabilities(&["year32"]);
        out
    }

    /// Returns a join request.
    pub(crate) fn ask(&mut self, name: &str, capability: &str) -> Vec<u8> {
        self.say("SERVER_JOIN_REQ", &[("username", text(name)), ("capability", text(capability))])
    }

    /// Returns the packets in some bytes.
    pub(crate) fn hear(&mut self, mut bytes: &[u8]) -> Vec<PacketBuf> {
        let mut heard = Vec::new();
        while let Some(packet) = self.splitter.next(&mut bytes).unwrap() {
            heard.push(self.decoder.decode(packet.number, packet.body).unwrap().to_owned());
        }
        heard
    }
}

pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}

pub(crate) fn names(packets: &[PacketBuf]) -> Vec<String> {
    packets.iter().map(|packet| packet.name().trim_start_matches("PACKET_").to_owned()).collect()
}

/// The id of the first client.
pub(crate) const FIRST: ClientId = ClientId(1);
