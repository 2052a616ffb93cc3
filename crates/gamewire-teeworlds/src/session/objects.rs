//! Snapshot items as objects of a version, and objects as items.

use super::ranges::Ranges;
use crate::shared::object::{ItemInts, ObjectSet, SliceSink};
use crate::shared::snapshot::{Item, Key, Snapshot, SnapshotFull};

/// More integers than any object has.
const ROOM: usize = 64;

/// The object that an item is; `None` for one of another size, or of a type that `O` has not.
/// With `is_strict` a number out of its range makes it `None` too, as in 0.7.
pub(crate) fn read<O: ObjectSet<Id = i32>>(item: Item<'_>, is_strict: bool) -> Option<O> {
    let kind = i32::from(item.key.kind);
    O::size_of(kind).filter(|size| *size == item.ints.len())?;
    let mut ranges = Ranges::default();
    let object = O::decode(kind, &mut ItemInts::new(item.ints, &[]), &mut ranges)?.ok()?;
    (!is_strict || ranges.check("").is_ok()).then_some(object)
}

/// Puts an object into a snapshot.
pub(crate) fn insert<O: ObjectSet<Id = i32>>(
    object: &O,
    id: u16,
    snapshot: &mut Snapshot,
) -> Result<(), SnapshotFull> {
    let mut room = [0; ROOM];
    let mut ints = SliceSink::new(&mut room);
    object.encode(&mut ints).map_err(|_| SnapshotFull)?;
    let count = ints.len();
    let kind = u16::try_from(object.id()).map_err(|_| SnapshotFull)?;
    snapshot.insert(Key { kind, id }, room.get(..count).ok_or(SnapshotFull)?)
}
