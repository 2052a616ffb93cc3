//! The properties of the machines of all protocols. [`check`] searches for a violation, and shrinks it to a short list
//! of operations.
//!
//! * No input and no order of calls makes it panic.
//! * A rejected datagram has no effect: a copy of the machine that never received it behaves the same.
//! * After `handle_timeout(t)` no timer is due at or before `t`, and there is no busy loop.
//! * Equal seeds and inputs give equal bytes, events and timers.
//! * Any number of unproven peers uses little memory.
//! * Each peer ends exactly once, with its last event.
//! * A clock that jumps, ahead or back, causes no burst of datagrams.
//!
//! Machines over streams must have these properties, too: [`StreamsAsDatagram`] passes the pieces of a stream as
//! datagrams.

mod flood;
mod generate;
mod harness;
mod lifecycle;
mod operation;
mod sequence;
mod shrink;
mod streams_as_datagram;
mod testbed;
mod violation;

pub use harness::{Command, Harness, Lifecycle, PEER, START, SUBJECT, unknown_addr};
pub use operation::{Change, Content, Hex, Operation, Source};
pub use streams_as_datagram::{NoSuchStream, StreamsAsDatagram};
pub use violation::{ContractViolation, Property};

/// Number of random sequences that [`check`] tries.
const SEQUENCES: u64 = 64;
const SEED: u64 = 1;

/// Checks a machine against the whole contract.
///
/// # Panics
/// If the machine violates the contract. The message contains the property, the seed, and a short list of operations.
pub fn check<S: Harness>() {
    panic_on_violation(try_check::<S>());
}

/// Checks a machine over `count` random sequences of operations, with the seeds from `seed` on.
/// `check_sequences::<S>(1, seed)` replays one.
///
/// # Panics
/// If the machine violates the contract, as [`check`] does.
pub fn check_sequences<S: Harness>(count: u64, seed: u64) {
    panic_on_violation(try_check_sequences::<S>(count, seed));
}

/// Checks a machine over these operations.
///
/// # Panics
/// If the machine violates the contract, as [`check`] does.
pub fn check_operations<S: Harness>(seed: u64, operations: Vec<Operation>) {
    panic_on_violation(sequence::examine::<S>(seed, operations));
}

#[expect(clippy::panic, reason = "tests call it")]
fn panic_on_violation(result: Result<(), ContractViolation>) {
    if let Err(violation) = result {
        panic!("{violation}");
    }
}

/// Checks a machine over the operations that an input of a fuzzer encodes. Two properties need a second run: equal
/// bytes in every run, and no effect of a rejected datagram. They are checked for one of `repeated` inputs.
///
/// # Panics
/// If the machine violates the contract, as [`check`] does.
pub fn check_input<S: Harness>(input: &[u8], repeated: u8, seed: u64, operations: Vec<Operation>) {
    let sum = input.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte));
    if sum.is_multiple_of(repeated) || sequence::fails::<S>(seed, &operations) {
        check_operations::<S>(seed, operations);
    }
}

/// Checks a machine against the whole contract and returns the violation.
///
/// # Errors
/// The first violation.
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
/// The first violation.
pub fn try_check_sequences<S: Harness>(count: u64, seed: u64) -> Result<(), ContractViolation> {
    (0..count)
        .map(|number| seed.wrapping_add(number))
        .try_for_each(|seed| sequence::examine::<S>(seed, generate::random_sequence::<S>(seed)))
}
