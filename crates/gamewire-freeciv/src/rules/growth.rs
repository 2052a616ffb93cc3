use super::context::Context;
use super::evaluator::Evaluator;
use crate::number::{EffectType, Output};
use crate::world::{City, World};

/// The next change of a city's size, at its current surplus of food.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Growth {
    /// The city grows.
    Grows {
        /// Number of turns.
        turns: u32,
    },
    /// The granary is full, but the city needs a building to grow.
    Full,
    /// The city starves and shrinks.
    Shrinks {
        /// Number of turns.
        turns: u32,
    },
    /// The size does not change.
    Stays,
}

/// Returns the food that a city of this size needs to grow (Freeciv's `city_granary_size`). Returns `None` before the
/// game.
pub fn granary_size(world: &World, size: u8) -> Option<u32> {
    let game = world.game()?;
    let Some(last) = size.checked_sub(1) else { return Some(0) };
    let (size, listed) = (u32::from(size), u32::from(game.granary_num_inis));
    let ini = |index: usize| game.granary_food_ini.get(index).copied().map(u32::from);
    let base = if size > listed {
        let listed_last = game.granary_num_inis.checked_sub(1)?;
        let more = u32::from(game.granary_food_inc).saturating_mul(size.saturating_sub(listed));
        ini(listed_last.into())?.saturating_add(more)
    } else {
        ini(last.into())?
    };
    let food = u64::from(base).saturating_mul(game.foodbox.into()) / 100;
    u32::try_from(food.max(1)).ok()
}

/// Returns when an own city grows or shrinks (Freeciv's `city_turns_to_grow`). Returns `None` if the city is not fully
/// known.
pub fn growth(world: &World, city: &City) -> Option<Growth> {
    let full = city.full()?;
    let surplus = i64::from(full.surplus.get(usize::from(Output::FOOD.0)).copied()?);
    let stock = i64::from(full.food_stock);
    let granary = i64::from(granary_size(world, full.size)?);
    let turns = |turns: i64| u32::try_from(turns.max(1)).ok();
    Some(if surplus > 0 {
        if can_grow(world, city)? {
            let missing = granary.saturating_sub(stock).max(1).unsigned_abs();
            Growth::Grows { turns: u32::try_from(missing.div_ceil(surplus.unsigned_abs())).ok()? }
        } else {
            Growth::Full
        }
    } else if surplus < 0 {
        // The city starves in the turn in which the stock falls below zero.
        let left = stock.max(0).checked_div(surplus.checked_neg()?)?;
        Growth::Shrinks { turns: turns(left.saturating_add(1))? }
    } else {
        Growth::Stays
    })
}

/// Returns whether a city can grow by one citizen (Freeciv's `city_can_grow_to`).
fn can_grow(world: &World, city: &City) -> Option<bool> {
    let rules = Evaluator::new(world);
    let context = Context::of_city(world, city);
    let next = i64::from(city.size()).saturating_add(1);
    let has_no_limit = rules.value(EffectType::SizeUnlimit, &context)? > 0;
    Some(has_no_limit || next <= rules.value(EffectType::SizeAdj, &context)?)
}
