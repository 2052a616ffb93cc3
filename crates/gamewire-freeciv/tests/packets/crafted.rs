//! Cases that the recorded streams lack, sent by a handmade server. The client of the recorded streams decodes them. A
//! client that ignores a rule decodes different values without an error.

use std::sync::Arc;

use gamewire_freeciv::delta::{DeltaDecoder, DeltaLimits, Direction, Value, Variants};
use gamewire_freeciv::frame::{CompressionLevel, FrameWriter, JOIN_REPLY};

use super::client::Client;
use super::codec::Row;
use super::definition::protocol;
use super::stream::{Framed, split};

const CAPABILITIES: &str = "+Freeciv-3.0-network year32 plrculture32 pingfix researchclr cityculture32";
/// The number of the client's connection.
const CONNECTION: i64 = 3;

/// Returns a packet with these fields. The other fields are zero.
fn packet(name: &str, fields: &[(&str, Value)]) -> (u16, Vec<Value>) {
    let protocol = protocol();
    let packet = protocol.packet_named(name).unwrap();
    let active: Vec<&str> = protocol.capabilities.iter().map(String::as_str).collect();
    let variants = Arc::new(Variants::new(Arc::clone(&protocol), &active).unwrap());
    let mut decoder = DeltaDecoder::new(variants, Direction::ToClient, DeltaLimits::DEFAULT);
    let mut values = if packet.is_delta() {
        let variant = packet.variant(packet.mask(active));
        let keys = variant.keys().map(|key| packet.fields[key].wire.fixed_bytes().unwrap() as usize);
        let body = vec![0; variant.bitvector_bytes() + keys.sum::<usize>()];
        decoder.decode(packet.number, &body).unwrap().values().to_vec()
    } else {
        vec![Value::Absent; packet.fields.len()]
    };
    for (field, value) in fields {
        values[packet.field_index(field).unwrap()] = value.clone();
    }
    (packet.number, values)
}

fn int(value: i64) -> Value {
    Value::Int(value)
}

fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}

fn join_reply() -> (u16, Vec<Value>) {
    let fields = [
        ("you_can_join", Value::Bool(true)),
        ("message", text("Welcome")),
        ("capability", text(CAPABILITIES)),
        ("challenge_file", text("")),
        ("conn_id", int(CONNECTION)),
    ];
    packet("PACKET_SERVER_JOIN_REPLY", &fields)
}

fn own_connection(player: i64, is_observer: bool) -> (u16, Vec<Value>) {
    let fields =
        [("id", int(CONNECTION)), ("player_num", int(player)), ("observer", Value::Bool(is_observer))];
    packet("PACKET_CONN_INFO", &fields)
}

fn tile(number: i64, owner: i64) -> (u16, Vec<Value>) {
    packet("PACKET_TILE_INFO", &[("tile", int(number)), ("owner", int(owner)), ("terrain", int(4))])
}

/// A server that sends packets to one client.
struct Server {
    client: Client,
    writer: FrameWriter,
    stream: Vec<u8>,
    said: Vec<(u16, Vec<Value>)>,
}

impl Server {
    /// Creates a server that has accepted the client.
    fn joined() -> Self {
        let writer = FrameWriter::new(CompressionLevel::DEFAULT);
        let client = Client::new(CAPABILITIES);
        let mut server = Self { client, writer, stream: Vec::new(), said: Vec::new() };
        server.say(join_reply(), false);
        server
    }

    /// Returns the body if it was sent.
    fn say(&mut self, (number, values): (u16, Vec<Value>), force: bool) -> Option<Vec<u8>> {
        let row = Row { name: String::new(), values, bits: Vec::new(), is_known: false };
        let body = self.client.codec.encode(number, &row, force).unwrap()?;
        self.writer.write(number, &body, &mut self.stream).unwrap();
        self.client.note(number, &row);
        self.said.push((number, row.values));
        Some(body)
    }

