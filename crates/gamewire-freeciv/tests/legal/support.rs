//! The legal actions of a world.

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::legal::{Actor, LegalEntry, LegalKind, LegalList, LegalTarget, Part};
use gamewire_freeciv::number::Activity;
use gamewire_freeciv::packets::{Packet, UnitInfo};
use gamewire_freeciv::world::World;

use crate::path::support::{UNIT, at, extra_id, maps, own_unit};

/// The middle of the map.
pub(crate) const CENTER: (i32, i32) = (4, 4);
/// The actor of the own unit.
pub(crate) const ACTOR: Actor = Actor::Unit(UNIT);

/// Returns all legal actions.
pub(crate) fn entries(world: &World) -> Vec<LegalEntry> {
    let mut list = LegalList::new();
    list.update(world);
    list.entries().copied().collect()
}

/// Returns the legal actions of an actor of one kind.
pub(crate) fn of_kind(world: &World, actor: Actor, kind: LegalKind) -> Vec<LegalEntry> {
    entries(world).into_iter().filter(|entry| entry.key.actor == actor && entry.key.kind == kind).collect()
}

/// Returns whether an actor has an action of a kind.
pub(crate) fn offers(world: &World, actor: Actor, kind: LegalKind) -> bool {
    !of_kind(world, actor, kind).is_empty()
}

/// Returns whether an actor has an action of a kind with a part.
pub(crate) fn offers_part(world: &World, actor: Actor, kind: LegalKind, part: Part) -> bool {
    of_kind(world, actor, kind).iter().any(|entry| entry.key.part == part)
}

/// Returns whether an actor has an action of a kind on a target.
pub(crate) fn offers_on(world: &World, actor: Actor, kind: LegalKind, target: LegalTarget) -> bool {
    of_kind(world, actor, kind).iter().any(|entry| entry.key.target == target)
}

/// Returns an extra as the part of a target.
pub(crate) fn extra(world: &World, name: &str) -> Part {
    Part::Extra(extra_id(world, name).try_into().unwrap())
}

/// Puts an own unit on a tile with all its moves. `change` changes its packet.
pub(crate) fn put_with(
    world: &mut World,
    id: u32,
    unit_type: &str,
    tile: i32,
    change: impl FnOnce(&World, &mut UnitInfo),
) {
    let mut unit = own_unit(world, id, unit_type, tile);
    unit.activity_tgt = -1;
    change(world, &mut unit);
    world.apply(&Packet::UnitInfo(&unit));
}

/// Gives a unit an activity, with the name of its extra.
pub(crate) fn busy(unit: &mut UnitInfo, world: &World, activity: Activity, extra: Option<&str>) {
    unit.activity = activity.number(world.version()).unwrap();
    unit.activity_tgt = extra.map_or(-1, |name| extra_id(world, name).try_into().unwrap());
}

/// Returns maps of one terrain with the own unit in the middle.
pub(crate) fn with_unit(terrain: &str, unit_type: &str) -> [(ProtocolVersion, World); 3] {
    maps(terrain).map(|(version, mut world)| {
        put_with(&mut world, UNIT, unit_type, at(CENTER.0, CENTER.1), |_, _| {});
        (version, world)
    })
}
