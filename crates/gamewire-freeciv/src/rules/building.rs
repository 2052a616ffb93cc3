//! Buildings: requirements about them, and the conditions for a city to build them.

use super::answer::Answer;
use super::context::Context;
use super::effect::rules_of;
use super::evaluator::{Evaluator, flag};
use super::kind::{RequirementKind as Kind, RequirementRange as Range};
use super::players;
use crate::codec::Requirement;
use crate::number::EffectType;
use crate::packets::{PlayerInfo, RulesetBuilding};
use crate::world::City;

/// The genus of a building.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuildingGenus {
    GreatWonder,
    SmallWonder,
    Other,
}

impl BuildingGenus {
    pub(crate) const fn of(genus: u8) -> Self {
        match genus {
            0 => Self::GreatWonder,
            1 => Self::SmallWonder,
            _ => Self::Other,
        }
    }
}

/// City number of a wonder that a player has lost.
const LOST: i32 = -1;
/// City number of a wonder that a player has not built.
const NOT_BUILT: i32 = 0;

impl<'w> Evaluator<'w> {
    /// Returns whether a required building is present. An obsolete building is not.
    pub(super) fn is_building_present(
        &self,
        context: &Context<'w>,
        range: Range,
        requirement: &Requirement,
    ) -> Option<Answer> {
        let Some(building) = self.rulesets().buildings.get(requirement.value) else {
            return Some(Answer::No);
        };
        let is_current = !self.is_obsolete(context, building);
        if is_current.is_no() {
            return Some(Answer::No);
        }
        let is_there = if requirement.survives {
            self.was_built(context, range, building)
        } else {
            self.is_built(context, range, building)
        };
        is_there.map(|is_there| is_current.and(|| is_there))
    }

    /// Returns whether a building is obsolete (Freeciv's `improvement_obsolete`).
    pub(super) fn is_obsolete(&self, context: &Context<'w>, building: &'w RulesetBuilding) -> Answer {
        let context = Context {
            building: Some(building),
            unit_type: None,
            unit: None,
            output: None,
            action: None,
            ..*context
        };
        Answer::any(building.obs_reqs.iter().map(|requirement| self.is_active(&context, requirement)))
    }

    fn is_built(&self, context: &Context<'w>, range: Range, building: &RulesetBuilding) -> Option<Answer> {
        Some(match range {
            Range::World => self.is_in_world(building),
            Range::Alliance | Range::Team | Range::Player => {
                let players = players::in_range(self.world(), context.player?, range);
                Answer::any(players.map(|player| self.is_owned(player, building)))
            }
            Range::Continent => self.is_on_continent(context.player?, context.city?, building),
            Range::TradeRoute => has_building(context.city?, building).or(|| Answer::Unknown),
            Range::City => has_building(context.city?, building),
            Range::Tile => {
                let city = self.world().cities().at(context.tile?.tile);
                city.map_or(Answer::No, |city| has_building(city, building))
            }
            Range::Local => (context.building?.id == building.id).into(),
            Range::Adjacent | Range::CardinalAdjacent => Answer::No,
        })
    }

    /// Returns whether a building was ever built. This is only known for wonders.
    fn was_built(&self, context: &Context<'w>, range: Range, building: &RulesetBuilding) -> Option<Answer> {
        Some(match range {
            Range::World if BuildingGenus::of(building.genus) == BuildingGenus::GreatWonder => {
                !self.is_available(building)
            }
            Range::Alliance | Range::Team | Range::Player => {
                let players = players::in_range(self.world(), context.player?, range);
                Answer::any(
                    players.map(|player| wonder_city(player, building).map(|city| city != NOT_BUILT).into()),
                )
            }
            _ => Answer::No,
        })
    }

    fn is_in_world(&self, building: &RulesetBuilding) -> Answer {
        if BuildingGenus::of(building.genus) == BuildingGenus::GreatWonder {
            return self.great_wonder_owner(building).map(|owner| owner < self.version().no_player()).into();
        }
        let seen = self.world().cities().iter().map(|city| has_building(city, building));
        Answer::any(seen).or(|| Answer::Unknown)
    }

    /// Returns whether a player has a building in any of its cities.
    fn is_owned(&self, player: &PlayerInfo, building: &RulesetBuilding) -> Answer {
        if BuildingGenus::of(building.genus) != BuildingGenus::Other {
            return wonder_city(player, building).map(|city| city != NOT_BUILT && city != LOST).into();
        }
        let mine = self.world().my_number() == Some(player.playerno);
        let cities = self.world().cities().iter().filter(|city| city.owner() == player.playerno);
        let known = Answer::any(cities.map(|city| has_building(city, building)));
        // The client does not know all cities of other players.
        if mine { known } else { known.or(|| Answer::Unknown) }
    }

