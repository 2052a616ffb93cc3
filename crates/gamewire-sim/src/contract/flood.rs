use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;

use super::harness::Harness;
use super::operation::{Change, Source};
use super::sequence::panic_message;
use super::testbed::Testbed;
use super::violation::{ContractViolation, Property, Violation};

/// Number of unknown addresses, and number of datagrams from a single address.
const STRANGERS: u16 = 4_096;

/// Many unknown addresses send all kinds of datagrams, then a single one sends many. The machine's memory must stay
/// bounded throughout.
pub(super) fn examine<S: Harness>(seed: u64) -> Result<(), ContractViolation> {
    let ran = catch_unwind(AssertUnwindSafe(|| flood::<S>(seed)));
    let ran = ran.unwrap_or_else(|panic| Err(Violation::new(Property::NoPanic, panic_message(&*panic))));
    ran.map_err(|Violation { clause, detail }| ContractViolation {
        clause,
        detail,
        seed,
        operations: Vec::new(),
    })
}

fn flood<S: Harness>(seed: u64) -> Result<(), Violation> {
    let nothing = BTreeSet::new();
    let mut world = Testbed::<S>::new(seed, &nothing);
    world.drain()?;
    let before = S::held_bytes(&world.machine);
    let mut samples = S::samples(seed);
    if samples.is_empty() {
        samples.push(vec![0; 64]);
    }
    let mut random = Rng::with_seed(seed);
    let many = (0..STRANGERS).map(|number| (number, "strangers"));
    let single = (0..STRANGERS).map(|_| (0, "strangers and many datagrams of one"));
    for (count, (stranger, who)) in (1_usize..).zip(many.chain(single)) {
        for sample in &samples {
            for change in [Change::Nothing, Change::Scramble(random.u64(..))] {
                let mut datagram = sample.clone();
                change.apply(&mut datagram);
                world.receive(Source::Unknown(stranger).address(), &datagram);
                world.drain()?;
            }
        }
        world.seen.clear();
        world.rejected.clear();
        let held = S::held_bytes(&world.machine).saturating_sub(before);
        if held > S::MAX_UNVERIFIED_BYTES {
            let what = format!("{held} bytes, of {}, after {count} {who}", S::MAX_UNVERIFIED_BYTES);
            return Err(Violation::new(Property::BoundedMemory, what));
        }
    }
    Ok(())
}
