//! Production of units: conditions for a unit type.

use super::answer::Answer;
use super::building::{city_building, has_building};
use super::context::Context;
use super::evaluator::Evaluator;
use super::kind::{RequirementKind as Kind, RequirementRange as Range};
use super::players;
use crate::codec::{ProtocolVersion, Requirement};
use crate::number::{Action, EffectType, UnitClassFlag, UnitTypeFlag};
use crate::packets::{PlayerInfo, RulesetBuilding, RulesetUnit};
use crate::world::City;

impl<'w> Evaluator<'w> {
    /// Returns whether a city can build a unit of this type now (Freeciv's `can_city_build_unit_now`).
    pub(super) fn can_city_build_unit(&self, city: &'w City, unit_type: &'w RulesetUnit) -> Answer {
        let Some(player) = self.world().player(city.owner()) else { return Answer::Unknown };
        self.can_player_build_unit(player, unit_type, self.version() < ProtocolVersion::V3_2)
            .and(|| self.meets_city(city, unit_type))
            .and(|| self.is_near_native(city, unit_type))
            .and(|| self.has_slots(city, unit_type))
            .and(|| !self.is_unit_obsolete(player, unit_type))
    }

    /// Returns whether a player can build a type that makes this type obsolete.
    fn is_unit_obsolete(&self, player: &'w PlayerInfo, unit_type: &'w RulesetUnit) -> Answer {
        let types = &self.rulesets().unit_types;
        let next = |unit_type: &&'w RulesetUnit| types.get(unit_type.obsoleted_by);
        // At most as many steps as there are types, because a server could send a cycle.
        let later = core::iter::successors(Some(unit_type), next).skip(1).take(types.len());
        Answer::any(later.map(|later| self.can_player_build_unit(player, later, true)))
    }

    /// Returns whether a player can build a type in some city (Freeciv's `can_player_build_unit_direct`).
    fn can_player_build_unit(
        &self,
        player: &'w PlayerInfo,
        unit_type: &'w RulesetUnit,
        counts_buildable: bool,
    ) -> Answer {
        let has_flag = |flag: UnitTypeFlag| unit_type.flags.has(flag.number(self.version()));
        if has_flag(UnitTypeFlag::NoBuild)
            || has_flag(UnitTypeFlag::BarbarianOnly) && player.barbarian_type == 0
        {
            return Answer::No;
        }
        if player.barbarian_type != 0 {
            return Answer::Unknown;
        }
        let context = Context { unit_type: Some(unit_type), ..Context::of_player(player) };
        let is_founder_only = has_flag(UnitTypeFlag::NewCityGamesOnly);
        self.meets_player(player, &context, unit_type)
            .and(|| !Answer::from(is_founder_only && self.prevents_new_cities()))
            .and(|| !Answer::from(has_flag(UnitTypeFlag::Unique) && self.has_unit(player, unit_type)))
            .and(|| {
                let needed = self.needed_buildings(unit_type);
                Answer::all(needed.map(|building| self.can_player_have(player, building, counts_buildable)))
            })
            .and(|| if self.is_nuclear(&context) { self.can_build_nukes(player) } else { Answer::Yes })
    }

    fn prevents_new_cities(&self) -> bool {
        self.world().scenario().is_some_and(|scenario| scenario.prevent_new_cities)
    }

    fn meets_player(&self, player: &PlayerInfo, context: &Context<'w>, unit_type: &RulesetUnit) -> Answer {
        let of_player = unit_type
            .build_reqs
            .iter()
            .flatten()
            .filter(|requirement| Range::of(requirement, self.version()) >= Some(Range::Player));
        // Up to 3.1 the required advance is a separate field, and in 3.0 also the required government.
        let advance = unit_type.tech_requirement.map(i32::from);
        let government = unit_type.gov_requirement.and_then(|id| self.rulesets().governments.get(id));
        advance
            .map_or(Answer::Yes, |advance| players::knows(self.world(), player, advance))
            .and(|| government.is_none_or(|needed| needed.id == player.government).into())
            .and(|| self.are_active(context, of_player))
    }

