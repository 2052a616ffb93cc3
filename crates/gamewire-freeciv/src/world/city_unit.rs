use std::collections::{BTreeMap, BTreeSet};

use crate::number::{Production, ProductionKind};
use crate::packets::{CityInfo, CityShortInfo, UnitInfo, UnitShortInfo};

/// Adds getters to an enum of a full packet, of type `$full`, and a short packet. The fields of both have the same
/// names.
macro_rules! getters_of_both {
    ($enum:ident: $full:ident { $($(#[$doc:meta])* $name:ident: $type:ty = $packet:ident => $value:expr;)+ }) => {
        impl $enum {
            /// Returns the full packet, if the client has it.
            pub fn full(&self) -> Option<&$full> {
                match self {
                    Self::Full(full) => Some(full),
                    Self::Short(_) => None,
                }
            }

            $(
                $(#[$doc])*
                pub fn $name(&self) -> $type {
                    match self {
                        Self::Full($packet) => $value,
                        Self::Short($packet) => $value,
                    }
                }
            )+
        }

        impl OnTile for $enum {
            fn place(&self) -> Place {
                Place { tile: self.tile(), id: self.id() }
            }
        }
    };
}

/// A city, with all that the client knows about it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum City {
    /// An own city, or any city if the client is an observer: with citizens, stocks and production.
    Full(Box<CityInfo>),
    /// A city of another player, as seen from outside.
    Short(Box<CityShortInfo>),
}

getters_of_both! {
    City: CityInfo {
        /// The id.
        id: u32 = city => city.id;
        /// The number of the owner.
        owner: u16 = city => city.owner;
        /// The number of the tile.
        tile: i32 = city => city.tile;
        /// The number of citizens.
        size: u8 = city => city.size;
        /// The name. Bytes that are not UTF-8 are replaced by U+FFFD.
        name: String = city => city.name.to_str_lossy().into_owned();
    }
}

impl City {
    /// Returns whether the city has the building with this id. For a city of another player, only buildings that are
    /// visible from outside count.
    pub fn has_building(&self, id: u8) -> bool {
        match self {
            Self::Full(city) => city.improvements.get(id.into()),
            Self::Short(city) => city.improvements.get(id.into()),
        }
    }

    /// Returns the production of the city, if it is known.
    pub fn production(&self) -> Option<Production> {
        self.full()
            .map(|city| Production { kind: ProductionKind(city.production_kind), id: city.production_value })
    }
}

/// The cities that the client knows.
pub type Cities = Located<City>;

impl Cities {
    /// Returns the city on a tile.
    pub fn at(&self, tile: i32) -> Option<&City> {
        self.on_tile(tile).next_back()
    }

    /// Returns the city with this name.
    pub fn named(&self, name: &str) -> Option<&City> {
        self.iter().find(|city| city.name() == name)
    }
}

/// The number of [`Activity::Idle`](crate::number::Activity::Idle) in every version.
const IDLE: u8 = 0;
/// The agent number that means that no part of the server controls the unit. Servers of 3.0 send `ai` instead.
const NO_AGENT: u8 = 0;

/// A unit, with all that the client knows about it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Unit {
    /// An own unit, or any unit if the client is an observer: with moves, orders and home city.
    Full(Box<UnitInfo>),
    /// A unit of another player.
    Short(Box<UnitShortInfo>),
}

getters_of_both! {
    Unit: UnitInfo {
        /// The id.
        id: u32 = unit => unit.id;
        /// The number of the owner.
        owner: u16 = unit => unit.owner;
        /// The number of the tile.
        tile: i32 = unit => unit.tile;
        /// The id of the unit type in the ruleset.
        type_id: u16 = unit => unit.r#type;
        /// The veteran level, counted from 0.
        veteran: u8 = unit => unit.veteran;
        /// The hit points.
        hp: u8 = unit => unit.hp;
        /// The extra that is the target of the activity.
        activity_target: Option<u8> = unit => u8::try_from(unit.activity_tgt).ok();
        /// The id of the transporter.
        transported_by: Option<u32> = unit => unit.transported.then_some(unit.transported_by);
        /// True if the unit transports other units.
        is_occupied: bool = unit => unit.occupied;
    }
}

impl Unit {
    /// Sets the hit points and the veteran level.
    pub(super) fn set_condition(&mut self, hp: u8, veteran: u8) {
        match self {
            Self::Full(unit) => (unit.hp, unit.veteran) = (hp, veteran),
            Self::Short(unit) => (unit.hp, unit.veteran) = (hp, veteran),
        }
    }

    /// Returns the moves left in this turn, in move fragments, if they are known.
    pub fn moves_left(&self) -> Option<u32> {
        self.full().map(|unit| unit.movesleft)
    }

    /// Returns whether the unit needs an order, because it has moves left and no activity or orders.
    pub fn is_idle(&self) -> bool {
        self.full().is_some_and(|unit| {
            unit.movesleft > 0
                && unit.activity == IDLE
                && !unit.has_orders
                && unit.ai != Some(true)
                && unit.ssa_controller.is_none_or(|agent| agent == NO_AGENT)
                && !unit.done_moving
        })
    }
}

/// The units that the client sees.
pub type Units = Located<Unit>;

/// The known cities or units on the map, by id and by tile.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Located<T> {
    by_id: BTreeMap<u32, T>,
    #[cfg_attr(feature = "serde", serde(skip))]
    by_tile: BTreeSet<Place>,
}

/// The tile and the id of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    tile: i32,
    id: u32,
}

