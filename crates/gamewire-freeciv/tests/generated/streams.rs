//! Recorded streams, packet by packet.

use gamewire_freeciv::delta::Direction;

use crate::support::{ALL, Both, packets, stream};

#[test]
fn the_recorded_streams_say_the_same_to_both_codecs_and_come_out_again() {
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
