use std::collections::BTreeSet;

use serde::Serialize;

use super::view::{CityView, PlayerView, TileView, UnitView};
use crate::world::{Change, World};

/// The cities, units, tiles and players that changed, by number. [`ChangesView`] describes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Ids of cities that were founded or became known. They are in `cities`, too.
    pub founded: BTreeSet<u32>,
    /// Ids of cities that appeared, changed or were lost.
    pub cities: BTreeSet<u32>,
    /// Ids of units that changed or were lost.
    pub units: BTreeSet<u32>,
    /// Numbers of tiles.
    pub tiles: BTreeSet<i32>,
    /// Numbers of players.
    pub players: BTreeSet<u16>,
}

impl Changes {
    /// Adds a change of the world.
    pub(super) fn add(&mut self, change: &Change) {
        if let Change::CityFounded { city } = change {
            self.founded.insert(*city);
        }
        match change {
            Change::CityFounded { city } | Change::CityChanged { city } | Change::CityLost { city, .. } => {
                self.cities.insert(*city);
            }
            Change::UnitAppeared { unit }
            | Change::UnitChanged { unit }
            | Change::UnitMoved { unit, .. }
            | Change::UnitLost { unit, .. } => {
                self.units.insert(*unit);
            }
            Change::TileSeen { tile } | Change::TileChanged { tile } => {
                self.tiles.insert(*tile);
            }
            Change::PlayerChanged { player } | Change::PlayerLost { player } => {
                self.players.insert(*player);
            }
            _ => {}
        }
    }

    pub(super) fn extend(&mut self, more: Self) {
        self.founded.extend(more.founded);
        self.cities.extend(more.cities);
        self.units.extend(more.units);
        self.tiles.extend(more.tiles);
        self.players.extend(more.players);
    }

    /// Returns the changes and forgets them; `None` if nothing changed.
    pub(super) fn take(&mut self) -> Option<Self> {
        let is_empty = self.cities.is_empty()
            && self.units.is_empty()
            && self.tiles.is_empty()
            && self.players.is_empty();
        (!is_empty).then(|| core::mem::take(self))
    }
}

/// The things that changed, with their present state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangesView<'w> {
    /// The cities that changed.
    pub cities: Vec<CityView<'w>>,
    /// The units that changed.
    pub units: Vec<UnitView<'w>>,
    /// The tiles that changed.
    pub tiles: Vec<TileView<'w>>,
    /// The players that changed.
    pub players: Vec<PlayerView<'w>>,
    /// Ids of the cities that are gone.
    pub gone_cities: Vec<u32>,
    /// Ids of the units that are gone, or no longer visible.
    pub gone_units: Vec<u32>,
}

impl<'w> ChangesView<'w> {
    /// Describes changes of a world.
    pub fn new(world: &'w World, changes: &Changes) -> Self {
        let Changes { cities, units, tiles, players, .. } = changes;
        let tiles = tiles.iter().filter_map(|tile| world.map().tile(*tile));
        let players = players.iter().filter_map(|player| world.player(*player));
        Self {
            gone_cities: cities.iter().copied().filter(|city| world.city(*city).is_none()).collect(),
            gone_units: units.iter().copied().filter(|unit| world.unit(*unit).is_none()).collect(),
            cities: cities
                .iter()
                .filter_map(|city| world.city(*city))
                .map(|it| CityView::new(world, it))
                .collect(),
            units: units
                .iter()
                .filter_map(|unit| world.unit(*unit))
                .map(|it| UnitView::new(world, it))
                .collect(),
            tiles: tiles.map(|it| TileView::new(world, it)).collect(),
            players: players.map(|it| PlayerView::new(world, it)).collect(),
        }
    }
}
