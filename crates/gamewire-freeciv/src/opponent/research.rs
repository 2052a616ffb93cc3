//! Research.

use super::own;
use crate::orders;
use crate::packets::OwnedPacket;
use crate::rules;
use crate::world::World;

/// Advances in the order in which they are researched. After them come all others, those with the fewest steps first.
const GOALS: [&str; 30] = [
    "Bronze Working",
    "Alphabet",
    "Ceremonial Burial",
    "Monarchy",
    "Pottery",
    "Currency",
    "Writing",
    "Trade",
    "Philosophy",
    "Construction",
    "Feudalism",
    "Seafaring",
    "Banking",
    "Sanitation",
    "Invention",
    "Gunpowder",
    "University",
    "Theology",
    "Astronomy",
    "Navigation",
    "Theory of Gravity",
    "Economics",
    "Railroad",
    "Conscription",
    "Electricity",
    "The Corporation",
    "Refining",
    "Electronics",
    "Automobile",
    "Computers",
];

/// Sets a research goal if there is none, and the current research if the server chose none.
pub(super) fn choose(world: &World, orders: &mut Vec<OwnedPacket>) {
    let (Some(me), Some(research)) = (world.me(), world.my_research()) else { return };
    let is_missing = |advance: u16| {
        world.rulesets().advances.get(advance).is_none_or(|rule| rule.rule_name.to_str_lossy() == "None")
            || world.has_advance(me.playerno, advance)
    };
    let open = |id: u16| {
        !world.has_advance(me.playerno, id)
            && rules::goal_steps(world, id).is_some()
            && rules::is_reachable(world, id).is_yes()
    };
    let listed =
        || GOALS.iter().filter_map(|name| world.advance(name)).map(|goal| goal.id).find(|id| open(*id));
    let nearest = || {
        let all = world.rulesets().advances.iter().map(|advance| advance.id).filter(|id| open(*id));
        all.filter(|id| *id != 0).min_by_key(|id| rules::goal_steps(world, *id))
    };
    if is_missing(research.tech_goal)
        && let Some(goal) = listed().or_else(nearest)
    {
        orders.push(own(&orders::set_research_goal(goal)));
    }
    if is_missing(research.researching)
        && let Some(next) = rules::researchable(world).next()
    {
        orders.push(own(&orders::set_research(next.id)));
    }
}