    /// Returns the number of packets that a client decodes to other values than the server sent. `may_forget` is false
    /// for a client that ignores resets.
    fn wrong(&self, may_forget: bool) -> usize {
        let mut client = Client::new(CAPABILITIES);
        client.may_forget = may_forget;
        let (packets, left_over) = split(&self.stream);
        assert_eq!((packets.len(), left_over), (self.said.len(), 0));
        let heard = packets.iter().map(|packet| client.hear(packet).unwrap().values);
        heard.zip(&self.said).filter(|(heard, (_, said))| heard != said).count()
    }
}

#[test]
fn an_observer_receives_the_game_again_and_stale_baselines_are_wrong() {
    let mut server = Server::joined();
    server.say(own_connection(2, false), false);
    for number in 0..40 {
        server.say(tile(number, 2), false);
    }
    server.say(packet("PACKET_PLAYER_INFO", &[("playerno", int(2)), ("score", int(55))]), false);
    server.say(own_connection(160, true), false);
    // An observer does not know who owns these tiles, so the owner is 0, and zeros are not sent.
    for number in 0..40 {
        let body = server.say(tile(number, 0), false).unwrap();
        assert_eq!(body.len(), 2 + 4 + 1, "the bits, the key and the terrain");
    }
    let reported = packet("PACKET_PLAYER_INFO", &[("playerno", int(2)), ("score", int(55))]);
    assert_eq!(server.say(reported, false), None, "players are not of the game, and stay");
    assert_eq!(server.wrong(true), 0);
    assert_eq!(server.wrong(false), 40, "tiles that seem to have their owner still");
    // A detached client keeps its baselines.
    server.say(own_connection(160, false), false);
    assert_eq!(server.say(tile(7, 0), false), None);
    assert_eq!(server.wrong(true), 0);
}

fn unit(name: &str, fields: &[(&str, i64)]) -> (u16, Vec<Value>) {
    let fields = [("id", 9), ("tile", 500)].iter().chain(fields).map(|(field, value)| (*field, int(*value)));
    packet(name, &fields.collect::<Vec<_>>())
}

#[test]
fn a_unit_in_view_replaces_the_one_in_the_distance_and_who_misses_that_is_wrong() {
    let mut server = Server::joined();
    let far = |hp| unit("PACKET_UNIT_SHORT_INFO", &[("hp", hp)]);
    assert_eq!(server.say(far(10), false).unwrap().len(), 2 + 2 + 4 + 1);
    assert_eq!(server.say(far(10), false), None);
    server.say(unit("PACKET_UNIT_INFO", &[("hp", 10)]), false);
    let again = server.say(far(0), false).unwrap();
    assert_eq!(again.len(), 2 + 2 + 4, "the tile anew, and nothing of what is zero");
    // A removal cancels by its first field, which is not a key.
    server.say(far(3), false);
    server.say(packet("PACKET_UNIT_REMOVE", &[("unit_id", int(9))]), false);
    assert_eq!(server.say(far(0), false).unwrap().len(), 2 + 2 + 4);
    assert_eq!(server.wrong(true), 0);
    let wrong = heard_without_cancelling(&split(&server.stream).0, &server.said);
    assert_eq!(wrong, [("PACKET_UNIT_SHORT_INFO".to_owned(), 10), ("PACKET_UNIT_SHORT_INFO".to_owned(), 3)]);
}

/// Returns the units whose hit points are wrong in a decoder that ignores cancellations.
fn heard_without_cancelling(packets: &[Framed], said: &[(u16, Vec<Value>)]) -> Vec<(String, i64)> {
    let mut protocol = (*protocol()).clone();
    protocol.packets.iter_mut().for_each(|packet| packet.cancels.clear());
    let active: Vec<String> = protocol.capabilities.clone();
    let active: Vec<&str> = active.iter().map(String::as_str).collect();
    let variants = Arc::new(Variants::new(Arc::new(protocol), &active).unwrap());
    let mut decoder = DeltaDecoder::new(variants, Direction::ToClient, DeltaLimits::DEFAULT);
    let mut wrong = Vec::new();
    for (packet, (_, said)) in packets.iter().zip(said) {
        let heard = decoder.decode(packet.number, &packet.body).unwrap();
        if heard.values() != said {
            wrong.push((heard.packet().name.clone(), heard.value("hp").unwrap().as_int().unwrap()));
        }
    }
    wrong
}

