use serde::Serialize;

use super::{Name, names, rule_name};
use crate::world::World;

/// The rules of the game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RulesetView<'w> {
    /// The unit types.
    pub unit_types: Vec<UnitTypeView<'w>>,
    /// The buildings.
    pub buildings: Vec<BuildingView<'w>>,
    /// Names of the advances.
    pub advances: Vec<Name<'w>>,
    /// Names of the governments.
    pub governments: Vec<Name<'w>>,
    /// Names of the terrains.
    pub terrains: Vec<Name<'w>>,
    /// Names of the extras.
    pub extras: Vec<Name<'w>>,
    /// Names of the specialists.
    pub specialists: Vec<Name<'w>>,
}

/// A unit type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnitTypeView<'w> {
    /// Name of the type.
    pub name: Name<'w>,
    /// Cost in shields.
    pub cost: u16,
    /// Attack strength.
    pub attack: u8,
    /// Defense strength.
    pub defense: u8,
    /// Move points per turn, in fragments.
    pub moves: u32,
    /// Hit points.
    pub hp: u8,
}

/// A building.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BuildingView<'w> {
    /// Name of the building.
    pub name: Name<'w>,
    /// Cost in shields.
    pub cost: u16,
    /// Upkeep per turn, in gold.
    pub upkeep: u8,
}

impl<'w> RulesetView<'w> {
    /// Describes the rules of a world.
    pub fn new(world: &'w World) -> Self {
        let rules = world.rulesets();
        let unit_types = rules.unit_types.iter().map(|it| UnitTypeView {
            name: rule_name(it),
            cost: it.build_cost,
            attack: it.attack_strength,
            defense: it.defense_strength,
            moves: it.move_rate,
            hp: it.hp,
        });
        let buildings = rules.buildings.iter();
        let buildings =
            buildings.map(|it| BuildingView { name: rule_name(it), cost: it.build_cost, upkeep: it.upkeep });
        Self {
            unit_types: unit_types.collect(),
            buildings: buildings.collect(),
            advances: names(&rules.advances),
            governments: names(&rules.governments),
            terrains: names(&rules.terrains),
            extras: names(&rules.extras),
            specialists: names(&rules.specialists),
        }
    }
}
