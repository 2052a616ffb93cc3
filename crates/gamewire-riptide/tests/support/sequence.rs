//! Sequences of operations on a client and a server, their encoding as bytes, and their random generation. The checked
//! properties are the machine contract (`gamewire_sim::contract`).

use core::time::Duration;
use std::fs;
use std::path::PathBuf;

use gamewire_riptide::raw::{V20, V21};
use gamewire_sim::contract::{self, Change, Content, Harness, Hex, Operation, Source};

use super::connecting::Connecting;
use super::serving::Serving;
use gamewire_sim::random::Random;

/// Maximum length in bytes of a datagram of arbitrary bytes.
const MAX_DATAGRAM_BYTES: usize = 1_400;
/// Maximum number of operations. Further ones are ignored.
const MAX_OPERATIONS: usize = 64;
/// Maximum datagrams in a second after a jump of the clock. Each operation may make a server owe two reliable messages
/// to each of its 8 clients, and each message is sent up to 15 times. Sending everything that became due during the
/// jump would exceed it.
pub const MAX_OWED: usize = MAX_OPERATIONS * 16 * 15;

/// Runs a sequence on a client. The first byte contains the format (bit 0) and the seed of the machines, which also
/// selects their options; the operations follow. One of `repeated` sequences runs twice, to compare the bytes.
pub fn client(bytes: &[u8], repeated: u8) {
    match bytes.first() {
        Some(start) if start & 1 != 0 => check::<Connecting<V21, MAX_OWED>>(bytes, repeated),
        _ => check::<Connecting<V20, MAX_OWED>>(bytes, repeated),
    }
}

/// Runs a sequence on a server. A client of the format connects to it.
pub fn server(bytes: &[u8], repeated: u8) {
    match bytes.first() {
        Some(start) if start & 1 != 0 => check::<Serving<1, MAX_OWED>>(bytes, repeated),
        _ => check::<Serving<0, MAX_OWED>>(bytes, repeated),
    }
}

fn check<S: Harness>(bytes: &[u8], repeated: u8) {
    if let Some((&start, rest)) = bytes.split_first() {
        contract::check_input::<S>(bytes, repeated, u64::from(start >> 1), operations::<S>(rest));
    }
}

/// Returns the operations that the bytes encode.
pub fn operations<S: Harness>(mut bytes: &[u8]) -> Vec<Operation> {
    core::iter::from_fn(|| read::<S>(&mut bytes)).take(MAX_OPERATIONS).collect()
}

/// Takes the next operation: its kind, a byte with the sender or the command, a number, and the bytes of the datagram
/// if it is one.
fn read<S: Harness>(bytes: &mut &[u8]) -> Option<Operation> {
    let (&[kind, which, high, low], rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    let number = u16::from_be_bytes([high, low]);
    let millis = |most: u16| Duration::from_millis((number % most).into());
    let sender = if which == 0 { Source::Peer } else { Source::Unknown(which.into()) };
    let seed = u64::from(low / 4);
    let change = [Change::Nothing, Change::Scramble(seed), Change::Cut(seed), Change::Extend(seed)];
    let change = change[usize::from(low % 4)];
    Some(match kind % 10 {
        0 => Operation::Exchange(millis(5_000)),
        1 => Operation::Wait(millis(10_000)),
        2 => Operation::Jump(Duration::from_secs(number.into())),
        3 => Operation::Back(Duration::from_millis(number.into())),
        4 => Operation::Timeout,
        5 => Operation::PollTransmit,
        6 => Operation::PollEvent,
        7 => {
            let (datagram, rest) = rest.split_at(usize::from(number).min(rest.len()).min(MAX_DATAGRAM_BYTES));
            *bytes = rest;
            Operation::Receive(sender, Content::Bytes(Hex(datagram.to_vec())))
        }
        8 if which < 128 => Operation::Receive(sender, Content::Sample(high.into(), change)),
        8 => {
            let sender = if which == 128 { Source::Peer } else { Source::Unknown(u16::from(which - 128)) };
            Operation::Receive(sender, Content::Replay(high.into(), change))
        }
        _ => {
            let commands = S::commands();
            Operation::Command(commands[usize::from(which) % commands.len()].0, number.into())
        }
    })
}

/// Returns a random operation that can be encoded as bytes.
pub fn any<S: Harness>(random: &mut Random) -> Operation {
    // Time and datagrams are more frequent than the other operations.
    let kind = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8, 9, 9, 9][random.below(18)];
    let which = match (kind, random.below(4)) {
        (9, _) | (_, 0) => random.byte(),
        (8, 1..) => 128,
        _ => 0,
    };
    let mut bytes = random.number().to_be_bytes().repeat(1 + random.below(12));
    bytes[..2].copy_from_slice(&[kind, which]);
    if kind == 7 {
        bytes[2] = 0;
    }
    read::<S>(&mut bytes.as_slice()).unwrap()
}

/// Returns the corpus of a fuzz target: the bytes of sequences.
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let mut files: Vec<_> =
        fs::read_dir(folder(target)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 20, "only {} inputs", files.len());
    files.into_iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Writes sequences to the corpus, if `GAMEWIRE_WRITE_CORPORA` is set.
pub fn keep(target: &str, sequences: &[(String, Vec<u8>)]) {
    if std::env::var_os("GAMEWIRE_WRITE_CORPORA").is_none() {
        return;
    }
    fs::create_dir_all(folder(target)).unwrap();
    for (name, bytes) in sequences {
        fs::write(folder(target).join(name), bytes).unwrap();
    }
}

fn folder(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target)
}

/// Checks the contract of the subject with sequences of the corpus, with one to six changes each, until `most` changes
/// were tested.
pub fn check_mutants<S: Harness>(target: &str, most: usize, seed: u64) {
    let right: Vec<_> = corpus(target).iter().map(|bytes| operations::<S>(&bytes[1..])).collect();
    let mut random = Random::new(seed);
    let (mut changes, mut carried_out) = (0, 0);
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
                4 => mutant[at] = any::<S>(&mut random),
                _ => mutant.insert(at + 1, any::<S>(&mut random)),
            }
            changes += 1;
        }
        mutant.truncate(MAX_OPERATIONS);
        carried_out += mutant.len();
        contract::check_operations::<S>(random.number() % 128, mutant);
    }
    assert!(carried_out > 2 * changes, "{carried_out} operations, {changes} changes");
}