#[test]
fn info_that_is_known_is_sent_again_only_if_forced() {
    let mut server = Server::joined();
    let game = || packet("PACKET_GAME_INFO", &[("turn", int(5))]);
    assert!(server.say(game(), false).is_some());
    assert_eq!(server.say(game(), false), None, "is-info");
    let city = |id, size| packet("PACKET_CITY_INFO", &[("id", int(id)), ("size", int(size))]);
    assert!(server.say(city(7, 3), false).is_some());
    assert_eq!(server.say(city(7, 3), false), None, "is-game-info");
    assert_eq!(server.say(city(7, 3), true).unwrap(), [&[0; 7][..], &[0, 7]].concat(), "forced");
    assert!(server.say(city(8, 3), false).is_some(), "another city");
    assert!(server.say(city(8, 4), false).is_some(), "a change");
    let turn = || packet("PACKET_BEGIN_TURN", &[]);
    assert!(server.say(turn(), false).is_some());
    assert!(server.say(turn(), false).is_some(), "others are always sent");
    assert_eq!(server.wrong(true), 0);
}

/// Returns a GAME_INFO packet with all advances. Only those in `known` are known.
fn game(known: &[usize]) -> (u16, Vec<Value>) {
    let (number, mut values) = packet("PACKET_GAME_INFO", &[]);
    let at = protocol().packet(number).unwrap().field_index("global_advances").unwrap();
    let Value::List(list) = &mut values[at] else { panic!("an array") };
    known.iter().for_each(|index| list[*index] = Value::Bool(true));
    let count = protocol().packet(number).unwrap().field_index("global_advance_count").unwrap();
    values[count] = int(known.len() as i64);
    (number, values)
}

#[test]
fn of_large_arrays_only_the_changes_are_sent_up_to_an_end_mark_of_255() {
    let mut server = Server::joined();
    let first = server.say(game(&[3, 199]), false).unwrap();
    assert!(first.ends_with(&[3, 1, 199, 1, 255]), "{first:?}");
    let second = server.say(game(&[199]), false).unwrap();
    assert!(second.ends_with(&[3, 0, 255]), "{second:?}");
    assert_eq!(server.wrong(true), 0);
    // The array has 200 elements. The reference implementation accepts an index of 200.
    let wide = [&first[..first.len() - 5], &[200, 1, 255]].concat();
    let error = server.client.codec.decode(16, &wide).unwrap_err().to_string();
    assert!(error.contains("PACKET_GAME_INFO.global_advances[200]"), "{error}");
    assert!(error.contains("expected an index below the number of elements"), "{error}");
}

#[test]
fn behind_the_join_reply_types_have_two_bytes_in_the_middle_of_a_chunk() {
    let mut server = Server {
        client: Client::new(CAPABILITIES),
        writer: FrameWriter::new(CompressionLevel::DEFAULT),
        stream: Vec::new(),
        said: Vec::new(),
    };
    server.writer.freeze();
    server.say(packet("PACKET_PROCESSING_STARTED", &[]), false);
    server.say(join_reply(), false);
    for _ in 0..20 {
        server.say(
            packet("PACKET_CHAT_MSG", &[("message", text("Welcome, welcome")), ("turn", int(1))]),
            false,
        );
    }
    server.say(packet("PACKET_PROCESSING_FINISHED", &[]), false);
    server.writer.thaw(&mut server.stream);
    let (packets, _) = split(&server.stream);
    assert!(packets.iter().all(|packet| packet.chunk == Some(0)), "one chunk");
    let starts: Vec<Vec<u8>> = packets.iter().map(|packet| packet.plain()[..3].to_vec()).collect();
    assert_eq!(starts[0], [0, 3, 0]);
    assert_eq!(starts[1][2], JOIN_REPLY as u8);
    assert_eq!(packets[2].plain()[2..4], [0, 25]);
    assert_eq!(packets.last().unwrap().plain(), [0, 4, 0, 1]);
    assert_eq!(server.wrong(true), 0);
}
