use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gamewire_machine::Instant;

use super::broken::{Breach, Broken, Clause};
use super::operation::{Content, Operation};
use super::shorten::shorten;
use super::subject::Subject;
use super::world::{Seen, World};

/// What came of a sequence.
struct Outcome {
    seen: Vec<Seen>,
    rejected: BTreeSet<usize>,
}

/// Holds a machine against the contract over a sequence of operations; where it breaks, the
/// sequence is shortened.
pub(super) fn examine<S: Subject>(seed: u64, operations: Vec<Operation>) -> Result<(), Broken> {
    let Err(breach) = try_once::<S>(seed, &operations) else { return Ok(()) };
    let clause = breach.clause;
    let breaks = |operations: &[Operation]| {
        try_once::<S>(seed, operations).err().filter(|breach| breach.clause == clause)
    };
    let (operations, breach) = shorten(operations, breach, breaks);
    Err(Broken { clause, detail: breach.detail, seed, operations })
}

/// Runs it thrice: as it is, the same again, and without what was rejected.
fn try_once<S: Subject>(seed: u64, operations: &[Operation]) -> Result<(), Breach> {
    let nothing = BTreeSet::new();
    let first = run::<S>(seed, operations, &nothing)?;
    let again = run::<S>(seed, operations, &nothing)?;
    compare(&first.seen, &again.seen, Clause::SameBytes, "the second time")?;
    if first.rejected.is_empty() {
        return Ok(());
    }
    let twin = run::<S>(seed, operations, &first.rejected)?;
    compare(&first.seen, &twin.seen, Clause::RejectLeavesNoTrace, "of the twin that never got it")
}

fn compare(one: &[Seen], other: &[Seen], clause: Clause, whose: &str) -> Result<(), Breach> {
    if one == other {
        return Ok(());
    }
    let at = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let told = |seen: &[Seen]| seen.get(at).map_or_else(|| "nothing".into(), |seen| format!("{seen:?}"));
    Err(Breach::new(clause, format!("{}, but {whose}: {}", told(one), told(other))))
}

fn run<S: Subject>(seed: u64, operations: &[Operation], skip: &BTreeSet<usize>) -> Result<Outcome, Breach> {
    // A machine that has panicked is not looked at again.
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let mut world = World::<S>::new(seed, skip);
        let samples = S::samples(seed);
        for operation in operations {
            carry_out(&mut world, operation, &samples)?;
            world.note_wake();
        }
        world.finish()?;
        Ok(Outcome { seen: world.seen, rejected: world.rejected })
    }));
    ran.unwrap_or_else(|panic| Err(Breach::new(Clause::NoPanic, words_of(&*panic))))
}

fn carry_out<S: Subject>(
    world: &mut World<'_, S>,
    operation: &Operation,
    samples: &[Vec<u8>],
) -> Result<(), Breach> {
    match operation {
        Operation::Talk(time) => {
            world.talk(*time)?;
            world.tell_time()
        }
        Operation::Wait(time) => {
            world.wait(*time)?;
            world.tell_time()
        }
        Operation::Jump(time) => move_clock(world, |now| now + *time),
        Operation::Back(time) => {
            let back = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            move_clock(world, |now| Instant::from_micros(now.as_micros().saturating_sub(back)))
        }
        Operation::Timeout => world.tell_time(),
        Operation::Hear(sender, content) => {
            if let Some(datagram) = bytes_of(world, content, samples) {
                world.hear(sender.address(), &datagram);
            }
            Ok(())
        }
        Operation::Command(name, argument) => {
            if let Some((_, command)) = S::commands().iter().find(|(known, _)| known == name) {
                world.tell_time()?;
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

/// Turns the machine before and after its clock is moved, and counts what it sends then.
fn move_clock<S: Subject>(
    world: &mut World<'_, S>,
    to: impl FnOnce(Instant) -> Instant,
) -> Result<(), Breach> {
    world.turn()?;
    world.now = to(world.now);
    world.tell_time()?;
    let sent = world.wait(core::time::Duration::from_secs(1))?;
    world.tell_time()?;
    if sent > S::MOST_AFTER_JUMP {
        let what =
            format!("{sent} datagrams in the second after the clock jumped, of {}", S::MOST_AFTER_JUMP);
        return Err(Breach::new(Clause::NoStorm, what));
    }
    Ok(())
}

fn bytes_of<S: Subject>(world: &World<'_, S>, content: &Content, samples: &[Vec<u8>]) -> Option<Vec<u8>> {
    let (mut datagram, change) = match content {
        Content::Bytes(bytes) => return Some(bytes.0.clone()),
        Content::Sample(number, change) => (samples.get(number.checked_rem(samples.len())?)?.clone(), change),
        Content::Replay(number, change) => (world.genuine(*number)?.to_vec(), change),
    };
    change.apply(&mut datagram);
    Some(datagram)
}

pub(super) fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".into())
}
