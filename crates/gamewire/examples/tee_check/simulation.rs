//! Plays the recorded game again, one tick from each snapshot.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use gamewire_tee::input::TeeInput;
use gamewire_tee::rules::Rules;
use gamewire_tee::tuning::Tuning;
use gamewire_tee::vector::Vec2;
use gamewire_tee::world::World;

use super::capture::{Recording, TickView};
use super::ddnet;
use super::report::Report;
use super::situation::{has_teleported_hook, is_new, is_next_life, reload_after, server_core};
use super::timing::{PlayerInputs, Shift, SnapshotTicks};

/// Maximum ticks between two snapshots that are played.
const MAX_GAP: i32 = 25;
/// Ticks in which a tee of Teeworlds cannot die and spawn again.
const RESPAWN_TICKS: i32 = 25;
/// Distance at which a tee can act on another one in a tick: the hook, its flight, and a dash.
pub(crate) const REACH: f32 = 560.0;
/// Distance and ticks in which a shot can act on a tee.
const SHOT_REACH: f32 = 1200.0;
const SHOT_TICKS: i32 = 110;
/// Inputs of a tee that appears in the middle of its life, after which those before do not matter.
const MIN_INPUTS: usize = 3;
/// Tries to find the ticks at which weapons reacted.
const MAX_TRIES: usize = 4;

/// A recorded game and the world that plays it.
pub(crate) struct Simulation<'a> {
    recording: &'a Recording,
    world: World,
    defaults: Tuning,
    inputs: BTreeMap<usize, PlayerInputs>,
    /// For each player, the number of arrived inputs to which its weapon has reacted.
    reacted: BTreeMap<usize, usize>,
    /// The latest input of each player (DDNet).
    latest: BTreeMap<usize, TeeInput>,
    /// Positions of attacks at an unknown tick, with the last tick at which their shots may act.
    unknown_attacks: Vec<(Vec2, i32)>,
    /// Tees with a known state of DDNet.
    has_state: BTreeSet<usize>,
    /// The tick at which each tee was shown last.
    shown: BTreeMap<usize, i32>,
    /// Numbers of the births of tees. The younger ones tick first (Teeworlds).
    births: BTreeMap<usize, usize>,
    /// Ticks at which tees appeared in the middle of their lives.
    found: BTreeMap<usize, i32>,
    /// Tees with an unknown place in the order of the ticks, because they were not seen when they spawned.
    unordered: BTreeSet<usize>,
    report: Report,
}

impl<'a> Simulation<'a> {
    pub(crate) fn new(recording: &'a Recording, world: World) -> Self {
        let snapshots = SnapshotTicks::new(recording.ticks.keys().copied());
        let inputs =
            recording.inputs.iter().map(|(id, sent)| (*id, PlayerInputs::new(&snapshots, sent))).collect();
        Self {
            recording,
            defaults: Tuning::new(world.rules),
            world,
            inputs,
            reacted: BTreeMap::new(),
            latest: BTreeMap::new(),
            unknown_attacks: Vec::new(),
            has_state: BTreeSet::new(),
            shown: BTreeMap::new(),
            births: BTreeMap::new(),
            found: BTreeMap::new(),
            unordered: BTreeSet::new(),
            report: Report::default(),
        }
    }

    /// Plays all ticks.
    pub(crate) fn run(mut self) -> Report {
        let recording = self.recording;
        let mut last: Option<i32> = None;
        for (tick, view) in &recording.ticks {
            let before = self.world.clone();
            match last {
                Some(last) if *tick - last <= MAX_GAP => self.play(&before, *tick, view),
                _ => {
                    self.world.tick = *tick;
                    self.skip_arrivals(*tick);
                }
            }
            self.take_over(*tick, view, &before);
            last = Some(*tick);
        }
        self.report
    }

    /// Lets the weapons forget the inputs that arrived before the recording of a tick.
    fn skip_arrivals(&mut self, tick: i32) {
        for (id, inputs) in &self.inputs {
            let count = inputs.arrivals.partition_point(|(at, _)| *at < tick);
            self.reacted.insert(*id, count);
        }
    }

