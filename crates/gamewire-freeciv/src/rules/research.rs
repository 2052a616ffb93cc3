//! Research: possible advances, goals and costs.

use std::collections::BTreeSet;

use super::answer::Answer;
use super::context::Context;
use super::evaluator::Evaluator;
use super::kind::RequirementKind as Kind;
use super::players;
use crate::number::EffectType;
use crate::packets::{GameInfo, PlayerInfo, ResearchInfo, RulesetTech};
use crate::world::World;

/// The character of an advance that can be researched now, in the list of the server with one character for each advance.
const PREREQUISITES_KNOWN: u8 = b'1';

/// Returns whether the server lets the own player research an advance now.
pub fn can_research(world: &World, advance: u16) -> Answer {
    let research = world.my_research();
    let state = research.and_then(|research| research.inventions.get(usize::from(advance)).copied());
    let is_possible = state.map(|state| state == PREREQUISITES_KNOWN);
    if world.rulesets().advances.get(advance).is_none() { Answer::No } else { is_possible.into() }
}

/// Returns whether the own player can reach an advance: the ruleset has all advances on the way, and the player knows
/// the root of each (Freeciv's `research_invention_reachable`).
pub fn is_reachable(world: &World, advance: u16) -> Answer {
    /// The advance "None", which all players know.
    const NONE: u16 = 0;
    let Some(needed) = needed(world, advance) else { return Answer::Unknown };
    Answer::all(needed.into_iter().map(|id| {
        let Some(rule) = world.rulesets().advances.get(id) else { return Answer::No };
        let root = rule.root_req;
        if root == NONE || root == id {
            return Answer::Yes;
        }
        world.me().map_or(Answer::Unknown, |me| players::knows(world, me, root.into()))
    }))
}

/// Iterates over the advances that the own player can research now.
pub fn researchable(world: &World) -> impl Iterator<Item = &RulesetTech> {
    world.rulesets().advances.iter().filter(|advance| can_research(world, advance.id).is_yes())
}

/// Returns the unknown advances on the way to a goal, including the goal. Returns `None` if the ruleset does not have
/// the goal, or the own research is not known.
fn needed(world: &World, goal: u16) -> Option<BTreeSet<u16>> {
    let (me, advances) = (world.me()?, &world.rulesets().advances);
    world.my_research()?;
    advances.get(goal)?;
    let mut found = BTreeSet::new();
    let mut open = vec![goal];
    while let Some(id) = open.pop() {
        let Some(advance) = advances.get(id).filter(|_| players::knows(world, me, id.into()).is_no()) else {
            continue;
        };
        if !found.insert(id) {
            continue;
        }
        let required = advance.research_reqs.iter().filter(|requirement| {
            Kind::of(requirement, world.version()) == Kind::Advance && requirement.present
        });
        open.extend(required.filter_map(|requirement| u16::try_from(requirement.value).ok()));
    }
    Some(found)
}

/// Returns the number of unknown advances on the way to a goal, including the goal; 0 if the goal is already known
/// (Freeciv's `research_goal_unknown_techs`).
pub fn goal_steps(world: &World, goal: u16) -> Option<usize> {
    needed(world, goal).map(|needed| needed.len())
}

/// Returns the bulbs that a goal needs, at current costs and without the bulbs already researched (Freeciv's
/// `research_goal_bulbs_required`). Returns `None` if a cost is not known.
pub fn goal_bulbs(world: &World, goal: u16) -> Option<u64> {
    let known = world.my_research()?.techs_researched;
    let mut bulbs = 0_u64;
    for (id, researched) in needed(world, goal)?.into_iter().zip(known..) {
        bulbs = bulbs.saturating_add(cost(world, id, researched)?);
    }
    Some(bulbs)
}

/// Returns the bulbs that the research of an advance needs (Freeciv's `research_total_bulbs_required`). Returns `None`
/// if it depends on unknown advances of other players.
pub fn bulbs_required(world: &World, advance: u16) -> Option<u64> {
    cost(world, advance, world.my_research()?.techs_researched)
}

/// The style in which costs depend on the number of known advances.
const COST_CIV1CIV2: u8 = 0;

#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "the server calculates with doubles; a cast saturates"
)]
fn cost(world: &World, advance: u16, techs_researched: u32) -> Option<u64> {
    let (game, me) = (world.game()?, world.me()?);
    let rule = world.rulesets().advances.get(advance)?;
    let base = if game.tech_cost_style == COST_CIV1CIV2 {
        f64::from(game.base_tech_cost) * f64::from(techs_researched)
    } else {
        f64::from(rule.cost.get())
    };
    let factor = Evaluator::new(world).value(EffectType::TechCostFactor, &Context::of_player(me))?;
    let base = base * factor as f64;
    let leak = base * leakage(world, game, me, advance)?;
    let is_computer = me.ai_skill_level != 0;
    let share = if is_computer { f64::from(me.science_cost) / 100.0 } else { 1.0 };
    let bulbs = (base - leak).max(0.0) * share * f64::from(game.sciencebox) / 100.0;
    Some(bulbs.max(1.0) as u64)
}

/// Returns the fraction of an advance's cost that is saved because other players know the advance.
#[allow(
    clippy::cast_precision_loss,
    clippy::as_conversions,
    reason = "numbers of players are exact in a double"
)]
fn leakage(world: &World, game: &GameInfo, me: &PlayerInfo, advance: u16) -> Option<f64> {
    const NONE: u8 = 0;
    const EMBASSIES: u8 = 1;
    match game.tech_leakage {
        NONE => Some(0.0),
        EMBASSIES => {
            let players = world.players().filter(|player| player.is_alive);
            let (mut alive, mut knowing) = (0_u32, 0_u32);
            for player in players {
                alive = alive.saturating_add(1);
                let is_own = is_same_research(world.my_research(), world.research(player.playerno));
                if !is_own
                    && has_embassy(world, me, player)?
                    && !players::knows(world, player, advance.into()).is_no()
                {
                    knowing = knowing.saturating_add(1);
                }
            }
            Some(f64::from(knowing) * f64::from(game.tech_leak_pct) / f64::from(alive.max(1)) / 100.0)
        }
        // The other styles count players without an embassy.
        _ => None,
    }
}

fn is_same_research(mine: Option<&ResearchInfo>, other: Option<&ResearchInfo>) -> bool {
    mine.zip(other).is_some_and(|(mine, other)| mine.id == other.id)
}

fn has_embassy(world: &World, me: &PlayerInfo, with: &PlayerInfo) -> Option<bool> {
    let effect = || Evaluator::new(world).value(EffectType::HaveEmbassies, &Context::of_player(me));
    let is_teammate = me.team == with.team;
    Some(is_teammate || me.real_embassy.get(with.playerno.into()) || effect()? > 0)
}
