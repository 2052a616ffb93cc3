use core::ops::Range;

use gamewire_wire::{CodecError, Found, Reader, Result, Span, Trace, Writer};

use super::{Key, MAX_BYTES, MAX_ITEMS, MAX_TYPE, Snapshot};
use crate::shared::pack::{FifthByte, Unpacker, pack_int};
use crate::shared::warning;

/// A function that returns the number of integers of an item type, or `None` if items are sent with their size.
pub type Sizes = fn(kind: u16) -> Option<usize>;

/// The difference between two snapshots, in wire order.
///
/// Reusing a delta does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    deleted: Vec<Key>,
    updates: Vec<Update>,
    ints: Vec<i32>,
    /// Spans of `ints`; empty unless the trace wants details.
    spans: Vec<Span>,
    /// Scratch: `deleted`, sorted.
    sorted: Vec<Key>,
}

/// A new or changed item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Key of the item.
    pub key: Key,
    /// Span of its type and number, and of its size if the size is sent.
    pub span: Span,
    ints: Range<u32>,
}

const PACKET: &str = "snapshot_delta";

impl Delta {
    /// Returns the keys of the deleted items.
    pub fn deleted(&self) -> &[Key] {
        &self.deleted
    }

    /// Returns the new and changed items.
    pub fn updates(&self) -> &[Update] {
        &self.updates
    }

    /// Returns the integers of an update: differences for an item of the base, values for a new one.
    pub fn ints(&self, update: &Update) -> &[i32] {
        self.ints.get(update.ints.start as usize..update.ints.end as usize).unwrap_or_default()
    }

    /// Returns the spans of the integers of an update. They are empty unless the trace wanted details.
    pub fn spans(&self, update: &Update) -> &[Span] {
        self.spans.get(update.ints.start as usize..update.ints.end as usize).unwrap_or_default()
    }

    /// Returns the allocated memory in bytes.
    pub const fn held_bytes(&self) -> usize {
        let keys = self.deleted.capacity().saturating_add(self.sorted.capacity());
        let updates = self.updates.capacity().saturating_mul(size_of::<Update>());
        let spans = self.spans.capacity().saturating_mul(size_of::<Span>());
        let ints = self.ints.capacity().saturating_mul(4);
        keys.saturating_mul(size_of::<Key>())
            .saturating_add(updates)
            .saturating_add(spans)
            .saturating_add(ints)
    }

    fn clear(&mut self) {
        self.deleted.clear();
        self.updates.clear();
        self.ints.clear();
        self.spans.clear();
    }

    /// Reads the delta that fills `reader`: counts, deleted keys, and for each update its type,
    /// number, size (if `sizes` has none) and integers.
    ///
    /// # Errors
    /// [`CodecError`] if a count, type, number or size is invalid, or the data end too early. No memory
    /// is reserved for a count before its items arrive.
    pub fn read<T: Trace>(
        &mut self,
        reader: Reader<'_>,
        fifth_byte: FifthByte,
        sizes: Sizes,
        trace: &mut T,
    ) -> Result<()> {
        self.clear();
        self.read_parts(reader, fifth_byte, sizes, trace).map_err(|error| error.in_packet(PACKET))
    }

    fn read_parts<T: Trace>(
        &mut self,
        reader: Reader<'_>,
        fifth_byte: FifthByte,
        sizes: Sizes,
        trace: &mut T,
    ) -> Result<()> {
        if reader.remaining().len() > MAX_BYTES {
            return Err(CodecError::new(
                reader.offset(),
                "at most 64 KiB",
                Found::Bytes(reader.remaining().len()),
            ));
        }
        let mut from = Unpacker::new(reader, fifth_byte);
        let items = 0..=i32::try_from(MAX_ITEMS).unwrap_or(i32::MAX);
        let deleted = number(&mut from, items.clone(), "num_deleted", "0 to 1024 items", trace)?;
        let updated = number(&mut from, items, "num_updated", "0 to 1024 items", trace)?;
        number(&mut from, i32::MIN..=i32::MAX, "num_temp", "a number", trace)?;
        for _ in 0..deleted {
            let at = from.reader.offset();
            let key = number(&mut from, i32::MIN..=i32::MAX, "deleted", "a key", trace)?;
            let key = Key::from_wire(key).ok_or_else(|| {
                CodecError::new(at, "a key of 0 or more", Found::Value(key.into())).in_field("deleted")
            })?;
            self.deleted.push(key);
        }
        for _ in 0..updated {
            self.read_update(&mut from, sizes, trace)?;
        }
        if !from.reader.is_empty() {
            let at = from.reader.offset();
            from.reader.take_rest();
            trace.warning(from.span_since(at), &warning::EXTRA_BYTES);
        }
        Ok(())
    }

