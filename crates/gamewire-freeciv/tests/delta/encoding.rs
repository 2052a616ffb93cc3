//! Values that an encoder rejects.

use gamewire_freeciv::delta::{
    DeltaEncoder, DeltaErrorKind, DeltaLimits, Direction, EncodeOptions, MemoryUsage, Value,
};
use gamewire_schema::ir::{Field, Packet, WireType};

use super::support::{bool_field, int, ints, packet, text, text_field, u8_field, variants};

/// Returns the error of an encoding, and checks that nothing was written.
fn refused(packet: Packet, values: &[Value]) -> String {
    let number = packet.number;
    let mut encoder =
        DeltaEncoder::new(variants(vec![packet], &[]), Direction::ToClient, DeltaLimits::DEFAULT);
    let mut out = vec![1, 2, 3];
    let error = encoder.encode(number, values, EncodeOptions::default(), &mut out).unwrap_err();
    assert_eq!((out, encoder.memory_usage()), (vec![1, 2, 3], MemoryUsage::default()));
    error.to_string()
}

#[test]
fn values_that_do_not_fit_their_fields_are_rejected() {
    for (wire, value) in [
        (WireType::Uint8, 256),
        (WireType::Uint8, -1),
        (WireType::Sint8, 128),
        (WireType::Uint16, 65_536),
        (WireType::Sint16, -32_769),
        (WireType::Uint32, 1 << 32),
        (WireType::Sint32, 1 << 31),
    ] {
        let message =
            refused(packet(1).field(u8_field("a")).field(Field::new("f", wire)), &[int(1), int(value)]);
        assert!(message.contains(&format!("found {value}; after a at byte 1")), "{message}");
    }
}

#[test]
fn values_of_other_types_are_rejected() {
    let message = refused(packet(1).field(u8_field("f")), &[text("5")]);
    assert!(message.contains("PACKET_1.f (bit 0): expected a value of the field's type"), "{message}");
    refused(packet(1).field(u8_field("f")), &[Value::Absent]);
    refused(packet(1).field(bool_field("f")), &[int(1)]);
    refused(packet(1).field(u8_field("f")), &[]);
    refused(packet(1).field(u8_field("f").array(2)), &[ints([1])]);
    refused(packet(1).field(u8_field("c")).field(u8_field("f").counted(9, 0)), &[int(1), ints([1, 2])]);
    refused(packet(1).field(u8_field("c")).field(u8_field("f").counted(2, 0)), &[int(3), ints([1, 2, 3])]);
}

#[test]
fn texts_that_do_not_fit_are_rejected() {
    refused(packet(1).field(text_field("f", 4)), &[text("abcd")]);
    refused(packet(1).field(text_field("f", 4)), &[text("a\0b")]);
}

#[test]
fn an_encoder_with_too_many_baselines_fails_for_good() {
    let keyed = packet(1).field(u8_field("id").key()).field(text_field("t", 4000));
    let limits = DeltaLimits { bytes: 50_000, baselines: 100 };
    let mut encoder = DeltaEncoder::new(variants(vec![keyed], &[]), Direction::ToClient, limits);
    let mut out = Vec::new();
    let long = text(&"x".repeat(3000));
    let mut send = |id| encoder.encode(1, &[int(id), long.clone()], EncodeOptions::default(), &mut out);
    let error = (0..100).find_map(|id| send(id).err()).unwrap();
    assert_eq!(error.kind, DeltaErrorKind::Memory { limit: 50_000 });
    assert_eq!(send(0), Err(error), "also for what is remembered");
}
