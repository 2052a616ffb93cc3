//! Work on the tile of a unit.

use super::entry::Entries;
use super::key::{LegalTarget, Part};
use super::kind::LegalKind;
use super::permission::{Permission, of_unit};
use super::subject::Subject;
use super::terrain;
use crate::codec::ProtocolVersion;
use crate::number::{Action, Activity, AdvanceFlag, EffectType, ExtraFlag, UnitClassFlag, UnitTypeFlag};
use crate::packets::{RulesetExtra, RulesetTerrain};
use crate::rules::{Answer, Evaluator};
use crate::world::Tile;

/// A way to build extras: its bit in the causes of an extra, its activity, its action since 3.1, and the effect that
/// must be positive for it in 3.0.
struct Cause {
    bit: usize,
    activity: Activity,
    action: Action,
    effect: Option<EffectType>,
}

/// The ways to build extras.
const CAUSES: [Cause; 4] = [
    Cause {
        bit: 0,
        activity: Activity::Irrigate,
        action: Action::BuildIrrigation,
        effect: Some(EffectType::IrrigPossible),
    },
    Cause {
        bit: 1,
        activity: Activity::Mine,
        action: Action::BuildMine,
        effect: Some(EffectType::MiningPossible),
    },
    Cause { bit: 2, activity: Activity::Road, action: Action::BuildRoad, effect: None },
    Cause { bit: 3, activity: Activity::Base, action: Action::BuildBase, effect: None },
];

/// The flag of a road that cannot cross rivers without bridges, in 3.0.
const REQUIRES_BRIDGE: usize = 0;
/// The flag of a road that others cross only by bridges, such as a river, in 3.0.
const PREVENTS_OTHER_ROADS: usize = 1;
/// Bit of pillaging in the ways to remove an extra.
const PILLAGE: usize = 0;
/// Bits of cleaning in the ways to remove an extra: all since 3.2, pollution and fallout before.
const CLEAN: [usize; 2] = [1, 2];

/// Collects the work that a unit can do.
pub(super) fn collect(subject: &Subject<'_>, entries: &mut Entries) {
    let Some(terrain) = subject.world.terrain_of(subject.tile) else { return };
    let work = Work { subject, terrain, permission: Permission::new(subject) };
    work.extras(entries);
    work.terrain_changes(entries);
    work.pillaging(entries);
}

struct Work<'s, 'w> {
    subject: &'s Subject<'w>,
    terrain: &'w RulesetTerrain,
    permission: Permission<'s, 'w>,
}

