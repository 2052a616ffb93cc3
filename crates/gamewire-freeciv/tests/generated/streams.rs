//! Recorded streams, packet by packet.

use gamewire_freeciv::delta::Direction;

use crate::support::{ALL, Both, packets, stream};

#[test]
fn both_codecs_decode_the_recorded_streams_alike_and_encode_them_again() {
    let streams = [
        ("join", ALL, 3022),
        ("join-level0", ALL, 3022),
        ("join-nocaps", &[], 3022),
        ("game", ALL, 4004),
        ("reject", ALL, 3),
    ];
    for (name, active, count) in streams {
        let mut both = Both::new(Direction::ToClient, active);
        for (number, body) in packets(&stream(name)) {
            both.round(number, &body);
        }
        assert_eq!(both.packets, count, "{name}");
    }
}
