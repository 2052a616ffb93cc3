use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gamewire_machine::Instant;

use super::harness::Harness;
use super::operation::{Content, Operation};
use super::shrink::shrink;
use super::testbed::{Observation, Testbed};
use super::violation::{ContractViolation, Property, Violation};

/// The result of a sequence.
struct SequenceRun {
    seen: Vec<Observation>,
    rejected: BTreeSet<usize>,
}

/// Checks a machine over a sequence of operations, and shrinks the sequence if it violates the contract.
pub(super) fn examine<S: Harness>(seed: u64, operations: Vec<Operation>) -> Result<(), ContractViolation> {
    let Err(breach) = try_once::<S>(seed, &operations) else { return Ok(()) };
    let clause = breach.clause;
    let breaks = |operations: &[Operation]| {
        try_once::<S>(seed, operations).err().filter(|breach| breach.clause == clause)
    };
    let (operations, breach) = shrink(operations, breach, breaks);
    Err(ContractViolation { clause, detail: breach.detail, seed, operations })
}

/// Returns whether one run of the operations violates the contract.
pub(super) fn fails<S: Harness>(seed: u64, operations: &[Operation]) -> bool {
    run::<S>(seed, operations, &BTreeSet::new()).is_err()
}

/// Runs the sequence three times: twice unchanged, and without the rejected datagrams.
fn try_once<S: Harness>(seed: u64, operations: &[Operation]) -> Result<(), Violation> {
    let nothing = BTreeSet::new();
    let first = run::<S>(seed, operations, &nothing)?;
    let again = run::<S>(seed, operations, &nothing)?;
    compare(&first.seen, &again.seen, Property::SameBytes, "the second time")?;
    if first.rejected.is_empty() {
        return Ok(());
    }
    let twin = run::<S>(seed, operations, &first.rejected)?;
    compare(&first.seen, &twin.seen, Property::RejectLeavesNoTrace, "of the twin that never received it")
}

fn compare(
    one: &[Observation],
    other: &[Observation],
    clause: Property,
    whose: &str,
) -> Result<(), Violation> {
    if one == other {
        return Ok(());
    }
    let at = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let describe =
        |seen: &[Observation]| seen.get(at).map_or_else(|| "nothing".into(), |seen| format!("{seen:?}"));
    Err(Violation::new(clause, format!("{}, but {whose}: {}", describe(one), describe(other))))
}

fn run<S: Harness>(
    seed: u64,
    operations: &[Operation],
    skip: &BTreeSet<usize>,
) -> Result<SequenceRun, Violation> {
    // A machine that panicked is dropped, so its state is never observed.
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let mut world = Testbed::<S>::new(seed, skip);
        let samples = S::samples(seed);
        for operation in operations {
            execute(&mut world, operation, &samples)?;
            world.note_wake();
        }
        world.finish()?;
        Ok(SequenceRun { seen: world.seen, rejected: world.rejected })
    }));
    ran.unwrap_or_else(|panic| Err(Violation::new(Property::NoPanic, panic_message(&*panic))))
}

fn execute<S: Harness>(
    world: &mut Testbed<'_, S>,
    operation: &Operation,
    samples: &[Vec<u8>],
) -> Result<(), Violation> {
    match operation {
        Operation::Exchange(time) => {
            world.advance(*time, false)?;
            world.handle_timeout()
        }
        Operation::Wait(time) => {
            world.advance(*time, true)?;
            world.handle_timeout()
        }
        Operation::Jump(time) => move_clock(world, |now| now + *time),
        Operation::Back(time) => {
            let back = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            move_clock(world, |now| Instant::from_micros(now.as_micros().saturating_sub(back)))
        }
        Operation::Timeout => world.handle_timeout(),
        Operation::Receive(sender, content) => {
            if let Some(datagram) = bytes_of(world, content, samples) {
                world.receive(sender.address(), &datagram);
            }
            Ok(())
        }
        Operation::Command(name, argument) => {
            if let Some((_, command)) = S::commands().iter().find(|(known, _)| known == name) {
                world.handle_timeout()?;
                command(&mut world.machine, *argument);
            }
            Ok(())
        }
        Operation::PollTransmit => {
            world.poll_transmit();
            Ok(())
        }
        Operation::PollEvent => world.poll_event().map(|_| ()),
    }
}

/// Pumps the machine, moves its clock, and checks the number of datagrams that it sends afterwards.
fn move_clock<S: Harness>(
    world: &mut Testbed<'_, S>,
    to: impl FnOnce(Instant) -> Instant,
) -> Result<(), Violation> {
    world.drain()?;
    world.now = to(world.now);
    world.handle_timeout()?;
    let sent = world.advance(core::time::Duration::from_secs(1), true)?;
    world.handle_timeout()?;
    if sent > S::MAX_SENDS_AFTER_CLOCK_JUMP {
        let what = format!(
            "{sent} datagrams in the second after the clock jumped, of {}",
            S::MAX_SENDS_AFTER_CLOCK_JUMP
        );
        return Err(Violation::new(Property::BoundedOutput, what));
    }
    Ok(())
}

fn bytes_of<S: Harness>(world: &Testbed<'_, S>, content: &Content, samples: &[Vec<u8>]) -> Option<Vec<u8>> {
    let (mut datagram, change) = match content {
        Content::Bytes(bytes) => return Some(bytes.0.clone()),
        Content::Sample(number, change) => (samples.get(number.checked_rem(samples.len())?)?.clone(), change),
        Content::Replay(number, change) => (world.peer_datagram(*number)?.to_vec(), change),
    };
    change.apply(&mut datagram);
    Some(datagram)
}

pub(super) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}