/// A thing with an id on a tile.
trait OnTile: PartialEq {
    fn place(&self) -> Place;
}

/// The things that changed. Each has its tile before the change, or `None` if it was not known then.
pub(super) type OldTiles = BTreeMap<u32, Option<i32>>;

impl<T> Default for Located<T> {
    fn default() -> Self {
        Self { by_id: BTreeMap::new(), by_tile: BTreeSet::new() }
    }
}

impl<T> Located<T> {
    /// Returns the thing with this id.
    pub fn get(&self, id: u32) -> Option<&T> {
        self.by_id.get(&id)
    }

    /// Iterates over all things by ascending id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        self.by_id.values()
    }

    /// Iterates over the things on a tile by ascending id.
    pub fn on_tile(&self, tile: i32) -> impl DoubleEndedIterator<Item = &T> {
        let at = |id| Place { tile, id };
        self.by_tile.range(at(0)..=at(u32::MAX)).filter_map(|place| self.get(place.id))
    }
}

#[allow(private_bounds, reason = "only the world changes it")]
impl<T: OnTile> Located<T> {
    pub(super) fn put(&mut self, thing: T, changes: &mut OldTiles) {
        let place = thing.place();
        let id = place.id;
        let old = self.by_id.get(&id);
        if old == Some(&thing) {
            return;
        }
        let old_place = old.map(T::place);
        changes.entry(id).or_insert_with(|| old_place.map(|old| old.tile));
        old_place.map(|old| self.by_tile.remove(&old));
        self.by_tile.insert(place);
        self.by_id.insert(id, thing);
    }

    /// Changes a thing that stays on its tile.
    pub(super) fn change(&mut self, id: u32, changes: &mut OldTiles, change: impl FnOnce(&mut T)) {
        if let Some(thing) = self.by_id.get_mut(&id) {
            let Place { tile, .. } = thing.place();
            changes.entry(id).or_insert(Some(tile));
            change(thing);
        }
    }

    pub(super) fn remove(&mut self, id: u32, changes: &mut OldTiles) {
        if let Some(thing) = self.by_id.remove(&id) {
            let place = thing.place();
            self.by_tile.remove(&place);
            changes.entry(id).or_insert(Some(place.tile));
        }
    }

    pub(super) fn forget(&mut self, changes: &mut OldTiles) {
        for Place { tile, id } in core::mem::take(self).by_tile {
            changes.entry(id).or_insert(Some(tile));
        }
    }
}
