//! The examples of `docs/protocols/freeciv.md`.

use gamewire_freeciv::delta::{Direction, Value};
use gamewire_freeciv::frame::FrameSplitter;

use super::codec::Both;

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<char> = hex.chars().filter(|c| *c != ' ').collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn value(values: &[Value], packet: &str, field: &str) -> i64 {
    let protocol = super::definition::protocol();
    let fields = protocol.packet_named(packet).unwrap().fields.iter().zip(values);
    let mut forms = fields.filter(|(known, value)| known.name == field && **value != Value::Absent);
    forms.next().unwrap().1.as_int().unwrap()
}

/// Returns the packet in a frame.
fn frame(hex: &str, is_wide: bool) -> (u16, Vec<u8>) {
    let mut splitter = FrameSplitter::default();
    if is_wide {
        splitter.use_wide_types();
    }
    let stream = bytes(hex);
    let packet =
        splitter.next(&mut stream.as_slice()).unwrap().map(|packet| (packet.number, packet.body.to_vec()));
    assert_eq!(splitter.pending_bytes(), 0);
    packet.unwrap()
}

fn codec(direction: Direction) -> Both {
    let mut codec = Both::new(direction);
    codec.set_capabilities(&["year32"]);
    codec
}

#[test]
fn the_examples_of_frames_are_what_they_are_said_to_be() {
    assert_eq!(frame("0003 00", false), (0, vec![]));
    assert_eq!(frame("0004 0000", true), (0, vec![]));
    let mut splitter = FrameSplitter::default();
    let chunk = [bytes("40a7"), vec![0; 163]].concat();
    assert!(splitter.next(&mut &chunk[..2]).unwrap().is_none());
    assert_eq!(0x40a7 - 16385, 166);
}

#[test]
fn the_examples_of_bodies_are_what_they_are_said_to_be() {
    let mut codec = codec(Direction::ToClient);
    for (hex, expected) in
        [("000b 007f 05 00000fa0 0011", [4000, 0, 17]), ("0007 007f 04 0012", [4000, 0, 18])]
    {
        let (number, body) = frame(hex, true);
        let (row, again) = codec.echo(number, &body, false).unwrap();
        let said = ["year", "fragments", "turn"].map(|field| value(&row.values, "PACKET_NEW_YEAR", field));
        assert_eq!((said, again), (expected, Some(body)));
    }
    let tile = codec.decode(15, &bytes("24 00 0000012c 02 07")).unwrap().values;
    let said = ["tile", "owner", "terrain"].map(|field| value(&tile, "PACKET_TILE_INFO", field));
    assert_eq!(said, [300, 2, 7]);
}

#[test]
fn the_example_of_a_folded_truth_is_what_it_is_said_to_be() {
    let ready = codec(Direction::ToServer).decode(11, &bytes("03 05")).unwrap().values;
    assert_eq!(["player_no", "is_ready"].map(|field| value(&ready, "PACKET_PLAYER_READY", field)), [5, 1]);
}
