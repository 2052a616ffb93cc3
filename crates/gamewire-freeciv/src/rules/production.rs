use super::answer::Answer;
use super::evaluator::Evaluator;
use crate::number::{Production, ProductionKind};
use crate::world::{City, World};

/// Returns whether the server lets a city produce something now (Freeciv's `can_city_build_now`). If it does, it also
/// accepts a change of the production, unless the city has just bought its production.
///
/// The answer depends on the ruleset and the state of the city. The current production of the city is not excluded.
pub fn can_build(world: &World, city: &City, production: Production) -> Answer {
    let rulesets = world.rulesets();
    let rules = Evaluator::new(world);
    match production.kind {
        ProductionKind::BUILDING => rulesets
            .buildings
            .get(production.id)
            .map_or(Answer::No, |building| rules.can_city_build(city, building)),
        ProductionKind::UNIT => rulesets
            .unit_types
            .get(production.id)
            .map_or(Answer::No, |unit_type| rules.can_city_build_unit(city, unit_type)),
        _ => Answer::Unknown,
    }
}

/// Iterates over all productions of the ruleset, buildings first. Each is returned with the answer of [`can_build`].
pub fn productions<'w>(world: &'w World, city: &'w City) -> impl Iterator<Item = (Production, Answer)> {
    let rulesets = world.rulesets();
    let buildings = rulesets.buildings.iter().map(|building| Production::building(building.id));
    let units = rulesets.unit_types.iter().filter_map(|unit_type| u8::try_from(unit_type.id).ok());
    buildings
        .chain(units.map(Production::unit))
        .map(move |production| (production, can_build(world, city, production)))
}
