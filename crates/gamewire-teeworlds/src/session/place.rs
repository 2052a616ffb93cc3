//! Positions of the objects of a snapshot, for servers that show a client only what is near.

use super::snapshot::WorldCodec;
use crate::shared::extended::ExtendedObject;
use crate::shared::object::ObjectSet;
use crate::shared::snapshot::{FIRST_EXTENDED_TYPE, Item, Key, Snapshot};

/// The place of an object's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The object is shown to all.
    Everywhere,
    /// The position is in the first two integers.
    Point,
    /// The positions of both ends are in the first four integers.
    Beam,
    /// The position is in the integers after the tick.
    Character,
    /// The position is that of the character with the same id.
    OfCharacter,
}

/// A position to the right and downwards.
pub(crate) type Point = (i32, i32);

/// Returns the positions of both ends of an object, which are equal for most; `None` for what is shown to all.
pub(crate) fn ends<V: WorldCodec>(item: Item<'_>, snapshot: &Snapshot) -> Option<(Point, Point)> {
    let place = match item.key.kind {
        kind if kind >= FIRST_EXTENDED_TYPE => place_of_extended(snapshot.declared_type(kind)?),
        kind => V::place(kind),
    };
    let same = |point| (point, point);
    match (place, item.ints) {
        (Place::Everywhere, _) => None,
        (Place::Point, &[x, y, ..]) | (Place::Character, &[_, x, y, ..]) => Some(same((x, y))),
        (Place::Beam, &[x, y, from_x, from_y, ..]) => Some(((x, y), (from_x, from_y))),
        (Place::OfCharacter, _) => match snapshot.get(Key { kind: V::CHARACTER, id: item.key.id })? {
            &[_, x, y, ..] => Some(same((x, y))),
            _ => None,
        },
        _ => None,
    }
}

/// Returns where an object of DDNet has its position.
fn place_of_extended(uuid: u128) -> Place {
    match ExtendedObject::name_of(uuid) {
        Some("ddnet_character") => Place::OfCharacter,
        Some("ddnet_pickup") => Place::Point,
        Some("ddnet_laser") => Place::Beam,
        _ => Place::Everywhere,
    }
}
