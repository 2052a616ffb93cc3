//! Compares decompression with the method of the games: `cargo bench -p gamewire --bench decompression`. Exits with 1
//! if it is less than 2.2 times as fast.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a bench may fail"
)]

#[path = "../tests/support/mod.rs"]
mod support;
mod work;

use std::process::ExitCode;

use gamewire::teeworlds::raw::huffman;
use gamewire::teeworlds::raw::packet::MAX_PAYLOAD;
use work::Packets;
use work::games::GamesDecoder;
use work::turns::compare;

fn main() -> ExitCode {
    let games = GamesDecoder::new();
    let mut code = ExitCode::SUCCESS;
    for (name, packets) in [("small packets", Packets::small()), ("large packets", Packets::large())] {
        let (mut room, mut games_room) = ([0; MAX_PAYLOAD], [0; MAX_PAYLOAD]);
        let ours =
            || packets.iter().map(|(_, _, bytes)| huffman::decompress(bytes, &mut room).unwrap()).sum();
        let theirs =
            || packets.iter().map(|(_, _, bytes)| games.decompress(bytes, &mut games_room).unwrap()).sum();
        println!("{} {name}, {} bytes before compression", packets.iter().count(), packets.raw_bytes());
        let ratios = compare(&mut [("gamewire", Box::new(ours)), ("as the games do it", Box::new(theirs))]);
        if ratios[1] < 2.2 {
            code = ExitCode::FAILURE;
        }
    }
    code
}
