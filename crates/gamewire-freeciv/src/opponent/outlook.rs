//! The facts of a turn that several rules use.

use std::collections::BTreeSet;

use crate::number::DiplomaticState;
use crate::packets::RulesetUnit;
use crate::rules::{self, Domain};
use crate::world::{SettingValue, Unit, World};

/// Remaining turns of a game whose end is unknown or far away.
const FAR_END: i32 = 100;
/// The kind of barbarians that are wild animals.
const ANIMALS: u8 = 3;

/// The facts of a turn.
#[derive(Clone, Debug)]
pub(super) struct Outlook {
    /// Land units that can attack and defend, by type.
    fighters: BTreeSet<u16>,
    /// Strength of the best defender that a city can build.
    pub(super) best_strength: u32,
    /// Tiles of visible enemies other than animals.
    pub(super) enemies: Vec<i32>,
    /// Tiles of visible animals.
    pub(super) animals: Vec<i32>,
    /// Turns until the game ends, at most 100.
    pub(super) turns_left: i32,
}

impl Outlook {
    pub(super) fn new(world: &World) -> Self {
        let types = rules::unit_types(world).filter(|unit_type| {
            let rule = unit_type.rule();
            rule.attack_strength > 0 && rule.defense_strength > 0 && unit_type.domain() == Domain::Land
        });
        let mut outlook = Self {
            fighters: types.map(|unit_type| unit_type.rule().id).collect(),
            best_strength: 1,
            enemies: Vec::new(),
            animals: Vec::new(),
            turns_left: turns_left(world),
        };
        let armed = world
            .units()
            .iter()
            .filter(|unit| world.type_of(unit).is_none_or(|unit_type| unit_type.attack_strength > 0));
        for unit in armed.filter(|unit| is_enemy(world, unit.owner())) {
            let is_animal = world.player(unit.owner()).is_some_and(|owner| owner.barbarian_type == ANIMALS);
            if is_animal { outlook.animals.push(unit.tile()) } else { outlook.enemies.push(unit.tile()) }
        }
        let best = world.my_cities().filter_map(|city| outlook.best_defender(world, city));
        outlook.best_strength = best.map(strength).max().unwrap_or(1).max(1);
        outlook
    }

    /// Returns whether a unit can defend a city.
    pub(super) fn is_defender(&self, unit: &Unit) -> bool {
        self.fighters.contains(&unit.type_id())
    }

    /// Returns the strongest defender that a city can build; of equal ones the cheapest.
    pub(super) fn best_defender<'w>(
        &self,
        world: &'w World,
        city: &crate::world::City,
    ) -> Option<&'w RulesetUnit> {
        let types = world.rulesets().unit_types.iter().filter(|rule| self.fighters.contains(&rule.id));
        let buildable = types.filter(|rule| {
            u8::try_from(rule.id)
                .is_ok_and(|id| rules::can_build(world, city, crate::number::Production::unit(id)).is_yes())
        });
        buildable.max_by_key(|rule| (strength(rule), core::cmp::Reverse(rule.build_cost)))
    }

    /// Returns the distance from a tile to the nearest visible enemy other than animals.
    pub(super) fn enemy_distance(&self, world: &World, tile: i32) -> Option<i32> {
        nearest(world, tile, &self.enemies)
    }

    /// Returns whether an enemy or an animal is within a distance of a tile.
    pub(super) fn is_dangerous(&self, world: &World, tile: i32, distance: i32) -> bool {
        [&self.enemies, &self.animals]
            .into_iter()
            .any(|tiles| nearest(world, tile, tiles).is_some_and(|nearest| nearest <= distance))
    }
}

fn nearest(world: &World, tile: i32, tiles: &[i32]) -> Option<i32> {
    let geometry = world.map().geometry()?;
    tiles.iter().filter_map(|other| geometry.distance(tile, *other)).min()
}

/// Returns the strength of a unit type in defense.
pub(super) fn strength(rule: &RulesetUnit) -> u32 {
    u32::from(rule.defense_strength)
        .saturating_mul(rule.hp.into())
        .saturating_mul(u32::from(rule.firepower).max(1))
}

/// Returns whether the own player is at war with a player.
pub(super) fn is_enemy(world: &World, player: u16) -> bool {
    let Some(me) = world.my_number().filter(|me| *me != player) else { return false };
    world.diplomacy().relation(me, player).is_some_and(|relation| relation.state == DiplomaticState::WAR)
}

fn turns_left(world: &World) -> i32 {
    let end = match world.settings().get("endturn") {
        Some(SettingValue::Int(setting)) => setting.val,
        _ => i32::MAX,
    };
    end.saturating_sub(world.turn().into()).clamp(0, FAR_END)
}
