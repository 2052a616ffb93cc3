//! The rules that require a thing.

use super::kind::RequirementKind as Kind;
use crate::codec::Requirement;
use crate::packets::{
    RulesetBuilding, RulesetEffect, RulesetExtra, RulesetGovernment, RulesetSpecialist, RulesetTech,
    RulesetUnit,
};
use crate::world::World;

/// A thing that another one permits, because it requires it. It may have further requirements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Permitted<'w> {
    /// An advance.
    Advance(&'w RulesetTech),
    /// A building.
    Building(&'w RulesetBuilding),
    /// A unit type.
    UnitType(&'w RulesetUnit),
    /// A government.
    Government(&'w RulesetGovernment),
    /// An extra, such as a road.
    Extra(&'w RulesetExtra),
    /// A specialist.
    Specialist(&'w RulesetSpecialist),
}

impl Permitted<'_> {
    /// Returns the kind of the thing, in lower case.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Advance(_) => "advance",
            Self::Building(_) => "building",
            Self::UnitType(_) => "unit type",
            Self::Government(_) => "government",
            Self::Extra(_) => "extra",
            Self::Specialist(_) => "specialist",
        }
    }

    /// Returns the name in the ruleset.
    pub fn rule_name(&self) -> String {
        let name = match self {
            Self::Advance(rule) => &rule.rule_name,
            Self::Building(rule) => &rule.rule_name,
            Self::UnitType(rule) => &rule.rule_name,
            Self::Government(rule) => &rule.rule_name,
            Self::Extra(rule) => &rule.rule_name,
            Self::Specialist(rule) => &rule.rule_name,
        };
        name.to_str_lossy().into_owned()
    }
}

/// A thing as requirements name it.
#[derive(Clone, Copy)]
pub(super) struct Thing<'w> {
    world: &'w World,
    kind: Kind,
    value: i32,
}

impl<'w> Thing<'w> {
    pub(super) const fn new(world: &'w World, kind: Kind, value: i32) -> Self {
        Self { world, kind, value }
    }

    /// Returns whether any of the requirements demands the thing.
    fn is_required(&self, requirements: &[Requirement]) -> bool {
        requirements.iter().any(|requirement| {
            requirement.present
                && requirement.value == self.value
                && Kind::of(requirement, self.world.version()) == self.kind
        })
    }

    /// Returns whether a unit type requires the thing. Up to 3.1, separate fields contain some things.
    fn is_required_by_unit_type(&self, rule: &RulesetUnit) -> bool {
        let field = match self.kind {
            Kind::Advance => rule.tech_requirement.map(i32::from),
            Kind::Improvement => rule.impr_requirement.map(i32::from),
            Kind::Government => rule.gov_requirement.map(i32::from),
            _ => None,
        };
        field == Some(self.value) || rule.build_reqs.as_ref().is_some_and(|reqs| self.is_required(reqs))
    }

    /// Iterates over the things that require this one.
    pub(super) fn permits(self) -> impl Iterator<Item = Permitted<'w>> {
        let rules = self.world.rulesets();
        let advances = rules.advances.iter().filter(move |rule| self.is_required(&rule.research_reqs));
        let buildings = rules.buildings.iter().filter(move |rule| self.is_required(&rule.reqs));
        let unit_types = rules.unit_types.iter().filter(move |rule| self.is_required_by_unit_type(rule));
        let governments = rules.governments.iter().filter(move |rule| self.is_required(&rule.reqs));
        let extras = rules.extras.iter().filter(move |rule| self.is_required(&rule.reqs));
        let specialists = rules.specialists.iter().filter(move |rule| self.is_required(&rule.reqs));
        advances
            .map(Permitted::Advance)
            .chain(buildings.map(Permitted::Building))
            .chain(unit_types.map(Permitted::UnitType))
            .chain(governments.map(Permitted::Government))
            .chain(extras.map(Permitted::Extra))
            .chain(specialists.map(Permitted::Specialist))
    }

    /// Iterates over the buildings that the thing makes obsolete.
    pub(super) fn makes_obsolete(self) -> impl Iterator<Item = &'w RulesetBuilding> {
        self.world.rulesets().buildings.iter().filter(move |rule| self.is_required(&rule.obs_reqs))
    }

    /// Iterates over the effects that require the thing.
    pub(super) fn effects(self) -> impl Iterator<Item = &'w RulesetEffect> {
        self.world.rulesets().effects.iter().filter(move |rule| self.is_required(&rule.reqs))
    }
}
