use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use super::field::Field;
use super::finder::{NoPath, Path};
use crate::core::{Core, CoreContext, hook_state};
use crate::game_map::GameMap;
use crate::input::TeeInput;
use crate::number::truncate;
use crate::tee::Tee;
use crate::tuning::Tuning;
use crate::vector::Vec2;
use crate::world::World;

/// Number of ticks of each input.
const HOLD: usize = 5;
/// Distance to a goal's tile at which it is reached: the tee's center is in the tile.
const REACHED: f32 = 16.0;
/// Distance that a tee is expected to cover in a tick. A smaller one would search longer for a faster way.
const SPEED: f32 = 6.0;
/// Speed of a tee that stops within a tile.
const SLOW: f32 = 8.0;
/// Directions of the hook.
const AIMS: [(i32, i32); 9] = [
    (0, -300),
    (150, -260),
    (-150, -260),
    (230, -190),
    (-230, -190),
    (280, -100),
    (-280, -100),
    (300, 0),
    (-300, 0),
];
/// The id of the tee.
const TEE: usize = 0;

/// A state of the tee that the search has reached.
struct State {
    core: Core,
    tee: Tee,
    /// The input that led here, held for [`HOLD`] ticks, or for fewer at the goal.
    input: TeeInput,
    parent: usize,
    ticks: usize,
}

/// An entry of the queue. The best one is the greatest.
struct Entry {
    cost: f32,
    state: usize,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then(other.state.cmp(&self.state))
    }
}

/// Searches a path: see [`PathFinder::find`](super::PathFinder::find).
pub(super) fn find(
    map: &GameMap,
    tuning: &Tuning,
    field: &Field,
    start: &Core,
    max_states: usize,
) -> Result<Path, NoPath> {
    let mut world = map.world();
    world.tuning = *tuning;
    let mut search =
        Search { map, field, world, states: Vec::new(), queue: BinaryHeap::new(), seen: HashSet::new() };
    let Some(distance) = field.distance(map.grid(), start.at) else { return Err(NoPath::NotConnected) };
    let tee = Tee::new(map.rules(), start.at);
    search.push(State { core: *start, tee, input: TeeInput::default(), parent: 0, ticks: 0 }, distance);
    let mut nearest = (distance, 0);
    while search.states.len() < max_states {
        let Some(Entry { state, .. }) = search.queue.pop() else { break };
        for input in search.inputs(state) {
            let Some((next, distance)) = search.play(state, input) else { continue };
            if !search.seen.insert(key(&next.core)) {
                continue;
            }
            let index = search.push(next, distance);
            // A path that does not reach the goal ends where the tee can stay.
            if distance < nearest.0 && search.is_standing(index) {
                nearest = (distance, index);
            }
            if distance < REACHED {
                return Ok(search.path_to(index));
            }
        }
    }
    Err(NoPath::GaveUp { nearest: search.path_to(nearest.1), distance: nearest.0 })
}

struct Search<'a> {
    map: &'a GameMap,
    field: &'a Field,
    world: World,
    states: Vec<State>,
    queue: BinaryHeap<Entry>,
    seen: HashSet<[i32; 7]>,
}

