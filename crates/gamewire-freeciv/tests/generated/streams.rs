//! Recorded streams, packet by packet.

use gamewire_freeciv::delta::Direction;

use crate::support::{Both, packets};

const ALL: &[&str] = &["year32", "plrculture32", "pingfix", "cityculture32"];

#[test]
fn the_recorded_streams_say_the_same_to_both_codecs_and_come_out_again() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/freeciv/streams");
    let streams = [
        ("join", ALL, 3022),
        ("join-level0", ALL, 3022),
        ("join-nocaps", &[], 3022),
        ("game", ALL, 4004),
        ("reject", ALL, 3),
    ];
    for (name, active, count) in streams {
        let stream = std::fs::read(format!("{folder}/{name}.bin")).unwrap();
        let mut both = Both::new(Direction::ToClient, active);
        for (number, body) in packets(&stream) {
            both.round(number, &body);
        }
        assert_eq!(both.packets, count, "{name}");
    }
}
