//! Permissions of the ruleset: the enablers of actions, which the rulesets have since 3.1 for work on tiles.

use super::subject::Subject;
use crate::number::Action;
use crate::packets::RulesetActionEnabler;
use crate::rules::{Answer, Context, Evaluator};
use crate::world::{Unit, World};

/// An evaluator for the enablers of actions of a unit on its own tile.
pub(super) struct Permission<'s, 'w> {
    subject: &'s Subject<'w>,
    rules: Evaluator<'w>,
}

impl<'s, 'w> Permission<'s, 'w> {
    pub(super) const fn new(subject: &'s Subject<'w>) -> Self {
        Self { subject, rules: Evaluator::new(subject.world) }
    }

    /// Returns whether the ruleset permits an action on the tile, or on an extra there.
    pub(super) fn of(&self, action: Action, extra: Option<u8>) -> Answer {
        let world = self.subject.world;
        let Some(number) = action.number(world.version()) else { return Answer::No };
        let (actor, target) = (self.actor(number), self.target(number, extra));
        let enablers = world.rulesets().enablers.iter().filter(|it| it.enabled_action == number);
        Answer::any(enablers.map(|enabler| self.is_active(&actor, &target, enabler)))
    }

    /// Returns whether the ruleset permits an action on a unit of the same owner on the tile.
    pub(super) fn of_own_unit(&self, action: Action, on: &'w Unit) -> Answer {
        let world = self.subject.world;
        let Some(number) = action.number(world.version()) else { return Answer::No };
        let actor = self.actor(number);
        let me = actor.player;
        let actor = Context { other: me, ..actor };
        let target = Context {
            player: me,
            other: me,
            unit: Some(on),
            unit_type: world.type_of(on),
            ..self.target(number, None)
        };
        let enablers = world.rulesets().enablers.iter().filter(|it| it.enabled_action == number);
        Answer::any(enablers.map(|enabler| self.is_active(&actor, &target, enabler)))
    }

    fn is_active(&self, actor: &Context<'w>, target: &Context<'w>, enabler: &RulesetActionEnabler) -> Answer {
        let by_actor = self.rules.are_active(actor, &enabler.actor_reqs);
        by_actor.and(|| self.rules.are_active(target, &enabler.target_reqs))
    }

    fn actor(&self, action: u8) -> Context<'w> {
        Context { action: Some(action), ..of_unit(self.subject) }
    }

    fn target(&self, action: u8, extra: Option<u8>) -> Context<'w> {
        let (world, tile): (&'w World, _) = (self.subject.world, self.subject.tile);
        Context {
            player: tile.owner.and_then(|owner| world.player(owner)),
            city: world.cities().at(tile.tile),
            tile: Some(tile),
            action: Some(action),
            other: world.player(self.subject.unit.owner()),
            extra,
            ..Context::default()
        }
    }
}

/// Returns the context of a unit: its owner, the city and tile where it is, and the owner of the tile as the other
/// player.
pub(super) fn of_unit<'w>(subject: &Subject<'w>) -> Context<'w> {
    let (world, tile) = (subject.world, subject.tile);
    Context {
        player: world.player(subject.unit.owner()),
        city: world.cities().at(tile.tile),
        tile: Some(tile),
        unit: Some(subject.unit),
        unit_type: Some(subject.unit_type),
        other: tile.owner.and_then(|owner| world.player(owner)),
        ..Context::default()
    }
}
