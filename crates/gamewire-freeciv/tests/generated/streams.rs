//! Recorded streams, packet by packet.

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::delta::Direction;

use super::support::{ALL, Both, packets, stream};

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

#[test]
fn both_codecs_decode_games_of_later_versions_alike_and_encode_them_again() {
    let games = [
        (ProtocolVersion::V3_1, "game-3.1", &["city-original", "rsdesc32", "ids32"][..], 3753),
        (ProtocolVersion::V3_2, "game-3.2", &["tu32", "hap2clnt"], 3830),
    ];
    for (version, name, active, count) in games {
        let mut both = Both::of_version(version, Direction::ToClient, active);
        for (number, body) in packets(&stream(name)) {
            both.round(number, &body);
        }
        assert_eq!(both.packets, count, "{name}");
    }
}
