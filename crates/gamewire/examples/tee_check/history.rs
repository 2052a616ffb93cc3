//! Plays a game of DDNet from a teehistorian file, which has each input at its tick and each position.

use std::collections::{BTreeMap, BTreeSet};

use gamewire_tee::input::TeeInput;
use gamewire_tee::teehistorian::{Record, Teehistorian, TeehistorianError};
use gamewire_tee::tile::TeleTile;
use gamewire_tee::tuning::Tuning;
use gamewire_tee::vector::Vec2;
use gamewire_tee::world::World;

use super::capture::Recording;
use super::ddnet;
use super::report::Report;
use super::simulation::REACH;
use super::situation::{has_teleported_hook, server_core};

/// The message of a client that kills its tee.
const KILL: &[u8] = &[22 << 1];
/// Number of ticks in which the server ignores further messages, with the default of `sv_kill_delay`.
const KILL_TICKS: i32 = 50;
/// Number of ticks in which a tee may differ after a tee with an unknown state has changed it.
const DISTURBED_TICKS: i32 = 50;
/// The tile of a teleporter's exit.
const TELE_OUT: u8 = 27;
/// Spawn points of the game layer.
const SPAWNS: std::ops::RangeInclusive<u8> = 192..=194;

/// Plays a file from its beginning to its end, and compares each tee: with the positions in the file, and with the snapshots of
/// a capture where it has them.
pub(crate) fn play(file: &[u8], world: World, recording: &Recording) -> Result<Report, TeehistorianError> {
    let mut game = Game {
        before: world.clone(),
        exits: exits(&world),
        defaults: Tuning::new(world.rules),
        recording,
        world,
        positions: BTreeMap::new(),
        latest: BTreeMap::new(),
        ended: BTreeSet::new(),
        lost: BTreeMap::new(),
        disturbed: BTreeMap::new(),
        kills: BTreeMap::new(),
        report: Report::default(),
    };
    // What players send acts in the next tick.
    let mut pending = Vec::new();
    for entry in Teehistorian::parse(file)? {
        let entry = entry?;
        while game.world.tick < entry.tick {
            game.compare();
            for record in std::mem::take(&mut pending) {
                game.act(record);
            }
            game.step();
        }
        match entry.record {
            Record::PlayerNew { player, x, y } => game.spawn(player, x, y),
            Record::PlayerMoved { player, x, y } => _ = game.positions.insert(player, (x, y)),
            Record::PlayerGone { player } => game.remove(player),
            record => pending.push(record),
        }
    }
    game.compare();
    Ok(game.report)
}

fn play_tick(world: &mut World, inputs: &BTreeMap<usize, TeeInput>) {
    for (id, input) in inputs {
        world.direct_input(*id, *input);
        world.set_input(*id, *input);
    }
    world.step();
}

fn position(world: &World, id: usize) -> Option<(i32, i32)> {
    world.core(id).map(|core| core.to_item()).map(|core| (core.x, core.y))
}

/// Returns the exits and spawn points of a map, between which the server chooses.
fn exits(world: &World) -> Vec<Vec2> {
    let layers = world.grid().layers();
    let width = layers.width as usize;
    let center = |at: usize| Vec2::new((at % width * 32 + 16) as f32, (at / width * 32 + 16) as f32);
    let is_exit = |(at, tile): (usize, &TeleTile)| (tile.id == TELE_OUT).then(|| center(at));
    let mut exits: Vec<Vec2> = layers.tele.iter().enumerate().filter_map(is_exit).collect();
    for (at, _) in layers.game.iter().enumerate().filter(|(_, tile)| SPAWNS.contains(&tile.index)) {
        let beside = [(0.0, 0.0), (-32.0, 0.0), (0.0, -32.0), (32.0, 0.0), (0.0, 32.0)];
        exits.extend(beside.map(|(x, y)| center(at) + Vec2::new(x, y)));
    }
    exits
}

/// A game that is played without any correction.
struct Game<'a> {
    recording: &'a Recording,
    world: World,
    defaults: Tuning,
    /// The world of the tick before.
    before: World,
    exits: Vec<Vec2>,
    /// Positions that the server recorded.
    positions: BTreeMap<usize, (i32, i32)>,
    /// The input of each player.
    latest: BTreeMap<usize, TeeInput>,
    /// Players with a tee that a message or the end of the session removed since the last tick. It may have spawned in it.
    ended: BTreeSet<usize>,
    /// Tees with an unknown state until their next life, with the reason.
    lost: BTreeMap<usize, &'static str>,
    /// Ticks until which such a tee may have changed another one.
    disturbed: BTreeMap<usize, i32>,
    /// Ticks of the last messages that killed a tee.
    kills: BTreeMap<usize, i32>,
    report: Report,
}