impl Search<'_> {
    /// Adds a state and returns its index.
    fn push(&mut self, state: State, distance: f32) -> usize {
        let index = self.states.len();
        self.queue.push(Entry { cost: state.ticks as f32 + distance / SPEED, state: index });
        self.states.push(state);
        index
    }

    /// Sets the world to a state.
    fn restore(&mut self, state: usize) {
        let Some(State { core, tee, ticks, .. }) = self.states.get(state) else { return };
        self.world.tick = i32::try_from(*ticks).unwrap_or(i32::MAX);
        if self.world.core(TEE).is_none() {
            self.world.spawn(TEE, core.at);
        }
        if let Some(own) = self.world.core_mut(TEE) {
            *own = *core;
        }
        if let Some(own) = self.world.tee_mut(TEE) {
            *own = *tee;
        }
    }

    /// Holds an input from a state on. Returns the state after it and its distance to the goal, or `None` if the tee
    /// died, is frozen, or left the way to the goal.
    fn play(&mut self, from: usize, input: TeeInput) -> Option<(State, f32)> {
        self.restore(from);
        let mut ticks = self.states.get(from)?.ticks;
        let mut distance = 0.0;
        for _ in 0..HOLD {
            self.world.set_input(TEE, input);
            self.world.step();
            ticks = ticks.saturating_add(1);
            let core = self.world.core(TEE)?;
            distance = self.field.distance(self.map.grid(), core.at)?;
            if self.world.tee(TEE)?.ddnet.freeze_ticks > 0 || self.world.is_random(TEE) {
                return None;
            }
            if distance < REACHED {
                break;
            }
        }
        let (core, tee) = (*self.world.core(TEE)?, *self.world.tee(TEE)?);
        Some((State { core, tee, input, parent: from, ticks }, distance))
    }

    fn context(&self) -> CoreContext<'_> {
        CoreContext {
            rules: self.map.rules(),
            grid: self.map.grid(),
            tuning: &self.world.tuning,
            open_switches: CoreContext::NO_OPEN_SWITCHES,
        }
    }

    /// Returns whether the tee of a state can stay on the ground below it.
    fn is_standing(&self, state: usize) -> bool {
        let core = self.states.get(state).map(|state| state.core);
        core.is_some_and(|core| core.is_grounded(&self.context()) && core.velocity.length() < SLOW)
    }

    /// Returns the inputs that are tried from a state.
    fn inputs(&self, state: usize) -> Vec<TeeInput> {
        let Some(State { core, .. }) = self.states.get(state) else { return Vec::new() };
        let can_jump = core.jumped & 1 == 0 && (core.jumped & 2 == 0 || core.is_grounded(&self.context()));
        let hook = core.hook_state;
        let aims: &[(i32, i32)] = if hook == hook_state::IDLE { &AIMS } else { &[] };
        let mut inputs = Vec::new();
        for direction in [-1, 0, 1] {
            let walk = TeeInput { direction, target_y: -1, ..TeeInput::default() };
            let jumps: &[i32] = if can_jump { &[0, 1] } else { &[0] };
            for jump in jumps {
                inputs.push(TeeInput { jump: *jump, ..walk });
                if matches!(hook, hook_state::FLYING | hook_state::GRABBED) {
                    inputs.push(TeeInput { jump: *jump, hook: 1, ..walk });
                }
            }
            for (target_x, target_y) in aims {
                inputs.push(TeeInput { hook: 1, target_x: *target_x, target_y: *target_y, ..walk });
            }
        }
        inputs
    }

    /// Returns the path from the start to a state.
    fn path_to(&mut self, state: usize) -> Path {
        let mut steps = Vec::new();
        let mut at = state;
        while let Some(State { parent, input, ticks, .. }) = self.states.get(at).filter(|_| at != 0) {
            let before = self.states.get(*parent).map_or(0, |state| state.ticks);
            steps.push((*input, ticks.saturating_sub(before)));
            at = *parent;
        }
        let mut path = Path::default();
        self.restore(0);
        for (input, ticks) in steps.into_iter().rev() {
            for _ in 0..ticks {
                self.world.set_input(TEE, input);
                self.world.step();
                path.inputs.push(input);
                path.positions.push(self.world.core(TEE).map_or(Vec2::ZERO, |core| core.at));
            }
        }
        path
    }
}

/// Returns equal values for states that the search treats as equal.
fn key(core: &Core) -> [i32; 7] {
    let is_hooked = core.hook_state == hook_state::GRABBED;
    let hook =
        if is_hooked { (truncate(core.hook_at.x / 32.0), truncate(core.hook_at.y / 32.0)) } else { (0, 0) };
    [
        truncate(core.at.x / 12.0),
        truncate(core.at.y / 12.0),
        truncate(core.velocity.x / 3.0),
        truncate(core.velocity.y / 3.0),
        core.jumped | core.hook_state.wrapping_shl(4),
        hook.0,
        hook.1,
    ]
}
