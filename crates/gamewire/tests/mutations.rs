//! Mutated inputs: hundreds of thousands of mutants of the captures and golden vectors, equal in every run.
//! `support/targets.rs` has the checked properties. Mutants of capture files are in gamewire-inspect.

use crate::support::{Random, mutate, rounds};
use crate::targets::{Comparison, HANDSHAKES};
use crate::{seeds, targets};
use gamewire::teeworlds::Dialect;

/// Returns the number of mutants of each kind.
fn count() -> usize {
    rounds(50_000, 500_000)
}

#[test]
fn mutated_datagrams_break_no_follower() {
    let seeds = seeds::datagrams();
    let mut random = Random::new(0x7061_636b_6574);
    let mut datagram = Vec::new();
    let (mut total, mut errors) = (0, 0);
    while total < count() {
        // A part of a conversation, in its own dialect or another one. Half of its datagrams are unchanged, so that the
        // follower has a state that a mutant may corrupt.
        let at = random.below(seeds.len());
        let own = match seeds[at].0 {
            Dialect::V06 => 1,
            Dialect::V065 => 2,
            Dialect::Tken => 3,
            Dialect::V07 => 4,
        };
        let start = if random.below(4) == 0 { random.below(HANDSHAKES.len()) } else { own };
        let mut follow = Comparison::default();
        for (from, right) in HANDSHAKES[start] {
            follow.datagram(*from, right);
        }
        for (_, seed) in &seeds[at..seeds.len().min(at + 200)] {
            datagram.clone_from(&seed.data);
            if random.below(2) == 0 {
                mutate(&mut datagram, &mut random, 1500);
                total += 1;
                errors += usize::from(follow.datagram(seed.from, &datagram));
            } else {
                follow.datagram(seed.from, &datagram);
            }
        }
    }
    println!("{total} mutated datagrams, {errors} with errors");
    assert!(total >= count() && errors > total / 20 && errors < total, "{errors} of {total}");
}

#[test]
fn decodable_mutants_of_messages_round_trip() {
    let mut seeds: Vec<Vec<u8>> = seeds::messages().into_iter().map(|(_, bytes)| bytes).collect();
    // Also decode each message in the other version, and with the other encoding of integers.
    for seed in seeds.clone() {
        seeds.push([&[seed[0] ^ 1], &seed[1..]].concat());
        seeds.push([&[seed[0] ^ 2], &seed[1..]].concat());
    }
    let (mutants, mut random) = (count(), Random::new(0x6d65_7373));
    let mut bytes = Vec::new();
    let mut read = 0;
    for _ in 0..mutants {
        let seed = &seeds[random.below(seeds.len())];
        bytes.clear();
        bytes.extend(&seed[1..]);
        mutate(&mut bytes, &mut random, 1400);
        bytes.insert(0, seed[0]);
        read += usize::from(targets::message(&bytes));
    }
    println!("{mutants} mutated messages, {read} decoded");
    assert!(read > mutants / 10 && read < mutants, "{read}");
}

#[test]
fn mutated_deltas_make_snapshots_within_the_limits_or_none() {
    let mut seeds = seeds::deltas();
    seeds.extend([
        (false, seeds::objects("v06")),
        (true, seeds::objects("v07")),
        (false, seeds::objects("ddnet")),
    ]);
    let (mutants, mut random) = (count(), Random::new(0x0064_656c_7461));
    let (mut base, mut delta) = (Vec::new(), Vec::new());
    let mut made = 0;
    for _ in 0..mutants {
        let (is_07, first) = &seeds[random.below(seeds.len())];
        let (_, second) = &seeds[random.below(seeds.len())];
        base.clone_from(first);
        delta.clone_from(second);
        if random.below(2) == 0 {
            mutate(&mut base, &mut random, 4000);
        }
        mutate(&mut delta, &mut random, 4000);
        let flags = u8::from(*is_07) | if random.below(2) == 0 { 2 } else { 0 };
        made += usize::from(targets::snapshot_delta(&targets::base_and_delta(flags, &base, &delta)));
    }
    println!("{mutants} mutated deltas, {made} applied");
    assert!(made > mutants / 20 && made < mutants, "{made}");
}
