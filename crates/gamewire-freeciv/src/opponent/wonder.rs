//! Wonders, and the caravans that help to build them.

use std::collections::BTreeSet;

use super::outlook::Outlook;
use super::own;
use crate::number::{Production, ProductionKind};
use crate::orders;
use crate::packets::OwnedPacket;
use crate::rules;
use crate::world::{City, World};

/// Units that help to build a wonder, best first.
const CARAVANS: [&str; 2] = ["Freight", "Caravan"];
/// Score of a wonder.
const SCORE: i64 = 5;
/// Value of one point of score, in the unit of the values of [`benefit`](super::benefit) times turns. Divided by the
/// number of remaining turns, it is the value per turn.
const SCORE_VALUE: i64 = 800;
/// Turns that a city may take for a wonder alone. A city that takes longer builds caravans.
const MAX_TURNS: u32 = 20;

/// Returns the value per turn of a wonder's score, in the unit of the values of [`benefit`](super::benefit).
pub(super) fn value(outlook: &Outlook) -> i64 {
    let turns = i64::from(outlook.turns_left.max(20));
    SCORE.saturating_mul(SCORE_VALUE).checked_div(turns).unwrap_or_default()
}

/// The wonders that cities build, and the shields that they need.
#[derive(Debug)]
pub(super) struct WonderPlan {
    made: BTreeSet<u8>,
    /// Missing shields of the wonders in production, less the shields of caravans.
    missing: i64,
}

impl WonderPlan {
    pub(super) fn new(world: &World) -> Self {
        let sites = world.my_cities().filter_map(|city| site(world, city));
        let (mut made, mut missing) = (BTreeSet::new(), 0_i64);
        for (wonder, shields) in sites {
            made.insert(wonder);
            missing = missing.saturating_add(shields.into());
        }
        let mut plan = Self { made, missing };
        for name in CARAVANS {
            let cost = i64::from(world.unit_type(name).map_or(0, |rule| rule.build_cost));
            let wanted = world.rulesets().production(name);
            let making = world.my_cities().filter(|city| wanted.is_some() && city.production() == wanted);
            let count = world.my_units_of(name).count().saturating_add(making.count());
            let all = cost.saturating_mul(i64::try_from(count).unwrap_or(i64::MAX));
            plan.missing = plan.missing.saturating_sub(all);
        }
        plan
    }

    /// Returns whether no city builds a wonder yet.
    pub(super) fn is_free(&self, wonder: u8) -> bool {
        !self.made.contains(&wonder)
    }

    /// Returns the production of a city that would build `chosen`: a caravan instead of a wonder that would take the
    /// city too long, if another city needs it.
    pub(super) fn choose(&mut self, world: &World, city: &City, chosen: Production) -> Production {
        if !is_great_wonder(world, chosen) {
            return chosen;
        }
        let is_slow = rules::turns_to_build(world, city, chosen).is_none_or(|turns| turns > MAX_TURNS);
        let caravan = CARAVANS.iter().find_map(|name| {
            let production = world.rulesets().production(name)?;
            rules::can_build(world, city, production).is_yes().then_some(production)
        });
        if is_slow
            && self.missing > 0
            && let Some(caravan) = caravan
        {
            let cost = rules::build_cost(world, city, caravan).unwrap_or_default();
            self.missing = self.missing.saturating_sub(cost.into());
            return caravan;
        }
        self.made.insert(chosen.id);
        let cost = rules::build_cost(world, city, chosen).unwrap_or_default();
        self.missing = self.missing.saturating_add(cost.into());
        chosen
    }
}

fn is_great_wonder(world: &World, production: Production) -> bool {
    production.kind == ProductionKind::BUILDING
        && rules::buildings(world).any(|rule| rule.rule().id == production.id && rule.is_great_wonder())
}

/// Returns the wonder that a city builds, and the shields that it needs.
fn site(world: &World, city: &City) -> Option<(u8, u32)> {
    let production = city.production().filter(|production| is_great_wonder(world, *production))?;
    let cost = rules::build_cost(world, city, production)?;
    Some((production.id, cost.saturating_sub(city.full()?.shield_stock.into())))
}

/// Sends caravans to the nearest city that builds a wonder, and adds them to it there.
pub(super) fn help(world: &World, orders: &mut Vec<OwnedPacket>) {
    let geometry = world.map().geometry();
    let mut sites: Vec<(&City, u32)> = world
        .my_cities()
        .filter_map(|city| Some((city, site(world, city)?.1)))
        .filter(|(_, missing)| *missing > 0)
        .collect();
    for unit in CARAVANS.iter().flat_map(|name| world.my_units_of(name)) {
        let distance =
            |city: &City| geometry.and_then(|geometry| geometry.distance(unit.tile(), city.tile()));
        sites.sort_by_key(|(city, _)| distance(city));
        let shields = world.type_of(unit).map_or(0, |rule| u32::from(rule.build_cost));
        if unit.moves_left() == Some(0) {
            continue;
        }
        for (city, missing) in &mut sites {
            if *missing == 0 {
                continue;
            }
            if city.tile() == unit.tile() {
                *missing = missing.saturating_sub(shields);
                orders.extend(orders::help_wonder(world, unit.id(), city.id()).ok().map(|order| own(&order)));
                break;
            }
            if let Ok(order) = orders::go_to(world, unit.id(), city.tile()) {
                *missing = missing.saturating_sub(shields);
                orders.push(own(&order));
                break;
            }
        }
    }
}
