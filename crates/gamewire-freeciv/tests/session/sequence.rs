//! Sequences of operations on a client and a server, their encoding as bytes, and random mutations of them.
//! `gamewire_sim::contract` defines the properties that must hold.

use core::time::Duration;
use std::fs;
use std::path::PathBuf;

use gamewire_sim::contract::{self, Change, Content, Harness, Hex, Operation, Source};
use gamewire_sim::random::Random;

pub(crate) use super::subjects::{Connecting, Serving};

/// Maximum length of a piece of arbitrary bytes.
const MAX_PIECE_BYTES: usize = 1_400;
/// Maximum number of operations. Further ones are ignored.
const MAX_OPERATIONS: usize = 32;

/// Runs a sequence on a client. The first byte is the seed of the machines, which selects their configuration. The
/// operations follow. `seeds` has further bits for the seed. One sequence in 32 is repeated to compare the output
/// bytes.
pub(crate) fn client(bytes: &[u8], seeds: u64) {
    check::<Connecting>(bytes, seeds);
}

/// Runs a sequence on a server to which a client connects. Bit 0 of the first byte selects whether its application
/// decides which clients are accepted.
pub(crate) fn server(bytes: &[u8], seeds: u64) {
    match bytes.first() {
        Some(start) if start & 1 != 0 => check::<Serving<true>>(bytes, seeds),
        _ => check::<Serving<false>>(bytes, seeds),
    }
}

fn check<S: Harness>(bytes: &[u8], seeds: u64) {
    if let Some((&start, rest)) = bytes.split_first() {
        contract::check_input::<S>(bytes, 32, u64::from(start) | seeds, operations::<S>(rest));
    }
}

/// Returns the operations that the bytes encode.
fn operations<S: Harness>(mut bytes: &[u8]) -> Vec<Operation> {
    core::iter::from_fn(|| read::<S>(&mut bytes)).take(MAX_OPERATIONS).collect()
}

/// Decodes the next operation: its kind, a byte with its sender or command, a number, and the bytes of a piece if the
/// operation has one.
fn read<S: Harness>(bytes: &mut &[u8]) -> Option<Operation> {
    let (&[kind, which, high, low], rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    let number = u16::from_be_bytes([high, low]);
    let millis = |most: u16| Duration::from_millis((number % most).into());
    let sender = if which < 192 { Source::Peer } else { Source::Unknown(u16::from(which - 191)) };
    let seed = u64::from(low / 4);
    let change = [Change::Nothing, Change::Scramble(seed), Change::Cut(seed), Change::Extend(seed)];
    let change = change[usize::from(low % 4)];
    Some(match kind % 10 {
        0 => Operation::Exchange(millis(5_000)),
        1 => Operation::Wait(millis(30_000)),
        2 => Operation::Jump(Duration::from_secs(number.into())),
        3 => Operation::Back(Duration::from_millis(number.into())),
        4 => Operation::Timeout,
        5 => Operation::PollTransmit,
        6 => Operation::PollEvent,
        7 => {
            let (piece, rest) = rest.split_at(usize::from(number).min(rest.len()).min(MAX_PIECE_BYTES));
            *bytes = rest;
            Operation::Receive(sender, Content::Bytes(Hex(piece.to_vec())))
        }
        8 if which & 1 == 0 => Operation::Receive(sender, Content::Sample(high.into(), change)),
        8 => Operation::Receive(sender, Content::Replay(high.into(), change)),
        _ => {
            let commands = S::commands();
            Operation::Command(commands[usize::from(which) % commands.len()].0, number.into())
        }
    })
}

/// Returns the bytes of a random operation. Time and pieces are more likely than other operations.
fn random_operation(random: &mut Random) -> Vec<u8> {
    let kind = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8, 9, 9, 9][random.below(18)];
    let mut bytes = random.bytes(4);
    bytes[0] = kind;
    if kind == 7 {
        bytes[2] = 0;
        bytes[3] = random.below(40) as u8;
        bytes.extend(random.bytes(bytes[3].into()));
    }
    bytes
}

/// Returns the inputs of a fuzz target, which are encoded sequences.
pub(crate) fn corpus(target: &str) -> Vec<Vec<u8>> {
    let mut files: Vec<_> =
        fs::read_dir(folder(target)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 20, "only {} inputs", files.len());
    files.into_iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Writes sequences to the corpus if `GAMEWIRE_WRITE_CORPORA` is set: each command and each sample alone in the middle
/// of an exchange, and sequences of random operations.
pub(crate) fn keep<S: Harness>(target: &str) {
    if std::env::var_os("GAMEWIRE_WRITE_CORPORA").is_none() {
        return;
    }
    let talk = [0, 0, 7, 208];
    let mut sequences = Vec::new();
    for command in 0..S::commands().len() as u8 {
        let bytes = [&[command][..], &talk, &[9, command, 0, 1], &talk, &[9, command, 0, 16], &talk].concat();
        sequences
            .push((format!("command-{}", S::commands()[usize::from(command)].0.replace(' ', "-")), bytes));
    }
    for sample in 0..S::samples(0).len() as u8 {
        for (change, word) in [(0, "whole"), (5, "scrambled"), (6, "cut"), (7, "extended")] {
            let bytes =
                [&[sample][..], &talk, &[8, 0, sample, change], &talk, &[8, 200, sample, change], &talk];
            sequences.push((format!("sample-{sample}-{word}"), bytes.concat()));
        }
    }
    let mut random = Random::new(0x6672_6565_6369_7633);
    for number in 0..16_u8 {
        let mut bytes = vec![number * 16 + 7];
        bytes.extend(talk);
        (0..24).for_each(|_| bytes.extend(random_operation(&mut random)));
        sequences.push((format!("any-{number:02}"), bytes));
    }
    fs::create_dir_all(folder(target)).unwrap();
    for (name, bytes) in sequences {
        fs::write(folder(target).join(name), bytes).unwrap();
    }
}

fn folder(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target)
}

/// Checks the contract with mutated sequences of the corpus, until `most` mutations were tested. Each sequence has one
/// to six mutations.
pub(crate) fn check_mutants<S: Harness>(target: &str, most: usize, seed: u64) {
    let right: Vec<Vec<Operation>> =
        corpus(target).iter().map(|bytes| operations::<S>(&bytes[1..])).collect();
    let mut random = Random::new(seed);
    let any = |random: &mut Random| read::<S>(&mut random_operation(random).as_slice()).unwrap();
    let mut changes = 0;
    while changes < most {
        let mut mutant = right[random.below(right.len())].clone();
        for _ in 0..=random.below(6) {
            let at = random.below(mutant.len());
            match random.below(8) {
                0 if mutant.len() > 1 => drop(mutant.remove(at)),
                1 => mutant.insert(at, mutant[at].clone()),
                2 => {
                    let other = random.below(mutant.len());
                    mutant.swap(at, other);
                }
                3 => {
                    let other = &right[random.below(right.len())];
                    mutant.insert(at, other[random.below(other.len())].clone());
                }
                4 => mutant[at] = any(&mut random),
                _ => mutant.insert(at + 1, any(&mut random)),
            }
            changes += 1;
        }
        mutant.truncate(MAX_OPERATIONS);
        contract::check_operations::<S>(random.number() % 256, mutant);
    }
}
