//! Arrays: fixed, counted, nested, and both forms of their changes.

use gamewire_freeciv::delta::Value;
use gamewire_schema::ir::{ArrayDiff, Field, Packet, WireType};

use super::support::{Pair, int, ints, packet, text, text_field, u8_field};

#[test]
fn a_fixed_array_is_sent_whole() {
    let mut pair = Pair::new(vec![packet(1).field(u8_field("a").array(3))]);
    assert_eq!(pair.decode(1, &[1, 0, 0, 7]), [ints([0, 0, 7])]);
    assert_eq!(pair.decode(1, &[1, 1, 0, 7]), [ints([1, 0, 7])]);
}

#[test]
fn a_count_may_come_from_the_packet_before() {
    let counted = packet(1).field(u8_field("count")).field(u8_field("a").counted(5, 0));
    let mut pair = Pair::new(vec![counted]);
    assert_eq!(pair.decode(1, &[0b11, 2, 8, 9]), [int(2), ints([8, 9])]);
    assert_eq!(pair.decode(1, &[0b10, 8, 7]), [int(2), ints([8, 7])]);
    assert_eq!(pair.decode(1, &[0b11, 0]), [int(0), ints([])]);
    assert_eq!(pair.decode(1, &[0b11, 5, 1, 2, 3, 4, 5]), [int(5), ints([1, 2, 3, 4, 5])]);
}

#[test]
fn an_array_is_resized_when_only_its_count_changes() {
    let counted = packet(1).field(u8_field("count")).field(u8_field("a").counted(5, 0));
    let mut pair = Pair::new(vec![counted]);
    pair.decode(1, &[0b11, 2, 8, 9]);
    assert_eq!(pair.decode_only(1, &[0b01, 1]), [int(1), ints([8])]);
    assert_eq!(pair.decode_only(1, &[0b01, 3]), [int(3), ints([8, 0, 0])]);
}

#[test]
fn texts_of_an_array_are_sent_one_after_another() {
    let texts = packet(1).field(u8_field("count")).field(text_field("t", 4).counted(3, 0));
    let mut pair = Pair::new(vec![texts]);
    assert_eq!(pair.decode(1, b"\x03\x02abc\0\0"), [int(2), Value::List(vec![text("abc"), text("")])]);
}

#[test]
fn memory_has_as_many_bytes_as_its_dimension() {
    let memory =
        packet(1).field(u8_field("length")).field(Field::new("data", WireType::Memory).counted(9, 0));
    let mut pair = Pair::new(vec![memory]);
    assert_eq!(pair.decode(1, &[0b11, 3, 0, 1, 2]), [int(3), Value::Bytes(vec![0, 1, 2])]);
}

#[test]
fn dimensions_nest_with_the_outermost_first() {
    let square = packet(1).field(u8_field("rows")).field(u8_field("a").counted(4, 0).array(2));
    let mut pair = Pair::new(vec![square]);
    let values = pair.decode(1, &[0b11, 2, 1, 2, 3, 4]);
    assert_eq!(values, [int(2), Value::List(vec![ints([1, 2]), ints([3, 4])])]);
    assert_eq!(pair.decode_only(1, &[0b01, 3])[1].as_list().unwrap()[2], ints([0, 0]));
}

#[test]
fn a_vector_has_its_own_length() {
    let mut pair = Pair::new(vec![packet(1).field(Field::new("v", WireType::Uint16).vector())]);
    assert_eq!(pair.decode(1, &[1, 0, 2, 0, 7, 1, 0]), [ints([7, 256])]);
    assert_eq!(pair.decode(1, &[1, 0, 0]), [ints([])]);
}

fn with_diff(limit: u32, form: ArrayDiff) -> Packet {
    packet(1).field(u8_field("a").array(limit).diff(form))
}

#[test]
fn changes_up_to_3_1_end_with_255() {
    let mut pair = Pair::new(vec![with_diff(4, ArrayDiff::End255)]);
    assert_eq!(pair.decode(1, &[1, 1, 9, 3, 7, 255]), [ints([0, 9, 0, 7])]);
    assert_eq!(pair.decode(1, &[1, 1, 0, 255]), [ints([0, 0, 0, 7])]);
    assert_eq!(pair.decode_only(1, &[1, 255]), [ints([0, 0, 0, 7])], "no change at all is read");
    assert_eq!(pair.decode_only(1, &[1, 3, 1, 3, 2, 255]), [ints([0, 0, 0, 2])], "the last one counts");
}

#[test]
fn changes_from_3_2_end_with_the_length() {
    let mut pair = Pair::new(vec![with_diff(4, ArrayDiff::EndLength)]);
    assert_eq!(pair.decode(1, &[1, 1, 9, 3, 7, 4]), [ints([0, 9, 0, 7])]);
}

#[test]
fn indices_from_3_2_have_two_bytes_in_large_arrays() {
    for (limit, index, end) in [(255, &[254][..], &[255][..]), (256, &[0, 255], &[1, 0])] {
        let mut pair = Pair::new(vec![with_diff(limit, ArrayDiff::EndLength)]);
        let body = [&[1], index, &[42], end].concat();
        let values = pair.decode(1, &body);
        assert_eq!(values[0].as_list().unwrap().last(), Some(&int(42)), "{limit}");
    }
}

#[test]
fn new_elements_of_a_grown_array_are_sent_from_3_2_on() {
    let grown = |form| packet(1).field(u8_field("count")).field(u8_field("a").counted(9, 0).diff(form));
    let mut pair = Pair::new(vec![grown(ArrayDiff::EndLength)]);
    pair.decode(1, &[0b11, 1, 0, 5, 1]);
    assert_eq!(pair.encode(1, &[int(3), ints([5, 0, 6])]).unwrap(), [0b11, 3, 1, 0, 2, 6, 3]);
    let mut pair = Pair::new(vec![grown(ArrayDiff::End255)]);
    pair.decode(1, &[0b11, 1, 0, 5, 255]);
    assert_eq!(pair.encode(1, &[int(3), ints([5, 0, 6])]).unwrap(), [0b11, 3, 2, 6, 255]);
}

#[test]
fn without_delta_an_array_is_plain_despite_the_flag() {
    let plain = packet(1).no_delta().field(u8_field("a").array(2).diff(ArrayDiff::End255));
    assert_eq!(Pair::new(vec![plain]).decode(1, &[0, 5]), [ints([0, 5])]);
}
