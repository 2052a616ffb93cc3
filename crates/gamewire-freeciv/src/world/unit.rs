use std::collections::{BTreeMap, BTreeSet};

use super::change::{Changes, getters_of_both};
use crate::number::Activity;
use crate::v30::{UnitInfo, UnitShortInfo};

/// A unit, as well as the client knows it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Unit {
    /// An own unit, or any as an observer: with moves, orders and home city.
    Full(Box<UnitInfo>),
    /// A unit of another player.
    Short(Box<UnitShortInfo>),
}

getters_of_both! {
    Unit {
        /// The id.
        id: u16 = unit => unit.id;
        /// The number of the owner.
        owner: u8 = unit => unit.owner;
        /// The number of the tile.
        tile: i32 = unit => unit.tile;
        /// The id of the unit type in the ruleset.
        type_id: u8 = unit => unit.r#type;
        /// The veteran level, counted from 0.
        veteran: u8 = unit => unit.veteran;
        /// The hit points.
        hp: u8 = unit => unit.hp;
        /// The activity.
        activity: Activity = unit => Activity(unit.activity);
        /// The extra that the activity is about.
        activity_target: Option<u8> = unit => u8::try_from(unit.activity_tgt).ok();
        /// The id of the transporter.
        transported_by: Option<u16> = unit => unit.transported.then_some(unit.transported_by);
        /// True if the unit transports others.
        is_occupied: bool = unit => unit.occupied;
    }
}

impl Unit {
    /// Returns all fields, if they are known.
    #[must_use]
    pub fn full(&self) -> Option<&UnitInfo> {
        match self {
            Self::Full(unit) => Some(unit),
            Self::Short(_) => None,
        }
    }

    /// Returns the moves left this turn, in move fragments, if known.
    #[must_use]
    pub fn moves_left(&self) -> Option<u16> {
        self.full().map(|unit| unit.movesleft)
    }

    /// Returns whether the unit needs an order: it has moves left and nothing to do.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.full().is_some_and(|unit| {
            unit.movesleft > 0
                && Activity(unit.activity) == Activity::IDLE
                && !unit.has_orders
                && !unit.ai
                && !unit.done_moving
        })
    }
}

/// The units that the client sees.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Units {
    by_id: BTreeMap<u16, Unit>,
    #[cfg_attr(feature = "serde", serde(skip))]
    by_tile: BTreeSet<(i32, u16)>,
}

impl Units {
    /// Returns the unit with this id.
    #[must_use]
    pub fn get(&self, id: u16) -> Option<&Unit> {
        self.by_id.get(&id)
    }

    /// Iterates over all units by ascending id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Unit> {
        self.by_id.values()
    }

    /// Iterates over the units on a tile by ascending id.
    pub fn at(&self, tile: i32) -> impl Iterator<Item = &Unit> {
        self.by_tile.range((tile, 0)..=(tile, u16::MAX)).filter_map(|(_, id)| self.get(*id))
    }

    pub(super) fn put(&mut self, unit: Unit, changes: &mut Changes) {
        let (id, tile) = (unit.id(), unit.tile());
        let old = self.by_id.get(&id);
        if old == Some(&unit) {
            return;
        }
        let old_tile = old.map(Unit::tile);
        changes.units.entry(id).or_insert(old_tile);
        if old_tile != Some(tile) {
            self.by_tile.remove(&(old_tile.unwrap_or(tile), id));
            self.by_tile.insert((tile, id));
        }
        self.by_id.insert(id, unit);
    }

    pub(super) fn remove(&mut self, id: u16, changes: &mut Changes) {
        if let Some(unit) = self.by_id.remove(&id) {
            self.by_tile.remove(&(unit.tile(), id));
            changes.units.entry(id).or_insert_with(|| Some(unit.tile()));
        }
    }

    pub(super) fn forget(&mut self, changes: &mut Changes) {
        for unit in self.by_id.values() {
            changes.units.entry(unit.id()).or_insert_with(|| Some(unit.tile()));
        }
        *self = Self::default();
    }
}
