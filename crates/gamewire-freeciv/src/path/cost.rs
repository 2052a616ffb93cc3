//! The cost of a step.

use super::movement::{Movement, Road, RoadMode};
use crate::codec::{ProtocolVersion, Requirement};
use crate::number::{Action, EffectType, UnitClassFlag, UnitTypeFlag};
use crate::packets::RulesetUnit;
use crate::rules::{Context, Evaluator, RequirementKind, are_at_war, rules_of};
use crate::world::{Tile, World};

impl Movement<'_> {
    /// Returns the cost of a step between neighbors in move fragments (Freeciv's `tile_move_cost_ptrs`). A unit with
    /// fewer fragments left can still make the step, and then has none left.
    pub fn step_cost(&self, from: &Tile, to: &Tile) -> u32 {
        let single = self.single_move();
        if !self.class_has_flag(UnitClassFlag::TerrainSpeed) {
            return single;
        }
        let short = if self.has_flag(UnitTypeFlag::IgTer) { self.igter_cost() } else { single };
        if !self.is_native(to) {
            return short;
        }
        if !self.is_native(from) {
            return self.landing_cost(from, short);
        }
        let Some(terrain) = self.world.terrain_of(to) else { return single };
        let mut cost = u32::from(terrain.movement_cost).saturating_mul(single);
        let is_restricted = self.is_infrastructure_restricted(from, to);
        let is_cardinal = self.is_cardinal(from, to);
        for road in self.roads.iter().filter(|road| to.has_extra(road.extra)) {
            if !is_restricted || road.is_unrestricted {
                cost = self.road_cost(road, from, to, is_cardinal).map_or(cost, |road| road.min(cost));
            }
        }
        if self.has_flag(UnitTypeFlag::IgTer) {
            cost = cost.min(self.igter_cost());
        }
        let is_longer =
            self.world.rulesets().terrain_control.as_ref().is_some_and(|it| it.pythagorean_diagonal);
        // Multiply by the square root of two, as rounded by the server.
        if is_longer && !is_cardinal { cost.saturating_mul(181) >> 7 } else { cost }
    }

    /// Returns the fragments of one move.
    pub(super) fn single_move(&self) -> u32 {
        self.world.rulesets().terrain_control.as_ref().map_or(1, |control| control.move_fragments)
    }

    fn igter_cost(&self) -> u32 {
        self.world.rulesets().terrain_control.as_ref().map_or(1, |control| control.igter_cost)
    }

    /// Returns the cost of leaving a boat or a port. `short` is the cost of a step for the unit.
    fn landing_cost(&self, from: &Tile, short: u32) -> u32 {
        if self.world.cities().at(from.tile).is_some() {
            return short;
        }
        let is_slow = self.world.game().is_some_and(|game| game.slow_invasions == Some(true));
        match self.version() {
            ProtocolVersion::V3_0 if is_slow && !self.has_flag(UnitTypeFlag::BeachLander) => u32::MAX,
            ProtocolVersion::V3_0 => short,
            ProtocolVersion::V3_1 | ProtocolVersion::V3_2 => short.saturating_add(self.disembark_cost),
        }
    }

    /// Returns the cost of a step on a road on the second tile, or `None` if no road on the first tile connects to it.
    fn road_cost(&self, road: &Road, from: &Tile, to: &Tile, is_cardinal: bool) -> Option<u32> {
        let cost = u32::try_from(road.cost).ok()?;
        let mut connected =
            road.integrators.iter().filter(|(other, is_usable)| *is_usable && from.has_extra(*other));
        if is_cardinal || road.mode == RoadMode::Always {
            connected.next().map(|_| cost)
        } else if road.mode == RoadMode::Relaxed {
            let is_linked = connected.any(|(other, _)| {
                self.between(from, to)
                    .any(|between| between.has_extra(road.extra) || between.has_extra(*other))
            });
            is_linked.then(|| cost.saturating_mul(2))
        } else {
            None
        }
    }

    /// Returns whether roads cannot be used, because an enemy owns one of the tiles (Freeciv's `restrict_infra`).
    fn is_infrastructure_restricted(&self, from: &Tile, to: &Tile) -> bool {
        let is_enemy =
            |tile: &Tile| tile.owner.is_some_and(|owner| are_at_war(self.world, owner, self.owner));
        self.world.game().is_some_and(|game| game.restrictinfra) && (is_enemy(from) || is_enemy(to))
    }

    pub(super) fn is_cardinal(&self, from: &Tile, to: &Tile) -> bool {
        self.cardinal_neighbors(from.tile).any(|tile| tile.tile == to.tile)
    }

    /// Iterates over the tiles that are cardinal neighbors of both tiles.
    pub(super) fn between<'a>(&'a self, from: &Tile, to: &'a Tile) -> impl Iterator<Item = &'a Tile> {
        self.cardinal_neighbors(from.tile).filter(move |between| self.is_cardinal(between, to))
    }

    fn cardinal_neighbors(&self, tile: i32) -> impl Iterator<Item = &Tile> {
        let map = self.world.map();
        let around = map.geometry().into_iter().flat_map(move |geometry| {
            let topology = geometry.topology();
            let neighbors = geometry.neighbors(tile);
            neighbors.filter(move |(direction, _)| direction.is_cardinal(topology))
        });
        around.filter_map(|(_, tile)| map.tile(tile))
    }
}

