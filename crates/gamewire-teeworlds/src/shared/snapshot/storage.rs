use std::collections::VecDeque;
use std::sync::Arc;

use super::Snapshot;

/// Maximum stored snapshots: three seconds, as on the servers, at 50 per second.
const MAX_SNAPSHOTS: usize = 150;
/// Maximum memory of the stored and the spare snapshots, in bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The snapshots that can be bases of later ones, by tick. The memory of dropped snapshots is reused.
#[derive(Clone, Debug, Default)]
pub struct Storage {
    kept: VecDeque<(i32, Arc<Snapshot>)>,
    spare: Vec<Arc<Snapshot>>,
    memory: usize,
}

impl Storage {
    /// Removes all snapshots.
    pub fn clear(&mut self) {
        while self.drop_oldest() {}
    }

    /// Returns the snapshot of a tick.
    pub fn get(&self, tick: i32) -> Option<&Arc<Snapshot>> {
        self.kept.iter().rev().find(|(kept, _)| *kept == tick).map(|(_, snapshot)| snapshot)
    }

    /// Returns the snapshots with their ticks, in the order in which they were stored.
    pub fn iter(&self) -> impl Iterator<Item = (i32, &Snapshot)> {
        self.kept.iter().map(|(tick, snapshot)| (*tick, &**snapshot))
    }

    /// Returns the approximate allocated memory in bytes. Shared memory counts for each snapshot that
    /// shares it.
    pub const fn held_bytes(&self) -> usize {
        self.memory
    }

    /// Returns the number of stored snapshots.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns whether no snapshot is stored.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Stores a snapshot. It replaces an earlier snapshot of the same tick. At the limit, the oldest snapshots are
    /// dropped.
    pub fn keep(&mut self, tick: i32, snapshot: Arc<Snapshot>) {
        if let Some(at) = self.kept.iter().position(|(kept, _)| *kept == tick)
            && let Some((_, replaced)) = self.kept.remove(at)
        {
            self.memory = self.memory.saturating_sub(replaced.held_bytes());
            self.recycle(replaced);
        }
        self.memory = self.memory.saturating_add(snapshot.held_bytes());
        self.kept.push_back((tick, snapshot));
        // The capacity is reserved here, so that removing all snapshots does not allocate.
        self.spare.reserve(self.kept.len());
        while self.kept.len() > MAX_SNAPSHOTS {
            self.drop_oldest();
        }
        while self.memory > MAX_BYTES && self.free_one() {}
    }

    /// Drops snapshots older than `tick`. A server that uses `tick` as a base never uses an older one
    /// again.
    pub fn purge_before(&mut self, tick: i32) {
        while self.kept.front().is_some_and(|(kept, _)| *kept < tick) {
            self.drop_oldest();
        }
    }

    /// Returns a snapshot to fill. It reuses the memory of a dropped one if possible.
    #[must_use]
    pub fn fresh(&mut self) -> Arc<Snapshot> {
        let Some(spare) = self.spare.pop() else { return Arc::new(Snapshot::with_room()) };
        self.memory = self.memory.saturating_sub(spare.held_bytes());
        spare
    }

    /// Stores a dropped snapshot for reuse, unless it has another owner.
    pub fn recycle(&mut self, mut snapshot: Arc<Snapshot>) {
        if self.spare.len() < MAX_SNAPSHOTS && Arc::get_mut(&mut snapshot).is_some() {
            self.memory = self.memory.saturating_add(snapshot.held_bytes());
            self.spare.push(snapshot);
        }
    }

    /// Frees a spare snapshot, or makes the oldest a spare one. The last stored snapshot always stays.
    fn free_one(&mut self) -> bool {
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
    fn count_and_memory_are_limited() {
        let mut storage = Storage::default();
        for tick in 0..1000 {
            storage.keep(tick, snapshot(1));
        }
        assert_eq!(storage.len(), MAX_SNAPSHOTS);
        assert!(storage.get(849).is_none() && storage.get(850).is_some());
        for tick in 1000..2000 {
            storage.keep(tick, snapshot(16_000));
        }
        assert!(storage.memory <= MAX_BYTES);
        storage.clear();
        assert_eq!(storage.len(), 0);
        assert!(storage.memory <= MAX_BYTES);
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
    fn a_tick_is_stored_once() {
        let mut storage = Storage::default();
        storage.keep(5, snapshot(1));
        storage.keep(5, snapshot(2));
        assert_eq!(storage.len(), 1);
        assert_eq!(storage.get(5).unwrap().bytes(), 16);
    }
}
