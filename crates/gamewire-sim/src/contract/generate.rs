use core::time::Duration;

use fastrand::Rng;

use super::harness::Harness;
use super::operation::{Change, Content, Hex, Operation, Source};

/// Maximum length in bytes of a datagram of arbitrary bytes.
const MAX_DATAGRAM_BYTES: usize = 1_400;
/// Replays select a datagram of the peer by a number below this, modulo the count of its datagrams.
const MAX_REPLAYED: usize = 256;
const HOUR: Duration = Duration::from_secs(3_600);

/// Returns a sequence of operations in any order, in most cases after some undisturbed exchange.
pub(super) fn random_sequence<S: Harness>(seed: u64) -> Vec<Operation> {
    let mut random = Rng::with_seed(seed);
    let samples = S::samples(seed).len();
    let mut operations = Vec::new();
    if random.u8(..) < 200 {
        operations.push(Operation::Exchange(Duration::from_millis(random.u64(..5_000))));
    }
    for _ in 0..random.usize(10..60) {
        operations.push(any::<S>(&mut random, samples));
    }
    operations
}

/// Returns sequences that each look for one kind of violation.
pub(super) fn targeted_sequences<S: Harness>(seed: u64) -> Vec<Vec<Operation>> {
    let mut random = Rng::with_seed(seed);
    let samples = S::samples(seed).len();
    let talk = Operation::Exchange(Duration::from_secs(3));
    let mut sequences = vec![
        vec![talk.clone(), Operation::Wait(HOUR)],
        vec![talk.clone(), Operation::Jump(HOUR), talk.clone()],
        vec![Operation::Jump(HOUR), talk.clone()],
        vec![talk.clone(), Operation::Back(Duration::from_secs(60)), talk.clone()],
        vec![talk.clone(), Operation::Back(HOUR), Operation::Jump(HOUR), talk.clone()],
    ];
    for before in [None, Some(talk)] {
        for sender in [Source::Peer, Source::Unknown(1)] {
            let mut arbitrary: Vec<Operation> = before.iter().cloned().collect();
            arbitrary.extend(
                (0..=MAX_DATAGRAM_BYTES).map(|length| Operation::Receive(sender, bytes(&mut random, length))),
            );
            sequences.push(arbitrary);
            let mut changed: Vec<Operation> = before.iter().cloned().collect();
            for number in 0..samples {
                for _ in 0..16 {
                    changed.push(Operation::Receive(sender, Content::Sample(number, change(&mut random))));
                    changed.push(Operation::Receive(sender, Content::Replay(number, change(&mut random))));
                }
            }
            changed.push(Operation::Exchange(Duration::from_secs(1)));
            sequences.push(changed);
        }
    }
    sequences
}

fn any<S: Harness>(random: &mut Rng, samples: usize) -> Operation {
    match random.u8(..100) {
        0..25 => Operation::Exchange(Duration::from_millis(random.u64(..1_500))),
        25..32 => Operation::Wait(Duration::from_millis(random.u64(..4_000))),
        32..34 => Operation::Jump(HOUR),
        34..36 => Operation::Back(Duration::from_millis(random.u64(..100_000))),
        36..41 => Operation::Timeout,
        41..75 => arbitrary_receive(random, samples),
        75..90 => {
            let name = random.choice(S::commands()).map_or("", |(name, _)| name);
            Operation::Command(name, random.u64(..))
        }
        90..95 => Operation::PollTransmit,
        _ => Operation::PollEvent,
    }
}

fn arbitrary_receive(random: &mut Rng, samples: usize) -> Operation {
    let sender = if random.u8(..) < 160 { Source::Peer } else { Source::Unknown(random.u16(1..9)) };
    let content = match random.u8(..10) {
        0..2 => {
            let length = random.usize(..MAX_DATAGRAM_BYTES);
            bytes(random, length)
        }
        2..5 => Content::Sample(random.usize(..samples.max(1)), change(random)),
        _ => Content::Replay(random.usize(..MAX_REPLAYED), change(random)),
    };
    Operation::Receive(sender, content)
}

fn change(random: &mut Rng) -> Change {
    let seed = random.u64(..);
    match random.u8(..6) {
        0..2 => Change::Nothing,
        2..4 => Change::Scramble(seed),
        4 => Change::Cut(seed),
        _ => Change::Extend(seed),
    }
}

fn bytes(random: &mut Rng, length: usize) -> Content {
    let mut bytes = vec![0; length];
    random.fill(&mut bytes);
    Content::Bytes(Hex(bytes))
}
