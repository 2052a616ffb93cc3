//! Mutated sessions: hundreds of thousands of sequences of operations, which are the same in every run. Their
//! invariants are in `support/sequence.rs`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::support::recorded::{self, Recorded};
use crate::support::sequence::{Role, run};
use crate::support::step::{MAX_MESSAGE_BYTES, Sequence, Step};
use gamewire_sim::random::{Random, mutate, rounds};
use gamewire_teeworlds::client::Client;
use gamewire_teeworlds::server::{Server, WalkingGame};

/// Returns the number of sequences for each role.
fn count() -> usize {
    rounds(12_000, 120_000)
}

/// The results of all sequences.
#[derive(Debug, Default)]
struct Totals {
    sequences: usize,
    steps: usize,
    datagrams: usize,
    rejected: usize,
    events: usize,
    met: usize,
    played: usize,
}

fn mutants<R: Role>(right: &[(String, Sequence)], seed: u64) -> Totals {
    let mut random = Random::new(seed);
    let mut totals = Totals::default();
    while totals.sequences < count() {
        let mutant = mutant(right, &mut random);
        let report = catch_unwind(AssertUnwindSafe(|| run::<R>(&mutant))).unwrap_or_else(|panic| {
            println!("sequence {}: {mutant:?}", totals.sequences);
            resume_unwind(panic)
        });
        totals.sequences += 1;
        totals.steps += report.steps;
        totals.datagrams += report.heard;
        totals.rejected += report.rejected;
        totals.events += report.events;
        totals.met += usize::from(report.met);
        totals.played += usize::from(report.played);
    }
    totals
}

/// Returns the start of a valid sequence with one to six changes.
fn mutant(right: &[(String, Sequence)], random: &mut Random) -> Sequence {
    let mut mutant = right[random.below(right.len())].1.clone();
    mutant.steps.truncate(8 + random.below(56));
    if random.below(16) == 0 {
        mutant.start ^= 1 << random.below(3);
    }
    for _ in 0..=random.below(6) {
        // A late step is more likely than an early one, because the game starts after the login.
        let at = random.below(mutant.steps.len()).max(random.below(mutant.steps.len()));
        match random.below(10) {
            0 => drop(mutant.steps.remove(at)),
            1 => mutant.steps.insert(at, mutant.steps[at].clone()),
            2 => {
                let other = random.below(mutant.steps.len());
                mutant.steps.swap(at, other);
            }
            3 => {
                // A datagram of another peer, time or dialect.
                let (_, other) = &right[random.below(right.len())];
                mutant.steps.insert(at, other.steps[random.below(other.steps.len())].clone());
            }
            4..7 => spoil(&mut mutant.steps, at, random),
            _ => mutant.steps.insert(at, any(random)),
        }
        if mutant.steps.is_empty() {
            mutant.steps.push(any(random));
        }
    }
    mutant
}

/// Changes the next message after `at`.
fn spoil(steps: &mut [Step], at: usize, random: &mut Random) {
    let said = steps[at..].iter_mut().find_map(|step| match step {
        Step::Say { content, .. } => Some(content),
        _ => None,
    });
    if let Some(content) = said {
        mutate(content, random, MAX_MESSAGE_BYTES);
    }
}

/// Returns a step that is not in any recording.
fn any(random: &mut Random) -> Step {
    let number = random.byte();
    match random.below(12) {
        0 => Step::Wait(random.below(200) as u16),
        1 => Step::Jump(random.below(4_000) as u16),
        2 => Step::Back(random.number() as u16),
        3..7 => Step::Replay { back: number, flipped: random.below(48) as u8 },
        7..9 => Step::Command { number, argument: random.byte() },
        9 => Step::Poll,
        10 => Step::Talk(random.below(50) as u16),
        _ => {
            let mut datagram = vec![number; random.below(100)];
            mutate(&mut datagram, random, MAX_MESSAGE_BYTES);
            Step::Hear { from_peer: random.below(4) != 0, datagram }
        }
    }
}

#[test]
fn recorded_sequences_are_survived_and_read_as_they_are_written() {
    let Recorded { for_client, for_server } = recorded::all();
    for (name, sequence) in &for_client {
        assert_eq!(Sequence::read(&sequence.write()), *sequence, "{name}");
        let report = run::<Client>(sequence);
        assert!(report.met && report.events > 2, "{name}: {report:?}");
    }
    for (name, sequence) in &for_server {
        assert_eq!(Sequence::read(&sequence.write()), *sequence, "{name}");
        let report = run::<Server<WalkingGame>>(sequence);
        assert!(report.met && report.events >= 2, "{name}: {report:?}");
    }
}

#[test]
fn a_client_survives_mutated_sequences_of_operations() {
    let totals = mutants::<Client>(&recorded::all().for_client, 0x636c_6965_6e74);
    println!("client: {totals:?}");
    assert!(totals.met > count() * 3 / 4 && totals.played > count() / 8);
}

#[test]
fn a_server_survives_mutated_sequences_of_operations() {
    let totals = mutants::<Server<WalkingGame>>(&recorded::all().for_server, 0x7365_7276_6572);
    println!("server: {totals:?}");
    assert!(totals.met > count() * 3 / 4 && totals.played > count() / 8);
}
