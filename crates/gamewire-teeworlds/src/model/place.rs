//! Positions of the objects of a snapshot, for servers that show a client only the objects near it.

use super::snapshot::WorldCodec;
use crate::shared::extended::ExtendedObject;
use crate::shared::object::ObjectSet;
use crate::shared::snapshot::{FIRST_EXTENDED_TYPE, Item, Key, Snapshot};

/// The location of an object's position in its integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The object is visible to all clients.
    Everywhere,
    /// The position is in the first two integers.
    Point,
    /// The positions of both ends are in the first four integers.
    Beam,
    /// The position is in the integers after the tick.
    Character,
    /// The object has the position of the character with the same id.
    OfCharacter,
}

/// A position to the right and downwards.
pub(crate) type Point = (i32, i32);

/// Returns the positions of both ends of an object, which are equal for most objects. Returns `None` for an object that
/// is visible to all clients.
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

/// Returns the location of the position of an object of DDNet.
fn place_of_extended(uuid: u128) -> Place {
    match ExtendedObject::name_of(uuid) {
        Some("ddnet_character") => Place::OfCharacter,
        Some("ddnet_pickup") => Place::Point,
        Some("ddnet_laser") => Place::Beam,
        _ => Place::Everywhere,
    }
}
