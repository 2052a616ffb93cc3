//! Types of items, and access to their integers.

use super::data_file::{DataFile, Item};
use super::error::MapError;

/// Numbers of the item types.
pub mod item_type {
    /// The version of the map.
    pub const VERSION: u16 = 0;
    /// Author, credits and settings.
    pub const INFO: u16 = 1;
    /// An image.
    pub const IMAGE: u16 = 2;
    /// An envelope.
    pub const ENVELOPE: u16 = 3;
    /// A group of layers.
    pub const GROUP: u16 = 4;
    /// A layer.
    pub const LAYER: u16 = 5;
    /// The points of all envelopes.
    pub const ENVELOPE_POINTS: u16 = 6;
    /// A sound of DDNet.
    pub const SOUND: u16 = 7;
    /// An item that gives a number to the UUID of a type.
    pub const UUID: u16 = 0xffff;
    /// Numbers above this one stand for a UUID.
    pub const MAX_PLAIN: u16 = 0x8000;
}

/// A type of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemType {
    /// One of [`item_type`], or an unknown number.
    Plain(u16),
    /// A UUID of DDNet.
    Uuid(u128),
}

impl ItemType {
    /// The configuration of the automatic mapper of DDNet: `mapitemtype-automapper-config@ddnet.tw`.
    pub const AUTO_MAPPER: Self = Self::Uuid(0x3e1b_2716_178c_3978_9bd9_b11a_e041_0dd8);
    /// The tangents of bezier curves of DDNet: `mapitemtype-envpoints-bezier@ddnet.tw`.
    pub const BEZIER: Self = Self::Uuid(0x3ab4_f84d_d9cc_3c78_b585_0d6c_cdb2_e25c);
}

impl DataFile {
    /// Returns the type of an item. A number without a declared UUID stays a number.
    #[must_use]
    pub fn type_of(&self, item: &Item) -> ItemType {
        if item.type_id <= item_type::MAX_PLAIN || item.type_id == item_type::UUID {
            return ItemType::Plain(item.type_id);
        }
        let declared = self
            .items()
            .iter()
            .find(|other| other.type_id == item_type::UUID && other.id == item.type_id)
            .and_then(|other| other.ints.first_chunk::<4>());
        declared.map_or(ItemType::Plain(item.type_id), |words| {
            let join = |uuid: u128, word: &i32| uuid << 32 | u128::from(word.cast_unsigned());
            ItemType::Uuid(words.iter().fold(0, join))
        })
    }

    /// Returns the items of a type with their index in the file.
    pub fn items_of(&self, wanted: ItemType) -> impl Iterator<Item = (usize, &Item)> {
        self.items().iter().enumerate().filter(move |(_, item)| self.type_of(item) == wanted)
    }
}

/// The integers of an item, with the item's index for errors.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) item: usize,
    pub(super) ints: &'a [i32],
}

impl Fields<'_> {
    /// Returns an integer, or an error that names it.
    pub(super) fn int(&self, index: usize, name: &'static str) -> Result<i32, MapError> {
        let missing = MapError::field(self.item, name, i64::try_from(self.ints.len()).unwrap_or(i64::MAX));
        self.ints.get(index).copied().ok_or(missing)
    }

    /// Returns an integer that may be missing.
    pub(super) fn optional(&self, index: usize) -> Option<i32> {
        self.ints.get(index).copied()
    }

    /// Returns a number that is not negative.
    pub(super) fn count(&self, index: usize, name: &'static str) -> Result<usize, MapError> {
        let found = self.int(index, name)?;
        usize::try_from(found).map_err(|_| MapError::field(self.item, name, found.into()))
    }

    /// Returns an index of a blob; `None` for -1.
    pub(super) fn blob(&self, index: usize, name: &'static str) -> Result<Option<usize>, MapError> {
        match self.int(index, name)? {
            -1 => Ok(None),
            found => {
                usize::try_from(found).map(Some).map_err(|_| MapError::field(self.item, name, found.into()))
            }
        }
    }

    /// Returns a name that is packed into integers, up to its end.
    pub(super) fn name(&self, start: usize, length: usize) -> Vec<u8> {
        let ints = self.ints.get(start..start.saturating_add(length)).unwrap_or_default();
        let bytes = ints.iter().flat_map(|int| int.to_be_bytes()).map(|byte| byte.wrapping_sub(128));
        bytes.take(length.saturating_mul(4).saturating_sub(1)).take_while(|byte| *byte != 0).collect()
    }
}

/// Packs a name into integers. A longer name is cut.
pub(super) fn pack_name<const N: usize>(name: &[u8]) -> [i32; N] {
    let length = N.saturating_mul(4);
    let mut bytes: Vec<u8> = name.iter().copied().take(length.saturating_sub(1)).collect();
    bytes.resize(length, 0);
    bytes.iter_mut().for_each(|byte| *byte = byte.wrapping_add(128));
    if let Some(last) = bytes.last_mut() {
        *last = 0;
    }
    let mut ints = [0; N];
    for (int, four) in ints.iter_mut().zip(bytes.chunks_exact(4)) {
        *int = four.first_chunk().map_or(0, |four| i32::from_be_bytes(*four));
    }
    ints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_packed_and_unpacked() {
        let ints = pack_name::<3>(b"Game");
        assert_eq!(ints.map(i32::cast_unsigned), [0xc7e1_ede5, 0x8080_8080, 0x8080_8000]);
        assert_eq!(Fields { item: 0, ints: &ints }.name(0, 3), b"Game");
        let long = pack_name::<3>(b"a name that is too long");
        assert_eq!(Fields { item: 0, ints: &long }.name(0, 3), b"a name that");
    }

    #[test]
    fn the_number_of_a_uuid_is_looked_up() {
        let mut file = DataFile::new();
        let item = |type_id, id, ints: &[u32]| Item {
            type_id,
            id,
            ints: ints.iter().map(|int| int.cast_signed()).collect(),
        };
        file.push_item(item(0xfffe, 0, &[1]));
        file.push_item(item(0xffff, 0xfffe, &[0x3e1b_2716, 0x178c_3978, 0x9bd9_b11a, 0xe041_0dd8]));
        let found: Vec<_> = file.items_of(ItemType::AUTO_MAPPER).map(|(index, _)| index).collect();
        assert_eq!(found, [0]);
    }
}