impl<'w> Work<'_, 'w> {
    fn is_3_0(&self) -> bool {
        self.subject.version() == ProtocolVersion::V3_0
    }

    /// Returns whether the unit has an activity with this target.
    fn does(&self, activity: Activity, extra: Option<u8>) -> bool {
        let target = self.subject.unit.activity_target();
        self.subject.activity == Some(activity) && (extra.is_none() || target == extra)
    }

    fn effect(&self, effect: EffectType) -> Answer {
        if effect.number(self.subject.version()).is_none() {
            return Answer::Yes;
        }
        let value = Evaluator::new(self.subject.world).value(effect, &of_unit(self.subject));
        value.map(|value| value > 0).into()
    }

    fn extras(&self, entries: &mut Entries) {
        let here = LegalTarget::Tile(self.subject.tile.tile);
        for extra in self.subject.world.rulesets().extras.iter() {
            if self.subject.tile.has_extra(extra.id) {
                if self.is_cleanable(extra) && !self.does_clean(extra) {
                    entries.add(self.can_clean(extra), LegalKind::Clean, here, Part::Extra(extra.id));
                }
            } else if extra.buildable
                && let Some(cause) = CAUSES.iter().find(|cause| extra.causes.get(cause.bit))
                && !self.does(cause.activity, Some(extra.id))
            {
                entries.add(self.can_build(extra, cause), LegalKind::Build, here, Part::Extra(extra.id));
            }
        }
    }

    fn can_build(&self, extra: &'w RulesetExtra, cause: &Cause) -> Answer {
        let terrain = self.terrain;
        let keeps = |result: Option<u8>| result.is_none_or(|result| result == terrain.id);
        let has_time = match cause.activity {
            Activity::Irrigate => terrain.irrigation_time > 0 && keeps(terrain.irrigation_result),
            Activity::Mine => terrain.mining_time > 0 && keeps(terrain.mining_result),
            Activity::Road => terrain.road_time > 0,
            _ => terrain.base_time > 0 && self.may_have_base(extra),
        };
        let is_worker = || self.subject.has_flag(UnitTypeFlag::Settlers);
        let needs_worker = matches!(cause.activity, Activity::Irrigate | Activity::Mine);
        Answer::from(has_time && !self.is_in_conflict(extra) && self.subject.tile.placed.is_none())
            .and(|| match (self.is_3_0(), cause.effect) {
                (false, _) => self.permission.of(cause.action, Some(extra.id)),
                (true, Some(effect)) => self.effect(effect),
                (true, None) => Answer::Yes,
            })
            .and(|| (!self.is_3_0() || !needs_worker || is_worker()).into())
            .and(|| self.meets(&extra.reqs))
            .and(|| match cause.activity {
                Activity::Road => self.has_bridge(extra).and(|| self.can_begin_road(extra)),
                _ => Answer::Yes,
            })
    }

    /// Returns whether the requirements of an extra are met for the unit on the tile.
    fn meets(&self, requirements: &'w [crate::codec::Requirement]) -> Answer {
        let mut context = of_unit(self.subject);
        context.city = None;
        Evaluator::new(self.subject.world).are_active(&context, requirements)
    }

    /// Returns whether the tile may have a base: not in a city, not on the land of others if the base claims land, and
    /// not near foreign cities if the extra forbids it.
    fn may_have_base(&self, extra: &RulesetExtra) -> bool {
        let (world, tile, me) = (self.subject.world, self.subject.tile, self.subject.unit.owner());
        let mut bases = world.rulesets().base_extras();
        let claims = bases.any(|(rule, base)| rule.id == extra.id && base.border_sq >= 0);
        let is_near_city =
            extra.no_aggr_near_city.and_then(|radius| u16::try_from(radius).ok()).is_some_and(|radius| {
                let around = world.map().geometry().map(|geometry| geometry.within(tile.tile, radius));
                around
                    .into_iter()
                    .flatten()
                    .any(|tile| world.cities().at(tile).is_some_and(|city| city.owner() != me))
            });
        let is_foreign = tile.owner.is_some_and(|owner| owner != me);
        !(self.subject.is_in_city() || is_near_city || claims && is_foreign)
    }

    /// Returns whether a unit on the tile builds an extra that cannot be there together with this one.
    fn is_in_conflict(&self, extra: &RulesetExtra) -> bool {
        let world = self.subject.world;
        world.units_at(self.subject.tile.tile).any(|unit| {
            let builds = CAUSES.iter().any(|cause| world.activity_of(unit) == Some(cause.activity));
            let other = unit.activity_target();
            builds && other.is_some_and(|other| other != extra.id && extra.conflicts.get(other.into()))
        })
    }

    /// Returns whether a road needs no bridge on the tile, or the player can build bridges.
    fn has_bridge(&self, extra: &RulesetExtra) -> Answer {
        let tile = self.subject.tile;
        let rulesets = self.subject.world.rulesets();
        let needs_bridge = match &extra.bridged_over {
            Some(bridged) => tile.extras.iter_ones().any(|other| bridged.get(other)),
            // Only in 3.0, as flags of roads.
            None => {
                let has = |id: u8, flag: usize| {
                    rulesets.road_extras().any(|(rule, road)| rule.id == id && road.flags.get(flag))
                };
                let blocks = |other| u8::try_from(other).is_ok_and(|other| has(other, PREVENTS_OTHER_ROADS));
                has(extra.id, REQUIRES_BRIDGE) && tile.extras.iter_ones().any(blocks)
            }
        };
        Answer::from(!needs_bridge).or(|| self.knows_bridges())
    }

    fn knows_bridges(&self) -> Answer {
        let world = self.subject.world;
        let flag = AdvanceFlag::Bridge.number(self.subject.version()).map(usize::from);
        let mut advances = world.rulesets().advances.iter();
        let me = self.subject.unit.owner();
        advances
            .any(|advance| {
                flag.is_some_and(|flag| advance.flags.get(flag)) && world.has_advance(me, advance.id)
            })
            .into()
    }

    /// Returns whether a road is next to one of its kind, or can begin here.
    fn can_begin_road(&self, extra: &RulesetExtra) -> Answer {
        let world = self.subject.world;
        let road = world.rulesets().road_extras().find(|(rule, _)| rule.id == extra.id);
        let Some((_, road)) = road.filter(|(_, road)| !road.first_reqs.is_empty()) else {
            return Answer::Yes;
        };
        let continues = world.map().neighbors(self.subject.tile.tile).any(|tile| tile.has_extra(extra.id));
        Answer::from(continues).or(|| self.meets(&road.first_reqs))
    }

    fn terrain_changes(&self, entries: &mut Entries) {
        let terrain = self.terrain;
        let result = |result: Option<u8>| result.filter(|result| *result != terrain.id);
        let changes = if self.is_3_0() {
            [
                (
                    LegalKind::Cultivate,
                    Activity::Irrigate,
                    result(terrain.irrigation_result),
                    terrain.irrigation_time,
                ),
                (LegalKind::Plant, Activity::Mine, result(terrain.mining_result), terrain.mining_time),
                (
                    LegalKind::Transform,
                    Activity::Transform,
                    result(Some(terrain.transform_result)),
                    terrain.transform_time,
                ),
            ]
        } else {
            let cultivate = (result(terrain.cultivate_result), terrain.cultivate_time.unwrap_or(0));
            let plant = (result(terrain.plant_result), terrain.plant_time.unwrap_or(0));
            [
                (LegalKind::Cultivate, Activity::Cultivate, cultivate.0, cultivate.1),
                (LegalKind::Plant, Activity::Plant, plant.0, plant.1),
                (
                    LegalKind::Transform,
                    Activity::Transform,
                    result(Some(terrain.transform_result)),
                    terrain.transform_time,
                ),
            ]
        };
        for (kind, activity, result, time) in changes {
            let Some(result) = result.filter(|_| time > 0 && !self.does(activity, None)) else { continue };
            let answer = self.may_change(kind).and(|| terrain::can_become(self.subject, result));
            entries.add(answer, kind, LegalTarget::Tile(self.subject.tile.tile), Part::None);
        }
    }

    fn may_change(&self, kind: LegalKind) -> Answer {
        let (action, effect, needs_worker) = match kind {
            LegalKind::Cultivate => (Action::Cultivate, EffectType::IrrigTFPossible, true),
            LegalKind::Plant => (Action::Plant, EffectType::MiningTFPossible, true),
            _ => (Action::TransformTerrain, EffectType::TransformPossible, false),
        };
        if !self.is_3_0() {
            return self.permission.of(action, None);
        }
        let is_worker = !needs_worker || self.subject.has_flag(UnitTypeFlag::Settlers);
        Answer::from(is_worker).and(|| self.effect(effect))
    }

    fn is_cleanable(&self, extra: &RulesetExtra) -> bool {
        let bits = if self.subject.version() < ProtocolVersion::V3_2 {
            &CLEAN[..]
        } else {
            CLEAN.get(..1).unwrap_or_default()
        };
        bits.iter().any(|bit| extra.rmcauses.get(*bit))
    }

    fn does_clean(&self, extra: &RulesetExtra) -> bool {
        [Activity::Clean, Activity::CleanPollution, Activity::CleanFallout]
            .into_iter()
            .any(|activity| self.does(activity, Some(extra.id)))
    }

    fn can_clean(&self, extra: &'w RulesetExtra) -> Answer {
        let terrain = self.terrain;
        let is_pollution = extra.rmcauses.get(1);
        let (action, time) = match (self.subject.version(), is_pollution) {
            (ProtocolVersion::V3_2, _) => {
                let times = terrain.extra_removal_times.as_ref();
                (Action::Clean, times.and_then(|times| times.get(usize::from(extra.id)).copied()))
            }
            (_, true) => (Action::CleanPollution, terrain.clean_pollution_time),
            (_, false) => (Action::CleanFallout, terrain.clean_fallout_time),
        };
        Answer::from(time.unwrap_or(0) > 0)
            .and(|| match self.is_3_0() {
                true => self.subject.has_flag(UnitTypeFlag::Settlers).into(),
                false => self.permission.of(action, Some(extra.id)),
            })
            .and(|| self.can_remove(extra))
    }

    fn can_remove(&self, extra: &'w RulesetExtra) -> Answer {
        let version = self.subject.version();
        let is_fixed = [ExtraFlag::AlwaysOnCityCenter, ExtraFlag::AutoOnCityCenter]
            .into_iter()
            .filter_map(|flag| flag.number(version))
            .any(|bit| extra.flags.get(bit.into()));
        Answer::from(!(is_fixed && self.subject.is_in_city())).and(|| self.meets(&extra.rmreqs))
    }

    fn pillaging(&self, entries: &mut Entries) {
        let world = self.subject.world;
        let can = match self.is_3_0() {
            true => self.subject.class_has_flag(UnitClassFlag::CanPillage),
            false => true,
        };
        if !can || self.terrain.pillage_time == 0 {
            return;
        }
        let selects = world.game().is_some_and(|game| game.pillage_select);
        let here = LegalTarget::Tile(self.subject.tile.tile);
        let possible = world.rulesets().extras.iter().filter(|extra| self.can_pillage(extra).is_yes());
        for extra in possible {
            if selects {
                entries.add(Answer::Yes, LegalKind::Pillage, here, Part::Extra(extra.id));
            } else {
                // The server chooses the extra.
                entries.add(Answer::Yes, LegalKind::Pillage, here, Part::None);
                break;
            }
        }
    }

    fn can_pillage(&self, extra: &'w RulesetExtra) -> Answer {
        let is_there =
            |extra: &RulesetExtra| self.subject.tile.has_extra(extra.id) && extra.rmcauses.get(PILLAGE);
        if !is_there(extra) || self.is_pillaged(extra, self.subject.tile) {
            return Answer::No;
        }
        let extras = &self.subject.world.rulesets().extras;
        let is_needed = extras.iter().any(|other| is_there(other) && self.depends(other, extra));
        Answer::from(!is_needed)
            .and(|| match self.is_3_0() {
                true => Answer::Yes,
                false => self.permission.of(Action::Pillage, Some(extra.id)),
            })
            .and(|| self.can_remove(extra))
    }

    /// Returns whether a unit on the tile already pillages an extra.
    fn is_pillaged(&self, extra: &RulesetExtra, tile: &Tile) -> bool {
        let world = self.subject.world;
        world.units_at(tile.tile).any(|unit| {
            world.activity_of(unit) == Some(Activity::Pillage) && unit.activity_target() == Some(extra.id)
        })
    }

    fn depends(&self, dependent: &RulesetExtra, on: &RulesetExtra) -> bool {
        let version = self.subject.version();
        dependent.reqs.iter().any(|it| {
            it.present
                && crate::rules::RequirementKind::of(it, version) == crate::rules::RequirementKind::Extra
                && it.value == i32::from(on.id)
        })
    }
}
