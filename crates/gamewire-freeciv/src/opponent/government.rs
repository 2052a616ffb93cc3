//! Government and taxes.

use super::citizens::is_in_disorder;
use super::outlook::Outlook;
use super::{Opponent, own};
use crate::orders;
use crate::packets::{OwnedPacket, PlayerInfo};
use crate::rules::GovernmentRule;
use crate::world::World;

/// Governments, best first.
const GOVERNMENTS: [&str; 2] = ["Monarchy", "Despotism"];
/// Gold that is kept in reserve for each city.
const RESERVE: u32 = 4;
/// Change of the luxury rate in one turn, in percent.
const STEP: u8 = 10;
/// Maximum luxury rate, in percent.
const MAX_LUXURY: u8 = 30;
/// At most one city in this number of cities may be in disorder.
const MAX_DISORDER: u32 = 6;
/// In this number of last turns of the game, happy citizens count more than science.
const FEAST: i32 = 2;

/// Chooses the government and the tax rates.
pub(super) fn rule(opponent: &mut Opponent, world: &World, outlook: &Outlook, orders: &mut Vec<OwnedPacket>) {
    let Some(me) = world.me() else { return };
    let best = GOVERNMENTS
        .iter()
        .filter_map(|name| GovernmentRule::named(world, name))
        .find(|government| government.can_choose().is_yes());
    if let Some(best) = best.map(|government| government.rule().id)
        && best != me.government
        && best != me.target_government
        && let Ok(id) = u8::try_from(best)
    {
        orders.extend(orders::set_government(id).ok().map(|order| own(&order)));
    }
    tax(opponent, world, outlook, me, orders);
}

/// Sets the tax rates: as much science as the treasury allows, and luxury while cities are in disorder.
fn tax(
    opponent: &mut Opponent,
    world: &World,
    outlook: &Outlook,
    me: &PlayerInfo,
    orders: &mut Vec<OwnedPacket>,
) {
    let government = world.rulesets().governments.get(me.government);
    let name = government.map(|government| government.rule_name.to_str_lossy());
    let Some(name) = name.filter(|name| name != "Anarchy") else { return };
    let max = GovernmentRule::named(world, &name).and_then(|rule| rule.max_rate()).unwrap_or(60);
    let cities = world.my_cities().filter_map(|city| city.full());
    let (mut all, mut unhappy) = (0_u32, 0_u32);
    for city in cities {
        all = all.saturating_add(1);
        unhappy = unhappy.saturating_add(is_in_disorder(city).into());
    }
    opponent.luxury = match unhappy.saturating_mul(MAX_DISORDER) {
        _ if outlook.turns_left <= FEAST => max,
        disorder if disorder <= all => opponent.luxury.saturating_sub(STEP),
        _ => opponent.luxury.saturating_add(STEP).min(MAX_LUXURY),
    };
    let luxury = opponent.luxury.min(max);
    let rest = 100_u8.saturating_sub(luxury);
    let reserve = RESERVE.saturating_mul(all).saturating_add(30);
    let tax = match me.gold {
        gold if gold >= reserve.saturating_mul(2) => rest.saturating_sub(max),
        gold if gold >= reserve => 30,
        gold if gold >= reserve / 2 => 40,
        _ => max,
    };
    // Science may not exceed `max` either, so the tax has at least the rest.
    let tax = tax.min(max).max(rest.saturating_sub(max));
    let science = rest.saturating_sub(tax);
    if (tax, luxury, science) != (me.tax, me.luxury, me.science) {
        orders.push(own(&orders::set_tax_rates(tax, luxury, science)));
    }
}