    #[inline]
    fn read_update<T: Trace>(&mut self, from: &mut Unpacker<'_>, sizes: Sizes, trace: &mut T) -> Result<()> {
        let start = from.reader.offset();
        let kind = number(from, 0..=i32::from(MAX_TYPE), "type", "a type of 0 to 32767", trace)?;
        let id = number(from, 0..=0xffff, "id", "a number of 0 to 65535", trace)?;
        let (Ok(kind), Ok(id)) = (u16::try_from(kind), u16::try_from(id)) else {
            return Err(CodecError::new(start, "a type and a number", Found::Value(kind.into())));
        };
        let count = match sizes(kind) {
            Some(count) => count,
            None => {
                let at = from.reader.offset();
                let size = number(from, 0..=i32::MAX, "size", "a size of 0 or more", trace)?;
                // Each integer takes at least one byte.
                usize::try_from(size).ok().filter(|size| *size <= from.reader.remaining().len()).ok_or_else(
                    || {
                        CodecError::new(at, "no more integers than follow", Found::Value(size.into()))
                            .in_field("size")
                    },
                )?
            }
        };
        let span = from.span_since(start);
        let first = self.ints.len();
        let wants_spans = trace.wants_details();
        for _ in 0..count {
            let at = from.reader.offset();
            self.ints
                .push(from.int("an integer of the item", trace).map_err(|error| error.in_field("data"))?);
            if wants_spans {
                self.spans.push(from.span_since(at));
            }
        }
        let ints = saturating_u32(first)..saturating_u32(self.ints.len());
        self.updates.push(Update { key: Key { kind, id }, span, ints });
        Ok(())
    }

    /// Writes the delta. A delta that was read from a canonical sender encodes to the same bytes.
    ///
    /// # Errors
    /// [`CodecError`] if the buffer is full.
    pub fn write(&self, sizes: Sizes, to: &mut Writer<'_>) -> Result<()> {
        pack_int(count(self.deleted.len()), to)?;
        pack_int(count(self.updates.len()), to)?;
        pack_int(0, to)?;
        for key in &self.deleted {
            pack_int(key.to_wire(), to)?;
        }
        for update in &self.updates {
            write_update(update.key, self.ints(update).iter().copied(), sizes, to)?;
        }
        Ok(())
    }

