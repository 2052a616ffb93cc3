use std::collections::BTreeMap;

use super::change::{Changes, getters_of_both};
use crate::number::{Production, ProductionKind};
use crate::v30::{CityInfo, CityShortInfo};

/// A city, as well as the client knows it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum City {
    /// An own city, or any as an observer: with citizens, stocks and production.
    Full(Box<CityInfo>),
    /// A city of another player as seen from outside.
    Short(Box<CityShortInfo>),
}

getters_of_both! {
    City {
        /// The id.
        id: u16 = city => city.id;
        /// The number of the owner.
        owner: u8 = city => city.owner;
        /// The number of the tile.
        tile: i32 = city => city.tile;
        /// The number of citizens.
        size: u8 = city => city.size;
        /// The name, with U+FFFD for what is not UTF-8.
        name: String = city => city.name.to_str_lossy().into_owned();
    }
}

impl City {
    /// Returns all fields, if they are known.
    #[must_use]
    pub fn full(&self) -> Option<&CityInfo> {
        match self {
            Self::Full(city) => Some(city),
            Self::Short(_) => None,
        }
    }

    /// Returns whether the city has the building with this id. Of a city of another player only buildings that are
    /// visible from outside count.
    #[must_use]
    pub fn has_building(&self, id: u8) -> bool {
        match self {
            Self::Full(city) => city.improvements.get(id.into()),
            Self::Short(city) => city.improvements.get(id.into()),
        }
    }

    /// Returns what the city produces, if that is known.
    #[must_use]
    pub fn production(&self) -> Option<Production> {
        self.full()
            .map(|city| Production { kind: ProductionKind(city.production_kind), id: city.production_value })
    }
}

/// The cities that the client knows.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cities {
    by_id: BTreeMap<u16, City>,
    #[cfg_attr(feature = "serde", serde(skip))]
    by_tile: BTreeMap<i32, u16>,
}

impl Cities {
    /// Returns the city with this id.
    #[must_use]
    pub fn get(&self, id: u16) -> Option<&City> {
        self.by_id.get(&id)
    }

    /// Iterates over all cities by ascending id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &City> {
        self.by_id.values()
    }

    /// Returns the city on a tile.
    #[must_use]
    pub fn at(&self, tile: i32) -> Option<&City> {
        self.get(*self.by_tile.get(&tile)?)
    }

    /// Returns the city with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&City> {
        self.iter().find(|city| city.name() == name)
    }

    pub(super) fn put(&mut self, city: City, changes: &mut Changes) {
        let (id, tile) = (city.id(), city.tile());
        let old = self.by_id.get(&id);
        if old == Some(&city) {
            return;
        }
        let old_tile = old.map(City::tile);
        changes.cities.entry(id).or_insert(old_tile);
        if old_tile != Some(tile) {
            self.clear_tile(old_tile, id);
            self.by_tile.insert(tile, id);
        }
        self.by_id.insert(id, city);
    }

    pub(super) fn remove(&mut self, id: u16, changes: &mut Changes) {
        if let Some(city) = self.by_id.remove(&id) {
            self.clear_tile(Some(city.tile()), id);
            changes.cities.entry(id).or_insert_with(|| Some(city.tile()));
        }
    }

    pub(super) fn forget(&mut self, changes: &mut Changes) {
        for city in self.by_id.values() {
            changes.cities.entry(city.id()).or_insert_with(|| Some(city.tile()));
        }
        *self = Self::default();
    }

    fn clear_tile(&mut self, tile: Option<i32>, id: u16) {
        if let Some(tile) = tile
            && self.by_tile.get(&tile) == Some(&id)
        {
            self.by_tile.remove(&tile);
        }
    }
}