    /// Plays from the world of a snapshot to the next one, and compares.
    fn play(&mut self, before: &World, to: i32, view: &TickView) {
        let from = before.tick;
        let uncertain: Vec<usize> = before.ids().filter(|id| self.is_uncertain(*id, from, to)).collect();
        let mut shifts: BTreeMap<usize, Shift> = BTreeMap::new();
        let mut reacted = self.reacted.clone();
        let latest = self.latest.clone();
        let mut random: BTreeSet<usize> = BTreeSet::new();
        for attempt in 0..MAX_TRIES {
            self.world.clone_from(before);
            self.latest.clone_from(&latest);
            reacted.clone_from(&self.reacted);
            random.clear();
            for tick in from..to {
                self.feed(tick, &shifts, &mut reacted);
                self.world.step();
                random.extend(self.world.ids().filter(|id| self.world.is_random(*id)));
            }
            if attempt + 1 == MAX_TRIES || !self.adjust(from, to, view, &mut shifts) {
                break;
            }
        }
        self.reacted = reacted;
        self.compare(to, view, before, &uncertain, &random);
    }

    fn is_uncertain(&self, id: usize, from: i32, to: i32) -> bool {
        let Some(inputs) = self.inputs.get(&id) else { return true };
        let first = self.found.get(&id).map_or(i32::MIN, |found| found.saturating_add(1));
        from < first
            || !inputs.has(MIN_INPUTS, first, from)
            || (from + 1..=to).any(|tick| inputs.is_uncertain(tick))
    }

    /// Sets the inputs of the tick after `tick`.
    fn feed(&mut self, tick: i32, shifts: &BTreeMap<usize, Shift>, reacted: &mut BTreeMap<usize, usize>) {
        for (id, inputs) in &self.inputs {
            let slot = inputs.of_tick(tick + 1).next();
            if self.world.rules.is_ddnet() {
                // Up to 19.3, the weapons react to all inputs for a tick.
                let fed = if self.world.rules == Rules::Ddnet16 { usize::MAX } else { 1 };
                for input in inputs.of_tick(tick + 1).take(fed) {
                    self.latest.insert(*id, input);
                    self.world.direct_input(*id, input);
                }
                let Some(latest) = self.latest.get(id).copied() else { continue };
                if slot.is_none() {
                    self.world.direct_input(*id, latest);
                }
                self.world.set_input(*id, slot.unwrap_or(latest));
                continue;
            }
            let shift = match shifts.get(id) {
                Some(Shift::Earlier) => -1,
                Some(Shift::Later) => 1,
                Some(Shift::Lost) | None => 0,
            };
            let count = reacted.entry(*id).or_default();
            while let Some((at, input)) = inputs.arrivals.get(*count).copied() {
                if at + shift > tick {
                    break;
                }
                let reload = self.world.tee(*id).map_or(0, |tee| tee.reload);
                if let Some(tee) = self.world.tee_mut(*id).filter(|_| shifts.get(id) == Some(&Shift::Lost)) {
                    tee.reload = tee.reload.max(1);
                }
                self.world.direct_input(*id, input);
                if let Some(tee) = self.world.tee_mut(*id).filter(|_| shifts.get(id) == Some(&Shift::Lost)) {
                    tee.reload = reload;
                }
                *count += 1;
            }
            if let Some(input) = slot {
                self.world.set_input(*id, input);
            }
        }
    }

    /// Moves the arrival of inputs by a tick where the server attacked at another tick. Returns whether any moved.
    fn adjust(&self, from: i32, to: i32, view: &TickView, shifts: &mut BTreeMap<usize, Shift>) -> bool {
        if self.world.rules.is_ddnet() {
            return false;
        }
        let mut is_moved = false;
        for (id, seen) in &view.tees {
            let Some(tee) = self.world.tee(*id) else { continue };
            if tee.attack_tick == seen.attack_tick {
                continue;
            }
            // If only the server attacked, the input was earlier. If only the computed tee did, it was later, or so early
            // that the weapon still reloaded.
            let candidates: &[Shift] =
                if seen.attack_tick >= from { &[Shift::Earlier] } else { &[Shift::Later, Shift::Lost] };
            let next = match shifts.get(id) {
                None => candidates.first(),
                Some(tried) => candidates.iter().skip_while(|shift| *shift != tried).nth(1),
            };
            if let Some(next) = next.filter(|_| (from..=to).contains(&tee.attack_tick.max(seen.attack_tick)))
            {
                shifts.insert(*id, *next);
                is_moved = true;
            }
        }
        is_moved
    }

