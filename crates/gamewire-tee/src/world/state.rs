use std::sync::Arc;

use super::ddnet::switches::Switches;
use super::entity::{Laser, MAX_ENTITIES, Pickup, Projectile, pickups_of};
use crate::core::{Core, CoreContext};
use crate::grid::Grid;
use crate::input::TeeInput;
use crate::rules::{MAX_TEES, Rules};
use crate::tee::Tee;
use crate::tuning::Tuning;
use crate::vector::Vec2;

/// The tees, projectiles and lasers of a game.
#[derive(Clone, Debug)]
pub struct World {
    /// The rules.
    pub rules: Rules,
    /// The last tick that was played.
    pub tick: i32,
    pub(super) grid: Arc<Grid>,
    /// The tunings of the world, and of zone 0 in DDNet.
    pub tuning: Tuning,
    /// The tunings of DDNet's zones by their number, from 1. Missing ones are as [`World::tuning`].
    pub zone_tunings: Arc<Vec<Tuning>>,
    pub(crate) cores: Vec<Option<Core>>,
    pub(crate) tees: Vec<Option<Tee>>,
    /// Ids of the tees in the order of their ticks.
    pub(super) order: Vec<u8>,
    /// The projectiles, newest first.
    pub projectiles: Vec<Projectile>,
    /// The lasers, newest first.
    pub lasers: Vec<Laser>,
    /// The pickups of the map.
    pub pickups: Vec<Pickup>,
    pub(crate) switches: Switches,
    /// Bits of the tees that died in the last tick.
    pub(super) died: [u64; 2],
    /// Bits of the tees for which the last tick needed a random choice of the server.
    pub(crate) random: [u64; 2],
    /// Exits that replace random choices in the next tick, by the tee.
    pub(super) exits: Vec<(usize, Vec2)>,
}

impl World {
    /// Creates a world without tees.
    #[must_use]
    pub fn new(rules: Rules, grid: Arc<Grid>) -> Self {
        let tuning = if rules.is_ddnet() { Tuning::of_ddnet_server(rules) } else { Tuning::new(rules) };
        let pickups = pickups_of(rules, &grid);
        Self {
            rules,
            tick: 0,
            grid,
            tuning,
            zone_tunings: Arc::default(),
            cores: Vec::with_capacity(MAX_TEES),
            tees: Vec::with_capacity(MAX_TEES),
            order: Vec::with_capacity(MAX_TEES),
            projectiles: Vec::with_capacity(MAX_ENTITIES),
            lasers: Vec::with_capacity(MAX_ENTITIES),
            pickups,
            switches: Switches::default(),
            died: [0; 2],
            random: [0; 2],
            exits: Vec::new(),
        }
    }

    /// Returns the tiles.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the tiles, for use while the world changes.
    pub(crate) const fn shared_grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// Lets a tee spawn. It ticks before the tees that are there already.
    pub fn spawn(&mut self, id: usize, at: Vec2) {
        let Ok(short) = u8::try_from(id) else { return };
        self.remove(id);
        if id < MAX_TEES && self.cores.len() <= id {
            // Only as many as needed, because each tee looks at all.
            self.cores.resize(id.saturating_add(1), None);
            self.tees.resize(id.saturating_add(1), None);
        }
        if let (Some(core), Some(tee)) = (self.cores.get_mut(id), self.tees.get_mut(id)) {
            *core = Some(Core::new(at));
            *tee = Some(Tee::new(self.rules, at));
            self.order.insert(0, short);
        }
    }

    /// Removes a tee.
    pub fn remove(&mut self, id: usize) {
        if let (Some(core), Some(tee)) = (self.cores.get_mut(id), self.tees.get_mut(id)) {
            (*core, *tee) = (None, None);
        }
        self.order.retain(|other| usize::from(*other) != id);
    }

    /// Returns the core of a tee.
    #[must_use]
    pub fn core(&self, id: usize) -> Option<&Core> {
        self.cores.get(id)?.as_ref()
    }

