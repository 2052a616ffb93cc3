//! One server direction from values to bytes and back: the join reply in the middle of a chunk, the capabilities in it,
//! and the baselines that are removed with a new player.

use std::sync::Arc;

use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaEncoder, DeltaLimits, Direction, EncodeOptions, RoleTracker, Value, Variants,
    active_capabilities,
};
use gamewire_freeciv::frame::{CompressionLevel, FrameSplitter, FrameWriter, JOIN_REPLY};
use gamewire_schema::ir::{Directions, Field, Info, Packet, Protocol, WireType};

const CONN_INFO: u16 = 115;
const NEW_YEAR: u16 = 127;
const TILE_INFO: u16 = 300;

fn protocol() -> Protocol {
    let packet = |name: &str, number| Packet::new(name, number, Directions::TO_CLIENT);
    let text = WireType::String { size: 99 };
    let reply = packet("PACKET_SERVER_JOIN_REPLY", JOIN_REPLY)
        .no_delta()
        .field(Field::new("you_can_join", WireType::Bool8))
        .field(Field::new("capability", text))
        .field(Field::new("conn_id", WireType::Sint16));
    let info = packet("PACKET_CONN_INFO", CONN_INFO)
        .info(Info::Info)
        .field(Field::new("id", WireType::Sint16).key())
        .field(Field::new("player_num", WireType::Sint16))
        .field(Field::new("observer", WireType::Bool8));
    let year = packet("PACKET_NEW_YEAR", NEW_YEAR)
        .field(Field::new("year16", WireType::Sint16).remove_capability("year32"))
        .field(Field::new("year32", WireType::Sint32).add_capability("year32"));
    let tile = packet("PACKET_TILE_INFO", TILE_INFO)
        .info(Info::GameInfo)
        .field(Field::new("tile", WireType::Sint32).key())
        .field(Field::new("owner", WireType::Uint8));
    Protocol::new("by hand", vec![reply, info, year, tile])
}

/// The server's packets, in order.
fn said() -> Vec<(u16, Vec<Value>)> {
    let capability = Value::Text(b"+Freeciv-3.0-network year32".to_vec());
    let info = |player| (CONN_INFO, vec![Value::Int(7), Value::Int(player), Value::Bool(false)]);
    let tile = |tile, owner| (TILE_INFO, vec![Value::Int(tile), Value::Int(owner)]);
    let mut said = vec![
        (JOIN_REPLY, vec![Value::Bool(true), capability, Value::Int(7)]),
        (NEW_YEAR, vec![Value::Absent, Value::Int(-3950)]),
        info(160),
    ];
    said.extend((0..40).map(|number| tile(number, 3)));
    said.push(info(2));
    said.extend((0..40).map(|number| tile(number, 0)));
    said
}

/// The rules that both ends apply: the variants after the join reply, and the tracker of roles.
struct Rules {
    protocol: Arc<Protocol>,
    watch: RoleTracker,
}

impl Rules {
    fn new() -> (Self, Arc<Variants>) {
        let protocol = Arc::new(protocol());
        let before = Arc::new(Variants::before_join(Arc::clone(&protocol)).unwrap());
        (Self { watch: RoleTracker::new(&protocol, RoleTracker::NO_PLAYER), protocol }, before)
    }

    /// Returns the variants from now on, and whether the baselines that describe the game must be removed.
    fn after(&mut self, number: u16, values: &[Value]) -> (Option<Arc<Variants>>, bool) {
        let variants = (number == JOIN_REPLY).then(|| {
            let theirs = std::str::from_utf8(values[1].as_text().unwrap()).unwrap();
            let active = active_capabilities(&self.protocol.capabilities, "year32 other", theirs);
            Arc::new(Variants::new(Arc::clone(&self.protocol), &active).unwrap())
        });
        (variants, self.watch.observe_values(number, values))
    }
}

fn written() -> Vec<u8> {
    let (mut rules, before) = Rules::new();
    let mut encoder = DeltaEncoder::new(before, Direction::ToClient, DeltaLimits::DEFAULT);
    let mut writer = FrameWriter::new(CompressionLevel::DEFAULT);
    let mut stream = Vec::new();
    writer.freeze();
    for (number, values) in said() {
        let mut body = Vec::new();
        if encoder.encode(number, &values, EncodeOptions::default(), &mut body).unwrap() {
            writer.write(number, &body, &mut stream).unwrap();
        }
        let (variants, forget) = rules.after(number, &values);
        variants.into_iter().for_each(|variants| encoder.set_variants(variants));
        if forget {
            encoder.forget_game_info();
        }
    }
    writer.thaw(&mut stream);
    stream
}

fn read(stream: &[u8], size: usize, may_forget: bool) -> Vec<(u16, Vec<Value>)> {
    let (mut rules, before) = Rules::new();
    let mut decoder = DeltaDecoder::new(before, Direction::ToClient, DeltaLimits::DEFAULT);
    let mut splitter = FrameSplitter::default();
    let mut heard = Vec::new();
    for mut data in stream.chunks(size) {
        while let Some(packet) = splitter.next(&mut data).unwrap() {
            let values = decoder.decode(packet.number, packet.body).unwrap().values().to_vec();
            let (variants, forget) = rules.after(packet.number, &values);
            variants.into_iter().for_each(|variants| decoder.set_variants(variants));
            if forget && may_forget {
                decoder.forget_game_info();
            }
            heard.push((packet.number, values));
        }
    }
    heard
}

#[test]
fn messages_round_trip_wherever_the_stream_is_split() {
    let stream = written();
    assert!(stream.len() < 400, "it is a chunk: {} bytes", stream.len());
    for size in [1, 2, 3, 50, stream.len()] {
        assert_eq!(read(&stream, size, true), said(), "reads of {size}");
    }
}

#[test]
fn a_missed_reset_decodes_wrong_values_without_an_error() {
    let (stream, said) = (written(), said());
    let heard = read(&stream, stream.len(), false);
    assert_eq!(heard.len(), said.len());
    let wrong = heard.iter().zip(&said).filter(|(heard, said)| heard != said).count();
    assert_eq!(wrong, 40, "all tiles that have lost their owner");
}
