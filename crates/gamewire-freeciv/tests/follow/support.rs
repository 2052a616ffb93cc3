//! A small version of Freeciv, both of its ends, and the reports of a follower.

use std::sync::Arc;

use gamewire_freeciv::delta::{DeltaEncoder, DeltaLimits, Direction, EncodeOptions, Value, Variants};
use gamewire_freeciv::follow::{Definition, Definitions, FollowLimits, Follower};
use gamewire_freeciv::frame::{CompressionLevel, FrameWriter, JOIN_REPLY};
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_machine::{ConversationSide, Follow, Instant, Record};
use gamewire_schema::ir::{ArrayDiff, Directions, Field, Info, Packet, Protocol, WireType};
use gamewire_wire::Value as Told;

pub(crate) const SERVER_INFO: u16 = 29;
pub(crate) const PHASE_DONE: u16 = 52;
pub(crate) const CONN_INFO: u16 = 115;
pub(crate) const NEW_YEAR: u16 = 127;
pub(crate) const CITY_INFO: u16 = 31;
pub(crate) const TILE_INFO: u16 = 15;
pub(crate) const CAPABILITIES: &str = "+Freeciv-3.0-network year32";

pub(crate) fn protocol() -> Protocol {
    let from_server = |name: &str, number| Packet::new(name, number, Directions::TO_CLIENT);
    let text = |name: &str, size| Field::new(name, WireType::String { size });
    let request = Packet::new("PACKET_SERVER_JOIN_REQ", 4, Directions::TO_SERVER)
        .no_delta()
        .field(text("username", 48))
        .field(text("capability", 512))
        .field(text("version_label", 48))
        .field(Field::new("major_version", WireType::Uint32))
        .field(Field::new("minor_version", WireType::Uint32))
        .field(Field::new("patch_version", WireType::Uint32));
    let reply = from_server("PACKET_SERVER_JOIN_REPLY", JOIN_REPLY)
        .no_delta()
        .field(Field::new("you_can_join", WireType::Bool8))
        .field(text("message", 1536))
        .field(text("capability", 512))
        .field(text("challenge_file", 4095))
        .field(Field::new("conn_id", WireType::Sint16));
    let server = from_server("PACKET_SERVER_INFO", SERVER_INFO)
        .field(text("version_label", 48))
        .field(Field::new("major_version", WireType::Uint32));
    let connection = from_server("PACKET_CONN_INFO", CONN_INFO)
        .info(Info::Info)
        .field(Field::new("id", WireType::Sint16).key())
        .field(Field::new("player_num", WireType::Sint16))
        .field(Field::new("observer", WireType::Bool8));
    let year = from_server("PACKET_NEW_YEAR", NEW_YEAR)
        .field(Field::new("year16", WireType::Sint16).remove_capability("year32"))
        .field(Field::new("year32", WireType::Sint32).add_capability("year32"));
    let city = from_server("PACKET_CITY_INFO", CITY_INFO)
        .info(Info::GameInfo)
        .field(Field::new("id", WireType::Uint16).key())
        .field(text("name", 20))
        .field(Field::new("size", WireType::Uint8))
        .field(Field::new("did_buy", WireType::Bool8))
        .field(Field::new("trade", WireType::Uint8).array(3))
        .field(Field::new("wonders", WireType::Uint8).array(200).diff(ArrayDiff::End255))
        .field(Field::new("needs", WireType::Requirement))
        .field(Field::new("worklist", WireType::Worklist))
        .field(Field::new("cost", WireType::Ufloat { factor: 100 }));
    let tile = from_server("PACKET_TILE_INFO", TILE_INFO)
        .info(Info::GameInfo)
        .field(Field::new("tile", WireType::Sint32).key())
        .field(Field::new("owner", WireType::Uint8));
    let done = Packet::new("PACKET_PLAYER_PHASE_DONE", PHASE_DONE, Directions::TO_SERVER)
        .field(Field::new("turn", WireType::Sint16));
    let started = from_server("PACKET_PROCESSING_STARTED", 0);
    let finished = from_server("PACKET_PROCESSING_FINISHED", 1);
    let packets = vec![started, finished, request, reply, server, connection, year, city, tile, done];
    Protocol::new("freeciv-3.0", packets)
}

pub(crate) fn definitions() -> Arc<Definitions> {
    Arc::new(Definitions::shipped().with_definition(Arc::new(Definition::new(protocol()).unwrap())))
}

pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}

/// Returns the body of a join request.
pub(crate) fn request(capabilities: &str) -> Vec<u8> {
    let mut body = format!("alice\0{capabilities}\0\0").into_bytes();
    body.extend([0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 6]);
    body
}

/// A writer for the packets of one side.
pub(crate) struct Writer {
    encoder: DeltaEncoder,
    pub(crate) frames: FrameWriter,
    pub(crate) out: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(direction: Direction) -> Self {
        let before = Arc::new(Variants::before_join(Arc::new(protocol())).unwrap());
        Self {
            encoder: DeltaEncoder::new(before, direction, DeltaLimits::DEFAULT),
            frames: FrameWriter::new(CompressionLevel::DEFAULT),
            out: Vec::new(),
        }
    }

