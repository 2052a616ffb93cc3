//! Mutants of the fuzz corpora, the same in every run. `targets.rs` has the properties that must hold for them.

use super::{corpora, targets};
use gamewire_sim::random::{Random, mutate, rounds};

/// Number of mutants in each test. Two tests mutate packets.
fn count() -> usize {
    rounds(10_000, 100_000)
}

/// Mutates inputs, and returns the number of mutants that `target` accepts.
fn liked(inputs: impl Iterator<Item = Vec<u8>>, mutants: usize, target: impl Fn(&[u8]) -> bool) -> usize {
    let seeds: Vec<Vec<u8>> = inputs.collect();
    let mut random = Random::new(0x6672_6565_6369_7621);
    let liked = (0..mutants).filter(|_| {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        mutate(&mut bytes, &mut random, 2000);
        target(&bytes)
    });
    let liked = liked.count();
    assert!((mutants / 4..mutants).contains(&liked), "{liked}");
    liked
}

#[test]
fn mutated_streams_break_no_splitter() {
    let liked = liked(corpora::frames().into_values(), 2 * count(), |bytes| targets::frames(bytes) > 0);
    println!("{} mutated streams, {liked} with packets", 2 * count());
}

#[test]
fn mutated_packets_of_a_game_break_no_codec() {
    mutated_packets("game-");
}

#[test]
fn mutated_packets_of_any_values_break_no_codec() {
    mutated_packets("any-");
}

fn mutated_packets(prefix: &str) {
    let inputs = corpora::delta().into_iter().filter(|(name, _)| name.starts_with(prefix));
    let liked = liked(inputs.map(|(_, bytes)| bytes), count(), |bytes| targets::delta(bytes) > 1);
    println!("{} runs of mutated packets, {liked} of which two packets and more were read", count());
}
