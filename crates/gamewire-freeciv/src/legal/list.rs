//! The list of legal actions, and which parts of it changed.

use std::collections::{BTreeMap, BTreeSet};

use super::entry::{Entries, LegalEntry};
use super::key::{Actor, LegalKey};
use super::{answered, city, diplomacy, player, unit};
use crate::world::{Change, LegalAction, World};

/// A question to the server: which actions it offers to a unit on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionQuestion {
    /// Id of the unit.
    pub unit: u32,
    /// Number of the tile.
    pub tile: i32,
}

/// The legal actions of the own player, by actor.
///
/// Call [`on_change`](Self::on_change) with each change of the world, and [`update`](Self::update) before the list is
/// read: it computes the actions of the actors that changed. [`questions`](Self::questions) are the questions to the
/// server that would complete the list, and [`answer`](Self::answer) takes the answers.
#[derive(Clone, Debug, Default)]
pub struct LegalList {
    actors: BTreeMap<Actor, Vec<LegalEntry>>,
    /// The actors with outdated entries.
    stale: BTreeSet<Actor>,
    /// The tiles on which something changed. Actors near them are stale.
    tiles: BTreeSet<i32>,
    /// The tiles on which only units changed. Actors near them are stale, but answers about other tiles are not.
    stacks: BTreeSet<i32>,
    is_all_stale: bool,
    are_cities_stale: bool,
    /// The answers of the server.
    answers: BTreeMap<ActionQuestion, Vec<LegalAction>>,
    /// The actors with actions that changed since the last call of `take_changed`.
    changed: BTreeSet<Actor>,
}

impl LegalList {
    /// Square distance up to which a change on a tile concerns a unit: zones of control reach two tiles.
    const UNIT_REACH: u16 = 8;
    /// Square distance up to which a change on a tile concerns a city.
    const CITY_REACH: u16 = 36;

    /// Creates a list in which all actors are stale.
    pub fn new() -> Self {
        Self { is_all_stale: true, ..Self::default() }
    }

    /// Marks the actors that a change concerns.
    pub fn on_change(&mut self, world: &World, change: &Change) {
        match change {
            Change::UnitAppeared { unit } | Change::UnitChanged { unit } => self.touch_unit(world, *unit),
            Change::UnitMoved { unit, from, .. } => {
                self.stacks.insert(*from);
                self.touch_unit(world, *unit);
            }
            Change::UnitLost { unit, tile } => {
                self.stacks.insert(*tile);
                self.stale.insert(Actor::Unit(*unit));
                // The cities have slots for units, and may build a unique unit again.
                self.are_cities_stale = true;
            }
            Change::CityFounded { city } | Change::CityChanged { city } => {
                self.stale.insert(Actor::City(*city));
                self.tiles.extend(world.city(*city).map(|city| city.tile()));
            }
            Change::CityLost { city, tile } => {
                self.stale.insert(Actor::City(*city));
                self.tiles.insert(*tile);
            }
            Change::TileSeen { tile } | Change::TileChanged { tile } => {
                self.tiles.insert(*tile);
            }
            Change::PlayerChanged { .. } | Change::PlayerLost { .. } => {
                self.stale.insert(Actor::Player);
                // Gold, governments and relations.
                self.are_cities_stale = true;
            }
            Change::MeetingChanged { .. } => {
                self.stale.insert(Actor::Player);
            }
            Change::Rulesets
            | Change::GameBegan
            | Change::GameEnded
            | Change::Game
            | Change::TurnBegan { .. }
            | Change::PhaseBegan { .. } => self.is_all_stale = true,
            _ => {}
        }
    }

    fn touch_unit(&mut self, world: &World, unit: u32) {
        self.stale.insert(Actor::Unit(unit));
        self.stacks.extend(world.unit(unit).map(|unit| unit.tile()));
    }

    /// Computes the actions of the actors that changed.
    pub fn update(&mut self, world: &World) {
        let changed = self.changed(world);
        if self.is_all_stale {
            self.answers.clear();
        }
        for actor in changed {
            if let Actor::Unit(id) = actor {
                self.drop_answers(world, id);
            }
            self.compute(world, actor);
        }
        self.stale.clear();
        self.tiles.clear();
        self.stacks.clear();
        (self.is_all_stale, self.are_cities_stale) = (false, false);
    }