    pub(crate) fn send(&mut self, number: u16, values: &[Value]) {
        let mut body = Vec::new();
        if self.encoder.encode(number, values, EncodeOptions::default(), &mut body).unwrap() {
            self.frames.write(number, &body, &mut self.out).unwrap();
        }
    }

    pub(crate) fn raw(&mut self, number: u16, body: &[u8]) {
        self.frames.write(number, body, &mut self.out).unwrap();
    }

    pub(crate) fn join(&mut self, active: &[&str]) {
        self.encoder.set_variants(Arc::new(Variants::new(Arc::new(protocol()), active).unwrap()));
    }

    pub(crate) fn forget(&mut self) {
        self.encoder.forget_game_info();
    }
}

/// Returns a client's stream: its join request, and the end of a turn with two-byte types.
pub(crate) fn client(capabilities: &str) -> (Vec<u8>, Vec<u8>) {
    let mut client = Writer::new(Direction::ToServer);
    client.raw(4, &request(capabilities));
    let request = std::mem::take(&mut client.out);
    client.frames.use_wide_types();
    client.send(PHASE_DONE, &[Value::Int(1)]);
    client.send(PHASE_DONE, &[Value::Int(1)]);
    (request, client.out)
}

pub(crate) fn city(id: i64, size: i64) -> Vec<Value> {
    let mut wonders = vec![Value::Int(0); 200];
    wonders[7] = Value::Int(size);
    vec![
        Value::Int(id),
        text("Rome"),
        Value::Int(size),
        Value::Bool(true),
        Value::List(vec![Value::Int(1), Value::Int(2), Value::Int(3)]),
        Value::List(wonders),
        Value::Parts(vec![1, -2, 3, 1, 0, 1]),
        Value::Parts(vec![4, 5, 6, 7]),
        Value::Scaled(150),
    ]
}

/// Returns a server's stream: a chunk with the reply in the middle, and the packets after the chunk.
pub(crate) fn server(active: &[&str]) -> Vec<u8> {
    let mut server = Writer::new(Direction::ToClient);
    server.frames.freeze();
    server.raw(0, &[]);
    server.send(SERVER_INFO, &[text("3.0.6"), Value::Int(3)]);
    let reply =
        [Value::Bool(true), text("Welcome"), text(CAPABILITIES), text(&"x".repeat(300)), Value::Int(7)];
    server.send(JOIN_REPLY, &reply);
    server.join(active);
    let year = match active {
        [] => [Value::Int(-4000), Value::Absent],
        _ => [Value::Absent, Value::Int(-4000)],
    };
    server.send(NEW_YEAR, &year);
    server.send(CITY_INFO, &city(101, 1));
    server.raw(1, &[]);
    let mut out = Vec::new();
    server.frames.thaw(&mut out);
    server.out = out;
    server.send(CITY_INFO, &city(101, 2));
    server.send(CITY_INFO, &city(102, 2));
    server.out
}

/// Returns the report of the bytes of one side, which the follower gets in pieces.
pub(crate) fn follow(
    follower: &mut Follower,
    from: ConversationSide,
    data: &[u8],
    size: usize,
) -> Vec<Record> {
    let runs = data.chunks(size.max(1));
    runs.map(|run| {
        let mut record = Record::new();
        follower.follow(Instant::ZERO, from, run, &mut record);
        record
    })
    .collect()
}

pub(crate) fn follower() -> Follower {
    Follower::new(&definitions(), ConversationSide::First, FollowLimits::DEFAULT)
}

/// Returns the messages in the records, each as one line with its name and fields.
pub(crate) fn messages(records: &[Record]) -> Vec<String> {
    let messages = records
        .iter()
        .flat_map(Record::nodes)
        .filter(|node| matches!(node.kind(), NodeKind::Group(gamewire_wire::Layer::Message)));
    messages.map(|message| format!("{} {}", message.name(), inside(message)).trim_end().to_owned()).collect()
}

/// Returns the content of a group as one line.
pub(crate) fn inside(group: NodeRef<'_>) -> String {
    let shown = group.children().map(|node| match (node.kind(), node.value()) {
        (NodeKind::Group(_), _) => format!("{}({})", node.name(), inside(node)),
        (_, Some(Told::Text(text))) => format!("{}={}", node.name(), String::from_utf8_lossy(text)),
        (_, Some(Told::Int(value))) => format!("{}={value}", node.name()),
        (_, Some(Told::Bool(value))) => format!("{}={value}", node.name()),
        (_, Some(Told::Decimal { raw, scale })) => format!("{}={raw}/{scale}", node.name()),
        (_, value) => format!("{}={value:?}", node.name()),
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Returns the names of all warnings.
pub(crate) fn warnings(records: &[Record]) -> Vec<String> {
    let nodes = records.iter().flat_map(Record::nodes);
    nodes
        .filter(|node| matches!(node.kind(), NodeKind::Warning(_)))
        .map(|node| node.name().to_owned())
        .collect()
}

pub(crate) fn errors(records: &[Record]) -> u32 {
    records.iter().map(Record::errors).sum()
}

/// Returns the value of a counter.
pub(crate) fn counted(follower: &Follower, wanted: &str) -> u64 {
    let mut found = 0;
    follower.counters(|name, count| {
        if name == wanted {
            found = count;
        }
    });
    found
}
