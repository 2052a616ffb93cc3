use super::{MAX_BYTES, MAX_ITEMS, MAX_TYPE};

/// The key of an item: its type and its number within the type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Type, at most [`MAX_TYPE`].
    pub kind: u16,
    /// Number in the type.
    pub id: u16,
}

impl Key {
    /// Returns the key as on the wire: `kind << 16 | id`.
    #[must_use]
    pub fn to_wire(self) -> i32 {
        i32::from(self.kind & MAX_TYPE) << 16 | i32::from(self.id)
    }

    /// Creates a key from its number on the wire, or returns `None` if the number is negative.
    pub fn from_wire(key: i32) -> Option<Self> {
        let key = u32::try_from(key).ok()?;
        Some(Self { kind: u16::try_from(key >> 16).ok()?, id: u16::try_from(key & 0xffff).ok()? })
    }
}

/// One item of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<'a> {
    /// Key of the item.
    pub key: Key,
    /// Integers of the item.
    pub ints: &'a [i32],
}

/// Returns the UUID that an item of type 0 declares: four integers, the highest first.
pub(crate) fn declared_uuid(ints: &[i32]) -> Option<u128> {
    let &[a, b, c, d] = ints else { return None };
    Some([a, b, c, d].iter().fold(0, |uuid, int| uuid << 32 | u128::from(int.cast_unsigned())))
}

/// The snapshot has reached its maximum of items or bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot is full: at most {MAX_ITEMS} items in {MAX_BYTES} bytes")]
pub struct SnapshotFull;

/// A set of items, ordered by key.
///
/// Clearing keeps the memory, so reusing a snapshot does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    heads: Vec<Head>,
    ints: Vec<i32>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    key: Key,
    start: u32,
    end: u32,
}

impl Snapshot {
    /// Creates an empty snapshot.
    pub const fn new() -> Self {
        Self { heads: Vec::new(), ints: Vec::new() }
    }

    /// Creates an empty snapshot with capacity for a game of a few players.
    pub(super) fn with_room() -> Self {
        Self { heads: Vec::with_capacity(64), ints: Vec::with_capacity(512) }
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.ints.clear();
    }

    /// Returns the number of items.
    pub const fn len(&self) -> usize {
        self.heads.len()
    }

    /// Returns whether there are no items.
    pub const fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Returns the size of the items in bytes, counted as in the games.
    pub fn bytes(&self) -> usize {
        self.ints.len().saturating_mul(4).saturating_add(self.heads.len().saturating_mul(8))
    }

    /// Returns the allocated memory in bytes.
    pub const fn held_bytes(&self) -> usize {
        let heads = self.heads.capacity().saturating_mul(size_of::<Head>());
        heads.saturating_add(self.ints.capacity().saturating_mul(4))
    }

