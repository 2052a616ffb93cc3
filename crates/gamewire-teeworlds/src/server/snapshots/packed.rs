use core::ops::Range;

use gamewire_wire::Writer;

use crate::shared::snapshot::{Key, Sizes, write_update};

/// Maximum bytes of an integer.
const MAX_INT_BYTES: usize = 5;
/// The integers before the item's own integers: type, number and size.
const HEAD_INTS: usize = 3;

/// The updates of items as bytes of a delta, by the index of the item.
#[derive(Debug, Default)]
pub(super) struct Packed {
    bytes: Vec<u8>,
    ranges: Vec<Range<u32>>,
}

impl Packed {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ranges.clear();
    }

    /// Adds the update of the next item.
    pub(super) fn push(&mut self, key: Key, ints: impl ExactSizeIterator<Item = i32>, sizes: Sizes) {
        let start = self.bytes.len();
        let room = ints.len().saturating_add(HEAD_INTS).saturating_mul(MAX_INT_BYTES);
        self.bytes.resize(start.saturating_add(room), 0);
        let mut to = Writer::new(self.bytes.get_mut(start..).unwrap_or_default());
        // The buffer is large enough.
        write_update(key, ints, sizes, &mut to).ok();
        let end = start.saturating_add(to.len());
        self.bytes.truncate(end);
        self.ranges.push(offset(start)..offset(end));
    }

    /// Adds an empty update for the next item.
    pub(super) fn push_nothing(&mut self) {
        let end = offset(self.bytes.len());
        self.ranges.push(end..end);
    }

    /// Returns the range of the update of an item. The ranges of successive items are adjacent.
    pub(super) fn range(&self, at: usize) -> Range<u32> {
        self.ranges.get(at).cloned().unwrap_or_default()
    }

    /// Returns the updates of successive items.
    pub(super) fn get(&self, range: Range<u32>) -> &[u8] {
        self.bytes.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    pub(super) const fn held_bytes(&self) -> usize {
        self.bytes.capacity().saturating_add(self.ranges.capacity().saturating_mul(size_of::<Range<u32>>()))
    }
}

/// Converts an offset. A snapshot has at most 64 KiB.
fn offset(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