    /// Sets `to` to `base` with this delta applied.
    ///
    /// # Errors
    /// [`CodecError`] if an item changes its size, or the result exceeds the limits of a snapshot. `to`
    /// is then incomplete.
    pub fn apply(&mut self, base: &Snapshot, to: &mut Snapshot) -> Result<()> {
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.deleted);
        self.sorted.sort_unstable();
        to.copy_without(base, &self.sorted);
        for update in &self.updates {
            let ints = self.ints(update);
            let refused = || {
                let at = update.span.byte_range().start;
                CodecError::new(
                    at,
                    "an item of the same size, in a snapshot of 1024 items and 64 KiB",
                    Found::Bytes(ints.len().saturating_mul(4)),
                )
                .in_packet(PACKET)
            };
            let place = to.get_or_insert(update.key, ints.len()).map_err(|_| refused())?;
            match base.get(update.key) {
                Some(old) if old.len() != ints.len() => return Err(refused()),
                Some(old) => {
                    for ((new, old), difference) in place.iter_mut().zip(old).zip(ints) {
                        *new = old.wrapping_add(*difference);
                    }
                }
                None => place.copy_from_slice(ints),
            }
        }
        Ok(())
    }

    /// Sets this delta to the difference from `base` to `to`: changed, new and deleted items, each ordered
    /// by key.
    ///
    /// # Errors
    /// [`CodecError`] if an item has another size than in `base`, which a delta cannot express. The delta
    /// is then empty. Use another key for such an item.
    pub fn build(&mut self, base: &Snapshot, to: &Snapshot) -> Result<()> {
        self.clear();
        self.deleted.extend(base.items().map(|item| item.key).filter(|key| to.get(*key).is_none()));
        for item in to.items() {
            let first = self.ints.len();
            match base.get(item.key) {
                Some(old) if old == item.ints => continue,
                Some(old) if old.len() != item.ints.len() => {
                    let found = Found::Bytes(item.ints.len().saturating_mul(4));
                    self.clear();
                    return Err(CodecError::new(0, "an item of the same size as in the base", found)
                        .in_packet(PACKET));
                }
                Some(old) => {
                    self.ints.extend(item.ints.iter().zip(old).map(|(new, old)| new.wrapping_sub(*old)));
                }
                None => self.ints.extend_from_slice(item.ints),
            }
            let ints = saturating_u32(first)..saturating_u32(self.ints.len());
            self.updates.push(Update { key: item.key, span: Span::default(), ints });
        }
        Ok(())
    }
}

/// Writes an update of an item with its integers: differences, or the values of a new item.
///
/// # Errors
/// [`CodecError`] if the buffer is full.
pub(crate) fn write_update(
    key: Key,
    ints: impl ExactSizeIterator<Item = i32>,
    sizes: Sizes,
    to: &mut Writer<'_>,
) -> Result<()> {
    pack_int(key.kind.into(), to)?;
    pack_int(key.id.into(), to)?;
    if sizes(key.kind).is_none() {
        pack_int(count(ints.len()), to)?;
    }
    for int in ints {
        pack_int(int, to)?;
    }
    Ok(())
}

#[inline]
fn number<T: Trace>(
    from: &mut Unpacker<'_>,
    range: core::ops::RangeInclusive<i32>,
    field: &'static str,
    expected: &'static str,
    trace: &mut T,
) -> Result<i32> {
    let at = from.reader.offset();
    let value = from.int(expected, trace).map_err(|error| error.in_field(field))?;
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(CodecError::new(at, expected, Found::Value(value.into())).in_field(field))
    }
}

/// Converts a count. A delta has at most 64 KiB, and an integer at least one byte.
fn saturating_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

pub(crate) fn count(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(items: &[(u16, &[i32])]) -> Snapshot {
        let mut snapshot = Snapshot::new();
        for (id, ints) in items {
            snapshot.insert(Key { kind: 5, id: *id }, ints).unwrap();
        }
        snapshot
    }

    #[test]
    fn a_delta_contains_only_new_changed_and_deleted_items() {
        let base = snapshot(&[(1, &[1, 2]), (2, &[3, 4]), (3, &[5, i32::MAX])]);
        let to = snapshot(&[(2, &[3, 4]), (3, &[5, i32::MIN]), (4, &[6, 7])]);
        let mut delta = Delta::default();
        delta.build(&base, &to).unwrap();
        assert_eq!(delta.deleted(), [Key { kind: 5, id: 1 }]);
        let updates: Vec<_> =
            delta.updates().iter().map(|update| (update.key.id, delta.ints(update))).collect();
        assert_eq!(updates, [(3, [0, 1].as_slice()), (4, &[6, 7])], "differences wrap");
        let mut made = Snapshot::new();
        delta.apply(&base, &mut made).unwrap();
        assert_eq!(made, to);
    }

    #[test]
    fn an_item_that_changes_its_size_has_no_delta() {
        let (base, to) = (snapshot(&[(1, &[1, 2])]), snapshot(&[(1, &[1])]));
        let error = Delta::default().build(&base, &to).unwrap_err();
        assert_eq!(error.found, Found::Bytes(4));
    }
}
