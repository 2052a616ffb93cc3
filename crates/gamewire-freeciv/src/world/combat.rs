use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, Changes};
use super::city_unit::{Unit, Units};
use crate::packets::UnitCombatInfo;

/// A fight between two units. If a unit is lost, a separate change reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Combat {
    /// The unit that attacked.
    pub attacker: Fighter,
    /// The unit that was attacked.
    pub defender: Fighter,
}

impl Combat {
    /// Returns the unit that destroyed the other one, or `None` if both survived.
    pub fn winner(&self) -> Option<&Fighter> {
        match (self.attacker.hp, self.defender.hp) {
            (0, 1..) => Some(&self.defender),
            (1.., 0) => Some(&self.attacker),
            _ => None,
        }
    }
}

/// One of the two units of a fight. Only the id and the hit points after the fight are known of a unit that the client
/// does not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fighter {
    /// Id of the unit.
    pub unit: u32,
    /// Number of the owner.
    pub owner: Option<u16>,
    /// Id of the unit type.
    pub type_id: Option<u16>,
    /// Number of the tile on which the unit was.
    pub tile: Option<i32>,
    /// Hit points before the fight.
    pub hp_before: Option<u8>,
    /// Hit points after the fight; 0 if the unit was destroyed.
    pub hp: u8,
    /// True if the fight raised the veteran level of the unit by one.
    pub is_promoted: bool,
}

impl Fighter {
    /// Describes a unit and its state after the fight, with its state before from `units`.
    fn new(units: &Units, unit: u32, hp: u8, is_promoted: bool) -> Self {
        let known = units.get(unit);
        Self {
            unit,
            owner: known.map(Unit::owner),
            type_id: known.map(Unit::type_id),
            tile: known.map(Unit::tile),
            hp_before: known.map(Unit::hp),
            hp,
            is_promoted,
        }
    }

    /// Changes the unit to its state after the fight.
    fn apply(&self, units: &mut Units, changes: &mut Changes) {
        units.change(self.unit, &mut changes.units, |unit| {
            unit.set_condition(self.hp, unit.veteran().saturating_add(self.is_promoted.into()));
        });
    }
}

/// The units that have fought since the last packet about them.
///
/// A server sends nothing about the survivors of an undecided fight. At the end of a phase it sends all units of its
/// players, except units that equal the last packet about them, because they have recovered completely. Such a unit
/// gets back the hit points and the veteran level of that packet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Fought {
    /// Hit points and veteran levels in the last packets, by unit.
    conditions: BTreeMap<u32, (u8, u8)>,
    /// Units of players with a phase that has ended.
    ended: BTreeSet<u32>,
}

impl Fought {
    /// Removes a unit after a packet about it.
    pub(super) fn remove(&mut self, unit: u32) {
        self.conditions.remove(&unit);
        self.ended.remove(&unit);
    }

    /// Marks the units of all players that `is_phase_of` selects, at the end of their phase.
    pub(super) fn end_phase(&mut self, units: &Units, is_phase_of: impl Fn(u16) -> bool) {
        self.conditions.retain(|unit, _| units.get(*unit).is_some());
        let fought = self.conditions.keys().filter_map(|unit| units.get(*unit));
        self.ended.extend(fought.filter(|unit| is_phase_of(unit.owner())).map(Unit::id));
    }

    /// Restores the units that the server has not sent since the end of their phase.
    pub(super) fn restore(&mut self, units: &mut Units, changes: &mut Changes) {
        for id in core::mem::take(&mut self.ended) {
            if let Some((hp, veteran)) = self.conditions.remove(&id) {
                units.change(id, &mut changes.units, |unit| unit.set_condition(hp, veteran));
            }
        }
    }
}

/// Applies a fight to both units.
pub(super) fn apply(units: &mut Units, fought: &mut Fought, packet: &UnitCombatInfo, changes: &mut Changes) {
    let attacker = Fighter::new(units, packet.attacker_unit_id, packet.attacker_hp, packet.make_att_veteran);
    let defender = Fighter::new(units, packet.defender_unit_id, packet.defender_hp, packet.make_def_veteran);
    for fighter in [attacker, defender] {
        if let Some(unit) = units.get(fighter.unit) {
            let condition = (unit.hp(), unit.veteran());
            fought.conditions.entry(fighter.unit).or_insert(condition);
        }
        fighter.apply(units, changes);
    }
    changes.push_event(Change::Combat(Combat { attacker, defender }));
}
