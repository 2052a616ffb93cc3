//! The moves of a unit at the start of a turn.

use super::movement::Movement;
use crate::number::{EffectType, UnitClassFlag};
use crate::packets::RulesetEffect;
use crate::rules::{Answer, Context, Evaluator, rules_of};
use crate::world::{Tile, Unit};

/// The move rate of a unit. It depends on the tile on which a turn begins.
#[derive(Debug)]
pub(super) struct MoveRate<'w> {
    movement: &'w Movement<'w>,
    /// Moves after damage, without effects.
    base: u32,
    /// Minimum moves at any damage.
    min: u32,
    bonuses: Vec<&'w RulesetEffect>,
    rules: Evaluator<'w>,
}

impl<'w> MoveRate<'w> {
    /// Maximum number of requirements that one search evaluates. After them, effects are ignored.
    const MAX_REQUIREMENTS: u32 = 4_000_000;

    /// Creates the rate of a unit with its current damage.
    pub(super) fn new(movement: &'w Movement<'w>, unit: &Unit) -> Self {
        let (world, unit_type) = (movement.world, movement.unit_type);
        let rulesets = world.rulesets();
        let level = usize::from(unit.veteran());
        let of_game = || rulesets.game.as_ref().and_then(|game| game.move_bonus.get(level));
        let of_type = unit_type.move_bonus.get(level);
        let bonus = if unit_type.veteran_levels == 0 { of_game() } else { of_type };
        let full = unit_type.move_rate.saturating_add(bonus.copied().unwrap_or_default());
        let damaged = u64::from(full).saturating_mul(unit.hp().into()).checked_div(unit_type.hp.into());
        let is_slowed = movement.class_has_flag(UnitClassFlag::DamageSlows);
        let damaged = damaged.and_then(|moves| u32::try_from(moves).ok()).unwrap_or(full);
        Self {
            movement,
            base: if is_slowed { damaged } else { full },
            min: movement.class.min_speed.min(full),
            bonuses: rules_of(world, EffectType::MoveBonus).collect(),
            rules: Evaluator::with_limit(world, Self::MAX_REQUIREMENTS),
        }
    }

    /// Returns the moves of a turn that begins on a tile, in move fragments (Freeciv's `unit_move_rate`).
    pub(super) fn at(&self, tile: &'w Tile) -> u32 {
        let world = self.movement.world;
        let context = Context {
            player: world.player(self.movement.owner),
            city: world.cities().at(tile.tile),
            tile: Some(tile),
            unit_type: Some(self.movement.unit_type),
            ..Context::default()
        };
        let active =
            self.bonuses.iter().filter(|effect| self.rules.are_active(&context, &effect.reqs) == Answer::Yes);
        let moves = active.fold(0_i64, |moves, effect| moves.saturating_add(effect.effect_value.into()));
        let fragments = moves.saturating_mul(self.movement.single_move().into());
        let rate = i64::from(self.base).saturating_add(fragments).max(self.min.into());
        u32::try_from(rate).unwrap_or(u32::MAX)
    }
}
