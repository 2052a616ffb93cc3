//! Right inputs made wrong: mutants of the fuzz corpora, the same ones in every run. What must hold
//! for them is in `targets.rs`.

use crate::random::{Random, mutate};
use crate::{corpora, targets};

/// How many of each kind.
const MUTANTS: usize = 200_000;

/// Changes inputs; how many of the mutants `target` likes.
fn liked(inputs: impl Iterator<Item = Vec<u8>>, target: impl Fn(&[u8]) -> bool) -> usize {
    let seeds: Vec<Vec<u8>> = inputs.collect();
    let mut random = Random::new(0x6672_6565_6369_7621);
    let liked = (0..MUTANTS).filter(|_| {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        mutate(&mut bytes, &mut random, 3000);
        target(&bytes)
    });
    liked.count()
}

#[test]
fn mutated_streams_break_no_splitter() {
    let liked = liked(corpora::frames().into_values(), |bytes| targets::frames(bytes) > 0);
    println!("{MUTANTS} mutated streams, {liked} with packets");
    assert!((MUTANTS / 4..MUTANTS).contains(&liked), "{liked}");
}

#[test]
fn mutated_packets_break_no_codec() {
    let liked = liked(corpora::delta().into_values(), |bytes| targets::delta(bytes) > 2);
    println!("{MUTANTS} runs of mutated packets, {liked} of which three packets and more were read");
    assert!((MUTANTS / 8..MUTANTS).contains(&liked), "{liked}");
}
