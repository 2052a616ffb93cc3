//! Moves and states of units.

use super::entry::{Entries, LegalEntry};
use super::key::{LegalTarget, Part};
use super::kind::LegalKind;
use super::permission::Permission;
use super::subject::Subject;
use super::transport;
use super::work;
use crate::codec::ProtocolVersion;
use crate::number::{Action, Activity, TerrainFlag, UnitClassFlag, UnitTypeFlag};
use crate::path::Movement;
use crate::rules::Answer;
use crate::world::{Tile, Unit, World};

/// Collects the actions of an own unit that can be determined without asking the server.
pub(super) fn collect(world: &World, unit: &Unit, entries: &mut Entries) {
    let Some(subject) = Subject::new(world, unit) else { return };
    subject.moves(entries);
    subject.states(entries);
    transport::collect(&subject, entries);
    work::collect(&subject, entries);
}

impl Subject<'_> {
    fn moves(&self, entries: &mut Entries) {
        let Some(geometry) = self.world.map().geometry().filter(|_| self.unit.moves_left() > Some(0)) else {
            return;
        };
        for (_, number) in geometry.neighbors(self.tile.tile) {
            let Some(to) = self.world.map().tile(number) else { continue };
            if self.movement.check_step(self.tile, to).is_ok() {
                let entry = entries.entry(LegalKind::Move, LegalTarget::Tile(number), Part::None);
                entries.push(LegalEntry {
                    cost: Some(self.movement.step_cost(self.tile, to)),
                    is_certain: self.is_around_seen(self.tile) && self.is_around_seen(to),
                    ..entry
                });
            }
        }
    }

    /// Returns whether the player sees a tile and its neighbors.
    fn is_around_seen(&self, tile: &Tile) -> bool {
        let map = self.world.map();
        let Some(geometry) = map.geometry() else { return false };
        let seen = |number| map.tile(number).is_some_and(Tile::is_seen);
        tile.is_seen() && geometry.neighbors(tile.tile).all(|(_, number)| seen(number))
    }

    fn states(&self, entries: &mut Entries) {
        let is = |activity| self.activity == Some(activity);
        let fortifies = is(Activity::Fortifying) || is(Activity::Fortified);
        entries.add_own(if fortifies { Answer::No } else { self.can_fortify() }, LegalKind::Fortify);
        let can_stay = self.movement.can_exist(self.tile) || self.unit.transported_by().is_some();
        entries.add_own(can_stay && !is(Activity::Sentry), LegalKind::Sentry);
        let full = self.unit.full();
        let is_controlled =
            full.is_some_and(|unit| unit.ai == Some(true) || unit.ssa_controller.is_some_and(|it| it != 0));
        let is_busy = !is(Activity::Idle) || full.is_some_and(|unit| unit.has_orders) || is_controlled;
        entries.add_own(is_busy, LegalKind::Stop);
        entries.add_own(self.unit_type.fuel == 0 && !is(Activity::Explore), LegalKind::Explore);
        let is_worker = self.unit_type.worker.unwrap_or_else(|| self.has_flag(UnitTypeFlag::Settlers));
        entries.add_own(is_worker && !is_controlled, LegalKind::AutoWork);
        if !is(Activity::Convert) {
            entries.add_own(self.can_convert(), LegalKind::Convert);
        }
    }

    fn can_fortify(&self) -> Answer {
        if self.version() >= ProtocolVersion::V3_1 {
            return Permission::new(self).of(Action::Fortify, None);
        }
        let terrain = self.world.terrain_of(self.tile);
        let no_fortify = TerrainFlag::NoFortify.number(self.version()).map(usize::from);
        let is_forbidden = terrain.zip(no_fortify).is_some_and(|(terrain, bit)| terrain.flags.get(bit))
            && !self.is_in_city();
        let can = self.class_has_flag(UnitClassFlag::CanFortify)
            && !self.has_flag(UnitTypeFlag::CantFortify)
            && !is_forbidden;
        can.into()
    }

    fn can_convert(&self) -> Answer {
        let to = self.world.rulesets().unit_types.get(self.unit_type.converted_to);
        let Some(to) = to.filter(|to| to.id != self.unit_type.id) else { return Answer::No };
        let after = Movement::of_type(self.world, self.unit.owner(), to);
        let can_be = after.is_some_and(|after| after.can_exist(self.tile));
        if !can_be || self.unit.is_occupied() || self.unit.transported_by().is_some() {
            return Answer::No;
        }
        match self.version() {
            ProtocolVersion::V3_0 => Answer::Yes,
            _ => Permission::new(self).of(Action::ConvertUnit, None),
        }
    }
}
