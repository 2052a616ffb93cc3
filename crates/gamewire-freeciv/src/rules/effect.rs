//! The values of effects.

use super::answer::Answer;
use super::context::Context;
use super::evaluator::Evaluator;
use crate::number::EffectType;
use crate::packets::{PlayerInfo, RulesetEffect};
use crate::world::World;

/// Iterates over the rules of an effect. In a version without the effect, there are none.
pub(crate) fn rules_of(world: &World, effect: EffectType) -> impl Iterator<Item = &RulesetEffect> {
    let number = effect.number(world.version());
    world.rulesets().effects.iter().filter(move |rule| number == Some(rule.effect_type))
}

impl<'w> Evaluator<'w> {
    /// Returns the value of an effect in a context, which is the sum of all its rules with satisfied requirements.
    /// Returns `None` if the value depends on something unknown.
    pub fn value(&self, effect: EffectType, context: &Context<'w>) -> Option<i64> {
        let mut sum = 0_i64;
        for rule in rules_of(self.world(), effect) {
            match self.are_active(context, &rule.reqs) {
                Answer::Yes => sum = sum.saturating_add(self.value_of(rule, context.player)?),
                Answer::No => {}
                Answer::Unknown => return None,
            }
        }
        Some(sum)
    }

    /// Returns the value of one effect, scaled by the policy of the player.
    fn value_of(&self, rule: &RulesetEffect, player: Option<&PlayerInfo>) -> Option<i64> {
        let value = i64::from(rule.effect_value);
        if !rule.has_multiplier {
            return Some(value);
        }
        let Some(player) = player else { return Some(0) };
        let multiplier = self.rulesets().multipliers.get(rule.multiplier)?;
        let chosen = player.multiplier.get(usize::from(rule.multiplier)).copied()?;
        let factor = i64::from(chosen)
            .saturating_add(multiplier.offset.into())
            .saturating_mul(multiplier.factor.into());
        Some(value.saturating_mul(factor) / 100)
    }
}