    /// Returns the core of a tee, for changes.
    pub fn core_mut(&mut self, id: usize) -> Option<&mut Core> {
        self.cores.get_mut(id)?.as_mut()
    }

    /// Returns the character of a tee.
    #[must_use]
    pub fn tee(&self, id: usize) -> Option<&Tee> {
        self.tees.get(id)?.as_ref()
    }

    /// Returns the character of a tee, for changes.
    pub fn tee_mut(&mut self, id: usize) -> Option<&mut Tee> {
        self.tees.get_mut(id)?.as_mut()
    }

    /// Returns the ids of the tees in the order of their ticks.
    pub fn ids(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().map(|id| usize::from(*id))
    }

    /// Returns whether a tee died in the last tick or by a weapon after it.
    #[must_use]
    pub fn has_died(&self, id: usize) -> bool {
        self.died.get(id / 64).is_some_and(|bits| bits >> (id % 64) & 1 != 0)
    }

    /// Returns whether the position of a tee is a guess, because the server chose it by a secret random number.
    #[must_use]
    pub fn is_random(&self, id: usize) -> bool {
        self.random.get(id / 64).is_some_and(|bits| bits >> (id % 64) & 1 != 0)
    }

    /// Sets the exit or spawn point to which a teleporter takes a tee in the next tick, if the server would choose one of
    /// several by a random number or by the places of all tees. [`World::is_random`] then returns false.
    pub fn set_exit(&mut self, id: usize, exit: Vec2) {
        self.exits.push((id, exit));
    }

    pub(super) fn exit_of(&self, id: usize) -> Option<Vec2> {
        self.exits.iter().find(|(other, _)| *other == id).map(|(_, exit)| *exit)
    }

    pub(crate) fn mark_random(&mut self, id: usize) {
        if let Some(bits) = self.random.get_mut(id / 64) {
            *bits |= 1 << (id % 64);
        }
    }

    /// Returns the tunings at a tee.
    pub(crate) fn tuning_of(&self, id: usize) -> &Tuning {
        let zone = self.tee(id).map_or(0, |tee| tee.ddnet.tune_zone);
        self.zone_tuning(zone)
    }

    pub(crate) fn zone_tuning(&self, zone: u8) -> &Tuning {
        let index = usize::from(zone).checked_sub(1);
        index.and_then(|index| self.zone_tunings.get(index)).unwrap_or(&self.tuning)
    }

    /// Calls `change` with a tee's core, taken out of the others, and its surroundings.
    pub(super) fn with_core<R>(
        &mut self,
        id: usize,
        change: impl FnOnce(&mut Core, &CoreContext<'_>, &mut [Option<Core>]) -> R,
    ) -> Option<R> {
        let mut core = self.cores.get_mut(id)?.take()?;
        let mut cores = ::core::mem::take(&mut self.cores);
        let context = CoreContext {
            rules: self.rules,
            grid: &self.grid,
            tuning: self.tuning_of(id),
            open_switches: &self.switches.open,
        };
        let result = change(&mut core, &context, &mut cores);
        self.cores = cores;
        if let Some(slot) = self.cores.get_mut(id) {
            *slot = Some(core);
        }
        Some(result)
    }

    /// Sets the input for the next tick, as the servers do right before it.
    pub fn set_input(&mut self, id: usize, input: TeeInput) {
        let is_ddnet = self.rules.is_ddnet();
        let Some(tee) = self.tee_mut(id) else { return };
        tee.input = input.with_aim();
        tee.saved_input = tee.input;
        if !is_ddnet {
            tee.inputs = tee.inputs.saturating_add(1);
        }
    }
}

impl World {
    /// Returns whether a switch of DDNet's team 0 is on.
    #[must_use]
    pub fn is_switch_on(&self, number: u8) -> bool {
        self.switches.is_on(number)
    }

    /// Turns a switch of DDNet's team 0 on or off, for good.
    pub fn set_switch(&mut self, number: u8, is_on: bool) {
        self.switches.set(number, is_on, self.tick, None);
    }
}
