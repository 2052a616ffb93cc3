use core::cell::Cell;

use super::answer::Answer;
use super::context::Context;
use super::kind::{RequirementKind as Kind, RequirementRange as Range};
use super::{places, players, units};
use crate::codec::{ProtocolVersion, Requirement};
use crate::world::{City, Rulesets, SettingValue, World};

/// An evaluator for the requirements and effects of a world's rulesets.
///
/// The work of an evaluator is bounded, because buildings can make each other obsolete. After
/// [`MAX_REQUIREMENTS`](Self::MAX_REQUIREMENTS) requirements, every answer is unknown.
#[derive(Debug)]
pub struct Evaluator<'w> {
    world: &'w World,
    requirements_left: Cell<u32>,
    depth: Cell<u32>,
}

impl<'w> Evaluator<'w> {
    /// Maximum number of requirements that one evaluator evaluates. A ruleset has a few thousand.
    pub const MAX_REQUIREMENTS: u32 = 20_000;
    /// Maximum depth of requirements that depend on each other.
    const MAX_DEPTH: u32 = 8;

    /// Creates an evaluator. Create a new one for each question, because its work is bounded.
    pub const fn new(world: &'w World) -> Self {
        Self::with_limit(world, Self::MAX_REQUIREMENTS)
    }

    /// Creates an evaluator for many questions of one kind, which together evaluate at most `limit` requirements.
    pub(crate) const fn with_limit(world: &'w World, limit: u32) -> Self {
        Self { world, requirements_left: Cell::new(limit), depth: Cell::new(0) }
    }

    pub(super) const fn world(&self) -> &'w World {
        self.world
    }

    pub(super) fn rulesets(&self) -> &'w Rulesets {
        self.world.rulesets()
    }

    pub(super) fn version(&self) -> ProtocolVersion {
        self.world.version()
    }

    /// Returns whether all requirements are met.
    pub fn are_active<'r>(
        &self,
        context: &Context<'w>,
        requirements: impl IntoIterator<Item = &'r Requirement>,
    ) -> Answer {
        Answer::all(requirements.into_iter().map(|requirement| self.is_active(context, requirement)))
    }

    /// Returns whether a requirement is met.
    pub fn is_active(&self, context: &Context<'w>, requirement: &Requirement) -> Answer {
        let left = self.requirements_left.get();
        let depth = self.depth.get();
        if left == 0 || depth > Self::MAX_DEPTH {
            return Answer::Unknown;
        }
        self.requirements_left.set(left.saturating_sub(1));
        self.depth.set(depth.saturating_add(1));
        let is_there = self.is_present(context, requirement);
        self.depth.set(depth);
        match is_there {
            None => Answer::No,
            Some(is_there) if requirement.present => is_there,
            Some(is_there) => !is_there,
        }
    }

    /// Returns whether the required thing is present, or `None` if the context lacks the subject of the requirement.
    fn is_present(&self, context: &Context<'w>, requirement: &Requirement) -> Option<Answer> {
        let kind = Kind::of(requirement, self.version());
        let Some(range) = Range::of(requirement, self.version()) else { return Some(Answer::Unknown) };
        let value = requirement.value;
        Some(match kind {
            Kind::None => Answer::Yes,
            Kind::Advance
            | Kind::Government
            | Kind::Nation
            | Kind::NationGroup
            | Kind::Style
            | Kind::AiLevel
            | Kind::MinTechs
            | Kind::TechFlag => return players::is_present(self, context, kind, range, requirement),
            Kind::Improvement => return self.is_building_present(context, range, requirement),
            Kind::Terrain
            | Kind::TerrainClass
            | Kind::TerrainFlag
            | Kind::TerrainAlter
            | Kind::CityTile
            | Kind::MaxTileUnits
            | Kind::Extra
            | Kind::ExtraFlag
            | Kind::RoadFlag
            | Kind::BaseFlag => return places::is_present(self, context, kind, range, value),
            Kind::UnitType => (i32::from(context.unit_type?.id) == value).into(),
            Kind::UnitClass => (i32::from(context.unit_type?.unit_class_id) == value).into(),
            Kind::UnitFlag => {
                flag(value).is_some_and(|flag| context.unit_type.is_some_and(|it| it.flags.get(flag))).into()
            }
            Kind::UnitClassFlag => {
                let class = self.rulesets().unit_classes.get(context.unit_type?.unit_class_id);
                class.zip(flag(value)).map(|(class, flag)| class.flags.get(flag)).into()
            }
            Kind::OutputType => context.output.is_some_and(|output| i32::from(output.0) == value).into(),
            Kind::Action => context.action.is_some_and(|action| i32::from(action) == value).into(),
            // No context of this crate has a specialist.
            Kind::Specialist => Answer::No,
            Kind::BuildingGenus => (i32::from(context.building?.genus) == value).into(),
            Kind::MinSize => self.is_size(context.city?, range, value),
            Kind::CityStatus => self.is_city_status(context.city?, range, value),
            Kind::Age => return self.is_age(context, range, value),
            Kind::MinYear => (self.world.year() >= value).into(),
            Kind::MinCalendarFragment => {
                self.world.game().map(|game| i32::from(game.fragment_count) >= value).into()
            }
            Kind::ServerSetting => self.is_setting_on(value),
            Kind::UnitState
            | Kind::MinMoves
            | Kind::MinVeteran
            | Kind::MinHitPoints
            | Kind::Activity
            | Kind::FormAge => return units::is_present(self.world, context, kind, value),
            Kind::DiplRel | Kind::DiplRelTile => {
                return players::is_related(self, context, kind, range, value);
            }
            _ => Answer::Unknown,
        })
    }

    fn is_size(&self, city: &City, range: Range, size: i32) -> Answer {
        let is_large = Answer::from(i32::from(city.size()) >= size);
        match range {
            // The trade partners are not known.
            Range::TradeRoute => is_large.or(|| Answer::Unknown),
            _ => is_large,
        }
    }

    /// Returns whether a city is in a state (Freeciv's `citystatus_type`).
    fn is_city_status(&self, city: &City, range: Range, status: i32) -> Answer {
        let Some(full) = city.full().filter(|_| range == Range::City) else { return Answer::Unknown };
        match status {
            0 => self.world.original_owner(city).map(|original| original == full.owner).into(),
            1 => full.had_famine.into(),
            2 => full.anarchy.map(|turns| turns > 0).into(),
            3 => full.rapture.map(|turns| turns > 0).into(),
            _ => Answer::Unknown,
        }
    }

    fn is_age(&self, context: &Context<'w>, range: Range, age: i32) -> Option<Answer> {
        match range {
            Range::City => {
                let founded = context.city?.full().map(|city| i32::from(city.turn_founded));
                let turn = i32::from(self.world.turn());
                Some(founded.map(|founded| turn.saturating_sub(founded) >= age).into())
            }
            Range::Player => Some((i32::from(context.player?.turns_alive) >= age).into()),
            _ => None,
        }
    }

    fn is_setting_on(&self, id: i32) -> Answer {
        let id = u16::try_from(id).ok();
        let settings = self.world.settings().iter().map(|(_, value)| value);
        let mut found = settings.filter_map(|value| match value {
            SettingValue::Bool(setting) if Some(setting.id) == id => Some(setting.val),
            _ => None,
        });
        found.next().into()
    }
}

/// Returns the bit of a flag.
pub(super) fn flag(value: i32) -> Option<usize> {
    usize::try_from(value).ok()
}
