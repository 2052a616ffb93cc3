//! Names of fields: one name in all versions, and aliases for the names that other versions of Freeciv have.

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::delta::{DeltaLimits, Direction, EncodeOptions, Value};
use gamewire_freeciv::packets::{CityRallyPoint, Packet};
use gamewire_freeciv::session::codec::{Decoder, Definition, Encoder, PacketBuf};

const RALLY_POINT: u16 = 138;
const CITY: i64 = 70_000;

/// Encodes a rally point, and returns the packet that the other side receives.
fn received(definition: &Definition, encode: impl FnOnce(&mut Encoder, &mut Vec<u8>)) -> PacketBuf {
    let mut encoder = Encoder::new(definition, Direction::ToServer, DeltaLimits::DEFAULT);
    let mut decoder = Decoder::new(definition, Direction::ToServer, DeltaLimits::DEFAULT);
    encoder.set_capabilities(&["ids32"]);
    decoder.set_capabilities(&["ids32"]);
    let mut body = Vec::new();
    encode(&mut encoder, &mut body);
    decoder.decode(RALLY_POINT, &body).unwrap().to_owned()
}

fn encode_named(name: &'static str) -> impl FnOnce(&mut Encoder, &mut Vec<u8>) {
    move |encoder, body| {
        let fields = [(name, Value::Int(CITY)), ("persistent", Value::Bool(true))];
        assert!(encoder.encode_fields(RALLY_POINT, &fields, EncodeOptions::default(), body).unwrap());
    }
}

fn encode_typed(encoder: &mut Encoder, body: &mut Vec<u8>) {
    let point = CityRallyPoint { city_id: 70_000, persistent: true, ..CityRallyPoint::default() };
    encoder.encode(Packet::from(&point), EncodeOptions::default(), body).unwrap();
}

/// Returns the definition of 3.2 with the names of Freeciv 3.2, for the interpreter.
fn freeciv_3_2() -> Definition {
    let mut protocol = Definition::of(ProtocolVersion::V3_2).protocol().clone();
    let packet = protocol.packets.iter_mut().find(|packet| packet.number == RALLY_POINT).unwrap();
    "id".clone_into(&mut packet.fields[0].name);
    packet.fields[0].aliases.clear();
    Definition::interpreted(protocol).unwrap()
}

#[test]
fn the_city_of_a_rally_point_has_one_name_in_all_versions_and_the_other_one_as_an_alias() {
    for version in [ProtocolVersion::V3_1, ProtocolVersion::V3_2] {
        let shipped = Definition::of(version);
        let interpreted = Definition::interpreted(shipped.protocol().clone()).unwrap();
        for definition in [shipped, interpreted] {
            for name in ["city_id", "id"] {
                let mut packet = received(&definition, encode_named(name));
                assert!(packet.field_names().contains(&"city_id") && !packet.field_names().contains(&"id"));
                assert_eq!((packet.value("city_id"), packet.int("id")), (Some(Value::Int(CITY)), CITY));
                assert!(packet.set_text("id", "7"), "{version}");
                assert_eq!(packet.int("city_id"), 7);
                assert!(packet.set_value("id", &Value::Int(8)));
                assert_eq!(packet.int("city_id"), 8);
            }
        }
    }
}

#[test]
fn a_definition_with_the_other_name_reads_and_writes_the_same_struct() {
    let definition = freeciv_3_2();
    let packet = received(&definition, encode_typed);
    assert_eq!(packet.int("id"), CITY);
    let Some(Packet::CityRallyPoint(point)) = packet.packet() else { panic!("{packet:?}") };
    assert_eq!((point.city_id, point.persistent), (70_000, true));
}
