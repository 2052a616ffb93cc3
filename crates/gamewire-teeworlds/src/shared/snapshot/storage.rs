use std::collections::VecDeque;
use std::sync::Arc;

use super::Snapshot;

/// How many snapshots are kept: the three seconds that a server keeps, at 50 a second.
const KEPT: usize = 150;
/// How much memory the kept and the spare snapshots may take together, in bytes.
const MEMORY: usize = 4 * 1024 * 1024;

/// The snapshots that later ones may build on, by tick. Memory of dropped ones is used again.
#[derive(Clone, Debug, Default)]
pub struct Storage {
    kept: VecDeque<(i32, Arc<Snapshot>)>,
    spare: Vec<Arc<Snapshot>>,
    memory: usize,
}

impl Storage {
    /// Forgets all snapshots.
    pub fn clear(&mut self) {
        while self.drop_oldest() {}
    }

    /// The snapshot of a tick.
    #[must_use]
    pub fn get(&self, tick: i32) -> Option<&Arc<Snapshot>> {
        self.kept.iter().rev().find(|(kept, _)| *kept == tick).map(|(_, snapshot)| snapshot)
    }

    /// About how much memory is held, in bytes; what is shared counts for each that shares it.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        self.memory
    }

    /// How many snapshots are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether none is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Keeps a snapshot. One of the same tick is replaced; the oldest go when there are too many.
    pub fn keep(&mut self, tick: i32, snapshot: Arc<Snapshot>) {
        if let Some(at) = self.kept.iter().position(|(kept, _)| *kept == tick)
            && let Some((_, replaced)) = self.kept.remove(at)
        {
            self.memory = self.memory.saturating_sub(replaced.held_bytes());
            self.recycle(replaced);
        }
        self.memory = self.memory.saturating_add(snapshot.held_bytes());
        self.kept.push_back((tick, snapshot));
        // So that forgetting them all takes no memory.
        self.spare.reserve(self.kept.len());
        while self.kept.len() > KEPT {
            self.drop_oldest();
        }
        while self.memory > MEMORY && self.give_up_one() {}
    }

    /// Drops what is older than `tick`: a server that builds on `tick` never goes back behind it.
    pub fn purge_before(&mut self, tick: i32) {
        while self.kept.front().is_some_and(|(kept, _)| *kept < tick) {
            self.drop_oldest();
        }
    }

    /// A snapshot to fill: the memory of a dropped one, if there is one.
    #[must_use]
    pub fn fresh(&mut self) -> Arc<Snapshot> {
        let Some(spare) = self.spare.pop() else { return Arc::new(Snapshot::with_room()) };
        self.memory = self.memory.saturating_sub(spare.held_bytes());
        spare
    }

    /// Takes the memory of a snapshot that is not kept, unless somebody else holds it too.
    pub fn recycle(&mut self, mut snapshot: Arc<Snapshot>) {
        if self.spare.len() < KEPT && Arc::get_mut(&mut snapshot).is_some() {
            self.memory = self.memory.saturating_add(snapshot.held_bytes());
            self.spare.push(snapshot);
        }
    }

    /// Frees one snapshot, or makes the oldest a spare one; the last that is kept may always stay.
    fn give_up_one(&mut self) -> bool {
        match self.spare.pop() {
            Some(spare) => {
                self.memory = self.memory.saturating_sub(spare.held_bytes());
                true
            }
            None => self.kept.len() > 1 && self.drop_oldest(),
        }
    }

    fn drop_oldest(&mut self) -> bool {
        let Some((_, dropped)) = self.kept.pop_front() else { return false };
        self.memory = self.memory.saturating_sub(dropped.held_bytes());
        self.recycle(dropped);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::Key;
    use super::*;

    fn snapshot(ints: usize) -> Arc<Snapshot> {
        let mut snapshot = Snapshot::new();
        snapshot.insert(Key { kind: 1, id: 0 }, &vec![0; ints]).unwrap();
        Arc::new(snapshot)
    }

    #[test]
    fn only_so_many_and_so_much_is_kept() {
        let mut storage = Storage::default();
        for tick in 0..1000 {
            storage.keep(tick, snapshot(1));
        }
        assert_eq!(storage.len(), KEPT);
        assert!(storage.get(849).is_none() && storage.get(850).is_some());
        for tick in 1000..2000 {
            storage.keep(tick, snapshot(16_000));
        }
        assert!(storage.memory <= MEMORY);
        storage.clear();
        assert_eq!(storage.len(), 0);
        assert!(storage.memory <= MEMORY);
    }

    #[test]
    fn purging_keeps_the_tick_itself() {
        let mut storage = Storage::default();
        for tick in [10, 12, 14] {
            storage.keep(tick, snapshot(1));
        }
        storage.purge_before(12);
        assert!(storage.get(10).is_none() && storage.get(12).is_some() && storage.get(14).is_some());
    }

    #[test]
    fn a_tick_is_kept_once() {
        let mut storage = Storage::default();
        storage.keep(5, snapshot(1));
        storage.keep(5, snapshot(2));
        assert_eq!(storage.len(), 1);
        assert_eq!(storage.get(5).unwrap().bytes(), 16);
    }
}
