use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;

use super::broken::{Breach, Broken, Clause};
use super::operation::{Change, Sender};
use super::sequence::words_of;
use super::subject::Subject;
use super::world::World;

/// How many strangers there are, and how many datagrams a single one sends.
const STRANGERS: u16 = 4_096;

/// Many strangers send all kinds of datagrams, then a single one sends many; all along the
/// machine must not hold more than it may.
pub(super) fn examine<S: Subject>(seed: u64) -> Result<(), Broken> {
    let ran = catch_unwind(AssertUnwindSafe(|| flood::<S>(seed)));
    let ran = ran.unwrap_or_else(|panic| Err(Breach::new(Clause::NoPanic, words_of(&*panic))));
    ran.map_err(|Breach { clause, detail }| Broken { clause, detail, seed, operations: Vec::new() })
}

fn flood<S: Subject>(seed: u64) -> Result<(), Breach> {
    let nothing = BTreeSet::new();
    let mut world = World::<S>::new(seed, &nothing);
    world.turn()?;
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
                world.hear(Sender::Stranger(stranger).address(), &datagram);
                world.turn()?;
            }
        }
        world.seen.clear();
        world.rejected.clear();
        let held = S::held_bytes(&world.machine).saturating_sub(before);
        if held > S::MOST_HELD {
            let what = format!("{held} bytes, of {}, after {count} {who}", S::MOST_HELD);
            return Err(Breach::new(Clause::HoldsLittle, what));
        }
    }
    Ok(())
}
