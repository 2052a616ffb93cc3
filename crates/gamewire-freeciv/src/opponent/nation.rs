//! Research, government, taxes and treaties.

use super::{Opponent, own};
use crate::number::Clause;
use crate::orders;
use crate::packets::{OwnedPacket, PlayerInfo};
use crate::rules;
use crate::world::World;

/// Advances in the order in which they are researched.
const GOALS: [&str; 25] = [
    "Bronze Working",
    "Alphabet",
    "Ceremonial Burial",
    "Monarchy",
    "Pottery",
    "Currency",
    "Writing",
    "Trade",
    "Philosophy",
    "Literacy",
    "Construction",
    "Banking",
    "Seafaring",
    "University",
    "Invention",
    "Sanitation",
    "Theory of Gravity",
    "Feudalism",
    "Economics",
    "Navigation",
    "Theology",
    "Railroad",
    "Electricity",
    "The Corporation",
    "Computers",
];
/// Governments, best first, and the maximum rate of each in percent.
const GOVERNMENTS: [(&str, u8); 2] = [("Monarchy", 70), ("Despotism", 60)];
/// Gold that is kept in reserve for each city.
const RESERVE: u32 = 8;
/// Change of the luxury rate in one turn, in percent.
const STEP: u8 = 10;

/// Gives the orders for the whole nation.
pub(super) fn rule(opponent: &mut Opponent, world: &World, orders: &mut Vec<OwnedPacket>) {
    let Some(me) = world.me() else { return };
    research(world, me, orders);
    let best = GOVERNMENTS.iter().find_map(|(name, _)| {
        let government = world.rulesets().governments.named(name)?;
        rules::Evaluator::new(world)
            .are_active(&rules::Context::of_player(me), &government.reqs)
            .is_yes()
            .then_some(government)
    });
    if let Some(best) = best.filter(|best| best.id != me.government && best.id != me.target_government)
        && let Ok(id) = u8::try_from(best.id)
    {
        orders.extend(orders::set_government(id).ok().map(|order| own(&order)));
    }
    taxes(opponent, world, me, orders);
    treaties(world, orders);
}

/// Sets a research goal if there is none, and the current research if the server chose none.
fn research(world: &World, me: &PlayerInfo, orders: &mut Vec<OwnedPacket>) {
    let Some(research) = world.my_research() else { return };
    let is_missing = |advance: u16| {
        world.rulesets().advances.get(advance).is_none_or(|rule| rule.rule_name.to_str_lossy() == "None")
            || world.has_advance(me.playerno, advance)
    };
    let goal = GOALS
        .iter()
        .filter_map(|name| world.advance(name))
        .find(|goal| !world.has_advance(me.playerno, goal.id) && rules::goal_steps(world, goal.id).is_some());
    if is_missing(research.tech_goal)
        && let Some(goal) = goal
    {
        orders.push(own(&orders::set_research_goal(goal.id)));
    }
    if is_missing(research.researching)
        && let Some(next) = rules::researchable(world).next()
    {
        orders.push(own(&orders::set_research(next.id)));
    }
}

/// Sets the tax rates: as much science as the treasury allows, and luxury while cities are in disorder.
fn taxes(opponent: &mut Opponent, world: &World, me: &PlayerInfo, orders: &mut Vec<OwnedPacket>) {
    let government = world.rulesets().governments.get(me.government);
    let name = government.map(|government| government.rule_name.to_str_lossy());
    let Some(name) = name.filter(|name| name != "Anarchy") else { return };
    let max = GOVERNMENTS.iter().find(|(known, _)| *known == name).map_or(60, |(_, max)| *max);
    let cities = world.my_cities().filter_map(|city| city.full());
    let (mut all, mut unhappy) = (0_u32, 0_u32);
    for city in cities {
        let [.., happy] = city.ppl_happy;
        let [.., sad] = city.ppl_unhappy;
        let [.., angry] = city.ppl_angry;
        all = all.saturating_add(1);
        unhappy = unhappy.saturating_add(u32::from(happy < sad.saturating_add(angry).saturating_add(angry)));
    }
    opponent.luxury = match unhappy {
        0 => opponent.luxury.saturating_sub(STEP),
        _ => opponent.luxury.saturating_add(STEP).min(STEP.saturating_mul(3)),
    };
    let luxury = opponent.luxury;
    let rest = 100_u8.saturating_sub(luxury);
    let is_rich = me.gold >= RESERVE.saturating_mul(all).saturating_add(30);
    let science = if is_rich { max.min(rest) } else { rest.saturating_sub(max) };
    let tax = rest.saturating_sub(science).min(max);
    let science = rest.saturating_sub(tax);
    if (tax, luxury, science) != (me.tax, me.luxury, me.science) {
        orders.push(own(&orders::set_tax_rates(tax, luxury, science)));
    }
}

/// Accepts treaties that cost nothing, and cancels other meetings.
fn treaties(world: &World, orders: &mut Vec<OwnedPacket>) {
    for (with, meeting) in world.diplomacy().meetings() {
        let gives = meeting.clauses.iter().any(|clause| {
            let is_mutual = [Clause::PEACE, Clause::CEASEFIRE, Clause::EMBASSY].contains(&clause.clause);
            Some(clause.giver) == world.my_number() && !is_mutual
        });
        match (gives, meeting.other_accepted, meeting.i_accepted) {
            (false, true, false) => orders.push(own(&orders::accept_treaty(with))),
            (true, ..) => orders.push(own(&orders::cancel_meeting(with))),
            _ => {}
        }
    }
}