    /// Compares the tees of a snapshot.
    fn compare(
        &mut self,
        tick: i32,
        view: &TickView,
        before: &World,
        uncertain: &[usize],
        random: &BTreeSet<usize>,
    ) {
        let mut disturbed: Vec<Vec2> = uncertain.iter().filter_map(|id| Some(before.core(*id)?.at)).collect();
        let ids: BTreeSet<usize> = before.ids().collect();
        for id in random {
            disturbed.extend(before.core(*id).map(|core| core.at));
            disturbed.extend(view.tees.get(id).map(|seen| Vec2::new(seen.core.x as f32, seen.core.y as f32)));
        }
        self.unknown_attacks.retain(|(_, until)| *until >= tick);
        let is_ddnet = self.world.rules.is_ddnet();
        let recording = self.recording;
        let vanished = |id: &usize| match view.tees.get(id) {
            Some(seen) => is_next_life(recording, before, *id, seen, tick),
            None => true,
        };
        for id in ids.iter().filter(|id| vanished(id) && !self.world.has_died(**id)) {
            disturbed.extend(before.core(*id).map(|core| core.at));
        }
        for id in &ids {
            let Some(seen) = view.tees.get(id) else { continue };
            let Some(start) = before.core(*id).map(|core| core.at) else { continue };
            let expected = server_core(&self.world, &self.defaults, tick, seen);
            if vanished(id) {
                self.report.set_apart("that died and spawned");
                continue;
            }
            let is_near = disturbed.iter().any(|at| at.distance(start) < REACH);
            let is_near_attack = self.unknown_attacks.iter().any(|(at, _)| at.distance(start) < SHOT_REACH);
            let cause = match () {
                () if uncertain.contains(id) => Some("without a known input"),
                () if random.contains(id) => Some("by random numbers of the server"),
                // The item does not have the exit of a teleported hook, so its dead reckoning is wrong.
                () if has_teleported_hook(before, *id) && seen.core_tick != tick => {
                    Some("with a teleported hook")
                }
                () if is_ddnet && !self.has_state.contains(id) => Some("without the state of DDNet"),
                () if is_near_attack => Some("near an attack whose tick is not known"),
                () if is_near => Some("near such a tee or one that left"),
                () if self.is_near_unordered(before, *id) => Some("near a tee, in an unknown order"),
                () => None,
            };
            if let Some(cause) = cause {
                if self.world.tee(*id).is_some_and(|tee| tee.attack_tick != seen.attack_tick) {
                    self.unknown_attacks.push((start, tick.saturating_add(SHOT_TICKS)));
                }
                self.report.set_apart(cause);
                continue;
            }
            let situation = || format!("before {:?}", before.core(*id).map(|core| core.to_item()));
            if let Some(tee) = self.world.tee(*id) {
                if let (Some(fields), Some(core)) = (seen.ddnet.as_ref(), self.world.core(*id)) {
                    let expected = ddnet::expected(fields);
                    self.report.compare_state(tick, *id, &expected, &ddnet::found(tick, core, tee), || {
                        format!("before {:?} {:?}", before.core(*id), before.tee(*id))
                    });
                }
                self.report.compare_attack(tick, *id, seen.attack_tick, tee.attack_tick, situation);
            }
            match self.world.core(*id) {
                Some(core) => self.report.compare(tick, *id, &expected, &core.to_item(), situation),
                None => self.report.compare_life(tick, *id, "expected alive, found dead", situation),
            }
        }
    }

    /// Returns whether a tee may act on another one, or the reverse, and one of them has an unknown place in the order.
    fn is_near_unordered(&self, before: &World, id: usize) -> bool {
        let Some(start) = before.core(id).map(|core| core.at) else { return false };
        let is_unordered = |id: usize| self.unordered.contains(&id);
        before
            .ids()
            .filter(|other| *other != id && (is_unordered(*other) || is_unordered(id)))
            .any(|other| before.core(other).is_some_and(|core| core.at.distance(start) < REACH))
    }

