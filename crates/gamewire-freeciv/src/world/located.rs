use std::collections::{BTreeMap, BTreeSet};

/// The known cities or units on the map, by id and by tile.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Located<T> {
    by_id: BTreeMap<u32, T>,
    #[cfg_attr(feature = "serde", serde(skip))]
    by_tile: BTreeSet<(i32, u32)>,
}

/// A thing with an id on a tile.
pub(super) trait OnTile: PartialEq {
    fn place(&self) -> (i32, u32);
}

/// The things that changed. Each has its tile before the change, or `None` if it was not known then.
pub(super) type OldTiles = BTreeMap<u32, Option<i32>>;

impl<T> Default for Located<T> {
    fn default() -> Self {
        Self { by_id: BTreeMap::new(), by_tile: BTreeSet::new() }
    }
}

impl<T> Located<T> {
    /// Returns the thing with this id.
    pub fn get(&self, id: u32) -> Option<&T> {
        self.by_id.get(&id)
    }

    /// Iterates over all things by ascending id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        self.by_id.values()
    }

    /// Iterates over the things on a tile by ascending id.
    pub fn on_tile(&self, tile: i32) -> impl DoubleEndedIterator<Item = &T> {
        self.by_tile.range((tile, 0)..=(tile, u32::MAX)).filter_map(|(_, id)| self.get(*id))
    }
}

#[allow(private_bounds, reason = "only the world changes it")]
impl<T: OnTile> Located<T> {
    pub(super) fn put(&mut self, thing: T, changes: &mut OldTiles) {
        let (tile, id) = thing.place();
        let old = self.by_id.get(&id);
        if old == Some(&thing) {
            return;
        }
        let old_place = old.map(T::place);
        changes.entry(id).or_insert_with(|| old_place.map(|(tile, _)| tile));
        old_place.map(|old| self.by_tile.remove(&old));
        self.by_tile.insert((tile, id));
        self.by_id.insert(id, thing);
    }

    /// Changes a thing that stays on its tile.
    pub(super) fn change(&mut self, id: u32, changes: &mut OldTiles, change: impl FnOnce(&mut T)) {
        if let Some(thing) = self.by_id.get_mut(&id) {
            let (tile, _) = thing.place();
            changes.entry(id).or_insert(Some(tile));
            change(thing);
        }
    }

    pub(super) fn remove(&mut self, id: u32, changes: &mut OldTiles) {
        if let Some(thing) = self.by_id.remove(&id) {
            let place = thing.place();
            self.by_tile.remove(&place);
            changes.entry(id).or_insert(Some(place.0));
        }
    }

    pub(super) fn forget(&mut self, changes: &mut OldTiles) {
        for (tile, id) in core::mem::take(self).by_tile {
            changes.entry(id).or_insert(Some(tile));
        }
    }
}