    /// Returns whether the city meets the requirements of the unit type.
    fn meets_city(&self, city: &'w City, unit_type: &'w RulesetUnit) -> Answer {
        let context = Context { unit_type: Some(unit_type), ..Context::of_city(self.world(), city) };
        let of_city = unit_type
            .build_reqs
            .iter()
            .flatten()
            .filter(|requirement| Range::of(requirement, self.version()) < Some(Range::Player));
        let needed = self.needed_by_field(unit_type);
        needed
            .map_or(Answer::Yes, |building| has_building(city, building))
            .and(|| self.are_active(&context, of_city))
    }

    /// Returns the building that 3.0 requires in a separate field.
    fn needed_by_field(&self, unit_type: &RulesetUnit) -> Option<&'w RulesetBuilding> {
        self.rulesets().buildings.get(unit_type.impr_requirement?)
    }

    /// Iterates over the buildings that a city must have for the unit type.
    fn needed_buildings(&self, unit_type: &'w RulesetUnit) -> impl Iterator<Item = &'w RulesetBuilding> {
        let required =
            unit_type.build_reqs.iter().flatten().filter_map(|requirement| city_building(self, requirement));
        let required = required.filter_map(|id| self.rulesets().buildings.get(id));
        self.needed_by_field(unit_type).into_iter().chain(required)
    }

    fn has_unit(&self, player: &PlayerInfo, unit_type: &RulesetUnit) -> bool {
        let mut units = self.world().units().iter();
        units.any(|unit| unit.owner() == player.playerno && unit.type_id() == unit_type.id)
    }

    /// Returns whether the tile of a city or one of its neighbors is native to a unit type. Inland cities cannot build
    /// ships.
    fn is_near_native(&self, city: &City, unit_type: &RulesetUnit) -> Answer {
        let Some(class) = self.rulesets().unit_classes.get(unit_type.unit_class_id) else {
            return Answer::Unknown;
        };
        if class.flags.has(UnitClassFlag::BuildAnywhere.number(self.version())) {
            return Answer::Yes;
        }
        let map = self.world().map();
        let Some(geometry) = map.geometry() else { return Answer::Unknown };
        let around = geometry.neighbors(city.tile()).map(|(_, tile)| tile);
        Answer::any(
            core::iter::once(city.tile())
                .chain(around)
                .map(|tile| map.tile(tile).map(|tile| self.world().is_native_to(class.id, tile)).into()),
        )
    }

    /// Returns whether a city can support another unit that occupies slots.
    fn has_slots(&self, city: &'w City, unit_type: &RulesetUnit) -> Answer {
        if unit_type.city_slots == 0 {
            return Answer::Yes;
        }
        let slots = self.value(EffectType::UnitSlots, &Context::of_city(self.world(), city));
        let supported =
            self.world().my_units().filter(|unit| unit.full().is_some_and(|unit| unit.homecity == city.id()));
        let used = supported.filter_map(|unit| self.world().type_of(unit)).map(|it| i64::from(it.city_slots));
        let used = used.fold(0, i64::saturating_add);
        slots.map(|slots| slots.saturating_sub(used) >= i64::from(unit_type.city_slots)).into()
    }

    fn can_build_nukes(&self, player: &'w PlayerInfo) -> Answer {
        self.value(EffectType::EnableNuke, &Context::of_player(player)).map(|value| value > 0).into()
    }

    /// Returns whether a unit type can explode as a nuclear weapon under any conditions.
    fn is_nuclear(&self, context: &Context<'w>) -> bool {
        let nuclear = [Action::ExplodeNuclear, Action::NukeUnits];
        let is_nuclear =
            |action: u8| nuclear.iter().any(|nuclear| nuclear.number(self.version()) == Some(action));
        let is_of_type = |requirement: &&Requirement| Kind::of(requirement, self.version()).is_of_unit_type();
        self.rulesets().enablers.iter().any(|enabler| {
            is_nuclear(enabler.enabled_action)
                && !self.are_active(context, enabler.actor_reqs.iter().filter(is_of_type)).is_no()
        })
    }
}