    /// Continues from the state that the server sent.
    fn take_over(&mut self, tick: i32, view: &TickView, before: &World) {
        let gone: Vec<usize> = self.world.ids().filter(|id| !view.tees.contains_key(id)).collect();
        gone.into_iter().for_each(|id| self.world.remove(id));
        let is_ddnet = self.world.rules.is_ddnet();
        let mut born = BTreeSet::new();
        for (id, seen) in &view.tees {
            let core = server_core(&self.world, &self.defaults, tick, seen);
            let at = Vec2::new(core.x as f32, core.y as f32);
            let is_next = is_next_life(self.recording, before, *id, seen, tick);
            let is_absent = self.world.core(*id).is_none();
            let last = self.shown.insert(*id, tick);
            let is_same_life = last
                .is_some_and(|last| tick - last < RESPAWN_TICKS && !self.recording.has_died(*id, last, tick));
            let has_spawned = is_new(&seen.core) && (is_absent || is_next);
            if !is_new(&seen.core) && (is_absent || is_next) {
                self.found.insert(*id, tick);
            }
            if is_absent || is_next {
                self.world.spawn(*id, at);
            }
            born.extend(has_spawned.then_some(*id));
            if is_next || is_absent && (!is_same_life || is_new(&seen.core)) {
                self.births.insert(*id, self.births.values().max().map_or(0, |last| last + 1));
                self.unordered.remove(id);
                // DDNet sends the order.
                if !is_ddnet && !has_spawned {
                    self.unordered.insert(*id);
                }
            }
            let is_expected = self.world.core(*id).is_some_and(|own| own.to_item() == core);
            let keeps_hook = has_teleported_hook(&self.world, *id) && seen.core_tick != tick;
            if let Some(own) = self.world.core_mut(*id).filter(|_| !keeps_hook) {
                own.set_item(&core);
            }
            if let Some(fields) = seen.ddnet.as_ref() {
                ddnet::take_over(&mut self.world, tick, *id, fields);
                self.has_state.insert(*id);
            }
            let Some(tee) = self.world.tee_mut(*id) else { continue };
            if !is_expected {
                tee.place(at);
            }
            // A frozen tee is shown with the sword of a ninja.
            let is_frozen = seen.ddnet.as_ref().is_some_and(|fields| fields.get("freeze_end") != Some(&0));
            if let Some(weapon) = usize::try_from(seen.weapon).ok().filter(|_| !is_frozen) {
                tee.active_weapon = weapon;
                if let Some(slot) = tee.weapons.get_mut(weapon) {
                    slot.is_owned = true;
                }
            }
            if tee.attack_tick != seen.attack_tick {
                tee.reload = reload_after(tee.active_weapon).saturating_sub(tick - seen.attack_tick).max(0);
            }
            tee.attack_tick = seen.attack_tick;
            if let Some([health, armor, ammo]) = seen.own {
                (tee.health, tee.armor) = (health, armor);
                // No limit is shown as 0.
                let has_limit = !is_ddnet && (1..=4).contains(&tee.active_weapon);
                if let Some(slot) = tee.weapons.get_mut(tee.active_weapon).filter(|_| has_limit) {
                    slot.ammo = ammo;
                }
            }
        }
        for number in 1..=u8::MAX {
            let word = view.switches.get(usize::from(number) / 32);
            let is_on = word.map(|word| word >> (number % 32) & 1 != 0);
            if let Some(is_on) = is_on.filter(|is_on| *is_on != self.world.is_switch_on(number)) {
                self.world.set_switch(number, is_on);
            }
        }
        // DDNet sends the order, but not yet for tees of this tick. The younger ones tick first.
        let mut order: Vec<usize> = self.world.ids().collect();
        order.sort_unstable_by_key(|id| {
            let ddnet =
                view.tees.get(id).and_then(|seen| seen.ddnet.as_ref()?.get("strong_weak_id").copied());
            let rank = if born.contains(id) { None } else { ddnet };
            (rank, Reverse(self.births.get(id)))
        });
        self.world.set_order(order);
    }
}
