use super::harness::Harness;
use super::operation::Operation;
use super::violation::ContractViolation;
use super::{flood, generate, sequence};

/// Number of random sequences that [`check`] tries.
const SEQUENCES: u64 = 64;
const SEED: u64 = 1;

/// Holds a machine against the whole contract.
///
/// # Panics
/// With the clause that was broken, the seed, and a short list of operations that break it.
#[expect(clippy::panic, reason = "this is what tests call")]
pub fn check<S: Harness>() {
    if let Err(broken) = try_check::<S>() {
        panic!("{broken}");
    }
}

/// Holds a machine against the contract over `count` sequences of operations in any order, with
/// the seeds from `seed` on. `check_sequences::<S>(1, seed)` replays one.
///
/// # Panics
/// As [`check`] does.
#[expect(clippy::panic, reason = "this is what tests call")]
pub fn check_sequences<S: Harness>(count: u64, seed: u64) {
    if let Err(broken) = try_check_sequences::<S>(count, seed) {
        panic!("{broken}");
    }
}

/// Holds a machine against the contract over these operations.
///
/// # Panics
/// As [`check`] does.
#[expect(clippy::panic, reason = "this is what tests call")]
pub fn check_operations<S: Harness>(seed: u64, operations: Vec<Operation>) {
    if let Err(broken) = sequence::examine::<S>(seed, operations) {
        panic!("{broken}");
    }
}

/// Holds a machine against the contract over these operations, but for the properties that need a second run: the
/// same bytes every time, and no trace of a rejected datagram.
///
/// # Panics
/// As [`check`] does.
pub fn check_once<S: Harness>(seed: u64, operations: Vec<Operation>) {
    if sequence::fails::<S>(seed, &operations) {
        check_operations::<S>(seed, operations);
    }
}

/// Checks a machine against the whole contract and returns the violation.
///
/// # Errors
/// The first breach that was found.
pub fn try_check<S: Harness>() -> Result<(), ContractViolation> {
    for operations in generate::targeted_sequences::<S>(SEED) {
        sequence::examine::<S>(SEED, operations)?;
    }
    flood::examine::<S>(SEED)?;
    try_check_sequences::<S>(SEQUENCES, SEED)
}

/// Checks a machine over `count` random sequences and returns the violation.
///
/// # Errors
/// The first breach that was found.
pub fn try_check_sequences<S: Harness>(count: u64, seed: u64) -> Result<(), ContractViolation> {
    (0..count)
        .map(|number| seed.wrapping_add(number))
        .try_for_each(|seed| sequence::examine::<S>(seed, generate::random_sequence::<S>(seed)))
}