    /// Returns all items, ordered by key.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        self.heads.iter().map(|head| Item { key: head.key, ints: self.data(*head) })
    }

    /// Returns an item by its index in the order of keys.
    pub(crate) fn item(&self, at: usize) -> Option<Item<'_>> {
        self.heads.get(at).map(|head| Item { key: head.key, ints: self.data(*head) })
    }

    /// Returns the integers of an item.
    pub fn get(&self, key: Key) -> Option<&[i32]> {
        let at = self.find(key).ok()?;
        self.heads.get(at).map(|head| self.data(*head))
    }

    /// Returns the UUID of a type of DDNet, if an item of type 0 declares it.
    pub fn declared_type(&self, kind: u16) -> Option<u128> {
        self.get(Key { kind: 0, id: kind }).and_then(declared_uuid)
    }

    /// Returns the wrapping sum of all integers. It is sent as the checksum of a delta.
    pub fn crc(&self) -> i32 {
        self.ints.iter().fold(0, |sum, int| sum.wrapping_add(*int))
    }

    /// Inserts an item, or replaces one of the same key and size.
    ///
    /// # Errors
    /// [`SnapshotFull`] if the snapshot is full, or if an item of the same key has another size. Nothing
    /// changes.
    pub fn insert(&mut self, key: Key, ints: &[i32]) -> Result<(), SnapshotFull> {
        self.get_or_insert(key, ints.len())?.copy_from_slice(ints);
        Ok(())
    }

    /// Returns the `count` integers of item `key`. They are zeros if the item is new.
    pub(super) fn get_or_insert(&mut self, key: Key, count: usize) -> Result<&mut [i32], SnapshotFull> {
        let head = match self.find(key) {
            Ok(at) => *self.heads.get(at).ok_or(SnapshotFull)?,
            Err(at) => {
                let bytes = self.bytes().saturating_add(count.saturating_mul(4)).saturating_add(8);
                if self.heads.len() >= MAX_ITEMS || bytes > MAX_BYTES {
                    return Err(SnapshotFull);
                }
                let start = u32::try_from(self.ints.len()).map_err(|_| SnapshotFull)?;
                self.ints.resize(self.ints.len().saturating_add(count), 0);
                let end = u32::try_from(self.ints.len()).map_err(|_| SnapshotFull)?;
                let head = Head { key, start, end };
                self.heads.insert(at, head);
                head
            }
        };
        let data = self.ints.get_mut(head.start as usize..head.end as usize).ok_or(SnapshotFull)?;
        if data.len() == count { Ok(data) } else { Err(SnapshotFull) }
    }

    /// Replaces the items with a copy of `other` without the items in `excluded`, a sorted list of keys.
    pub(super) fn copy_without(&mut self, other: &Self, excluded: &[Key]) {
        if excluded.is_empty() {
            self.ints.clone_from(&other.ints);
            self.heads.clone_from(&other.heads);
            return;
        }
        self.clear();
        for head in &other.heads {
            if excluded.binary_search(&head.key).is_err() {
                let start = u32::try_from(self.ints.len()).unwrap_or(u32::MAX);
                self.ints.extend_from_slice(other.data(*head));
                let end = u32::try_from(self.ints.len()).unwrap_or(u32::MAX);
                self.heads.push(Head { key: head.key, start, end });
            }
        }
    }

    /// Returns the index of an item in the order of keys. The error is the index that a missing item would have.
    pub(crate) fn find(&self, key: Key) -> Result<usize, usize> {
        match self.heads.last() {
            Some(last) if last.key < key => Err(self.heads.len()),
            _ => self.heads.binary_search_by_key(&key, |head| head.key),
        }
    }

    fn data(&self, head: Head) -> &[i32] {
        self.ints.get(head.start as usize..head.end as usize).unwrap_or_default()
    }
}

impl PartialEq for Snapshot {
    fn eq(&self, other: &Self) -> bool {
        self.items().eq(other.items())
    }
}

impl Eq for Snapshot {}

#[cfg(test)]
mod tests {
    use super::*;

    const fn key(kind: u16, id: u16) -> Key {
        Key { kind, id }
    }

    #[test]
    fn items_are_ordered_by_key() {
        let mut snapshot = Snapshot::new();
        for (kind, id) in [(9, 1), (4, 7), (9, 0), (4, 2)] {
            snapshot.insert(key(kind, id), &[i32::from(id), 1]).unwrap();
        }
        let keys: Vec<_> = snapshot.items().map(|item| (item.key.kind, item.key.id)).collect();
        assert_eq!(keys, [(4, 2), (4, 7), (9, 0), (9, 1)]);
        assert_eq!(snapshot.get(key(4, 7)), Some([7, 1].as_slice()));
        assert_eq!(snapshot.get(key(4, 8)), None);
    }

    #[test]
    fn the_crc_wraps() {
        let mut snapshot = Snapshot::new();
        snapshot.insert(key(1, 0), &[i32::MAX, 1]).unwrap();
        snapshot.insert(key(1, 1), &[-1]).unwrap();
        assert_eq!(snapshot.crc(), i32::MAX);
    }

    #[test]
    fn t9_neither_items_nor_bytes_exceed_their_limit() {
        let mut many = Snapshot::new();
        for id in 0..1024 {
            many.insert(key(1, id), &[0]).unwrap();
        }
        assert_eq!(many.insert(key(1, 1024), &[0]), Err(SnapshotFull));
        let mut large = Snapshot::new();
        let big = vec![0; 8190];
        large.insert(key(1, 0), &big).unwrap();
        large.insert(key(1, 1), &big).unwrap();
        assert_eq!(large.insert(key(1, 2), &[0]), Err(SnapshotFull));
        assert!(large.bytes() <= MAX_BYTES);
    }

    #[test]
    fn an_item_does_not_change_its_size() {
        let mut snapshot = Snapshot::new();
        snapshot.insert(key(1, 0), &[1, 2]).unwrap();
        assert_eq!(snapshot.insert(key(1, 0), &[1]), Err(SnapshotFull));
        snapshot.insert(key(1, 0), &[3, 4]).unwrap();
        assert_eq!(snapshot.get(key(1, 0)), Some([3, 4].as_slice()));
    }

    #[test]
    fn a_key_with_the_sign_bit_is_none() {
        assert_eq!(Key::from_wire(-1), None);
        assert_eq!(Key::from_wire(0x0009_0003), Some(key(9, 3)));
        assert_eq!(key(9, 3).to_wire(), 0x0009_0003);
    }
}
