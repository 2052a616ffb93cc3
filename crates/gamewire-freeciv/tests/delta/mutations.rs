//! Random bodies: no panic, bounded memory, and decoded packets encode to the same values.

use gamewire_freeciv::delta::{DeltaDecoder, DeltaLimits, Direction, EncodeOptions};
use gamewire_schema::ir::{ArrayDiff, Field, Info, Packet, WireType};
use proptest::prelude::*;

use super::support::{Pair, bool_field, packet, text_field, u8_field, variants};
use gamewire_sim::random::{Random, rounds};

fn packets() -> Vec<Packet> {
    let numbers = [WireType::Sint8, WireType::Uint16, WireType::Sint16, WireType::Uint32, WireType::Sint32];
    let plain = numbers.iter().fold(packet(0).info(Info::GameInfo), |packet, wire| {
        packet.field(Field::new(wire.to_string(), *wire))
    });
    let structures = [
        WireType::Requirement,
        WireType::Worklist,
        WireType::ActionProbability,
        WireType::UnitOrder,
        WireType::CmParameter,
        WireType::Uint16Vec8,
        WireType::Bool32,
    ];
    let structures = structures
        .iter()
        .fold(packet(1).cancel(2), |packet, wire| packet.field(Field::new(wire.to_string(), *wire).array(1)));
    vec![
        plain,
        structures,
        packet(2).field(u8_field("id").key()).field(bool_field("b")).field(text_field("t", 6)),
        packet(3)
            .field(u8_field("n"))
            .field(u8_field("a").counted(7, 0))
            .field(text_field("texts", 4).counted(7, 0))
            .field(Field::new("m", WireType::Memory).counted(9, 0)),
        packet(4).field(u8_field("d").array(20).diff(ArrayDiff::End255)),
        packet(5).field(u8_field("n")).field(u8_field("d").counted(20, 0).diff(ArrayDiff::EndLength)),
        packet(6).no_delta().cancel(2).field(bool_field("b")).field(text_field("t", 5)),
        packet(7).field(Field::new("v", WireType::Uint16).vector()),
        packet(8).field(u8_field("n")).field(u8_field("square").counted(4, 0).array(2)),
    ]
}

#[test]
fn bodies_of_noise_do_no_harm() {
    let variants = variants(packets(), &[]);
    let mut noise = Random::new(0x1234_5678_9abc);
    let (mut good, mut bad) = (0, 0);
    let mut decoder = DeltaDecoder::new(
        variants.clone(),
        Direction::ToClient,
        DeltaLimits { baselines: 300, bytes: 1 << 20 },
    );
    let bodies = rounds(20_000, 200_000);
    for _ in 0..bodies {
        let number = u16::from(noise.byte() % 9);
        let length = usize::from(noise.byte() % 24);
        // Small numbers make bodies that decode further.
        let mask = [0xff, 0x07, 0x01][usize::from(noise.byte() % 3)];
        let body: Vec<u8> = (0..length).map(|_| noise.byte() & mask).collect();
        if decoder.decode(number, &body).is_ok() {
            good += 1;
        } else {
            bad += 1;
            let limits = DeltaLimits { baselines: 300, bytes: 1 << 20 };
            decoder = DeltaDecoder::new(variants.clone(), Direction::ToClient, limits);
        }
        assert!(decoder.memory_usage().packets <= 300);
    }
    assert!(good > bodies / 70 && bad > bodies / 2, "{good} good, {bad} bad");
}

proptest! {
    #[test]
    fn decoded_values_survive_encoding(
        bodies in prop::collection::vec((0..9_u16, prop::collection::vec(0..6_u8, 0..30)), 1..40)
    ) {
        let mut pair = Pair::new(packets());
        let mut other = Pair::new(packets());
        for (number, body) in bodies {
            let Ok(decoded) = pair.decoder.decode(number, &body) else { break };
            let values = decoded.values().to_vec();
            let mut again = Vec::new();
            let forced = EncodeOptions { force: true, ..EncodeOptions::default() };
            pair.encoder.encode(number, &values, forced, &mut again).unwrap();
            let decoded = other.decoder.decode(number, &again).unwrap();
            prop_assert_eq!(decoded.values(), values);
        }
    }
}
