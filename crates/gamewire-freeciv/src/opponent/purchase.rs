//! Productions that are bought.

use super::outlook::Outlook;
use super::production::{COINAGE, is_named};
use super::{defense, own};
use crate::number::{Production, ProductionKind};
use crate::orders;
use crate::packets::OwnedPacket;
use crate::world::World;

/// Gold that is kept in reserve.
const RESERVE: u32 = 20;
/// Additional gold that is kept in reserve for each city.
const RESERVE_PER_CITY: u32 = 4;
/// In this number of last turns of the game, no gold is kept in reserve.
const LAST: i32 = 3;

fn is_fighter(world: &World, production: Production) -> bool {
    production.kind == ProductionKind::UNIT
        && world.rulesets().unit_types.get(production.id).is_some_and(|rule| rule.attack_strength > 0)
}

/// Buys productions until the gold is spent: defenders of threatened cities first, then settlers, then the cheapest.
pub(super) fn buy(world: &World, outlook: &Outlook, orders: &mut Vec<OwnedPacket>) {
    let Some(me) = world.me() else { return };
    let cities = u32::try_from(world.my_cities().count()).unwrap_or(u32::MAX);
    let mut gold = me.gold.saturating_sub(RESERVE);
    let reserve = cities.saturating_mul(RESERVE_PER_CITY);
    let mut offers: Vec<(u8, u32, u32)> = world
        .my_cities()
        .filter_map(|city| {
            let (full, production) = (city.full()?, city.production()?);
            let is_unit = production.kind == ProductionKind::UNIT;
            let is_urgent = is_unit
                && defense::is_threatened(world, outlook, city)
                && defense::is_weak(world, outlook, city);
            let is_useful = !is_named(world, production, COINAGE)
                && (!is_fighter(world, production) || is_urgent)
                && (full.shield_stock > 0 || is_urgent)
                && !full.did_buy
                && full.turn_founded < world.turn();
            let rank = match () {
                () if is_urgent => 0,
                () if is_named(world, production, "Settlers") => 1,
                () => 2,
            };
            (is_useful && full.buy_cost > 0).then_some((rank, full.buy_cost, city.id()))
        })
        .collect();
    offers.sort_unstable();
    for (rank, price, city) in offers {
        let kept = if rank == 0 || outlook.turns_left <= LAST { 0 } else { reserve };
        let Some(left) = gold.checked_sub(price).filter(|left| *left >= kept) else { continue };
        gold = left;
        orders.push(own(&orders::buy(city)));
    }
}