impl Game<'_> {
    fn step(&mut self) {
        self.before.clone_from(&self.world);
        play_tick(&mut self.world, &self.latest);
    }

    /// Finds the exits that the server chose by the positions after them.
    fn choose_exits(&mut self) {
        let is_random = |id: &usize| self.world.is_random(*id);
        let random: Vec<usize> = self.positions.keys().copied().filter(is_random).collect();
        let mut chosen: Vec<(usize, Vec2)> = Vec::new();
        for id in &random {
            let recorded = self.positions.get(id).copied();
            let with = |exit: Vec2| chosen.iter().copied().chain([(*id, exit)]);
            let is_right = |exit: &Vec2| position(&self.replay(with(*exit)), *id) == recorded;
            let found = self.exits.iter().copied().find(is_right);
            chosen.extend(found.map(|exit| (*id, exit)));
        }
        if random.is_empty() {
            return;
        }
        let mut world = self.replay(chosen.into_iter());
        let born: Vec<usize> = self.world.ids().filter(|id| world.core(*id).is_none()).collect();
        for id in born.into_iter().rev() {
            let at = self.world.core(id).map(|core| core.at);
            at.into_iter().for_each(|at| world.spawn(id, at));
        }
        self.lost.extend(
            random
                .into_iter()
                .filter(|id| world.is_random(*id))
                .map(|id| (id, "after a random number of the server")),
        );
        self.world = world;
    }

    /// Plays the tick again with exits.
    fn replay(&self, exits: impl Iterator<Item = (usize, Vec2)>) -> World {
        let mut world = self.before.clone();
        exits.for_each(|(id, exit)| world.set_exit(id, exit));
        play_tick(&mut world, &self.latest);
        world
    }

    fn act(&mut self, record: Record<'_>) {
        match record {
            Record::Input { player, input } => {
                self.latest.insert(player, TeeInput::from_wire(input));
            }
            Record::Message { player, bytes } if bytes == KILL => {
                let tick = self.world.tick;
                if self.kills.get(&player).is_none_or(|last| tick.saturating_sub(*last) >= KILL_TICKS) {
                    self.kills.insert(player, tick);
                    self.end(player);
                }
            }
            Record::Drop { player, .. } => {
                self.end(player);
                self.latest.remove(&player);
            }
            _ => {}
        }
    }

    fn remove(&mut self, player: usize) {
        self.positions.remove(&player);
        if self.world.core(player).is_some() && !self.lost.contains_key(&player) {
            let tick = self.world.tick;
            self.report.compare_life(tick, player, "expected dead, found alive", String::new);
        }
        self.world.remove(player);
    }

    fn spawn(&mut self, player: usize, x: i32, y: i32) {
        self.positions.insert(player, (x, y));
        self.world.spawn(player, Vec2::new(x as f32, y as f32));
        self.lost.remove(&player);
        self.disturbed.remove(&player);
    }

    fn end(&mut self, player: usize) {
        self.world.remove(player);
        self.ended.insert(player);
    }

    /// Compares the tees at the end of a tick.
    fn compare(&mut self) {
        let tick = self.world.tick;
        for id in std::mem::take(&mut self.ended) {
            let recorded = self.positions.get(&id).copied();
            if let Some((x, y)) = recorded.filter(|_| self.world.core(id).is_none()) {
                self.spawn(id, x, y);
            }
        }
        self.choose_exits();
        let mut lost: Vec<Vec2> = self.lost.keys().filter_map(|id| Some(self.before.core(*id)?.at)).collect();
        for (x, y) in self.lost.keys().filter_map(|id| self.positions.get(id)) {
            lost.push(Vec2::new(*x as f32, *y as f32));
        }
        let mut differing = Vec::new();
        let positions = std::mem::take(&mut self.positions);
        for (id, expected) in &positions {
            let at = Vec2::new(expected.0 as f32, expected.1 as f32);
            if lost.iter().any(|other| other.distance(at) < REACH) {
                self.disturbed.insert(*id, tick.saturating_add(DISTURBED_TICKS));
            }
            let found = position(&self.world, *id);
            if let Some(cause) = self.lost.get(id) {
                self.report.set_apart(cause);
                if let Some(core) = self.world.core_mut(*id) {
                    core.at = at;
                }
            } else if found != Some(*expected) && self.disturbed.get(id).is_some_and(|until| *until >= tick) {
                self.report.set_apart("near a tee whose state is not known");
                differing.push((*id, "after meeting a tee whose state is not known"));
            } else if !self.compare_tee(*id, *expected) {
                differing.push((*id, "after a difference"));
            }
        }
        self.positions = positions;
        self.lost.extend(differing);
    }

    /// Compares a tee. Returns whether it is equal.
    fn compare_tee(&mut self, id: usize, expected: (i32, i32)) -> bool {
        let tick = self.world.tick;
        let (world, report) = (&self.world, &mut self.report);
        let before = report.differing();
        let situation = || format!("before {:?} {:?}", self.before.core(id), self.before.tee(id));
        let (Some(core), Some(tee)) = (world.core(id), world.tee(id)) else {
            report.compare_life(tick, id, "expected alive, found dead", situation);
            return false;
        };
        let item = core.to_item();
        let seen = self.recording.ticks.get(&tick).and_then(|view| view.tees.get(&id));
        // The item does not have the exit of a teleported hook, so its dead reckoning is wrong.
        let seen = seen.filter(|seen| !has_teleported_hook(&self.before, id) || seen.core_tick == tick);
        // A tee that was born in this tick has no core yet in its snapshot.
        match seen.filter(|_| self.before.core(id).is_some()) {
            None => report.compare_position(tick, id, expected, (item.x, item.y), situation),
            Some(seen) => {
                let core_of_server = server_core(world, &self.defaults, tick, seen);
                report.compare(tick, id, &core_of_server, &item, situation);
                report.compare_attack(tick, id, seen.attack_tick, tee.attack_tick, situation);
                if let Some(fields) = &seen.ddnet {
                    let found = ddnet::found(tick, core, tee);
                    report.compare_state(tick, id, &ddnet::expected(fields), &found, situation);
                }
            }
        }
        self.report.differing() == before
    }
}