/// The unit state "on a native tile" in requirements.
const ON_NATIVE_TILE: i32 = 4;
/// The tile property "has a city on it" in requirements.
const CITY_CENTER: i32 = 0;

/// Returns the cost that effects add to leaving a boat at sea. It is the cost of the first action for leaving a boat
/// that the unit type can do there. The effects are evaluated for the state of the unit after the action.
pub(super) fn disembark_cost(world: &World, owner: u16, unit_type: &RulesetUnit) -> u32 {
    let (version, rulesets, rules) = (world.version(), world.rulesets(), Evaluator::new(world));
    let context = Context { player: world.player(owner), unit_type: Some(unit_type), ..Context::default() };
    let kind = |requirement: &&Requirement| RequirementKind::of(requirement, version);
    // A boat at sea is neither on a tile native to its cargo nor in a city.
    let needs_land = |requirement: &Requirement| {
        let place = (kind(&requirement), requirement.value);
        let lands = [(RequirementKind::UnitState, ON_NATIVE_TILE), (RequirementKind::CityTile, CITY_CENTER)];
        requirement.present && lands.contains(&place)
    };
    let can_do = |action: &u8| {
        let mut enablers = rulesets.enablers.iter().filter(|enabler| enabler.enabled_action == *action);
        enablers.any(|enabler| {
            let of_type = enabler.actor_reqs.iter().filter(|requirement| kind(requirement).is_of_unit_type());
            !enabler.actor_reqs.iter().any(needs_land) && !rules.are_active(&context, of_type).is_no()
        })
    };
    let actions = [
        Action::TransportDisembark,
        Action::TransportDisembark2,
        Action::TransportDisembark3,
        Action::TransportDisembark4,
    ];
    let action = actions.into_iter().filter_map(|action| action.number(version)).find(can_do);
    let context = Context { action, ..context };
    let costs = rules_of(world, EffectType::ActionSuccessActorMoveCost).filter(|effect| {
        let counts = |requirement: &&Requirement| {
            kind(requirement).is_of_unit_type() || kind(requirement) == RequirementKind::Action
        };
        rules.are_active(&context, effect.reqs.iter().filter(counts)).is_yes()
    });
    let cost = costs.fold(0_i64, |cost, effect| cost.saturating_add(effect.effect_value.into()));
    u32::try_from(cost.max(0)).unwrap_or(u32::MAX)
}
