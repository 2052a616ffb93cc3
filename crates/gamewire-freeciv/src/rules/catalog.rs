//! The rules of advances, buildings and governments, one by one.

use super::answer::Answer;
use super::building::BuildingGenus;
use super::context::Context;
use super::evaluator::Evaluator;
use super::kind::RequirementKind as Kind;
use super::requirement::{NamedRequirement, flag_name, named};
use super::research;
use super::view::views;
use crate::number::{AdvanceFlag, BuildingFlag, EffectType};
use crate::packets::{PlayerInfo, RulesetEffect, RulesetMultiplier};
use crate::world::World;

views! {
    /// An advance with its cost and requirements, and the rules that require it.
    AdvanceRule: RulesetTech in advances as Advance,
    /// Iterates over all advances by id. Rulesets leave some ids out.
    advances;
    /// A building or a wonder with its cost, requirements and effects.
    BuildingRule: RulesetBuilding in buildings as Improvement,
    /// Iterates over all buildings by id.
    buildings;
    /// A government with its requirements and effects.
    GovernmentRule: RulesetGovernment in governments as Government,
    /// Iterates over all governments by id.
    governments;
}

impl<'w> AdvanceRule<'w> {
    /// Iterates over the advances that must be known to research this one.
    pub fn needs(&self) -> impl Iterator<Item = Self> {
        let world = self.world;
        let required = self.rule.research_reqs.iter().filter(move |requirement| {
            requirement.present && Kind::of(requirement, world.version()) == Kind::Advance
        });
        let rules = required.filter_map(move |requirement| world.rulesets().advances.get(requirement.value));
        rules.map(move |rule| Self { world, rule })
    }

    /// Iterates over all requirements of the research.
    pub fn requirements(&self) -> impl Iterator<Item = NamedRequirement> + use<'w> {
        named(self.world, &self.rule.research_reqs)
    }

    /// Returns the advance that must be known to acquire this one, or one that depends on it, by other means than
    /// research.
    pub fn root(&self) -> Option<Self> {
        /// The advance "None", which all players know.
        const NONE: u16 = 0;
        let root = Some(self.rule.root_req).filter(|root| *root != NONE)?;
        Some(Self { world: self.world, rule: self.world.rulesets().advances.get(root)? })
    }

    /// Returns the bulbs that the own player needs for the advance now. Returns `None` if they depend on unknown facts,
    /// or if there is no own player.
    pub fn cost(&self) -> Option<u64> {
        research::bulbs_required(self.world, self.rule.id)
    }

    /// Returns the bulbs in the ruleset, before the settings and effects of a game apply.
    pub const fn base_cost(&self) -> f32 {
        self.rule.cost.get()
    }

    /// Iterates over the names of the flags.
    pub fn flags(&self) -> impl Iterator<Item = String> + use<'w> {
        let world = self.world;
        let defined = &world.rulesets().advance_flags;
        let bits = self.rule.flags.iter_ones();
        bits.filter_map(|bit| flag_name(world, bit, AdvanceFlag::of, AdvanceFlag::name, defined))
    }

    /// Returns whether the own player knows the advance.
    pub fn is_known(&self) -> bool {
        self.world.my_number().is_some_and(|me| self.world.has_advance(me, self.rule.id))
    }

    /// Returns whether the own player can research the advance now.
    pub fn can_research(&self) -> Answer {
        research::can_research(self.world, self.rule.id)
    }
}

