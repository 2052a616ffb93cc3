//! A small definition with every kind of field. Its committed code must equal the generated code, and behave as the
//! interpreter does.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that panics fails")]

#[rustfmt::skip]
#[allow(missing_docs, unreachable_pub, dead_code, reason = "a part of a test")]
mod lamps;

use std::sync::Arc;

use gamewire_freeciv::codec::{BitString, Bitvector, Bool32, EndedList, Fields, Memory, Sfloat, Vector};
use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaErrorKind, DeltaLimits, Direction, EncodeOptions, Variants,
};
use gamewire_schema::build::Config;
use gamewire_schema::ir::Protocol;
use gamewire_schema::{Constants, compile};
use lamps::{Beam, Decoder, Encoder, LampHint, LampInfo, Modes, Names, Packet, Point, Scene, Totals};

const GOOD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../gamewire-schema/tests/good");

fn protocol() -> Protocol {
    let text = std::fs::read_to_string(format!("{GOOD}/lamps.def")).unwrap();
    let constants = std::fs::read_to_string(format!("{GOOD}/lamps.toml")).unwrap();
    compile(&text, &Constants::from_toml(&constants).unwrap()).unwrap()
}

/// Encodes packets, decodes the bodies with both codecs, and checks that the results are equal.
fn round(direction: Direction, active: &[&str], packets: &[Packet<'_>]) -> Vec<Vec<u8>> {
    let limits = DeltaLimits::DEFAULT;
    let variants = Arc::new(Variants::new(Arc::new(protocol()), active).unwrap());
    let mut interpreter = DeltaDecoder::new(variants, direction, limits);
    let (mut decoder, mut encoder) = (Decoder::new(direction, limits), Encoder::new(direction, limits));
    decoder.set_capabilities(active);
    encoder.set_capabilities(active);
    let mut bodies = Vec::new();
    for packet in packets {
        let mut body = Vec::new();
        if !encoder.encode(*packet, EncodeOptions::default(), &mut body).unwrap() {
            continue;
        }
        let expected = interpreter.decode(packet.number(), &body).unwrap();
        let decoded = decoder.decode_with_bits(packet.number(), &body).unwrap();
        assert_eq!(decoded.values(), expected.values());
        assert_eq!((decoded.bits, decoded.is_known), (expected.bits(), expected.is_known()));
        bodies.push(body);
    }
    bodies
}

#[test]
fn the_committed_code_is_what_generating_gives() {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/lamps");
    std::fs::create_dir_all(folder).unwrap();
    let config = Config::new().constants(format!("{GOOD}/lamps.toml")).out_dir(folder);
    config.compile(format!("{GOOD}/lamps.def")).unwrap();
    let made = std::fs::read_to_string(format!("{folder}/lamps.rs")).unwrap();
    let committed = include_str!("lamps.rs");
    let code = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<String>>();
    assert_eq!(code(&made), code(committed), "run `cargo xtask generate`");
}

#[test]
fn the_generated_definition_is_the_compiled_one() {
    assert_eq!(lamps::protocol(), protocol());
}

#[test]
fn every_variant_of_a_packet_round_trips() {
    let lamp = |is_lit, hours| LampInfo {
        id: 7,
        is_lit,
        colours: Bitvector([1, 2, 3]),
        hours16: Some(200),
        hours: Some(hours),
    };
    for active in [&[][..], &["wide"], &["narrow"], &["wide", "narrow"]] {
        // Without `wide`, `hours` has one byte.
        let most = if active.contains(&"wide") { 300 } else { 200 };
        let (first, second) = (lamp(true, most), lamp(false, most + 1));
        round(Direction::ToClient, active, &[(&first).into(), (&second).into(), (&second).into()]);
    }
}

#[test]
fn a_field_has_a_value_exactly_where_the_connection_has_the_field() {
    for (active, hours16, hours) in [
        (&[][..], Some(0), Some(0)),
        (&["wide"], None, Some(0)),
        (&["narrow"], Some(0), Some(0)),
        (&["wide", "narrow"], None, None),
    ] {
        // The first lamp has no value for `hours`. The value of the second is not sent if the connection lacks the
        // field.
        for lamp in
            [LampInfo { id: 7, ..LampInfo::default() }, LampInfo { id: 7, hours, ..LampInfo::default() }]
        {
            let [body] = &round(Direction::ToClient, active, &[(&lamp).into()])[..] else { panic!() };
            let mut decoder = Decoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
            decoder.set_capabilities(active);
            let Packet::LampInfo(read) = decoder.decode(Packet::from(&lamp).number(), body).unwrap() else {
                panic!()
            };
            assert_eq!((read.hours16, read.hours), (hours16, hours), "{active:?}");
        }
    }
}

#[test]
fn arrays_of_every_shape_round_trip() {
    let mut names = Names {
        count: 2,
        scores: [[Sfloat(1), Sfloat(-2), Sfloat(3)], [Sfloat(4), Sfloat(5), Sfloat(6)]],
        notes: Memory(vec![8, 9]),
        marks: Vector(vec![1, 500]),
        more: Vector(vec!["lamps".try_into().unwrap()]),
        lit: [true; 20],
        ..Names::default()
    };
    names.rooms.push("hall").unwrap();
    names.rooms.push("").unwrap();
    round(Direction::ToServer, &[], &[(&names).into()]);
    names.count = 3;
    let mut encoder = Encoder::new(Direction::ToServer, DeltaLimits::DEFAULT);
    let error = encoder.encode(&names, EncodeOptions::default(), &mut Vec::new()).unwrap_err();
    assert_eq!(
        (error.packet.as_str(), error.field.as_ref().unwrap().name.as_str()),
        ("PACKET_NAMES", "rooms")
    );
    assert!(matches!(error.kind, DeltaErrorKind::Codec(_)));
}

fn beam(kind: u8) -> Beam {
    Beam {
        kind,
        from: Point { x: -1, y: 2 },
        to: Point { x: 300, y: -300 },
        power: [1, 2, 65_535],
        r#type: true,
        part_5: Bool32(true),
    }
}

fn scene() -> Scene {
    Scene {
        main: beam(7),
        beams: [beam(1), beam(2)],
        length: 2,
        path: vec![Point { x: 1, y: 2 }, Point { x: 3, y: 4 }],
        corners: [Point { x: 5, y: 6 }, Point::default(), Point::default()],
        on: EndedList(vec![3, 9]),
        rows: BitString(vec![true, false, false, true, false, false, false, false, true]),
        mood: 4,
    }
}

#[test]
fn structures_are_sent_part_by_part() {
    let bodies = round(Direction::ToClient, &[], &[(&scene()).into()]);
    let mut body = vec![0xff];
    for kind in [7, 1, 2] {
        body.extend([kind, 255, 255, 0, 2, 1, 44, 254, 212, 0, 1, 0, 2, 255, 255, 1, 0, 0, 0, 1]);
    }
    body.extend([2, 0, 1, 0, 2, 0, 3, 0, 4]);
    body.extend([0, 0, 5, 0, 6, 255]);
    body.extend([3, 9, 200]);
    body.extend([0, 9, 0b1001, 1]);
    body.push(4);
    assert_eq!(bodies, [body]);
}

#[test]
fn a_structure_is_compared_as_a_whole_and_an_element_of_an_array_diff_too() {
    let first = scene();
    let mut second = first.clone();
    second.main.to.y = 1;
    second.corners[2].x = 8;
    let bodies = round(Direction::ToClient, &[], &[(&first).into(), (&second).into(), (&second).into()]);
    let mut changed = vec![0b1_0001];
    changed.extend([7, 255, 255, 0, 2, 1, 44, 0, 1, 0, 1, 0, 2, 255, 255, 1, 0, 0, 0, 1]);
    changed.extend([2, 0, 8, 0, 0, 255]);
    assert_eq!(bodies[1..], [changed, vec![0]]);
}

#[test]
fn structures_of_every_value_round_trip() {
    let mut bodies = 0;
    for value in [i16::MIN, -1, 0, 1, i16::MAX] {
        let mut scene = scene();
        scene.path = vec![Point { x: value, y: value.wrapping_add(1) }; 4];
        scene.length = 4;
        scene.on = EndedList((0..10).collect());
        scene.rows = BitString(vec![value > 0; 20]);
        scene.beams[1].part_5 = Bool32(value > 0);
        bodies += round(Direction::ToClient, &[], &[(&scene).into(), (&Scene::default()).into()]).len();
    }
    assert_eq!(bodies, 10);
}

#[test]
fn invalid_parts_and_lists_are_errors_of_their_field() {
    let error = |body: &[u8]| {
        let error = Decoder::new(Direction::ToClient, DeltaLimits::DEFAULT).decode(15, body).unwrap_err();
        let mut interpreter = DeltaDecoder::new(
            Arc::new(Variants::new(Arc::new(protocol()), &[]).unwrap()),
            Direction::ToClient,
            DeltaLimits::DEFAULT,
        );
        assert_eq!(interpreter.decode(15, body).unwrap_err().to_string(), error.to_string());
        error.to_string()
    };
    let mut wrong = vec![1];
    wrong.extend([7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    assert!(
        error(&wrong).starts_with("PACKET_SCENE.main (bit 0): expected 0 or 1 at byte 16"),
        "{}",
        error(&wrong)
    );
    assert!(error(&[1, 7, 0]).starts_with("PACKET_SCENE.main"));
    assert!(error(&[2, 7, 0]).starts_with("PACKET_SCENE.beams"));
    assert!(error(&[32, 1, 2]).starts_with("PACKET_SCENE.on"));
    assert!(error(&[64, 0, 21, 0, 0, 0]).contains("expected a number of bits within its field"));
    let mut encoder = Encoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
    for on in [EndedList(vec![200]), EndedList(vec![0; 11])] {
        let scene = Scene { on, ..Scene::default() };
        let error = encoder.encode(&scene, EncodeOptions::default(), &mut Vec::new()).unwrap_err();
        assert_eq!(error.field.unwrap().name, "on");
    }
    let scene = Scene { rows: BitString(vec![true; 21]), ..Scene::default() };
    let error = encoder.encode(&scene, EncodeOptions::default(), &mut Vec::new()).unwrap_err();
    assert_eq!(error.field.unwrap().name, "rows");
}

#[test]
fn parts_are_values_in_the_order_of_the_wire() {
    use gamewire_freeciv::delta::{Value, parts};

    let mut changed = Scene::default();
    let fields: &mut dyn Fields = &mut changed;
    let main = Value::Parts(vec![7, -1, 2, 300, -300, 1, 2, 65_535, 1, 1]);
    fields.set_value(0, &main).unwrap();
    assert_eq!(fields.value_of("main"), Some(main));
    assert!(fields.set_value(0, &Value::Parts(vec![7, -1])).is_err());
    assert!(fields.set_value(0, &Value::Parts(vec![7, -1, 2, 300, -300, 1, 2, 65_535, 2, 1])).is_err());
    let protocol = protocol();
    let field = &protocol.packet(15).unwrap().fields[0];
    let names: Vec<String> = parts(field).into_iter().map(|part| part.name).collect();
    let expected =
        ["kind", "from_x", "from_y", "to_x", "to_y", "power_0", "power_1", "power_2", "type", "part_5"];
    assert_eq!(names, expected);
}

#[test]
fn each_of_many_capabilities_selects_its_field() {
    let protocol = protocol();
    let modes = protocol.packet(16).unwrap();
    assert_eq!((modes.capabilities.len(), modes.variant_count()), (20, 1 << 20));
    for at in 0..20_usize {
        let active = format!("c{at}");
        let mut packet = Modes::default();
        let fields: &mut dyn Fields = &mut packet;
        fields.set_value(at, &gamewire_freeciv::delta::Value::Int(9)).unwrap();
        let bodies = round(Direction::ToClient, &[&active], &[(&packet).into()]);
        assert_eq!(bodies, [vec![1, 9]], "{active}");
    }
    let all: Vec<String> = (0..20).map(|at| format!("c{at}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let bodies = round(Direction::ToClient, &all, &[(&Modes::default()).into()]);
    assert_eq!(bodies, [vec![0, 0, 0]]);
}

#[test]
fn only_changed_elements_are_sent() {
    let mut totals = Totals::default();
    totals.totals[3] = 9;
    let first = totals.clone();
    totals.totals[20] = 7;
    let bodies = round(Direction::ToServer, &["orders", "more"], &[(&first).into(), (&totals).into()]);
    assert_eq!(bodies, [vec![1, 3, 0, 0, 0, 9, 255], vec![1, 20, 0, 0, 0, 7, 255]]);
}

#[test]
fn canceled_baselines_are_removed() {
    let hint = LampHint { id: 7 };
    let info = LampInfo { id: 7, ..LampInfo::default() };
    let packets: [Packet<'_>; 3] = [(&hint).into(), (&info).into(), (&hint).into()];
    let bodies = round(Direction::ToClient, &[], &packets);
    assert_eq!(bodies[0], bodies[2]);
}

#[test]
fn canceled_baselines_use_no_memory() {
    let (hint, info) = (LampHint { id: 7 }, LampInfo { id: 7, ..LampInfo::default() });
    let counted = |packets: &[Packet<'_>]| {
        let (direction, limits) = (Direction::ToClient, DeltaLimits::DEFAULT);
        let (mut decoder, mut encoder) = (Decoder::new(direction, limits), Encoder::new(direction, limits));
        decoder.set_capabilities(&[]);
        encoder.set_capabilities(&[]);
        for packet in packets {
            let mut body = Vec::new();
            assert!(encoder.encode(*packet, EncodeOptions::default(), &mut body).unwrap());
            decoder.decode(packet.number(), &body).unwrap();
        }
        [encoder.memory_usage(), decoder.memory_usage()]
    };
    assert!(counted(&[(&hint).into()]).iter().all(|usage| (usage.packets, usage.bytes > 0) == (1, true)));
    assert_eq!(counted(&[(&hint).into(), (&info).into()]), counted(&[(&info).into()]));
}

#[test]
fn fields_are_reached_by_number_and_name() {
    let mut lamp = LampHint::default();
    let hint: &mut dyn Fields = &mut lamp;
    hint.set_value(0, &gamewire_freeciv::delta::Value::Int(300)).unwrap();
    assert_eq!(hint.value_of("id"), Some(gamewire_freeciv::delta::Value::Int(300)));
    assert!(hint.set_value(0, &gamewire_freeciv::delta::Value::Int(70_000)).is_err());
    assert!(hint.set_value(1, &gamewire_freeciv::delta::Value::Int(0)).is_err());
    assert_eq!(lamp.id, 300);
}

/// A later version of the definition, which shares the unchanged packets.
mod newer {
    use gamewire_freeciv::codec;

    use super::lamps::{LampHint, Ping};

    /// A lamp changed.
    #[derive(Clone, Debug, PartialEq, codec::Packet)]
    #[packet(name = "PACKET_LAMP_INFO", number = 1, sc, is_game_info, cancel(2))]
    pub(crate) struct LampInfo {
        /// The number of the lamp.
        #[field("LAMP = uint32(int)", key)]
        pub(crate) id: u32,
        /// The lamp is lit.
        #[field("bool8(bool)")]
        pub(crate) is_lit: bool,
    }

    codec::packets! {
        versions: [{ name: "newer lamps", version: "", capabilities: "", aliases: [] }],
        topics: [],
        packets: [LampInfo, LampHint, Ping],
    }
}

#[test]
fn versions_share_the_structs_of_packets_that_are_the_same() {
    assert_eq!(newer::protocol().packet(2), protocol().packet(2));
    let (direction, limits) = (Direction::ToClient, DeltaLimits::DEFAULT);
    let mut encoder = newer::Encoder::new(direction, limits);
    let mut decoder = newer::Decoder::new(direction, limits);
    let (hint, info) = (LampHint { id: 7 }, newer::LampInfo { id: 7, is_lit: true });
    for (packet, remembered) in [(newer::Packet::from(&hint), 1), ((&info).into(), 1), ((&hint).into(), 2)] {
        let mut body = Vec::new();
        assert!(encoder.encode(packet, EncodeOptions::default(), &mut body).unwrap());
        assert_eq!(decoder.decode(packet.number(), &body).unwrap(), packet);
        assert_eq!(decoder.memory_usage().packets, remembered);
    }
}