    /// Drops the answers about a unit that may have changed: all of a unit that changed or is near a changed tile,
    /// otherwise those about tiles on which units changed.
    fn drop_answers(&mut self, world: &World, id: u32) {
        let tile = world.unit(id).map(|unit| unit.tile());
        let is_near = tile.is_some_and(|tile| is_near(world, &self.tiles, tile, Self::UNIT_REACH));
        let are_all_stale = self.stale.contains(&Actor::Unit(id)) || is_near;
        let Self { answers, stacks, .. } = self;
        answers.retain(|on, _| on.unit != id || !are_all_stale && !stacks.contains(&on.tile));
    }

    fn changed(&self, world: &World) -> Vec<Actor> {
        let near = |tile: i32, reach: u16| {
            is_near(world, &self.tiles, tile, reach) || is_near(world, &self.stacks, tile, reach)
        };
        let mut changed = self.stale.clone();
        if self.is_all_stale {
            changed.insert(Actor::Player);
            changed.extend(self.actors.keys());
        }
        let is_stale = |tile, reach| self.is_all_stale || near(tile, reach);
        let units = world.my_units().filter(|unit| is_stale(unit.tile(), Self::UNIT_REACH));
        changed.extend(units.map(|unit| Actor::Unit(unit.id())));
        let cities =
            world.my_cities().filter(|city| self.are_cities_stale || is_stale(city.tile(), Self::CITY_REACH));
        changed.extend(cities.map(|city| Actor::City(city.id())));
        changed.into_iter().collect()
    }

    /// Returns the actors whose actions changed since the last call, including removed ones.
    pub fn take_changed(&mut self) -> BTreeSet<Actor> {
        core::mem::take(&mut self.changed)
    }

    fn compute(&mut self, world: &World, actor: Actor) {
        let mut entries = Entries::new(actor);
        if world.is_my_phase() && !world.is_turn_over() {
            match actor {
                Actor::Player => {
                    player::collect(world, &mut entries);
                    diplomacy::collect(world, &mut entries);
                }
                Actor::City(id) => {
                    let city = world.city(id).filter(|city| Some(city.owner()) == world.my_number());
                    if let Some(city) = city {
                        city::collect(world, city, &mut entries);
                    }
                }
                Actor::Unit(id) => {
                    let unit = world.unit(id).filter(|unit| Some(unit.owner()) == world.my_number());
                    if let Some(unit) = unit {
                        unit::collect(world, unit, &mut entries);
                    }
                    let on = |tile| ActionQuestion { unit: id, tile };
                    let answers = self.answers.range(on(i32::MIN)..=on(i32::MAX));
                    answers.for_each(|(_, actions)| answered::collect(actions, &mut entries));
                }
            }
        }
        if self.of(actor) != entries.list {
            self.changed.insert(actor);
        }
        if entries.list.is_empty() {
            self.actors.remove(&actor);
        } else {
            self.actors.insert(actor, entries.list);
        }
    }

    /// Returns the questions to the server that are not answered, after an [`update`](Self::update).
    pub fn questions(&self, world: &World) -> Vec<ActionQuestion> {
        let units = world.my_units().filter(|unit| self.actors.contains_key(&Actor::Unit(unit.id())));
        let questions = units.flat_map(|unit| {
            answered::tiles(world, unit).into_iter().map(|tile| ActionQuestion { unit: unit.id(), tile })
        });
        questions.filter(|question| !self.answers.contains_key(question)).collect()
    }

    /// Takes an answer of the server to one of the [`questions`](Self::questions). Without an answer, the list of
    /// actions is empty.
    pub fn answer(&mut self, world: &World, question: ActionQuestion, actions: Vec<LegalAction>) {
        self.answers.insert(question, actions);
        self.compute(world, Actor::Unit(question.unit));
    }

    /// Iterates over all actions: of the player, of cities and of units, by id.
    pub fn entries(&self) -> impl Iterator<Item = &LegalEntry> {
        self.actors.values().flatten()
    }

    /// Returns the actions of one actor.
    pub fn of(&self, actor: Actor) -> &[LegalEntry] {
        self.actors.get(&actor).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the action with a key, if it is legal.
    pub fn get(&self, key: &LegalKey) -> Option<&LegalEntry> {
        self.of(key.actor).iter().find(|entry| entry.key == *key)
    }
}

/// Returns whether a tile is within a square distance of some tiles.
fn is_near(world: &World, tiles: &BTreeSet<i32>, tile: i32, reach: u16) -> bool {
    let Some(geometry) = world.map().geometry() else { return false };
    tiles.iter().any(|other| geometry.square_distance(tile, *other).is_some_and(|it| it <= i64::from(reach)))
}
