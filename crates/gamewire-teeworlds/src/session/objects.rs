//! Conversion between snapshot items and the objects of a version.

use super::ranges::Ranges;
use crate::shared::object::{ItemInts, ObjectSet, SliceSink};
use crate::shared::snapshot::{Item, Key, Snapshot, SnapshotFull};

/// Maximum number of integers of an object.
const MAX_INTS: usize = 64;

/// Decodes the object of an item. Returns `None` if the size is wrong or the type is unknown, and with `is_strict` also if
/// a number is out of its range, as in 0.7.
pub(crate) fn decode<O: ObjectSet<Id = i32>>(item: Item<'_>, is_strict: bool) -> Option<O> {
    let kind = i32::from(item.key.kind);
    O::size_of(kind).filter(|size| *size == item.ints.len())?;
    let mut ranges = Ranges::default();
    let object = O::decode(kind, &mut ItemInts::new(item.ints, &[]), &mut ranges)?.ok()?;
    (!is_strict || ranges.check("").is_ok()).then_some(object)
}

/// Inserts an object into a snapshot.
pub(crate) fn insert<O: ObjectSet<Id = i32>>(
    object: &O,
    id: u16,
    snapshot: &mut Snapshot,
) -> Result<(), SnapshotFull> {
    let mut buffer = [0; MAX_INTS];
    let mut ints = SliceSink::new(&mut buffer);
    object.encode(&mut ints).map_err(|_| SnapshotFull)?;
    let count = ints.len();
    let kind = u16::try_from(object.id()).map_err(|_| SnapshotFull)?;
    snapshot.insert(Key { kind, id }, buffer.get(..count).ok_or(SnapshotFull)?)
}
