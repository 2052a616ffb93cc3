//! Each type on the wire.

use gamewire_freeciv::delta::Value;
use gamewire_schema::ir::{Field, WireType};

use super::support::{Pair, packet, refused};

/// Decodes a field and encodes it again.
fn decoded(wire: WireType, bytes: &[u8]) -> Value {
    let mut pair = Pair::new(vec![packet(1).field(Field::new("f", wire))]);
    pair.decode(1, &[&[1], bytes].concat()).remove(0)
}

#[test]
fn integers_are_big_endian_and_of_two_s_complement() {
    for (wire, bytes, value) in [
        (WireType::Uint8, &[0xff][..], 255),
        (WireType::Sint8, &[0xff], -1),
        (WireType::Uint16, &[0xff, 0xfe], 65_534),
        (WireType::Sint16, &[0xff, 0xfe], -2),
        (WireType::Uint32, &[0xff; 4], 4_294_967_295),
        (WireType::Sint32, &[0xff, 0xff, 0xf0, 0x92], -3950),
    ] {
        assert_eq!(decoded(wire, bytes), Value::Int(value), "{wire}");
    }
}

#[test]
fn scaled_numbers_keep_the_integer_of_the_wire() {
    assert_eq!(decoded(WireType::Ufloat { factor: 100 }, &[0xff, 0, 0, 0]), Value::Scaled(0xff00_0000));
    assert_eq!(decoded(WireType::Sfloat { factor: 1000 }, &[0xff; 4]), Value::Scaled(-1));
}

#[test]
fn texts_end_with_a_nul_and_may_hold_any_other_byte() {
    let size = WireType::String { size: 4 };
    assert_eq!(decoded(size, b"abc\0"), Value::Text(b"abc".to_vec()));
    assert_eq!(decoded(WireType::Estring { size: 4 }, b"\xff\0"), Value::Text(vec![0xff]));
}

#[test]
fn structures_are_sent_part_by_part() {
    let requirement = [1, 0xff, 0xff, 0xff, 0xfe, 3, 1, 0, 1];
    assert_eq!(decoded(WireType::Requirement, &requirement), Value::Parts(vec![1, -2, 3, 1, 0, 1]));
    assert_eq!(decoded(WireType::ActionProbability, &[3, 200]), Value::Parts(vec![3, 200]));
    let order = [1, 2, 0, 0, 1, 0, 0xff, 0xff, 4, 0xfe];
    assert_eq!(decoded(WireType::UnitOrder, &order), Value::Parts(vec![1, 2, 256, -1, 4, -2]));
    let cm_parameter: Vec<u8> = [[0xff; 12].as_slice(), &[1; 4], &[0, 7].repeat(7)].concat();
    let parts = [[-1; 6].as_slice(), &[1; 4], &[7; 7]].concat();
    assert_eq!(decoded(WireType::CmParameter, &cm_parameter), Value::Parts(parts));
}

#[test]
fn lists_of_structures_have_their_own_count() {
    assert_eq!(decoded(WireType::Worklist, &[2, 1, 9, 0, 8]), Value::Parts(vec![1, 9, 0, 8]));
    assert_eq!(decoded(WireType::Uint8Vec8, &[2, 5, 6]), Value::Parts(vec![5, 6]));
    assert_eq!(decoded(WireType::Uint16Vec8, &[1, 1, 0]), Value::Parts(vec![256]));
}

#[test]
fn a_boolean_is_0_or_1() {
    for (wire, bytes) in [(WireType::Bool8, &[2_u8][..]), (WireType::Bool32, &[0, 0, 1, 0])] {
        let message = refused(packet(1).field(Field::new("f", wire).array(1)), &[&[1], bytes].concat());
        assert!(message.contains("f[0] (bit 0): expected 0 or 1 at byte 1"), "{message}");
    }
    let odd = [1, 0, 0, 0, 0, 0, 0, 2, 0, 0];
    let message = refused(packet(1).field(Field::new("f", WireType::Requirement)), &odd[..]);
    assert!(message.contains("expected 0 or 1 at byte 7, found 2"), "{message}");
}
