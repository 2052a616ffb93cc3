//! Loading and unloading on one tile.

use super::entry::Entries;
use super::key::{LegalTarget, Part};
use super::kind::LegalKind;
use super::permission::Permission;
use super::subject::Subject;
use crate::codec::ProtocolVersion;
use crate::number::Action;
use crate::rules::Answer;
use crate::world::Unit;

/// Collects the transporters that a unit can board, and the one that it can leave.
pub(super) fn collect(subject: &Subject<'_>, entries: &mut Entries) {
    let carrier = subject.unit.transported_by().and_then(|carrier| subject.world.unit(carrier));
    if let Some(carrier) = carrier {
        let answer = can_leave(subject, carrier);
        entries.add(answer, LegalKind::Unload, LegalTarget::Unit(carrier.id()), Part::None);
        return;
    }
    // A unit with cargo does not board another one here, because the depth of such a stack is bounded.
    if subject.unit.is_occupied() {
        return;
    }
    let mine = |unit: &&Unit| unit.owner() == subject.unit.owner() && unit.id() != subject.unit.id();
    for boat in subject.world.units_at(subject.tile.tile).filter(mine) {
        let can_board = subject.movement.can_board(subject.tile, boat) && boat.transported_by().is_none();
        let answer = Answer::from(can_board).and(|| is_enabled(subject, Action::TransportBoard, boat));
        entries.add(answer, LegalKind::Load, LegalTarget::Unit(boat.id()), Part::None);
    }
}

fn can_leave<'w>(subject: &Subject<'w>, carrier: &'w Unit) -> Answer {
    let can = subject.movement.can_exist(subject.tile) && subject.movement.can_leave(subject.tile, carrier);
    Answer::from(can).and(|| is_enabled(subject, Action::TransportDeboard, carrier))
}

fn is_enabled<'w>(subject: &Subject<'w>, action: Action, on: &'w Unit) -> Answer {
    match subject.version() {
        ProtocolVersion::V3_0 => Answer::Yes,
        _ => Permission::new(subject).of_own_unit(action, on),
    }
}
