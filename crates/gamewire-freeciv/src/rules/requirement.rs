//! Requirements with the names of the things that they are about.

use core::fmt;

use super::kind::{RequirementKind as Kind, RequirementRange};
use crate::codec::{ProtocolVersion, Requirement};
use crate::number::{
    Action, Activity, AdvanceFlag, BuildingFlag, DiplomaticState, ExtraFlag, Output, TerrainFlag,
    UnitClassFlag, UnitTypeFlag,
};
use crate::world::{Rule, Table, World};

/// A requirement with the names of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRequirement {
    /// The kind of the required thing.
    pub kind: Kind,
    /// The distance or the group in which the thing counts; `None` if its number is unknown.
    pub range: Option<RequirementRange>,
    /// The number on the wire: the id of the thing, or the required amount.
    pub value: i32,
    /// The name of the thing; `None` if the requirement is about an amount or an unknown thing.
    pub name: Option<String>,
    /// True if the thing must be there, false if it must not be there.
    pub is_present: bool,
    /// True if the thing still counts after it was destroyed.
    pub survives: bool,
}

impl NamedRequirement {
    /// Describes a requirement of a world's rulesets.
    pub fn new(world: &World, requirement: &Requirement) -> Self {
        let kind = Kind::of(requirement, world.version());
        Self {
            kind,
            range: RequirementRange::of(requirement, world.version()),
            value: requirement.value,
            name: name(world, kind, requirement.value),
            is_present: requirement.present,
            survives: requirement.survives,
        }
    }

    /// Describes a thing that must be there.
    pub(super) fn by_id(world: &World, kind: Kind, range: RequirementRange, value: i32) -> Self {
        let name = name(world, kind, value);
        Self { kind, range: Some(range), value, name, is_present: true, survives: false }
    }
}

/// Formats as `Tech "Bronze Working" (Player)`, or with "no" before it if the thing must not be there.
impl fmt::Display for NamedRequirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_present {
            f.write_str("no ")?;
        }
        write!(f, "{} ", self.kind)?;
        match &self.name {
            Some(name) => write!(f, "{name:?}")?,
            None => write!(f, "{}", self.value)?,
        }
        self.range.map_or(Ok(()), |range| write!(f, " ({range})"))
    }
}

/// Describes requirements.
pub(super) fn named<'w>(
    world: &'w World,
    requirements: impl IntoIterator<Item = &'w Requirement>,
) -> impl Iterator<Item = NamedRequirement> {
    requirements.into_iter().map(|requirement| NamedRequirement::new(world, requirement))
}

/// Returns the rule name of the thing with a number, if the kind has named things and this one is known.
fn name(world: &World, kind: Kind, value: i32) -> Option<String> {
    let rules = world.rulesets();
    Some(match kind {
        Kind::Advance => rule_name(&rules.advances, value)?,
        Kind::Government => rule_name(&rules.governments, value)?,
        Kind::Improvement => rule_name(&rules.buildings, value)?,
        Kind::Terrain => rule_name(&rules.terrains, value)?,
        Kind::Nation | Kind::Nationality | Kind::OriginalOwner => rule_name(&rules.nations, value)?,
        Kind::UnitType => rule_name(&rules.unit_types, value)?,
        Kind::UnitClass => rule_name(&rules.unit_classes, value)?,
        Kind::Specialist => rule_name(&rules.specialists, value)?,
        Kind::Good => rule_name(&rules.goods, value)?,
        Kind::Extra => rule_name(&rules.extras, value)?,
        Kind::Achievement => rule_name(&rules.achievements, value)?,
        Kind::Style => rule_name(&rules.styles, value)?,
        Kind::NationGroup => {
            let groups = &rules.nation_groups.as_ref()?.groups;
            groups.iter_lossy().nth(usize::try_from(value).ok()?)?.into_owned()
        }
        Kind::ServerSetting => world.settings().name(u16::try_from(value).ok()?)?.to_owned(),
        Kind::Action => Action::of(world.version(), u8::try_from(value).ok()?)?.name().to_owned(),
        Kind::OutputType => Output(u8::try_from(value).ok()?).name()?.to_owned(),
        Kind::DiplRel
        | Kind::DiplRelTile
        | Kind::DiplRelTileOther
        | Kind::DiplRelUnitAny
        | Kind::DiplRelUnitAnyOther => diplomatic_relation(value)?.to_owned(),
        Kind::Activity => Activity::of(world.version(), u8::try_from(value).ok()?)?.name().to_owned(),
        Kind::BuildingFlag => {
            flag_name(world, value, BuildingFlag::of, BuildingFlag::name, &rules.building_flags)?
        }
        Kind::Counter => {
            let counter = rules.counters.get(usize::try_from(value).ok()?)?;
            counter.rule_name.to_str_lossy().into_owned()
        }
        Kind::UnitFlag => flag_name(world, value, UnitTypeFlag::of, UnitTypeFlag::name, &rules.unit_flags)?,
        Kind::UnitClassFlag => {
            flag_name(world, value, UnitClassFlag::of, UnitClassFlag::name, &rules.unit_class_flags)?
        }
        Kind::TerrainFlag => {
            flag_name(world, value, TerrainFlag::of, TerrainFlag::name, &rules.terrain_flags)?
        }
        Kind::ExtraFlag => flag_name(world, value, ExtraFlag::of, ExtraFlag::name, &rules.extra_flags)?,
        Kind::TechFlag => flag_name(world, value, AdvanceFlag::of, AdvanceFlag::name, &rules.advance_flags)?,
        Kind::CityStatus => {
            let names = ["OwnedByOriginal", "Starved", "Disorder", "Celebration", "Transferred"];
            names.get(usize::try_from(value).ok()?).map(|it| (*it).to_owned())?
        }
        Kind::TerrainClass => {
            ["Land", "Oceanic"].get(usize::try_from(value).ok()?).map(|it| (*it).to_owned())?
        }
        Kind::BuildingGenus => {
            let names = ["GreatWonder", "SmallWonder", "Improvement", "Special"];
            names.get(usize::try_from(value).ok()?).map(|it| (*it).to_owned())?
        }
        _ => return None,
    })
}

fn rule_name<T: Rule>(table: &Table<T>, id: i32) -> Option<String> {
    table.get(id).map(|rule| String::from_utf8_lossy(rule.rule_name()).into_owned())
}

/// Returns the name of a diplomatic state or of another relation. Other relations have higher numbers than the states.
fn diplomatic_relation(value: i32) -> Option<&'static str> {
    const OTHERS: [&str; 9] = [
        "Gives shared vision",
        "Receives shared vision",
        "Hosts embassy",
        "Has embassy",
        "Hosts real embassy",
        "Has real embassy",
        "Has Casus Belli",
        "Provided Casus Belli",
        "Foreign",
    ];
    let states = DiplomaticState::NAMED;
    let other = || OTHERS.get(usize::try_from(value).ok()?.checked_sub(states.len())?).copied();
    DiplomaticState(u8::try_from(value).ok()?).name().or_else(other)
}

/// Returns the name of a flag: one that the server knows, or one that the ruleset defines.
pub(super) fn flag_name<F, T: Rule>(
    world: &World,
    bit: impl TryInto<u8>,
    of: impl Fn(ProtocolVersion, u8) -> Option<F>,
    name: impl Fn(F) -> &'static str,
    defined: &Table<T>,
) -> Option<String> {
    let bit = bit.try_into().ok()?;
    let known = of(world.version(), bit).map(|flag| name(flag).to_owned());
    known.or_else(|| rule_name(defined, bit.into()))
}
