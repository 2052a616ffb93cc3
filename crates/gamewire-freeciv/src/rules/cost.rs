//! Costs in shields, and turns until a production is complete.

use super::building::BuildingGenus;
use super::building::has_building;
use super::context::Context;
use super::evaluator::Evaluator;
use super::kind::RequirementKind as Kind;
use crate::codec::Requirement;
use crate::number::{Action, EffectType, Output, Production, ProductionKind};
use crate::packets::CityInfo;
use crate::world::{City, World};

/// Returns the cost of a production in shields, if known.
pub fn build_cost(world: &World, city: &City, production: Production) -> Option<u32> {
    let rulesets = world.rulesets();
    let mut context = Context::of_city(world, city);
    let (base, effect) = match production.kind {
        ProductionKind::BUILDING => {
            context.building = Some(rulesets.buildings.get(production.id)?);
            (context.building?.build_cost, EffectType::BuildingBuildCostPct)
        }
        ProductionKind::UNIT => {
            context.unit_type = Some(rulesets.unit_types.get(production.id)?);
            (context.unit_type?.build_cost, EffectType::UnitBuildCostPct)
        }
        _ => return None,
    };
    // 3.0 does not have these effects.
    let percent = Evaluator::new(world).value(effect, &context)?.saturating_add(100);
    let cost = i64::from(base).saturating_mul(percent) / 100;
    let cost = cost.saturating_mul(world.game()?.shieldbox.into()) / 100;
    u32::try_from(cost.max(1)).ok()
}

/// The classes of productions. A change between classes costs shields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Improvement,
    Wonder,
    Unit,
}

impl Class {
    fn of(world: &World, production: Production) -> Option<Self> {
        match production.kind {
            ProductionKind::UNIT => Some(Self::Unit),
            ProductionKind::BUILDING => {
                let building = world.rulesets().buildings.get(production.id)?;
                Some(match BuildingGenus::of(building.genus) {
                    BuildingGenus::Other => Self::Improvement,
                    BuildingGenus::GreatWonder | BuildingGenus::SmallWonder => Self::Wonder,
                })
            }
            _ => None,
        }
    }
}

/// Returns the shields that an own city has for a production after a change to it (Freeciv's
/// `city_change_production_penalty`). Returns `None` if the city is not fully known.
pub fn shield_stock_after_change(world: &World, city: &City, to: Production) -> Option<u32> {
    let full = city.full()?;
    let from = Production { kind: ProductionKind(full.changed_from_kind), id: full.changed_from_value };
    let from = Class::of(world, from);
    let class = Class::of(world, to)?;
    let before = u32::from(full.before_change_shields);
    let free = if from.is_none_or(|from| from == class) {
        before
    } else if has_just_built(world, full) {
        before.min(full.last_turns_shield_surplus.into())
    } else {
        0
    };
    let caravans = u32::from(full.caravan_shields);
    let free_caravans = if gets_caravan_shields(world, to) { caravans } else { 0 };
    let penalized = before.saturating_sub(free).saturating_add(caravans.saturating_sub(free_caravans));
    Some(
        free.saturating_add(full.disbanded_shields.into())
            .saturating_add(free_caravans)
            .saturating_add(penalized / 2),
    )
}

fn has_just_built(world: &World, city: &CityInfo) -> bool {
    city.turn_last_built.saturating_add(1) >= world.turn()
}

/// Returns whether shields from caravans count for a production, because the "help wonder" action accepts its genus.
fn gets_caravan_shields(world: &World, production: Production) -> bool {
    let help = Action::HelpWonder.number(world.version());
    let is_building = production.kind == ProductionKind::BUILDING;
    let building = is_building.then(|| world.rulesets().buildings.get(production.id)).flatten();
    let (rules, context) = (Evaluator::new(world), Context { building, ..Context::default() });
    let is_genus = |requirement: &&Requirement| Kind::of(requirement, world.version()) == Kind::BuildingGenus;
    let mut enablers =
        world.rulesets().enablers.iter().filter(|enabler| Some(enabler.enabled_action) == help);
    enablers.any(|enabler| rules.are_active(&context, enabler.target_reqs.iter().filter(is_genus)).is_yes())
}

/// Returns the number of turns until a city completes a production after a change to it, at its current surplus.
/// Returns `None` if the city never completes it, or is not fully known.
pub fn turns_to_build(world: &World, city: &City, production: Production) -> Option<u32> {
    let full = city.full()?;
    let cost = build_cost(world, city, production)?;
    let is_current = city.production() == Some(production);
    let stock = if is_current {
        full.shield_stock.into()
    } else {
        shield_stock_after_change(world, city, production)?
    };
    if is_endless(world, city, production) {
        return None;
    }
    let missing = cost.saturating_sub(stock);
    if missing == 0 {
        return Some(1);
    }
    let surplus = full.surplus.get(usize::from(Output::SHIELD.0)).copied()?;
    let surplus = u32::try_from(surplus).ok().filter(|surplus| *surplus > 0)?;
    Some(missing.div_ceil(surplus))
}

/// Returns whether a city never completes a production. The production turns shields into gold, the city already has
/// the building, or another player has the wonder.
fn is_endless(world: &World, city: &City, production: Production) -> bool {
    /// The flag of a building that turns shields into gold.
    const GOLD: usize = 2;
    let is_building = production.kind == ProductionKind::BUILDING;
    let building = is_building.then(|| world.rulesets().buildings.get(production.id)).flatten();
    building.is_some_and(|building| {
        let is_taken = BuildingGenus::of(building.genus) == BuildingGenus::GreatWonder
            && Evaluator::new(world).is_available(building).is_no();
        is_taken || building.flags.get(GOLD) || has_building(city, building).is_yes()
    })
}
