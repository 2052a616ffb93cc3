use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::key::Key;

/// Where the packet of each key is.
///
/// Small keys stand in pages, so that finding them costs the same whatever the peer chooses; the others are
/// hashed with a secret.
#[derive(Clone, Debug)]
pub(super) struct Index<K> {
    pages: Vec<Option<Box<Page>>>,
    others: HashMap<K, u32>,
}

/// How many keys share a page.
const PAGE: usize = 64;

/// The places of some keys in a row; 0 for those that are not remembered.
type Page = [u32; PAGE];

impl<K: Key> Index<K> {
    /// About how many bytes a key takes that is not small.
    const OTHER: usize = 2 * (size_of::<K>() + size_of::<u32>());

    /// The place of a key; 0 if it has none.
    #[inline]
    pub(super) fn get(&self, key: K) -> u32 {
        match key.small() {
            Some(small) => {
                let page = self.pages.get(small / PAGE).and_then(Option::as_deref);
                page.and_then(|page| page.get(small % PAGE)).copied().unwrap_or(0)
            }
            None => self.others.get(&key).copied().unwrap_or(0),
        }
    }

    /// Gives a key a place. About how many bytes that takes.
    pub(super) fn set(&mut self, key: K, place: u32) -> usize {
        let Some(small) = key.small() else {
            return match self.others.entry(key) {
                Entry::Occupied(mut known) => {
                    known.insert(place);
                    0
                }
                Entry::Vacant(vacant) => {
                    vacant.insert(place);
                    Self::OTHER
                }
            };
        };
        let mut grown = 0;
        let (page, within) = (small / PAGE, small % PAGE);
        if self.pages.len() <= page {
            let missing = page.saturating_add(1).saturating_sub(self.pages.len());
            grown = missing.saturating_mul(size_of::<Option<Box<Page>>>());
            self.pages.resize(page.saturating_add(1), None);
        }
        if let Some(page) = self.pages.get_mut(page) {
            if page.is_none() {
                grown = grown.saturating_add(size_of::<Page>());
            }
            let page = page.get_or_insert_with(|| Box::new([0; PAGE]));
            if let Some(entry) = page.get_mut(within) {
                *entry = place;
            }
        }
        grown
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let pages = self.pages.iter().flatten().count().saturating_mul(size_of::<Page>());
        let table = self.pages.len().saturating_mul(size_of::<Option<Box<Page>>>());
        let others = self.others.len().saturating_mul(Self::OTHER);
        pages.saturating_add(table).saturating_add(others)
    }

    /// Takes its place from a key, 0 if it had none; and about how many bytes that gives back.
    pub(super) fn remove(&mut self, key: K) -> (u32, usize) {
        let Some(small) = key.small() else {
            return self.others.remove(&key).map_or((0, 0), |place| (place, Self::OTHER));
        };
        let page = self.pages.get_mut(small / PAGE).and_then(Option::as_deref_mut);
        (page.and_then(|page| page.get_mut(small % PAGE)).map_or(0, core::mem::take), 0)
    }
}

impl<K> Default for Index<K> {
    fn default() -> Self {
        Self { pages: Vec::new(), others: HashMap::new() }
    }
}
