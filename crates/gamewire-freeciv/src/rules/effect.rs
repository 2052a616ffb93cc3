use super::answer::Answer;
use super::context::Context;
use super::evaluator::Evaluator;
use crate::packets::{PlayerInfo, RulesetEffect};

/// A kind of effect, by its number on the wire (Freeciv's `effect_type`). The constants are the same in all versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effect(
    /// The number on the wire.
    pub u8,
);

impl Effect {
    /// The player can choose any government.
    pub const ANY_GOVERNMENT: Self = Self(2);
    /// Nuclear units can be built.
    pub const ENABLE_NUKE: Self = Self(4);
    /// Parts of spaceships can be built.
    pub const ENABLE_SPACE: Self = Self(5);
    /// Output that is added to a tile.
    pub const OUTPUT_ADD_TILE: Self = Self(9);
    /// Output that is added to a tile that already has some of it.
    pub const OUTPUT_INC_TILE: Self = Self(10);
    /// Output that is added to a tile, in percent.
    pub const OUTPUT_PER_TILE: Self = Self(11);
    /// The player has embassies with all players.
    pub const HAVE_EMBASSIES: Self = Self(17);
    /// Maximum size of a city.
    pub const SIZE_ADJ: Self = Self(30);
    /// The size of a city has no maximum.
    pub const SIZE_UNLIMIT: Self = Self(31);
    /// The building is a structural of a spaceship.
    pub const SS_STRUCTURAL: Self = Self(32);
    /// The building is a component of a spaceship.
    pub const SS_COMPONENT: Self = Self(33);
    /// The building is a module of a spaceship.
    pub const SS_MODULE: Self = Self(34);
    /// Moves that are added to the move rate of a unit.
    pub const MOVE_BONUS: Self = Self(36);
    /// Maximum of each of the tax, luxury and science rates, in percent.
    pub const MAX_RATES: Self = Self(57);
    /// Output of a tile above which the tile loses some of it.
    pub const OUTPUT_PENALTY_TILE: Self = Self(73);
    /// Factor of the cost of advances.
    pub const TECH_COST_FACTOR: Self = Self(80);
    /// Cities can work the tile.
    pub const TILE_WORKABLE: Self = Self(82);
    /// The player cannot take part in diplomacy.
    pub const NO_DIPLOMACY: Self = Self(66);
    /// The player needs a reason to cancel treaties.
    pub const HAS_SENATE: Self = Self(62);
    /// Percentage that is added to the cost of a building, since 3.1.
    pub const IMPR_BUILD_COST_PCT: Self = Self(84);
    /// Percentage that is added to the cost of a unit, since 3.1.
    pub const UNIT_BUILD_COST_PCT: Self = Self(89);
    /// Percentage of the food that irrigation adds.
    pub const IRRIGATION_PCT: Self = Self(93);
    /// Percentage of the shields that a mine adds.
    pub const MINING_PCT: Self = Self(94);
    /// Percentage that is taken from the output of a tile.
    pub const OUTPUT_TILE_PUNISH_PCT: Self = Self(95);
    /// Number of slots of a city for units that occupy some.
    pub const UNIT_SLOTS: Self = Self(115);
    /// Move fragments that an action costs its unit in addition, since 3.1.
    pub const ACTION_SUCCESS_MOVE_COST: Self = Self(118);
}

impl<'w> Evaluator<'w> {
    /// Returns the value of an effect in a context, which is the sum of all effects with satisfied requirements.
    /// Returns `None` if the value depends on something unknown.
    pub fn value(&self, effect: Effect, context: &Context<'w>) -> Option<i64> {
        let mut sum = 0_i64;
        for rule in self.rulesets().effects.iter().filter(|rule| rule.effect_type == effect.0) {
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