    fn is_on_continent(&self, player: &PlayerInfo, city: &City, building: &RulesetBuilding) -> Answer {
        let continent_of = |city: &City| self.world().map().tile(city.tile()).map(|tile| tile.continent);
        let here = continent_of(city);
        let cities = self.world().cities().iter().filter(|other| other.owner() == player.playerno);
        Answer::any(
            cities.filter(|other| continent_of(other) == here).map(|other| has_building(other, building)),
        )
    }

    /// Returns the number of the owner of a great wonder. A number above all players means a state, such as destroyed.
    fn great_wonder_owner(&self, building: &RulesetBuilding) -> Option<u16> {
        self.world().game()?.great_wonder_owners.get(usize::from(building.id)).copied()
    }

    /// Returns whether a great wonder has never been built (Freeciv's `great_wonder_is_available`).
    pub(super) fn is_available(&self, building: &RulesetBuilding) -> Answer {
        // This number is two above "no player". The number between them means destroyed.
        let not_owned = self.version().no_player().saturating_add(2);
        self.great_wonder_owner(building).map(|owner| owner == not_owned).into()
    }

    /// Returns whether a player can build a building in some city. Only conditions about the player are checked
    /// (Freeciv's `can_player_build_improvement_direct`).
    pub(super) fn can_player_build(&self, player: &'w PlayerInfo, building: &'w RulesetBuilding) -> Answer {
        let context = Context::of_player(player);
        let of_player = building
            .reqs
            .iter()
            .filter(|requirement| Range::of(requirement, self.version()) >= Some(Range::Player));
        self.are_active(&context, of_player)
            .and(|| match BuildingGenus::of(building.genus) {
                BuildingGenus::GreatWonder => self.is_available(building),
                // A player may build a small wonder again in another city.
                BuildingGenus::SmallWonder | BuildingGenus::Other => Answer::Yes,
            })
            .and(|| {
                if self.is_space_part(building) { self.can_build_space_parts(&context) } else { Answer::Yes }
            })
    }

    fn is_space_part(&self, building: &RulesetBuilding) -> bool {
        let parts = [EffectType::SsStructural, EffectType::SsComponent, EffectType::SsModule];
        let mut effects = parts.into_iter().flat_map(|part| rules_of(self.world(), part));
        effects.any(|effect| {
            effect.reqs.iter().any(|requirement| {
                Kind::of(requirement, self.version()) == Kind::Improvement
                    && requirement.value == i32::from(building.id)
            })
        })
    }

    /// Returns no if no space part can be built. If some can be, the answer is unknown, because it depends on the
    /// spaceship.
    fn can_build_space_parts(&self, context: &Context<'w>) -> Answer {
        let enables = self.value(EffectType::EnableSpace, context);
        if enables.is_some_and(|value| value <= 0) { Answer::No } else { Answer::Unknown }
    }

    /// Returns whether a city can build a building now (Freeciv's `can_city_build_improvement_now`).
    pub(super) fn can_city_build(&self, city: &'w City, building: &'w RulesetBuilding) -> Answer {
        let context = Context::of_city(self.world(), city);
        let Some(player) = context.player else { return Answer::Unknown };
        (!has_building(city, building))
            .and(|| self.can_player_build(player, building))
            .and(|| self.are_active(&context, &building.reqs))
            .and(|| !self.is_obsolete(&context, building))
    }

    /// Returns whether the player has or can build a building that a unit type needs. `counts_buildable` is false if
    /// the ability to build it is not checked.
    pub(super) fn can_player_have(
        &self,
        player: &'w PlayerInfo,
        building: &'w RulesetBuilding,
        counts_buildable: bool,
    ) -> Answer {
        let buildable =
            || if counts_buildable { self.can_player_build(player, building) } else { Answer::Yes };
        match BuildingGenus::of(building.genus) {
            BuildingGenus::GreatWonder => match self.is_available(building) {
                Answer::No => self.great_wonder_owner(building).map(|owner| owner == player.playerno).into(),
                _ => buildable(),
            },
            BuildingGenus::SmallWonder => self.is_owned(player, building).or(buildable),
            BuildingGenus::Other => buildable(),
        }
    }
}

/// Returns the number of the city with a player's wonder, as the server sent it.
fn wonder_city(player: &PlayerInfo, building: &RulesetBuilding) -> Option<i32> {
    player.wonders.get(usize::from(building.id)).copied()
}

/// Returns whether a city has a building. For a city of another player, only visible buildings are known.
pub(super) fn has_building(city: &City, building: &RulesetBuilding) -> Answer {
    let has = Answer::from(city.has_building(building.id));
    if city.full().is_some() { has } else { has.or(|| Answer::Unknown) }
}

/// Returns the id of the building that a requirement demands in the city.
pub(super) fn city_building(evaluator: &Evaluator<'_>, requirement: &Requirement) -> Option<usize> {
    let version = evaluator.version();
    let is_city = Range::of(requirement, version) == Some(Range::City) && requirement.present;
    (is_city && Kind::of(requirement, version) == Kind::Improvement)
        .then(|| flag(requirement.value))
        .flatten()
}
