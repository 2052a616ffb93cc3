//! Requirements about the state of a unit.

use super::answer::Answer;
use super::context::Context;
use super::kind::RequirementKind as Kind;
use crate::packets::{RulesetUnit, UnitInfo};
use crate::world::{Tile, Unit, World};

/// Returns whether the unit of a context meets a requirement.
pub(super) fn is_present<'w>(
    world: &'w World,
    context: &Context<'w>,
    kind: Kind,
    value: i32,
) -> Option<Answer> {
    let unit = context.unit?;
    let full = unit.full();
    let own = |is_met: fn(&UnitInfo, i64) -> bool| Answer::from(full.map(|it| is_met(it, value.into())));
    Some(match kind {
        Kind::MinMoves => own(|unit, value| i64::from(unit.movesleft) >= value),
        Kind::MinVeteran => (i32::from(unit.veteran()) >= value).into(),
        Kind::MinHitPoints => (i32::from(unit.hp()) >= value).into(),
        Kind::Activity => own(|unit, value| i64::from(unit.activity) == value),
        Kind::FormAge => {
            let since = full.and_then(|unit| unit.current_form_turn);
            let turn = i32::from(world.turn());
            since.map(|since| turn.saturating_sub(since.into()) >= value).into()
        }
        _ => has_state(world, context, unit, value),
    })
}

/// Returns whether a unit is in a state (Freeciv's `ustate_prop`).
fn has_state<'w>(world: &'w World, context: &Context<'w>, unit: &'w Unit, state: i32) -> Answer {
    let tile = context.tile.or_else(|| world.map().tile(unit.tile()));
    let is_native = || tile.map(|tile| world.is_native(unit, tile));
    match state {
        0 => unit.transported_by().is_some().into(),
        // A unit can also be in a city on a tile that is not native to it.
        1 => is_native().map(|is_native| is_native || world.cities().at(unit.tile()).is_some()).into(),
        2 => unit.is_occupied().into(),
        3 => unit.full().map(|unit| unit.homecity != 0).into(),
        4 => is_native().into(),
        5 => tile.zip(world.type_of(unit)).map(|(tile, it)| has_native_extra(world, tile, it)).into(),
        // The server does not send whether a unit moved.
        _ => Answer::Unknown,
    }
}

/// Returns whether a tile has an extra that units of a type can use.
fn has_native_extra(world: &World, tile: &Tile, unit_type: &RulesetUnit) -> bool {
    let class = usize::from(unit_type.unit_class_id);
    let mut extras = world.rulesets().extras.iter();
    extras.any(|extra| tile.has_extra(extra.id) && extra.native_to.get(class))
}
