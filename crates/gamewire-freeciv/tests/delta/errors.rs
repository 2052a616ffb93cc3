//! A desync error contains its position and the neighboring fields.

use std::sync::Arc;

use gamewire_freeciv::delta::Variants;
use gamewire_schema::ir::{Field, Packet, Protocol, WireType};

use super::support::{Pair, bool_field, packet, text_field, u8_field};

fn split_packet() -> Packet {
    packet(7)
        .field(Field::new("id", WireType::Uint16).key())
        .field(u8_field("first"))
        .field(bool_field("folded"))
        .field(text_field("name", 4))
        .field(u8_field("unsent"))
        .field(u8_field("list").array(3))
}

#[test]
fn packet_field_bit_offset_and_both_neighbors_are_named() {
    let mut pair = Pair::new(vec![split_packet(), packet(8).field(u8_field("n"))]);
    pair.decode(8, &[1, 1]);
    let error = pair.refuse(7, b"\x15\x00\x05\x09abcde");
    assert_eq!(
        error.to_string(),
        "PACKET_7.name (bit 2): expected a NUL at the end of a text, within its field at byte 4, \
         found 4 bytes; after first at byte 3, before list; previous packet: PACKET_8"
    );
    let field = error.field.unwrap();
    assert_eq!((field.before.unwrap(), field.after.unwrap()), (("first".to_owned(), 3), "list".to_owned()));
}

#[test]
fn the_element_of_an_array_is_named() {
    let mut pair = Pair::new(vec![packet(1).field(bool_field("flags").array(3))]);
    let message = pair.refuse(1, &[1, 0, 5, 0]).to_string();
    assert_eq!(message, "PACKET_1.flags[1] (bit 0): expected 0 or 1 at byte 2, found 5; the first field");
}

#[test]
fn left_over_bytes_name_the_last_field() {
    let mut pair = Pair::new(vec![split_packet()]);
    let message = pair.refuse(7, &[0x01, 0, 5, 9, 1, 2]).to_string();
    assert!(
        message.contains("PACKET_7.first (bit 0): expected the end of the packet at byte 4"),
        "{message}"
    );
    assert!(message.contains("after id at byte 1"), "{message}");
}

#[test]
fn an_error_stays() {
    let mut pair = Pair::new(vec![packet(1).field(u8_field("n"))]);
    let error = pair.refuse(2, &[]);
    assert_eq!(error.to_string(), "packet 2: unknown packet type");
    assert_eq!(pair.refuse(1, &[1, 1]), error);
}

#[test]
fn unsupported_definitions_are_rejected() {
    let refused = |packet: Packet| {
        let protocol = Arc::new(Protocol::new("by hand", vec![packet]));
        Variants::new(protocol, &[]).unwrap_err().to_string()
    };
    assert_eq!(refused(packet(1).field(text_field("t", 9).key())), "PACKET_1: a key that is not an integer");
    let huge = u8_field("a").array(60_000).array(60_000);
    assert_eq!(refused(packet(1).field(huge)), "PACKET_1: arrays of more than a megabyte");
    refused(packet(1).field(Field::new("m", WireType::Memory)));
    refused((0..5).fold(packet(1), |packet, n| packet.field(u8_field(&format!("k{n}")).key())));
    refused(packet(1).field((0..5).fold(u8_field("a"), |field, _| field.array(1))));
}
