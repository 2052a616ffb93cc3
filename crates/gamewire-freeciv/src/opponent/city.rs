//! Production of cities.

use super::defense::defenders;
use super::{Opponent, own};
use crate::number::{Production, ProductionKind};
use crate::orders;
use crate::packets::OwnedPacket;
use crate::rules;
use crate::world::{City, World};

/// Buildings in the order in which a city builds them.
const BUILDINGS: [&str; 14] = [
    "Temple",
    "Library",
    "Marketplace",
    "Aqueduct",
    "Aqueduct, Lake",
    "Aqueduct, River",
    "Aqueduct, Coastal",
    "Harbor",
    "Harbour",
    "University",
    "Bank",
    "Sewer System",
    "Stock Exchange",
    "Research Lab",
];
/// Wonders that help growth and research.
const WONDERS: [&str; 9] = [
    "Temple of Artemis",
    "Pyramids",
    "Hanging Gardens",
    "Great Library",
    "Copernicus' Observatory",
    "Michelangelo's Chapel",
    "Mausoleum of Mausolos",
    "Marco Polo's Embassy",
    "Isaac Newton's College",
];
/// The production that makes gold.
const COINAGE: &str = "Coinage";
/// Maximum number of cities to found.
const MAX_CITIES: usize = 20;
/// Turn from which on no more settlers are built for new cities.
const LAST_FOUNDING: i16 = 85;
/// Gold that is kept in reserve.
const RESERVE: u32 = 20;

/// Number of units and cities that exist or are in production.
struct Counts {
    cities: usize,
    settlers: usize,
    workers: usize,
}

/// Changes productions where necessary, and buys productions.
pub(super) fn manage(opponent: &Opponent, world: &World, orders: &mut Vec<OwnedPacket>) {
    let making = |name: &str| {
        let wanted = world.rulesets().production(name);
        world.my_cities().filter(|city| city.production() == wanted && wanted.is_some()).count()
    };
    let mut counts = Counts {
        cities: world.my_cities().count(),
        settlers: world.my_units_of("Settlers").count().saturating_add(making("Settlers")),
        workers: world.my_units_of("Workers").count().saturating_add(making("Workers")),
    };
    for city in world.my_cities() {
        let chosen = if is_due(world, city) { choose(opponent, world, city, &counts) } else { None };
        if let Some(production) = chosen {
            counts.settlers =
                counts.settlers.saturating_add(usize::from(is_named(world, production, "Settlers")));
            counts.workers =
                counts.workers.saturating_add(usize::from(is_named(world, production, "Workers")));
            if city.production() != Some(production) {
                orders.push(own(&orders::set_production(city.id(), production)));
            }
        }
    }
    buy(world, orders);
}

/// Returns whether a city needs another production: it completed the last one, makes gold, or cannot continue.
fn is_due(world: &World, city: &City) -> bool {
    let (Some(full), Some(production)) = (city.full(), city.production()) else { return false };
    let is_new = full.shield_stock == 0 || full.turn_last_built.saturating_add(1) >= world.turn();
    // The production is complete, but the city is too small for settlers.
    let waits =
        rules::build_cost(world, city, production).is_some_and(|cost| u32::from(full.shield_stock) >= cost);
    is_new
        || waits
        || is_named(world, production, COINAGE)
        || rules::can_build(world, city, production).is_no()
        || (defenders(world, city.tile()) == 0 && production.kind == ProductionKind::BUILDING)
}

