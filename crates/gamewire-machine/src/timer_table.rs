use crate::{Instant, Wake};

/// Index of a key that has no timer.
const UNSET: usize = usize::MAX;

/// The timers of a machine, at most one for each key: the slot of a peer, or the number of a timer in an enum.
///
/// A binary heap that knows the index of each entry, so that a timer can be moved. [`next`](Self::next) takes constant
/// time, [`set`](Self::set) logarithmic time. If two timers are due at the same time, the one with the lower key fires
/// first. Memory is proportional to the largest key that was ever set.
#[derive(Debug, Default)]
pub struct TimerTable {
    heap: Vec<Entry>,
    /// Index in the heap by key.
    indices: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    wake: Wake,
    key: usize,
}

impl Entry {
    const fn order(&self) -> (Instant, usize) {
        (self.wake.at, self.key)
    }
}

impl TimerTable {
    /// Creates a table without timers.
    pub const fn new() -> Self {
        Self { heap: Vec::new(), indices: Vec::new() }
    }

    /// Returns the timer that is due first.
    pub fn next(&self) -> Option<Wake> {
        self.heap.first().map(|entry| entry.wake)
    }

    /// Replaces the timer of `key`. `None` clears it.
    pub fn set(&mut self, key: usize, wake: Option<Wake>) {
        match (self.index(key), wake) {
            (None, None) => {}
            (None, Some(wake)) => {
                let last = self.heap.len();
                self.heap.push(Entry { wake, key });
                self.store_index(key, last);
                self.move_up(last);
            }
            (Some(index), Some(wake)) => {
                if let Some(entry) = self.heap.get_mut(index) {
                    entry.wake = wake;
                }
                self.restore_order(index);
            }
            (Some(index), None) => {
                self.heap.swap_remove(index);
                self.clear_index(key);
                if let Some(moved) = self.heap.get(index) {
                    self.store_index(moved.key, index);
                    self.restore_order(index);
                }
            }
        }
    }

    /// Clears the first timer that is due at `now`, and returns its key.
    pub fn pop_due(&mut self, now: Instant) -> Option<usize> {
        let key = self.heap.first().filter(|entry| entry.wake.at <= now)?.key;
        self.set(key, None);
        Some(key)
    }

    /// Returns the memory that the table holds, in bytes.
    pub const fn held_bytes(&self) -> usize {
        let heap = self.heap.capacity().saturating_mul(size_of::<Entry>());
        heap.saturating_add(self.indices.capacity().saturating_mul(size_of::<usize>()))
    }

    fn index(&self, key: usize) -> Option<usize> {
        self.indices.get(key).copied().filter(|index| *index != UNSET)
    }

    fn store_index(&mut self, key: usize, index: usize) {
        if key >= self.indices.len() {
            self.indices.resize(key.saturating_add(1), UNSET);
        }
        if let Some(stored) = self.indices.get_mut(key) {
            *stored = index;
        }
    }

    fn clear_index(&mut self, key: usize) {
        if let Some(stored) = self.indices.get_mut(key) {
            *stored = UNSET;
        }
    }

    fn is_before(&self, index: usize, other: usize) -> bool {
        match (self.heap.get(index), self.heap.get(other)) {
            (Some(one), Some(other)) => one.order() < other.order(),
            _ => false,
        }
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.heap.swap(one, other);
        for index in [one, other] {
            if let Some(entry) = self.heap.get(index) {
                self.store_index(entry.key, index);
            }
        }
    }

    fn restore_order(&mut self, index: usize) {
        let index = self.move_up(index);
        self.move_down(index);
    }

    fn move_up(&mut self, mut index: usize) -> usize {
        while let Some(parent) = index.checked_sub(1).map(|before| before / 2)
            && self.is_before(index, parent)
        {
            self.swap(index, parent);
            index = parent;
        }
        index
    }

    fn move_down(&mut self, mut index: usize) {
        loop {
            let left = index.saturating_mul(2).saturating_add(1);
            let right = left.saturating_add(1);
            let child = if self.is_before(right, left) { right } else { left };
            if !self.is_before(child, index) {
                return;
            }
            self.swap(index, child);
            index = child;
        }
    }
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
    fn the_earliest_timer_is_next_after_any_changes() {
        let mut timers = TimerTable::new();
        let (mut by_key, mut sorted) = (BTreeMap::new(), BTreeSet::new());
        let mut random = 1_u64;
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (key, at) = ((random >> 33) as usize % 100, (random >> 50) % 50);
            let is_cleared = random >> 63 == 1;
            if let Some(old) = by_key.remove(&key) {
                sorted.remove(&(old, key));
            }
            if !is_cleared {
                by_key.insert(key, at);
                sorted.insert((at, key));
            }
            timers.set(key, (!is_cleared).then(|| wake(at)));
            assert_eq!(timers.next().map(|wake| wake.at.as_micros()), sorted.first().map(|(at, _)| *at));
        }
        let popped = core::iter::from_fn(|| timers.pop_due(Instant::from_micros(50)));
        assert!(popped.eq(sorted.into_iter().map(|(_, key)| key)));
        assert_eq!(timers.next(), None);
    }

    #[test]
    fn only_timers_that_are_due_are_popped() {
        let mut timers = TimerTable::new();
        timers.set(3, Some(wake(7)));
        assert_eq!(timers.pop_due(Instant::from_micros(6)), None);
        assert_eq!(timers.next(), Some(wake(7)));
        assert_eq!(timers.pop_due(Instant::from_micros(7)), Some(3));
        assert_eq!(timers.pop_due(Instant::from_micros(7)), None);
    }

    #[test]
    fn a_table_that_has_grown_allocates_nothing() {
        let mut timers = TimerTable::new();
        (0..1_000).for_each(|key| timers.set(key, Some(wake(key as u64))));
        let held = timers.held_bytes();
        for round in 0..5_000_usize {
            timers.set(round % 1_000, Some(wake(round.wrapping_mul(7919) as u64 % 1_000)));
            timers.set((round + 3) % 1_000, None);
        }
        assert_eq!(timers.held_bytes(), held);
    }
}
