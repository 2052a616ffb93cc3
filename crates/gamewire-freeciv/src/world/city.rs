use std::collections::BTreeMap;

use super::change::Changes;
use crate::number::{Production, ProductionKind};
use crate::v30::{CityInfo, CityShortInfo};

/// A city, as well as one knows it.
#[derive(Clone, Debug, PartialEq)]
pub enum City {
    /// One's own, or any as an observer: with its citizens, its stocks and what it makes.
    Full(Box<CityInfo>),
    /// Somebody else's, as it looks from outside.
    Short(Box<CityShortInfo>),
}

macro_rules! either {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $city:ident => $value:expr;)+) => {
        impl City {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(&self) -> $type {
                    match self {
                        Self::Full($city) => $value,
                        Self::Short($city) => $value,
                    }
                }
            )+
        }
    };
}

either! {
    /// Its id.
    id: u16 = city => city.id;
    /// The number of the player that it belongs to.
    owner: u8 = city => city.owner;
    /// The number of its tile.
    tile: i32 = city => city.tile;
    /// How many citizens it has.
    size: u8 = city => city.size;
    /// Its name, with a replacement for what is not UTF-8.
    name: String = city => city.name.to_str_lossy().into_owned();
}

impl City {
    /// All of it, if it is known.
    #[must_use]
    pub fn full(&self) -> Option<&CityInfo> {
        match self {
            Self::Full(city) => Some(city),
            Self::Short(_) => None,
        }
    }

    /// Whether it has a building, by its id. Of a city of somebody else's only what is seen from
    /// outside.
    #[must_use]
    pub fn has_building(&self, id: u8) -> bool {
        match self {
            Self::Full(city) => city.improvements.get(id.into()),
            Self::Short(city) => city.improvements.get(id.into()),
        }
    }

    /// What it makes, if that is known.
    #[must_use]
    pub fn production(&self) -> Option<Production> {
        self.full()
            .map(|city| Production { kind: ProductionKind(city.production_kind), id: city.production_value })
    }
}

/// The cities that one knows of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cities {
    by_id: BTreeMap<u16, City>,
    by_tile: BTreeMap<i32, u16>,
}

impl Cities {
    /// The city with this id.
    #[must_use]
    pub fn get(&self, id: u16) -> Option<&City> {
        self.by_id.get(&id)
    }

    /// All of them in the order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &City> {
        self.by_id.values()
    }

    /// The one on a tile.
    #[must_use]
    pub fn at(&self, tile: i32) -> Option<&City> {
        self.get(*self.by_tile.get(&tile)?)
    }

    /// The one with this name.
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
        let place = old.map(City::tile);
        changes.city(id, place);
        if place != Some(tile) {
            self.leave(place, id);
            self.by_tile.insert(tile, id);
        }
        self.by_id.insert(id, city);
    }

    pub(super) fn remove(&mut self, id: u16, changes: &mut Changes) {
        if let Some(city) = self.by_id.remove(&id) {
            self.leave(Some(city.tile()), id);
            changes.city(id, Some(city.tile()));
        }
    }

    pub(super) fn forget(&mut self, changes: &mut Changes) {
        for city in self.by_id.values() {
            changes.city(city.id(), Some(city.tile()));
        }
        *self = Self::default();
    }

    fn leave(&mut self, place: Option<i32>, id: u16) {
        if let Some(tile) = place
            && self.by_tile.get(&tile) == Some(&id)
        {
            self.by_tile.remove(&tile);
        }
    }
}
