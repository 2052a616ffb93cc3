//! The rules of unit types, one by one.

use std::borrow::Cow;

use super::kind::{RequirementKind as Kind, RequirementRange as Range};
use super::requirement::{NamedRequirement, flag_name, named};
use super::view::views;
use crate::codec::Bitvector;
use crate::number::{UnitClassFlag, UnitRole, UnitTypeFlag};
use crate::packets::{RulesetUnitBonus, RulesetUnitClass};

views! {
    /// A unit type with its cost, requirements and abilities.
    UnitTypeRule: RulesetUnit in unit_types as UnitType,
    /// Iterates over all unit types by id.
    unit_types;
}

/// The terrain on which the units of a class can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Domain {
    /// On land.
    Land,
    /// At sea.
    Sea,
    /// On land and at sea, as aircraft are.
    Both,
    /// Nowhere by terrain alone, such as trains, which need a railroad.
    None,
}

/// A level of experience of a unit type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VeteranLevel {
    /// The name.
    pub name: String,
    /// Strength in percent. A unit without experience has 100.
    pub power_percent: u16,
    /// Move fragments that are added to the move rate.
    pub move_bonus: u32,
    /// Probability of a promotion to the next level by a fight, in percent.
    pub raise_chance: u8,
    /// Probability of a promotion to the next level by a turn of work, in percent.
    pub work_raise_chance: u8,
}