impl<'w> BuildingRule<'w> {
    /// Iterates over the requirements of a city to build it.
    pub fn requirements(&self) -> impl Iterator<Item = NamedRequirement> + use<'w> {
        named(self.world, &self.rule.reqs)
    }

    /// Iterates over the requirements that make the building obsolete when one of them is met.
    pub fn obsolete_by(&self) -> impl Iterator<Item = NamedRequirement> + use<'w> {
        named(self.world, &self.rule.obs_reqs)
    }

    /// Returns the cost in shields with the settings of the game, before effects of the city apply. See
    /// [`build_cost`](super::build_cost) for a city. Returns `None` before the game.
    pub fn cost(&self) -> Option<u32> {
        Some((u32::from(self.rule.build_cost).saturating_mul(self.world.game()?.shieldbox) / 100).max(1))
    }

    /// Iterates over the names of the flags.
    pub fn flags(&self) -> impl Iterator<Item = String> + use<'w> {
        let world = self.world;
        let defined = &world.rulesets().building_flags;
        let bits = self.rule.flags.iter_ones();
        bits.filter_map(|bit| flag_name(world, bit, BuildingFlag::of, BuildingFlag::name, defined))
    }

    /// Returns whether only one player can have the building, in one city.
    pub fn is_great_wonder(&self) -> bool {
        BuildingGenus::of(self.rule.genus) == BuildingGenus::GreatWonder
    }

    /// Returns whether a player can have the building in one city only.
    pub fn is_small_wonder(&self) -> bool {
        BuildingGenus::of(self.rule.genus) == BuildingGenus::SmallWonder
    }

    /// Returns whether the building is obsolete for the own player. A city may make it obsolete earlier.
    pub fn is_obsolete(&self) -> Answer {
        self.world.me().map_or(Answer::Unknown, |me| {
            Evaluator::new(self.world).is_obsolete(&Context::of_player(me), self.rule)
        })
    }

    /// Returns the owner of a great wonder.
    pub fn owner(&self) -> Option<&'w PlayerInfo> {
        let owners = self.world.game().filter(|_| self.is_great_wonder())?.great_wonder_owners.as_slice();
        self.world.player(*owners.get(usize::from(self.rule.id))?)
    }
}

impl<'w> GovernmentRule<'w> {
    /// Iterates over the requirements of a player to choose it.
    pub fn requirements(&self) -> impl Iterator<Item = NamedRequirement> + use<'w> {
        named(self.world, &self.rule.reqs)
    }

    /// Returns the maximum of each of the tax, luxury and science rates for the own player under this government, in
    /// percent. Returns `None` if it depends on unknown facts, or if there is no own player.
    pub fn max_rate(&self) -> Option<u8> {
        /// The lowest maximum with which three rates can be 100 percent together.
        const MIN: i64 = 34;
        let me = PlayerInfo { government: self.rule.id, ..self.world.me()?.clone() };
        let rate = Evaluator::new(self.world).value(EffectType::MaxRates, &Context::of_player(&me))?;
        u8::try_from(rate.clamp(MIN, 100)).ok()
    }

    /// Returns whether the own player can choose the government now (Freeciv's `can_change_to_government`).
    pub fn can_choose(&self) -> Answer {
        let Some(me) = self.world.me() else { return Answer::Unknown };
        let during_revolution = self.world.game().map(|game| game.government_during_revolution_id);
        if during_revolution == Some(self.rule.id) {
            return Answer::No;
        }
        let (rules, context) = (Evaluator::new(self.world), Context::of_player(me));
        let any = Answer::from(rules.value(EffectType::AnyGovernment, &context).map(|value| value > 0));
        any.or(|| rules.are_active(&context, &self.rule.reqs))
    }
}

/// An effect: a value that is added while all its requirements are met.
#[derive(Clone, Copy, Debug)]
pub struct EffectRule<'w> {
    pub(super) world: &'w World,
    pub(super) rule: &'w RulesetEffect,
}

/// Iterates over all effects of the ruleset.
pub fn effects(world: &World) -> impl ExactSizeIterator<Item = EffectRule<'_>> {
    world.rulesets().effects.iter().map(move |rule| EffectRule { world, rule })
}

impl<'w> EffectRule<'w> {
    /// Returns the effect, or `None` if its number is unknown.
    pub fn effect(&self) -> Option<EffectType> {
        EffectType::of(self.world.version(), self.rule.effect_type)
    }

    /// Returns the name in rulesets, or `None` if the number is unknown.
    pub fn name(&self) -> Option<&'static str> {
        self.effect().map(EffectType::name)
    }

    /// Returns the value, before a policy scales it.
    pub const fn value(&self) -> i32 {
        self.rule.effect_value
    }

    /// Iterates over the requirements.
    pub fn requirements(&self) -> impl Iterator<Item = NamedRequirement> + use<'w> {
        named(self.world, &self.rule.reqs)
    }

    /// Returns the policy that scales the value.
    pub fn policy(&self) -> Option<&'w RulesetMultiplier> {
        let has_policy = self.rule.has_multiplier;
        has_policy.then(|| self.world.rulesets().multipliers.get(self.rule.multiplier)).flatten()
    }
}
