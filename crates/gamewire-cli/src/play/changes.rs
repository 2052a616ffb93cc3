use std::collections::BTreeSet;

use gamewire_freeciv::world::{Change, World};

use super::describe;
use crate::output::{OutputEvent, Value, event};

/// The cities, units, tiles and players that changed since the last event about them.
#[derive(Debug, Default)]
pub(super) struct Changes {
    cities: BTreeSet<u32>,
    units: BTreeSet<u32>,
    tiles: BTreeSet<i32>,
    players: BTreeSet<u16>,
}

impl Changes {
    /// Records a change.
    pub(super) fn add(&mut self, change: &Change) {
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

    /// Returns an event with the changes since the last call; `None` if nothing changed.
    pub(super) fn take(&mut self, world: &World) -> Option<OutputEvent> {
        let Self { cities, units, tiles, players } = core::mem::take(self);
        if cities.is_empty() && units.is_empty() && tiles.is_empty() && players.is_empty() {
            return None;
        }
        let gone_cities: Vec<u32> =
            cities.iter().copied().filter(|city| world.city(*city).is_none()).collect();
        let gone_units: Vec<u32> = units.iter().copied().filter(|unit| world.unit(*unit).is_none()).collect();
        let cities = cities.iter().filter_map(|city| world.city(*city)).map(|it| describe::city(world, it));
        let units = units.iter().filter_map(|unit| world.unit(*unit)).map(|it| describe::unit(world, it));
        let tiles =
            tiles.iter().filter_map(|tile| world.map().tile(*tile)).map(|it| describe::tile(world, it));
        let players =
            players.iter().filter_map(|player| world.player(*player)).map(|it| describe::player(world, it));
        Some(event!(
            "changes",
            cities: Value::Json(cities.collect()),
            units: Value::Json(units.collect()),
            tiles: Value::Json(tiles.collect()),
            players: Value::Json(players.collect()),
            gone_cities: Value::Json(gone_cities.into()),
            gone_units: Value::Json(gone_units.into()),
        ))
    }
}
