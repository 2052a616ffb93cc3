use core::ops::Range;

use gamewire_wire::{CodecError, Found, Reader, Span, Trace, Writer};

use super::{Key, MAX_BYTES, MAX_ITEMS, MAX_TYPE, Snapshot};
use crate::shared::pack::{FifthByte, Unpacker, pack_int};
use crate::shared::warning;

/// How many integers an item of a type has, if its size is not sent with it.
pub type Sizes = fn(kind: u16) -> Option<usize>;

/// What changes from one snapshot to another, in the order of the wire.
///
/// Reading into a delta that was used before does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    deleted: Vec<Key>,
    updates: Vec<Update>,
    ints: Vec<i32>,
    /// Where each of `ints` stands; only when somebody watches.
    spans: Vec<Span>,
    /// Scratch: `deleted` in order.
    sorted: Vec<Key>,
}

/// One item that is new or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The item.
    pub key: Key,
    /// Where its type and number, and its size if that is sent, stand.
    pub span: Span,
    ints: Range<u32>,
}

const PACKET: &str = "snapshot_delta";

impl Delta {
    /// Keys of the items that are gone.
    #[must_use]
    pub fn deleted(&self) -> &[Key] {
        &self.deleted
    }

    /// The items that are new or changed.
    #[must_use]
    pub fn updates(&self) -> &[Update] {
        &self.updates
    }

    /// The integers of an update: differences for an item of the base, plain values for a new one.
    #[must_use]
    pub fn ints(&self, update: &Update) -> &[i32] {
        self.ints.get(update.ints.start as usize..update.ints.end as usize).unwrap_or_default()
    }

    /// Where each of the integers of an update stands; empty when nobody watched.
    #[must_use]
    pub fn spans(&self, update: &Update) -> &[Span] {
        self.spans.get(update.ints.start as usize..update.ints.end as usize).unwrap_or_default()
    }

    /// How much memory is held, in bytes.
    #[must_use]
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

    /// Reads the delta that fills `reader`: counts, deleted keys, then of each update type,
    /// number, its size where `sizes` has none, and its integers.
    ///
    /// # Errors
    /// When a count, type, number or size cannot be, or the data end too early. Nothing is
    /// reserved by what a count claims.
    pub fn read<T: Trace>(
        &mut self,
        reader: Reader<'_>,
        fifth_byte: FifthByte,
        sizes: Sizes,
        trace: &mut T,
    ) -> Result<(), CodecError> {
        self.clear();
        self.read_parts(reader, fifth_byte, sizes, trace).map_err(|error| error.in_packet(PACKET))
    }

    fn read_parts<T: Trace>(
        &mut self,
        reader: Reader<'_>,
        fifth_byte: FifthByte,
        sizes: Sizes,
        trace: &mut T,
    ) -> Result<(), CodecError> {
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
    fn read_update<T: Trace>(
        &mut self,
        from: &mut Unpacker<'_>,
        sizes: Sizes,
        trace: &mut T,
    ) -> Result<(), CodecError> {
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
                // Each integer takes at least one byte: a size beyond that is refused unread.
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
        let watched = trace.wants_details();
        for _ in 0..count {
            let at = from.reader.offset();
            self.ints
                .push(from.int("an integer of the item", trace).map_err(|error| error.in_field("data"))?);
            if watched {
                self.spans.push(from.span_since(at));
            }
        }
        let ints = small(first)..small(self.ints.len());
        self.updates.push(Update { key: Key { kind, id }, span, ints });
        Ok(())
    }

    /// Writes the delta: the same bytes again for one that was read from a canonical sender.
    ///
    /// # Errors
    /// When the buffer is full.
    pub fn write(&self, sizes: Sizes, to: &mut Writer<'_>) -> Result<(), CodecError> {
        pack_int(count(self.deleted.len()), to)?;
        pack_int(count(self.updates.len()), to)?;
        pack_int(0, to)?;
        for key in &self.deleted {
            pack_int(key.to_wire(), to)?;
        }
        for update in &self.updates {
            let ints = self.ints(update);
            pack_int(update.key.kind.into(), to)?;
            pack_int(update.key.id.into(), to)?;
            if sizes(update.key.kind).is_none() {
                pack_int(count(ints.len()), to)?;
            }
            for &int in ints {
                pack_int(int, to)?;
            }
        }
        Ok(())
    }

    /// Makes `to` of `base` and this delta.
    ///
    /// # Errors
    /// When an item changes its size, or the result would be larger than any snapshot.
    pub fn apply(&mut self, base: &Snapshot, to: &mut Snapshot) -> Result<(), CodecError> {
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

    /// Becomes what changes from `base` to `to`: items with other data, new ones, gone ones, each
    /// in the order of keys.
    ///
    /// # Errors
    /// When an item has another size than in `base`: no delta can say that. Give it another key.
    /// The delta is empty then.
    pub fn build(&mut self, base: &Snapshot, to: &Snapshot) -> Result<(), CodecError> {
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
            let ints = small(first)..small(self.ints.len());
            self.updates.push(Update { key: item.key, span: Span::default(), ints });
        }
        Ok(())
    }
}

#[inline]
fn number<T: Trace>(
    from: &mut Unpacker<'_>,
    range: core::ops::RangeInclusive<i32>,
    field: &'static str,
    expected: &'static str,
    trace: &mut T,
) -> Result<i32, CodecError> {
    let at = from.reader.offset();
    let value = from.int(expected, trace).map_err(|error| error.in_field(field))?;
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(CodecError::new(at, expected, Found::Value(value.into())).in_field(field))
    }
}

/// A delta is read from at most 64 KiB, and an integer takes at least a byte.
fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn count(count: usize) -> i32 {
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
    fn a_delta_holds_what_is_new_changed_and_gone_and_nothing_else() {
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
