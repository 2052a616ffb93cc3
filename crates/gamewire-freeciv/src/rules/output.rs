use super::context::Context;
use super::evaluator::Evaluator;
use crate::codec::ProtocolVersion;
use crate::number::{EffectType, Output};
use crate::packets::RulesetTerrain;
use crate::world::{City, Tile, World};

/// Returns the output of a tile without celebration, for a city or without one (Freeciv's `city_tile_output`). Returns
/// `None` if it depends on something unknown.
pub fn tile_output(world: &World, city: Option<&City>, tile: &Tile, output: Output) -> Option<i64> {
    let (game, terrain) = (world.game()?, world.terrain_of(tile)?);
    let index = usize::from(output.0);
    let rules = Evaluator::new(world);
    let place = Context {
        player: city.and_then(|city| world.player(city.owner())),
        city,
        tile: Some(tile),
        ..Context::default()
    };
    let context = Context { output: Some(output), ..place };
    let natural =
        i64::from(*terrain.output.get(index)?).saturating_add(resource_output(world, terrain, tile, index));
    let mut sum = natural.saturating_add(improved(&rules, &place, terrain, output)?);
    let (added, percent) = road_output(world, terrain, tile, index);
    sum = sum.saturating_add(added);
    sum = sum.saturating_add(sum.saturating_mul(percent) / 100);
    sum = sum.saturating_add(rules.value(EffectType::OutputAddTile, &context)?);
    if sum > 0 {
        let unit = match world.version() {
            ProtocolVersion::V3_0 | ProtocolVersion::V3_1 => 1,
            // 3.2 counts in fractions of an output.
            ProtocolVersion::V3_2 => game.granularity.map_or(1, i64::from).max(1),
        };
        if sum >= unit {
            sum = sum.saturating_add(rules.value(EffectType::OutputIncTile, &context)?);
        }
        sum = sum.saturating_add(sum.saturating_mul(rules.value(EffectType::OutputPerTile, &context)?) / 100);
        let limit = rules.value(EffectType::OutputPenaltyTile, &context)?;
        if limit > 0 && sum > limit {
            sum = sum.saturating_sub(unit).max(0);
        }
    }
    let punishment = sum.saturating_mul(rules.value(EffectType::OutputTilePunishPct, &context)?) / 100;
    sum = sum.saturating_sub(punishment);
    if city.is_some_and(|city| city.tile() == tile.tile) {
        sum = sum.max(i64::from(*game.min_city_center_output.get(index)?));
    }
    Some(sum)
}

/// Returns the output of the resource on a tile, or 0 if its terrain cannot have the resource.
fn resource_output(world: &World, terrain: &RulesetTerrain, tile: &Tile, index: usize) -> i64 {
    let valid = tile.resource.filter(|resource| terrain.resources.contains(resource));
    let resource = valid.and_then(|resource| world.rulesets().resources.get(resource));
    resource.and_then(|resource| resource.output.get(index)).copied().unwrap_or_default().into()
}

/// Returns the output that irrigation or a mine adds.
fn improved<'w>(
    rules: &Evaluator<'w>,
    context: &Context<'w>,
    terrain: &RulesetTerrain,
    output: Output,
) -> Option<i64> {
    let (increase, effect) = match output {
        Output::SHIELD => (terrain.mining_shield_incr, EffectType::MiningPct),
        Output::FOOD => (terrain.irrigation_food_incr, EffectType::IrrigationPct),
        _ => return Some(0),
    };
    if increase == 0 {
        return Some(0);
    }
    Some(i64::from(increase).saturating_mul(rules.value(effect, context)?) / 100)
}

/// Returns the output that roads add, and the percentage that they add afterwards.
fn road_output(world: &World, terrain: &RulesetTerrain, tile: &Tile, index: usize) -> (i64, i64) {
    let (mut constant, mut increase, mut percent) = (0_i64, 0_i64, 0_i64);
    let of = |outputs: &[u16; 6]| i64::from(outputs.get(index).copied().unwrap_or_default());
    for (_, road) in world.rulesets().road_extras().filter(|(extra, _)| tile.has_extra(extra.id)) {
        constant = constant.saturating_add(of(&road.tile_incr_const));
        increase = increase.saturating_add(of(&road.tile_incr));
        percent = percent.saturating_add(of(&road.tile_bonus));
    }
    let by_terrain = increase.saturating_mul(of(&terrain.road_output_incr_pct)) / 100;
    (constant.saturating_add(by_terrain), percent)
}
