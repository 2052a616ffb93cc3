//! Requirements about players: their advances, government and nation.

use super::answer::Answer;
use super::context::Context;
use super::evaluator::{Evaluator, flag};
use super::kind::{RequirementKind as Kind, RequirementRange as Range};
use crate::codec::Requirement;
use crate::number::DiplomaticState;
use crate::packets::PlayerInfo;
use crate::world::World;

/// State of an advance that a player knows, as a character in the text of a research.
const KNOWN: u8 = b'2';

/// Returns whether two players are allies or on the same team. A player is its own ally.
pub(crate) fn are_allied(world: &World, one: u16, other: u16) -> bool {
    let state = world.diplomacy().relation(one, other).map(|relation| relation.state);
    one == other || matches!(state, Some(DiplomaticState::ALLIANCE | DiplomaticState::TEAM))
}

/// Returns whether two players are at war. Players without contact are at war.
pub(crate) fn are_at_war(world: &World, one: u16, other: u16) -> bool {
    let state = world.diplomacy().relation(one, other).map(|relation| relation.state);
    one != other && matches!(state, None | Some(DiplomaticState::WAR | DiplomaticState::NO_CONTACT))
}

/// Returns whether a player, or its group, has the required thing.
pub(super) fn is_present<'w>(
    rules: &Evaluator<'w>,
    context: &Context<'w>,
    kind: Kind,
    range: Range,
    requirement: &Requirement,
) -> Option<Answer> {
    let value = requirement.value;
    if kind == Kind::Advance && requirement.survives {
        let advances = rules.world().game().map(|game| game.global_advances.as_slice());
        return Some(advances.and_then(|known| known.get(flag(value)?).copied()).into());
    }
    if kind == Kind::MinTechs && range == Range::World {
        // The advance "None" does not count.
        let count = rules.world().game().map(|game| i32::from(game.global_advance_count).saturating_sub(1));
        return Some(count.map(|count| count >= value).into());
    }
    let of = |player: &PlayerInfo| match kind {
        Kind::Advance => knows(rules.world(), player, value),
        Kind::Government => (i32::from(player.government) == value).into(),
        Kind::Nation => (i32::from(player.nation) == value).into(),
        Kind::NationGroup => {
            let nation = rules.rulesets().nations.get(player.nation);
            nation.map(|nation| nation.groups.iter().any(|group| i32::from(*group) == value)).into()
        }
        Kind::Style => (i32::from(player.style) == value).into(),
        Kind::AiLevel => (i32::from(player.ai_skill_level) == value && player.ai_skill_level != 0).into(),
        Kind::MinTechs => {
            let known =
                rules.world().research(player.playerno).map(|research| i64::from(research.techs_researched));
            known.map(|known| known.saturating_sub(1) >= i64::from(value)).into()
        }
        Kind::TechFlag => knows_flag(rules, player, value),
        _ => Answer::Unknown,
    };
    let player = context.player?;
    match (kind, range) {
        (_, Range::Player) | (Kind::Government | Kind::Style | Kind::AiLevel, _) => Some(of(player)),
        (_, Range::Team | Range::Alliance | Range::World) => {
            Some(Answer::any(in_range(rules.world(), player, range).map(of)))
        }
        _ => Some(Answer::Unknown),
    }
}

/// Returns whether a player has a diplomatic relation: to the other player, or to the owner of the tile.
pub(super) fn is_related<'w>(
    rules: &Evaluator<'w>,
    context: &Context<'w>,
    kind: Kind,
    range: Range,
    value: i32,
) -> Option<Answer> {
    let me = context.player?;
    let other = match kind {
        Kind::DiplRelTile => rules.world().player(context.tile?.owner?)?,
        _ => context.other?,
    };
    Some(if range == Range::Local { has_relation(rules.world(), me, other, value) } else { Answer::Unknown })
}

/// Returns whether one player has a relation to another. Numbers above the diplomatic states are other relations.
fn has_relation(world: &World, one: &PlayerInfo, other: &PlayerInfo, relation: i32) -> Answer {
    const GIVES_VISION: i32 = 7;
    const RECEIVES_VISION: i32 = 8;
    const HOSTS_REAL_EMBASSY: i32 = 11;
    const HAS_REAL_EMBASSY: i32 = 12;
    const FOREIGN: i32 = 15;
    let bit = |player: &PlayerInfo| usize::from(player.playerno);
    let is_foreign = one.playerno != other.playerno;
    match relation {
        GIVES_VISION => one.gives_shared_vision.get(bit(other)).into(),
        RECEIVES_VISION => other.gives_shared_vision.get(bit(one)).into(),
        HOSTS_REAL_EMBASSY => other.real_embassy.get(bit(one)).into(),
        HAS_REAL_EMBASSY => one.real_embassy.get(bit(other)).into(),
        FOREIGN => is_foreign.into(),
        0..GIVES_VISION => {
            let state = world.diplomacy().relation(one.playerno, other.playerno).map(|it| it.state);
            let state = state.unwrap_or(DiplomaticState::NO_CONTACT);
            (is_foreign && i32::from(state.0) == relation).into()
        }
        _ => Answer::Unknown,
    }
}

/// Iterates over the living players within a range of a player, starting with the player.
pub(super) fn in_range<'w>(
    world: &'w World,
    player: &'w PlayerInfo,
    range: Range,
) -> impl Iterator<Item = &'w PlayerInfo> {
    let others = world.players().filter(move |other| {
        let is_in_range = match range {
            Range::World => true,
            Range::Alliance => are_allied(world, player.playerno, other.playerno),
            Range::Team => other.team == player.team,
            _ => false,
        };
        other.playerno != player.playerno && other.is_alive && is_in_range
    });
    core::iter::once(player).chain(others)
}

/// Returns whether a player knows an advance.
pub(super) fn knows(world: &World, player: &PlayerInfo, advance: i32) -> Answer {
    let research = world.research(player.playerno);
    let state = research.and_then(|research| research.inventions.get(flag(advance)?).copied());
    state.map(|state| state == KNOWN).into()
}

fn knows_flag(rules: &Evaluator<'_>, player: &PlayerInfo, of: i32) -> Answer {
    let Some(bit) = flag(of) else { return Answer::No };
    let advances = rules.rulesets().advances.iter().filter(|advance| advance.flags.get(bit));
    Answer::any(advances.map(|advance| knows(rules.world(), player, advance.id.into())))
}
