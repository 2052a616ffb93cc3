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
        units.change(self.unit, &mut changes.units, |unit| unit.set_fought(self.hp, self.is_promoted));
    }
}

/// Applies a fight to both units. The server sends a packet for each surviving unit only later, and only if the unit
/// differs from the last packet about it.
pub(super) fn apply(units: &mut Units, packet: &UnitCombatInfo, changes: &mut Changes) {
    let combat = Combat {
        attacker: Fighter::new(units, packet.attacker_unit_id, packet.attacker_hp, packet.make_att_veteran),
        defender: Fighter::new(units, packet.defender_unit_id, packet.defender_hp, packet.make_def_veteran),
    };
    combat.attacker.apply(units, changes);
    combat.defender.apply(units, changes);
    changes.push_event(Change::Combat(combat));
}
