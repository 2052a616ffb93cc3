//! Production of cities.

use super::outlook::Outlook;
use super::wonder::{self, WonderPlan};
use super::{Opponent, benefit, defense, own, site};
use crate::number::{Production, ProductionKind};
use crate::orders;
use crate::packets::OwnedPacket;
use crate::rules;
use crate::world::{City, World};

/// The production that makes gold.
pub(super) const COINAGE: &str = "Coinage";
/// Maximum number of cities to found.
const MAX_CITIES: usize = 45;
/// Turn from which on no more settlers are built for new cities.
const LAST_FOUNDING: i16 = 110;
/// Maximum number of workers, who work for several cities.
const MAX_WORKERS: usize = 24;
/// Citizens that a city keeps when it builds settlers.
const KEPT: u8 = 1;

/// Numbers of cities, of units that exist or are in production, and of open sites for cities.
struct Counts {
    cities: usize,
    settlers: usize,
    workers: usize,
    sites: usize,
}

/// Changes productions where necessary.
pub(super) fn manage(opponent: &Opponent, world: &World, outlook: &Outlook, orders: &mut Vec<OwnedPacket>) {
    let making = |name: &str| {
        let wanted = world.rulesets().production(name);
        world.my_cities().filter(|city| city.production() == wanted && wanted.is_some()).count()
    };
    let mut counts = Counts {
        cities: world.my_cities().count(),
        settlers: making("Settlers"),
        sites: site::count(opponent, world),
        workers: world.my_units_of("Workers").count().saturating_add(making("Workers")),
    };
    let mut plan = WonderPlan::new(world);
    for city in world.my_cities() {
        let is_making = city.production().is_some_and(|made| is_named(world, made, "Settlers"));
        let could_expand = !is_making && expands(world, &counts);
        if !(is_due(world, outlook, city) || could_expand && can_spare_settlers(world, city)) {
            continue;
        }
        counts.settlers = counts.settlers.saturating_sub(usize::from(is_making));
        let Some(production) = choose(world, outlook, city, &counts, &mut plan) else { continue };
        let adds = |name: &str| usize::from(is_named(world, production, name));
        counts.settlers = counts.settlers.saturating_add(adds("Settlers"));
        counts.workers = counts.workers.saturating_add(adds("Workers"));
        if city.production() != Some(production) {
            orders.push(own(&orders::set_production(city.id(), production)));
        }
    }
}

/// Returns whether there is land and time for more cities.
fn expands(world: &World, counts: &Counts) -> bool {
    counts.cities.saturating_add(counts.settlers) < MAX_CITIES
        && world.turn() < LAST_FOUNDING
        && counts.settlers < counts.sites
}

/// Returns whether a city needs another production: it completed the last one, makes gold, cannot continue, or lacks
/// defenders.
fn is_due(world: &World, outlook: &Outlook, city: &City) -> bool {
    let (Some(full), Some(production)) = (city.full(), city.production()) else { return false };
    let is_new = full.shield_stock == 0 || full.turn_last_built.saturating_add(1) >= world.turn();
    // The production is complete, but the city is too small for settlers.
    let waits =
        rules::build_cost(world, city, production).is_some_and(|cost| u32::from(full.shield_stock) >= cost);
    let is_bare = defense::defense(world, outlook, city.tile()) == 0
        || (defense::is_threatened(world, outlook, city) && defense::is_weak(world, outlook, city));
    is_new
        || waits
        || is_named(world, production, COINAGE)
        || rules::can_build(world, city, production).is_no()
        || (is_bare && production.kind == ProductionKind::BUILDING)
}

