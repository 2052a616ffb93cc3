//! The value of a building for a city, from the effects in the rules.

use crate::number::{EffectType, Output};
use crate::packets::{CityInfo, RulesetBuilding, RulesetEffect};
use crate::rules::{self, Context, Evaluator, Growth, RequirementKind};
use crate::world::{City, World};

/// Values of one point of each output per turn: food, shields, trade, gold, luxury, science.
const WORTH: [i64; 6] = [30, 20, 20, 20, 10, 20];
/// Value of a citizen that becomes content.
const CONTENT: i64 = 60;
/// Value of a building that lets a city grow.
const GROWTH: i64 = 150;
/// Value of walls that double the defense.
const WALLS: i64 = 80;
/// Index of the citizens' final mood, after all effects (Freeciv's `FEELING_FINAL`).
const FINAL: usize = 5;

/// Returns the value of a building for a city per turn, less its upkeep, in the unit of [`WORTH`].
pub(super) fn value(world: &World, city: &City, building: &RulesetBuilding) -> i64 {
    let Some(full) = city.full() else { return 0 };
    let effects = world.rulesets().effects.iter().filter(|effect| needs(world, effect, building));
    let gains = effects.map(|effect| gain(world, city, full, building, effect));
    let gold = WORTH.get(3).copied().unwrap_or_default();
    let upkeep = i64::from(building.upkeep).saturating_mul(gold);
    gains.fold(10_i64, i64::saturating_add).saturating_sub(upkeep)
}

/// Returns whether an effect requires a building.
fn needs(world: &World, effect: &RulesetEffect, building: &RulesetBuilding) -> bool {
    effect.reqs.iter().any(|requirement| {
        requirement.present
            && requirement.value == i32::from(building.id)
            && RequirementKind::of(requirement, world.version()) == RequirementKind::Improvement
    })
}

/// Returns the value of one effect in a city, if its other requirements are met.
fn gain<'w>(
    world: &'w World,
    city: &'w City,
    full: &'w CityInfo,
    building: &RulesetBuilding,
    effect: &RulesetEffect,
) -> i64 {
    let others = || {
        effect.reqs.iter().filter(|requirement| {
            requirement.value != i32::from(building.id)
                || RequirementKind::of(requirement, world.version()) != RequirementKind::Improvement
        })
    };
    let rules = Evaluator::new(world);
    let context = Context::of_city(world, city);
    let is_active = |context: &Context<'w>| rules.are_active(context, others()).is_yes();
    let amount = i64::from(effect.effect_value);
    let outputs = || (0_u8..6).map(Output).zip(WORTH);
    let at =
        |list: &[u16; 6], output: Output| i64::from(list.get(usize::from(output.0)).copied().unwrap_or(0));
    let Some(kind) = EffectType::of(world.version(), effect.effect_type) else { return 0 };
    match kind {
        EffectType::OutputBonus | EffectType::OutputBonus2 => outputs()
            .filter(|(output, _)| is_active(&Context { output: Some(*output), ..context }))
            .map(|(output, worth)| amount.saturating_mul(at(&full.prod, output)).saturating_mul(worth) / 100)
            .fold(0, i64::saturating_add),
        EffectType::OutputWastePct => outputs()
            .filter(|(output, _)| is_active(&Context { output: Some(*output), ..context }))
            .map(|(output, worth)| amount.saturating_mul(at(&full.waste, output)).saturating_mul(worth) / 100)
            .fold(0, i64::saturating_add),
        EffectType::OutputAddTile | EffectType::OutputIncTile => {
            let worked = world.city_tiles(city).filter(|tile| tile.worked == Some(full.id));
            worked
                .flat_map(|tile| outputs().map(move |(output, worth)| (tile, output, worth)))
                .filter(|(tile, output, _)| {
                    is_active(&Context { tile: Some(tile), output: Some(*output), ..context })
                })
                .map(|(_, _, worth)| amount.saturating_mul(worth))
                .fold(0, i64::saturating_add)
        }
        EffectType::MakeContent | EffectType::ForceContent if is_active(&context) => {
            amount.min(unhappy(full)).saturating_mul(CONTENT)
        }
        EffectType::SizeAdj | EffectType::SizeUnlimit
            if is_active(&context) && rules::growth(world, city) == Some(Growth::Full) =>
        {
            GROWTH
        }
        EffectType::DefendBonus if is_active(&context) => amount.saturating_mul(WALLS) / 100,
        EffectType::UpkeepFree => 10,
        _ => 0,
    }
}

/// Returns the number of citizens that are unhappy, or entertain others so that the city is not in disorder.
fn unhappy(full: &CityInfo) -> i64 {
    let of = |list: &[u8; 6]| i64::from(list.get(FINAL).copied().unwrap_or_default());
    let entertainers = full.specialists.first().copied().unwrap_or_default();
    of(&full.ppl_unhappy).saturating_add(of(&full.ppl_angry)).saturating_add(entertainers.into())
}
