use super::bits::Bits;
use super::frame::Frame;
use super::packed::Packed;
use crate::shared::snapshot::Sizes;

/// The difference from one frame to a later one, for all receivers with the same base.
#[derive(Debug, Default)]
pub(super) struct Difference {
    pub(super) base_tick: i32,
    /// The update of each changed item of the later frame.
    pub(super) packed: Packed,
    /// The items of the later frame with changed integers.
    pub(super) changed: Bits,
    /// The items with a changed number of integers. An update cannot express this change.
    pub(super) resized: Bits,
    /// Both frames have the same keys.
    same_keys: bool,
    /// The index in the later frame of each item of the base.
    base_to_new: Vec<Option<usize>>,
}

impl Difference {
    /// Rebuilds the difference, from `base` to `new`.
    pub(super) fn build(&mut self, base: &Frame, new: &Frame, sizes: Sizes) {
        let Self { base_tick, packed, changed, resized, same_keys, base_to_new } = self;
        *base_tick = base.tick;
        (*changed, *resized, *same_keys) = (Bits::default(), Bits::default(), base.all == new.all);
        packed.clear();
        base_to_new.clear();
        let mut old_items = base.snapshot.items().peekable();
        for (at, item) in new.snapshot.items().enumerate() {
            while old_items.next_if(|old| old.key < item.key).is_some() {
                base_to_new.push(None);
                *same_keys = false;
            }
            let Some(old) = old_items.next_if(|old| old.key == item.key) else {
                *same_keys = false;
                packed.push_nothing();
                continue;
            };
            base_to_new.push(Some(at));
            if old.ints == item.ints {
                packed.push_nothing();
            } else if old.ints.len() == item.ints.len() {
                changed.insert(at);
                let differences = item.ints.iter().zip(old.ints).map(|(new, old)| new.wrapping_sub(*old));
                packed.push(item.key, differences, sizes);
            } else {
                resized.insert(at);
                packed.push_nothing();
            }
        }
        base_to_new.extend(old_items.map(|_| None));
    }

    /// Maps a set of items of the base to the items of the later frame.
    pub(super) fn to_new(&self, base: &Bits) -> Bits {
        if self.same_keys {
            return *base;
        }
        let mut new = Bits::default();
        base.iter().filter_map(|at| self.new_index(at)).for_each(|at| new.insert(at));
        new
    }

    /// Returns the items of `base`, a set of items of the base, that are not in `new`, a set of items of the later
    /// frame.
    pub(super) fn gone(&self, base: &Bits, new: &Bits) -> Bits {
        if self.same_keys {
            return base.without(new);
        }
        let mut gone = *base;
        for at in base.iter() {
            if self.new_index(at).is_some_and(|at| new.contains(at)) {
                gone.remove(at);
            }
        }
        gone
    }

    /// Returns the allocated memory in bytes.
    pub(super) const fn held_bytes(&self) -> usize {
        let indexes = self.base_to_new.capacity().saturating_mul(size_of::<Option<usize>>());
        self.packed.held_bytes().saturating_add(indexes)
    }

    fn new_index(&self, base: usize) -> Option<usize> {
        self.base_to_new.get(base).copied().flatten()
    }
}