/// Chooses the production of a city.
fn choose(
    world: &World,
    outlook: &Outlook,
    city: &City,
    counts: &Counts,
    plan: &mut WonderPlan,
) -> Option<Production> {
    let can = |name: &str| {
        let production = world.rulesets().production(name)?;
        rules::can_build(world, city, production).is_yes().then_some(production)
    };
    let defender = || {
        let rule = outlook.best_defender(world, city)?;
        Some(Production::unit(u8::try_from(rule.id).ok()?))
    };
    let is_bare = defense::defense(world, outlook, city.tile()) == 0;
    let is_weak = defense::is_weak(world, outlook, city);
    if is_bare && (counts.cities > 1 || city.size() > 1)
        || is_weak && defense::is_threatened(world, outlook, city)
    {
        return defender();
    }
    let expands = expands(world, counts);
    if expands
        && can_spare_settlers(world, city)
        && let Some(settlers) = can("Settlers")
    {
        return Some(settlers);
    }
    let workers_wanted = if world.turn() < 50 { counts.cities.saturating_add(1) } else { counts.cities };
    if counts.workers < workers_wanted.min(MAX_WORKERS)
        && let Some(workers) = can("Workers")
    {
        return Some(workers);
    }
    if is_weak && let Some(defender) = defender() {
        return Some(defender);
    }
    // The city is still too small for settlers. It collects shields for them.
    let settlers = if expands { can_collect(world, city) } else { None };
    settlers.or_else(|| best_building(world, outlook, city, plan)).or_else(|| can(COINAGE))
}

/// Returns the building, wonder or caravan with the highest value for its cost, if any has one.
fn best_building(world: &World, outlook: &Outlook, city: &City, plan: &mut WonderPlan) -> Option<Production> {
    let mut best: Option<(i64, Production)> = None;
    let mut offer = |value: i64, cost: u32, production: Production| {
        let worth = value.saturating_mul(1000).checked_div(i64::from(cost.max(1))).unwrap_or_default();
        if worth > 0 && best.is_none_or(|(other, _)| worth > other) {
            best = Some((worth, production));
        }
    };
    for rule in rules::buildings(world) {
        let production = Production::building(rule.rule().id);
        if rule.is_small_wonder()
            || is_named(world, production, COINAGE)
            || !rules::can_build(world, city, production).is_yes()
        {
            continue;
        }
        let Some(cost) = rules::build_cost(world, city, production) else { continue };
        let value = benefit::value(world, city, rule.rule());
        if rule.is_great_wonder() {
            if plan.is_free(rule.rule().id) {
                offer(value.saturating_add(wonder::value(outlook)), cost, production);
            }
        } else {
            offer(value.saturating_mul(outlook.turns_left.into()) / 100, cost, production);
        }
    }
    best.map(|(_, chosen)| plan.choose(world, city, chosen))
}

/// Returns the production of settlers, if the city has not yet collected the shields for two.
fn can_collect(world: &World, city: &City) -> Option<Production> {
    let settlers = world.rulesets().production("Settlers")?;
    let cost = rules::build_cost(world, city, settlers)?;
    let stock = u32::from(city.full()?.shield_stock);
    let size = world.unit_type("Settlers")?.pop_cost.saturating_add(KEPT);
    (city.size() < size && stock < cost.saturating_mul(2)).then_some(settlers)
}

/// Returns whether the city can lose the population of settlers now, or when their production completes.
fn can_spare_settlers(world: &World, city: &City) -> bool {
    let (Some(unit_type), Some(settlers)) =
        (world.unit_type("Settlers"), world.rulesets().production("Settlers"))
    else {
        return false;
    };
    let missing = unit_type.pop_cost.saturating_add(KEPT).saturating_sub(city.size());
    match (rules::growth(world, city), rules::turns_to_build(world, city, settlers)) {
        _ if missing == 0 => true,
        (Some(rules::Growth::Grows { turns: growth }), Some(turns)) => {
            growth.saturating_mul(missing.into()) <= turns.saturating_add(2)
        }
        _ => false,
    }
}

pub(super) fn is_named(world: &World, production: Production, name: &str) -> bool {
    world.rulesets().production(name) == Some(production)
}
