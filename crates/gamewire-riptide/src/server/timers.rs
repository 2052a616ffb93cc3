use gamewire_machine::{Instant, Wake};

/// No place in the heap.
const NOT_IN_HEAP: u32 = u32::MAX;

/// When each slot wants to be woken: a heap that knows where its entries are, so that one can be
/// moved. The soonest is found at once, and setting one takes as many steps as the number of slots
/// has digits. Among equals the lower slot comes first.
#[derive(Debug, Default)]
pub(super) struct Timers {
    heap: Vec<Entry>,
    /// The place of each slot in the heap.
    places: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    wake: Wake,
    slot: u32,
}

impl Entry {
    const fn key(&self) -> (Instant, u32) {
        (self.wake.at, self.slot)
    }
}

impl Timers {
    /// The slot that wants to be woken first.
    pub(super) fn first(&self) -> Option<(Wake, u32)> {
        self.heap.first().map(|entry| (entry.wake, entry.slot))
    }

    /// Says when a slot wants to be woken, instead of what it wanted before.
    pub(super) fn set(&mut self, slot: u32, wake: Option<Wake>) {
        let place = self.heap_index(slot);
        match (place, wake) {
            (None, None) => {}
            (None, Some(wake)) => {
                let last = self.heap.len();
                self.heap.push(Entry { wake, slot });
                self.note(slot, last);
                self.sift_up(last);
            }
            (Some(place), Some(wake)) => {
                if let Some(entry) = self.heap.get_mut(place) {
                    entry.wake = wake;
                }
                self.restore_heap(place);
            }
            (Some(place), None) => {
                self.heap.swap_remove(place);
                self.forget(slot);
                if let Some(moved) = self.heap.get(place) {
                    self.note(moved.slot, place);
                    self.restore_heap(place);
                }
            }
        }
    }

    /// The memory that is held beside this value, in bytes.
    pub(super) const fn held_bytes(&self) -> usize {
        let heap = self.heap.capacity().saturating_mul(size_of::<Entry>());
        heap.saturating_add(self.places.capacity().saturating_mul(size_of::<u32>()))
    }

    fn heap_index(&self, slot: u32) -> Option<usize> {
        let place = *self.places.get(index(slot))?;
        (place != NOT_IN_HEAP).then(|| index(place))
    }

    fn note(&mut self, slot: u32, place: usize) {
        let slot = index(slot);
        if slot >= self.places.len() {
            self.places.resize(slot.saturating_add(1), NOT_IN_HEAP);
        }
        if let Some(known) = self.places.get_mut(slot) {
            *known = u32::try_from(place).unwrap_or(NOT_IN_HEAP);
        }
    }

    fn forget(&mut self, slot: u32) {
        if let Some(known) = self.places.get_mut(index(slot)) {
            *known = NOT_IN_HEAP;
        }
    }

    /// Whether the entry at `place` comes before the other one.
    fn is_before(&self, place: usize, other: usize) -> bool {
        match (self.heap.get(place), self.heap.get(other)) {
            (Some(one), Some(other)) => one.key() < other.key(),
            _ => false,
        }
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.heap.swap(one, other);
        for place in [one, other] {
            if let Some(entry) = self.heap.get(place) {
                self.note(entry.slot, place);
            }
        }
    }

    fn restore_heap(&mut self, place: usize) {
        let place = self.sift_up(place);
        self.sift_down(place);
    }

    fn sift_up(&mut self, mut place: usize) -> usize {
        while let Some(above) = place.checked_sub(1).map(|before| before / 2)
            && self.is_before(place, above)
        {
            self.swap(place, above);
            place = above;
        }
        place
    }

    fn sift_down(&mut self, mut place: usize) {
        loop {
            let left = place.saturating_mul(2).saturating_add(1);
            let right = left.saturating_add(1);
            let below = if self.is_before(right, left) { right } else { left };
            if !self.is_before(below, place) {
                return;
            }
            self.swap(place, below);
            place = below;
        }
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn wake(at: u64) -> Wake {
        Wake { at: Instant::from_micros(at), reason: "test" }
    }

    #[test]
    fn the_soonest_is_first_however_timers_are_set_moved_and_cleared() {
        let mut timers = Timers::default();
        let (mut by_slot, mut sorted) = (BTreeMap::new(), BTreeSet::new());
        let mut random = 1_u64;
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (slot, at) = ((random >> 33) as u32 % 100, (random >> 50) % 50);
            let cleared = random >> 63 == 1;
            if let Some(old) = by_slot.remove(&slot) {
                sorted.remove(&(old, slot));
            }
            if !cleared {
                by_slot.insert(slot, at);
                sorted.insert((at, slot));
            }
            timers.set(slot, (!cleared).then(|| wake(at)));
            let first = timers.first().map(|(wake, slot)| (wake.at.as_micros(), slot));
            assert_eq!(first, sorted.first().copied());
        }
        for slot in 0..100 {
            timers.set(slot, None);
        }
        assert_eq!(timers.first(), None);
    }

    #[test]
    fn once_grown_it_allocates_nothing() {
        let mut timers = Timers::default();
        (0..1_000).for_each(|slot| timers.set(slot, Some(wake(u64::from(slot)))));
        let allocations = allocation_counter::measure(|| {
            for round in 0..5_000_u32 {
                timers.set(round % 1_000, Some(wake(u64::from(round.wrapping_mul(7919)) % 1_000)));
                timers.set((round + 3) % 1_000, None);
            }
        });
        assert_eq!(allocations.count_total, 0);
    }
}