/// Chooses the production of a city.
fn choose(opponent: &Opponent, world: &World, city: &City, counts: &Counts) -> Option<Production> {
    let can = |name: &str| {
        let production = world.rulesets().production(name)?;
        rules::can_build(world, city, production).is_yes().then_some(production)
    };
    let has_defender = defenders(world, city.tile()) > 0;
    if !has_defender && (counts.cities > 1 || city.size() > 1) {
        return best_defender(world, city);
    }
    let expands = counts.cities.saturating_add(counts.settlers) < MAX_CITIES
        && world.turn() < LAST_FOUNDING
        && opponent.avoided.len() < 60
        && counts.settlers <= counts.cities.div_ceil(2);
    if expands
        && can_spare_settlers(world, city)
        && let Some(settlers) = can("Settlers")
    {
        return Some(settlers);
    }
    if counts.workers.saturating_mul(3) < counts.cities.saturating_mul(2)
        && let Some(workers) = can("Workers")
    {
        return Some(workers);
    }
    if !has_defender {
        return best_defender(world, city);
    }
    // The city is still too small for settlers. Build a second defender or more workers in the meantime.
    if expands && city.size() < 3 && world.turn() < 40 {
        let warriors = if defenders(world, city.tile()) < 2 { can("Warriors") } else { None };
        let few_workers = counts.workers < counts.cities.saturating_add(1);
        let waiting = warriors.or_else(|| if few_workers { can("Workers") } else { None });
        if waiting.is_some() {
            return waiting;
        }
    }
    let mut missing = BUILDINGS.iter().filter(|name| !has(world, city, name)).filter_map(|name| can(name));
    let wonder = || WONDERS.iter().filter(|name| !is_made(world, name)).find_map(|name| can(name));
    let is_large = city.full().is_some_and(|full| {
        let [_, shields, ..] = full.surplus;
        shields >= 5
    });
    let first = missing.next();
    match first {
        Some(first) if !(is_large && has(world, city, "Library")) => Some(first),
        first => wonder().or(first).or_else(|| can(COINAGE)),
    }
}

/// Returns whether the city can lose the population of settlers now, or when their production completes.
fn can_spare_settlers(world: &World, city: &City) -> bool {
    let (Some(unit_type), Some(settlers)) =
        (world.unit_type("Settlers"), world.rulesets().production("Settlers"))
    else {
        return false;
    };
    let missing = unit_type.pop_cost.saturating_add(1).saturating_sub(city.size());
    match (rules::growth(world, city), rules::turns_to_build(world, city, settlers)) {
        _ if missing == 0 => true,
        (Some(rules::Growth::Grows { turns: growth }), Some(turns)) => {
            growth.saturating_mul(missing.into()) <= turns.saturating_add(2)
        }
        _ => false,
    }
}

/// Returns the unit type with the best defense for its cost.
fn best_defender(world: &World, city: &City) -> Option<Production> {
    let types = world.rulesets().unit_types.iter().filter(|unit_type| {
        unit_type.attack_strength > 0 && unit_type.defense_strength > 0 && unit_type.build_cost > 0
    });
    let buildable = types.filter_map(|unit_type| {
        let production = Production::unit(u8::try_from(unit_type.id).ok()?);
        let value = u32::from(unit_type.defense_strength).saturating_mul(1000);
        let worth = value.checked_div(u32::from(unit_type.build_cost).saturating_add(10))?;
        rules::can_build(world, city, production).is_yes().then_some((worth, production))
    });
    buildable.max_by_key(|(worth, _)| *worth).map(|(_, production)| production)
}

fn has(world: &World, city: &City, name: &str) -> bool {
    world.building(name).is_some_and(|building| city.has_building(building.id))
}

/// Returns whether any city of the player produces this.
fn is_made(world: &World, name: &str) -> bool {
    world
        .my_cities()
        .any(|city| city.production().is_some_and(|production| is_named(world, production, name)))
}

fn is_named(world: &World, production: Production, name: &str) -> bool {
    world.rulesets().production(name) == Some(production)
}

/// Buys useful productions, cheapest first, until the gold is spent.
fn buy(world: &World, orders: &mut Vec<OwnedPacket>) {
    let Some(me) = world.me() else { return };
    let mut gold = me.gold.saturating_sub(RESERVE);
    let mut offers: Vec<(u32, u32)> = world
        .my_cities()
        .filter_map(|city| {
            let (full, production) = (city.full()?, city.production()?);
            let is_useful = !is_named(world, production, COINAGE)
                && !is_named(world, production, "Warriors")
                && full.shield_stock > 0
                && !full.did_buy
                && full.turn_founded < world.turn();
            (is_useful && full.buy_cost > 0).then_some((full.buy_cost, city.id()))
        })
        .collect();
    offers.sort_unstable();
    for (price, city) in offers {
        let Some(left) = gold.checked_sub(price) else { break };
        gold = left;
        orders.push(own(&orders::buy(city)));
    }
}
