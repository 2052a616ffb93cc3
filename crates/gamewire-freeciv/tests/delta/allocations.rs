//! After a warm-up, decoding and encoding allocate no memory.

use gamewire_freeciv::delta::EncodeOptions;
use gamewire_schema::ir::{ArrayDiff, Field, WireType};

use super::support::{Pair, bool_field, packet, text_field, u8_field};

#[test]
fn once_warm_nothing_is_allocated() {
    let packets = vec![
        packet(1)
            .field(Field::new("id", WireType::Uint32).key())
            .field(u8_field("n"))
            .field(bool_field("b"))
            .field(Field::new("extras", WireType::Bitvector { bytes: 16 })),
        packet(2).field(text_field("t", 100)).field(u8_field("a").array(20)),
        packet(3).field(u8_field("w").array(200).diff(ArrayDiff::End255)),
    ];
    let mut pair = Pair::new(packets);
    let tile = [&[0b101][..], &[0, 0, 0, 1], &[9], &[7; 16]].concat();
    let other_tile = [&[0b101][..], &[0, 0, 0, 1], &[8], &[6; 16]].concat();
    let chat = [&[0b11][..], b"hello\0", &[5; 20]].concat();
    let bodies =
        [(1, tile.as_slice()), (1, other_tile.as_slice()), (2, chat.as_slice()), (3, &[1, 9, 1, 10, 2, 255])];
    let mut out = Vec::with_capacity(4096);
    let mut run = || {
        for (number, body) in bodies {
            let decoded = pair.decoder.decode(number, body).unwrap();
            out.clear();
            pair.encoder.encode(number, decoded.values(), EncodeOptions::default(), &mut out).unwrap();
        }
    };
    run();
    let info = allocation_counter::measure(|| (0..100).for_each(|_| run()));
    assert_eq!(info.count_total, 0);
}