impl<'w> UnitTypeRule<'w> {
    /// Returns the class.
    pub fn class(&self) -> Option<&'w RulesetUnitClass> {
        self.world.rulesets().unit_classes.get(self.rule.unit_class_id)
    }

    /// Returns where the units can be because of the terrain. Extras, such as rivers, can add to it.
    pub fn domain(&self) -> Domain {
        /// The class of terrain that is ocean.
        const OCEAN: u8 = 1;
        let class = usize::from(self.rule.unit_class_id);
        let terrains = &self.world.rulesets().terrains;
        let is_native =
            |ocean: bool| terrains.iter().any(|it| (it.tclass == OCEAN) == ocean && it.native_to.get(class));
        match (is_native(false), is_native(true)) {
            (true, true) => Domain::Both,
            (true, false) => Domain::Land,
            (false, true) => Domain::Sea,
            (false, false) => Domain::None,
        }
    }

    /// Iterates over the requirements to build it. Fields of 3.0 and 3.1 with a required advance, building or government
    /// are requirements, too.
    pub fn requirements(&self) -> impl Iterator<Item = NamedRequirement> + use<'w> {
        let (world, rule) = (self.world, self.rule);
        let by_field = |kind, range, value: Option<i32>| {
            let named = NamedRequirement::by_id(world, kind, range, value?);
            named.name.is_some().then_some(named)
        };
        // The advance "None" is in the field of a unit type without a required advance.
        let advance = rule.tech_requirement.map(i32::from).filter(|advance| *advance != 0);
        let fields = [
            by_field(Kind::Advance, Range::Player, advance),
            by_field(Kind::Improvement, Range::City, rule.impr_requirement.map(i32::from)),
            by_field(Kind::Government, Range::Player, rule.gov_requirement.map(i32::from)),
        ];
        let listed = rule.build_reqs.as_deref().unwrap_or_default();
        fields.into_iter().flatten().chain(named(world, listed))
    }

    /// Returns the cost in shields with the settings of the game, before effects of the city apply. See
    /// [`build_cost`](super::build_cost) for a city. Returns `None` before the game.
    pub fn cost(&self) -> Option<u32> {
        Some((u32::from(self.rule.build_cost).saturating_mul(self.world.game()?.shieldbox) / 100).max(1))
    }

    /// Returns the type that makes this one obsolete.
    pub fn obsoleted_by(&self) -> Option<Self> {
        let rule = self.world.rulesets().unit_types.get(self.rule.obsoleted_by)?;
        Some(Self { world: self.world, rule })
    }

    /// Returns the type to which a unit can be converted.
    pub fn converted_to(&self) -> Option<Self> {
        let rule = self.world.rulesets().unit_types.get(self.rule.converted_to)?;
        Some(Self { world: self.world, rule })
    }

    /// Iterates over the classes that a unit can carry. The number of units is
    /// [`transport_capacity`](crate::packets::RulesetUnit::transport_capacity).
    pub fn cargo(&self) -> impl Iterator<Item = &'w RulesetUnitClass> {
        self.classes(&self.rule.cargo)
    }

    /// Iterates over the classes that a unit can attack although they are unreachable for others.
    pub fn targets(&self) -> impl Iterator<Item = &'w RulesetUnitClass> {
        self.classes(&self.rule.targets)
    }

    /// Iterates over the classes of transporters that a unit can board anywhere.
    pub fn embarks(&self) -> impl Iterator<Item = &'w RulesetUnitClass> {
        self.classes(&self.rule.embarks)
    }

    /// Iterates over the classes of transporters that a unit can leave anywhere.
    pub fn disembarks(&self) -> impl Iterator<Item = &'w RulesetUnitClass> {
        self.classes(&self.rule.disembarks)
    }

    fn classes(&self, of: &'w Bitvector<4>) -> impl Iterator<Item = &'w RulesetUnitClass> + use<'w> {
        let classes = &self.world.rulesets().unit_classes;
        of.iter_ones().filter_map(|class| classes.get(class))
    }

    /// Iterates over the names of the flags.
    pub fn flags(&self) -> impl Iterator<Item = String> + use<'w> {
        let world = self.world;
        let defined = &world.rulesets().unit_flags;
        let bits = self.rule.flags.iter_ones();
        bits.filter_map(|bit| flag_name(world, bit, UnitTypeFlag::of, UnitTypeFlag::name, defined))
    }

    /// Iterates over the names of the flags of the class.
    pub fn class_flags(&self) -> impl Iterator<Item = String> + use<'w> {
        let world = self.world;
        let defined = &world.rulesets().unit_class_flags;
        let bits = self.class().into_iter().flat_map(|class| class.flags.iter_ones());
        bits.filter_map(|bit| flag_name(world, bit, UnitClassFlag::of, UnitClassFlag::name, defined))
    }

    /// Iterates over the names of the roles, by which the server and its AI choose types.
    pub fn roles(&self) -> impl Iterator<Item = &'static str> + use<'w> {
        let version = self.world.version();
        let role = move |bit| UnitRole::of(version, u8::try_from(bit).ok()?);
        self.rule.roles.iter_ones().filter_map(role).map(UnitRole::name)
    }

    /// Returns the levels of experience of the type, or the levels of the game if the type has none.
    pub fn veteran_levels(&self) -> Vec<VeteranLevel> {
        let rule = self.rule;
        if rule.veteran_levels > 0 {
            let chances = (rule.raise_chance.as_slice(), rule.work_raise_chance.as_slice());
            return levels(rule.veteran_name.iter_lossy(), &rule.power_fact, &rule.move_bonus, chances);
        }
        let game = self.world.rulesets().game.as_ref();
        game.map_or_else(Vec::new, |game| {
            let chances = (game.raise_chance.as_slice(), game.work_raise_chance.as_slice());
            levels(game.veteran_name.iter_lossy(), &game.power_fact, &game.move_bonus, chances)
        })
    }

    /// Iterates over the bonuses in fights against types with certain flags.
    pub fn bonuses(&self) -> impl Iterator<Item = &'w RulesetUnitBonus> {
        let id = self.rule.id;
        self.world.rulesets().unit_bonuses.iter().filter(move |bonus| bonus.unit == id)
    }
}

fn levels<'t>(
    names: impl Iterator<Item = Cow<'t, str>>,
    powers: &[u16],
    moves: &[u32],
    (raises, works): (&[u8], &[u8]),
) -> Vec<VeteranLevel> {
    let level = |(number, name): (usize, Cow<'_, str>)| {
        Some(VeteranLevel {
            name: name.into_owned(),
            power_percent: *powers.get(number)?,
            move_bonus: *moves.get(number)?,
            raise_chance: *raises.get(number)?,
            work_raise_chance: *works.get(number)?,
        })
    };
    names.enumerate().map_while(level).collect()
}
