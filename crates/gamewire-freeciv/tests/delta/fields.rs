//! Bits, keys, changed fields and folded booleans.

use gamewire_freeciv::delta::{MemoryUsage, Value};
use gamewire_schema::ir::{Directions, Field, Packet, WireType};

use super::support::{Pair, bool_field, int, packet, text, text_field, u8_field};

#[test]
fn unsent_fields_are_unchanged() {
    let mut pair = Pair::new(vec![packet(1).field(u8_field("a")).field(u8_field("b")).field(u8_field("c"))]);
    assert_eq!(pair.decode(1, &[0b101, 7, 9]), [int(7), int(0), int(9)]);
    assert_eq!(pair.decode(1, &[0b010, 8]), [int(7), int(8), int(9)]);
    assert_eq!(pair.decode(1, &[0]), [int(7), int(8), int(9)]);
    assert_eq!(pair.decode(1, &[0b100, 0]), [int(7), int(8), int(0)]);
}

#[test]
fn before_the_first_packet_all_is_zero() {
    let all = packet(1)
        .field(u8_field("number"))
        .field(bool_field("truth"))
        .field(text_field("text", 9))
        .field(Field::new("bits", WireType::Bitvector { bytes: 2 }))
        .field(Field::new("scaled", WireType::Ufloat { factor: 100 }))
        .field(Field::new("requirement", WireType::Requirement))
        .field(u8_field("array").array(2));
    assert_eq!(
        Pair::new(vec![all]).decode(1, &[0]),
        [
            int(0),
            Value::Bool(false),
            text(""),
            Value::Bytes(vec![0, 0]),
            Value::Scaled(0),
            Value::Parts(vec![0; 6]),
            Value::List(vec![int(0), int(0)]),
        ]
    );
}

#[test]
fn bits_count_from_the_lowest_of_the_first_byte() {
    let wide = (0..10).fold(packet(1), |packet, index| packet.field(u8_field(&format!("f{index}"))));
    let mut pair = Pair::new(vec![wide]);
    let values = pair.decode(1, &[0x81, 0x02, 1, 8, 10]);
    let sent: Vec<usize> = (0..10).filter(|index| values[*index] != int(0)).collect();
    assert_eq!(sent, [0, 7, 9]);
}

#[test]
fn a_folded_boolean_is_its_bit_and_has_no_byte() {
    let mut pair = Pair::new(vec![packet(1).field(bool_field("on")).field(u8_field("n"))]);
    assert_eq!(pair.decode(1, &[0b11, 5]), [Value::Bool(true), int(5)]);
    assert_eq!(pair.decode(1, &[0b01]), [Value::Bool(true), int(5)]);
    assert_eq!(pair.decode(1, &[0b00]), [Value::Bool(false), int(5)]);
}

#[test]
fn booleans_in_arrays_have_bytes() {
    let mut pair = Pair::new(vec![packet(1).field(bool_field("on").array(3))]);
    let truths = |values: [bool; 3]| [Value::List(values.map(Value::Bool).to_vec())];
    assert_eq!(pair.decode(1, &[1, 0, 1, 1]), truths([false, true, true]));
}

#[test]
fn keys_come_after_the_bits_and_separate_baselines() {
    let keyed = packet(1).field(u8_field("n")).field(Field::new("id", WireType::Uint16).key());
    let mut pair = Pair::new(vec![keyed]);
    assert_eq!(pair.decode(1, &[1, 0x01, 0x02, 5]), [int(5), int(0x0102)]);
    assert_eq!(pair.decode(1, &[1, 0x01, 0x03, 6]), [int(6), int(0x0103)]);
    assert_eq!(pair.decode(1, &[0, 0x01, 0x02]), [int(5), int(0x0102)]);
    assert_eq!(pair.decode(1, &[0, 0xff, 0xff]), [int(0), int(0xffff)]);
    assert_eq!(pair.decoder.memory_usage().packets, 3);
}

#[test]
fn two_keys_are_one_pair() {
    let keyed = packet(1).field(u8_field("a").key()).field(u8_field("b").key()).field(u8_field("n"));
    let mut pair = Pair::new(vec![keyed]);
    pair.decode(1, &[1, 2, 3, 50]);
    assert_eq!(pair.decode(1, &[0, 3, 2]), [int(3), int(2), int(0)]);
    assert_eq!(pair.decode(1, &[0, 2, 3]), [int(2), int(3), int(50)]);
}

#[test]
fn a_packet_without_delta_has_all_fields_and_booleans_as_bytes() {
    let plain =
        packet(1).no_delta().field(bool_field("on")).field(text_field("text", 8)).field(u8_field("n"));
    let mut pair = Pair::new(vec![plain]);
    assert_eq!(pair.decode(1, b"\x01hi\0\x07"), [Value::Bool(true), text("hi"), int(7)]);
    assert_eq!(pair.decode(1, b"\x00\0\x00"), [Value::Bool(false), text(""), int(0)]);
    assert_eq!(pair.decoder.memory_usage(), MemoryUsage::default());
}

#[test]
fn a_packet_without_fields_is_empty() {
    let mut pair = Pair::new(vec![packet(1)]);
    assert_eq!(pair.decode(1, &[]), []);
    assert!(pair.refuse(1, &[0]).to_string().contains("expected the end of the packet at byte 0"));
}

#[test]
fn each_direction_has_its_own_packets() {
    let ours = Packet::new("PACKET_OURS", 2, Directions::TO_SERVER).field(u8_field("n"));
    let error = Pair::new(vec![ours]).refuse(2, &[1, 1]);
    assert_eq!(error.to_string(), "PACKET_OURS: packet type of the other direction");
}

#[test]
fn sent_and_unsent_fields_can_be_distinguished() {
    let packet = packet(1).field(u8_field("id").key()).field(u8_field("a")).field(bool_field("b"));
    let mut pair = Pair::new(vec![packet]);
    let decoded = pair.decoder.decode(1, &[0b01, 4, 9]).unwrap();
    assert!(!decoded.is_known());
    assert_eq!([0, 1, 2].map(|field| decoded.bit(field)), [None, Some(true), Some(false)]);
    let decoded = pair.decoder.decode(1, &[0b10, 4]).unwrap();
    assert!(decoded.is_known());
    assert_eq!(decoded.bits(), [0b10]);
    assert_eq!(decoded.value("a"), Some(&int(9)));
}
