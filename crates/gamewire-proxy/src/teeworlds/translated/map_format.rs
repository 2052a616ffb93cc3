//! Converts 0.7 maps for 0.6 clients, which cannot read tile layers of version 4 and envelopes of version 3.
//!
//! A map is a data file. It contains, in this order: a header of nine integers, the table of item types, the offsets
//! of items and of data, the inflated sizes of the data, the items, and the data, compressed by zlib. All integers are
//! 32-bit little-endian. Each item starts with its key (type and number) and its size.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

/// Maximum total size of all inflated data in bytes.
const MAX_BYTES: usize = 64 << 20;
const MAGIC: &[u8; 4] = b"DATA";
const HEADER: usize = 36;
/// The only supported version of data files.
const VERSION: i32 = 4;

const ENVELOPE: i32 = 3;
const LAYER: i32 = 5;
const ENVELOPE_POINTS: i32 = 6;
const TILES: i32 = 2;
/// Number of integers per envelope point in 0.6, and in 0.7 with tangents.
const POINT_06: usize = 6;
const POINT_07: usize = 22;
/// Size of a tile in bytes: index, flags, repeat count and a reserved byte.
const TILE: usize = 4;

/// A parsed map.
#[derive(Debug, PartialEq, Eq)]
struct DataFile {
    items: Vec<Item>,
    data: Vec<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    /// `type << 16 | number`.
    key: i32,
    ints: Vec<i32>,
}

/// Converts a map to the 0.6 format. Returns `None` if the map has that format already, or is not a valid map.
pub(super) fn for_0_6(map: &[u8]) -> Option<Vec<u8>> {
    let mut file = DataFile::parse(map)?;
    let has_tiles = file.convert_tiles()?;
    let has_envelopes = file.convert_envelopes()?;
    if has_tiles || has_envelopes { file.write() } else { None }
}

impl Item {
    const fn kind(&self) -> i32 {
        self.key >> 16
    }

    fn at(&self, index: usize) -> Option<i32> {
        self.ints.get(index).copied()
    }
}

/// A reader of integers.
struct Ints<'a>(&'a [u8]);

impl<'a> Ints<'a> {
    fn next(&mut self) -> Option<i32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(i32::from_le_bytes(*first))
    }

    /// Reads a number of elements or of bytes.
    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.next()?).ok()
    }

    fn list(&mut self, count: usize) -> Option<Vec<i32>> {
        // Check the size before allocating.
        (count.checked_mul(4)? <= self.0.len()).then_some(())?;
        (0..count).map(|_| self.next()).collect()
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(first)
    }
}

impl DataFile {
    fn parse(map: &[u8]) -> Option<Self> {
        let mut from = Ints(map.strip_prefix(MAGIC)?);
        (from.next()? == VERSION).then_some(())?;
        let (_size, _swap_length) = (from.next()?, from.next()?);
        let (types, items, data) = (from.count()?, from.count()?, from.count()?);
        let (item_bytes, data_bytes) = (from.count()?, from.count()?);
        from.list(types.checked_mul(3)?)?;
        let item_offsets = from.list(items)?;
        let data_offsets = from.list(data)?;
        from.list(data)?;
        let (item_bytes, data_bytes) = (from.take(item_bytes)?, from.take(data_bytes)?);
        let item = |offset: i32| {
            let mut from = Ints(item_bytes.get(usize::try_from(offset).ok()?..)?);
            let (key, size) = (from.next()?, from.count()?);
            Some(Item { key, ints: from.list(size / 4)? })
        };
        let items = item_offsets.into_iter().map(item).collect::<Option<_>>()?;
        let mut left = MAX_BYTES;
        let ends = data_offsets.iter().skip(1).copied().chain([i32::try_from(data_bytes.len()).ok()?]);
        let mut inflated = Vec::with_capacity(data_offsets.len());
        for (start, end) in data_offsets.iter().copied().zip(ends) {
            let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
            let bytes = inflate(data_bytes.get(start..end)?, left)?;
            left = left.checked_sub(bytes.len())?;
            inflated.push(bytes);
        }
        Some(Self { items, data: inflated })
    }

    /// Expands the tiles of version 4 layers. Returns whether there were any.
    fn convert_tiles(&mut self) -> Option<bool> {
        let mut is_changed = false;
        for item in self.items.iter_mut().filter(|item| item.kind() == LAYER) {
            if item.at(1) != Some(TILES) || item.at(3).is_none_or(|version| version < 4) {
                continue;
            }
            let (width, height) = (item.at(4)?, item.at(5)?);
            let tiles = usize::try_from(width).ok()?.checked_mul(usize::try_from(height).ok()?)?;
            let data = self.data.get_mut(usize::try_from(item.at(14)?).ok()?)?;
            *data = repeated(data, tiles)?;
            *item.ints.get_mut(3)? = 3;
            is_changed = true;
        }
        Some(is_changed)
    }

    /// Removes the tangents of version 3 envelopes. Returns whether there were any.
    fn convert_envelopes(&mut self) -> Option<bool> {
        let mut is_changed = false;
        for item in self.items.iter_mut().filter(|item| item.kind() == ENVELOPE) {
            let version = item.ints.first_mut()?;
            if *version >= 3 {
                *version = 2;
                is_changed = true;
            }
        }
        for item in self.items.iter_mut().filter(|item| is_changed && item.kind() == ENVELOPE_POINTS) {
            let points = item.ints.chunks_exact(POINT_07);
            item.ints = points.flat_map(|point| point.iter().take(POINT_06)).copied().collect();
        }
        Some(is_changed)
    }

    fn write(&self) -> Option<Vec<u8>> {
        let int = |number: usize| i32::try_from(number).ok();
        let (mut items, mut item_offsets) = (Vec::new(), Vec::new());
        for item in &self.items {
            item_offsets.push(int(items.len())?);
            let size = int(item.ints.len().checked_mul(4)?)?;
            for number in [item.key, size].iter().chain(&item.ints) {
                items.extend(number.to_le_bytes());
            }
        }
        let (mut data, mut data_offsets) = (Vec::new(), Vec::new());
        for inflated in &self.data {
            data_offsets.push(int(data.len())?);
            let mut encoder = ZlibEncoder::new(&mut data, Compression::default());
            encoder.write_all(inflated).and_then(|()| encoder.finish().map(drop)).ok()?;
        }
        let sizes = self.data.iter().map(|inflated| int(inflated.len())).collect::<Option<Vec<_>>>()?;
        let types = self.types()?;
        let tables = [types.as_slice(), &item_offsets, &data_offsets, &sizes].concat();
        let swap_length =
            tables.len().checked_mul(4)?.checked_add(items.len())?.checked_add(HEADER)?.checked_sub(16)?;
        let size = swap_length.checked_add(data.len())?;
        let counts = [types.len() / 3, self.items.len(), self.data.len(), items.len(), data.len()];
        let mut written = MAGIC.to_vec();
        written.extend(VERSION.to_le_bytes());
        for number in [size, swap_length].into_iter().chain(counts) {
            written.extend(int(number)?.to_le_bytes());
        }
        written.extend(tables.iter().flat_map(|number| number.to_le_bytes()));
        written.extend(items);
        written.extend(data);
        Some(written)
    }

    /// Returns the type table: each type with the index of its first item and the number of its items.
    fn types(&self) -> Option<Vec<i32>> {
        let mut types: Vec<[i32; 3]> = Vec::new();
        for (item, at) in self.items.iter().zip(0_i32..) {
            match types.last_mut() {
                Some([kind, _, count]) if *kind == item.kind() => *count = count.checked_add(1)?,
                _ => types.push([item.kind(), at, 1]),
            }
        }
        Some(types.concat())
    }
}

/// Inflates data. Returns `None` above `max` bytes.
fn inflate(data: &[u8], max: usize) -> Option<Vec<u8>> {
    let mut inflated = Vec::new();
    let limit = u64::try_from(max).ok()?.checked_add(1)?;
    ZlibDecoder::new(data).take(limit).read_to_end(&mut inflated).ok()?;
    (inflated.len() <= max).then_some(inflated)
}

/// Expands repeated tiles. Returns `None` if the result does not have `count` tiles.
fn repeated(tiles: &[u8], count: usize) -> Option<Vec<u8>> {
    let length = count.checked_mul(TILE).filter(|length| *length <= MAX_BYTES)?;
    let mut all = Vec::with_capacity(length);
    for tile in tiles.chunks_exact(TILE) {
        let &[index, flags, skip, reserved] = tile else { return None };
        for _ in 0..=skip {
            all.extend([index, flags, 0, reserved]);
        }
        (all.len() <= length).then_some(())?;
    }
    (all.len() == length).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(version: i32) -> Item {
        let ints = vec![0, TILES, 0, version, 3, 2, 1, 255, 255, 255, 255, -1, 0, -1, 0, 7, 8, 9];
        Item { key: LAYER << 16, ints }
    }

    fn seven() -> DataFile {
        let points = (0..44).collect();
        let items = vec![
            Item { key: 0, ints: vec![1] },
            Item { key: ENVELOPE << 16, ints: vec![3, 4, 0, 2] },
            layer(4),
            Item { key: ENVELOPE_POINTS << 16, ints: points },
        ];
        // One tile that occurs five times, and another tile.
        DataFile { items, data: vec![vec![9, 1, 4, 0, 7, 0, 0, 0], b"name".to_vec()] }
    }

    #[test]
    fn layers_and_envelopes_of_0_7_become_those_of_0_6() {
        let written = for_0_6(&seven().write().unwrap()).unwrap();
        let file = DataFile::parse(&written).unwrap();
        assert_eq!(
            file.data,
            [[[9, 1, 0, 0]; 5].concat(), vec![7, 0, 0, 0]]
                .concat()
                .chunks(24)
                .map(<[u8]>::to_vec)
                .chain([b"name".to_vec()])
                .collect::<Vec<_>>()
        );
        assert_eq!(file.items[1].ints, [2, 4, 0, 2]);
        assert_eq!(file.items[2], layer(3));
        assert_eq!(file.items[3].ints, [0, 1, 2, 3, 4, 5, 22, 23, 24, 25, 26, 27]);
        assert_eq!(for_0_6(&written), None, "it has the format of 0.6");
        let size = i32::try_from(written.len()).unwrap();
        assert_eq!(written[8..12], (size - 16).to_le_bytes());
    }

    #[test]
    fn p1_a_map_that_lies_is_left_as_it_is() {
        let good = seven().write().unwrap();
        assert!((0..good.len()).all(|length| for_0_6(&good[..length]).is_none()));
        for at in 0..good.len() {
            for value in [0, 0x7f, 0xff] {
                let mut bad = good.clone();
                bad[at] = value;
                let _ = for_0_6(&bad);
            }
        }
        let mut short = seven();
        short.data[0].truncate(4);
        assert_eq!(for_0_6(&short.write().unwrap()), None);
        let mut huge = seven();
        (huge.items[2].ints[4], huge.items[2].ints[5]) = (i32::MAX, i32::MAX);
        assert_eq!(for_0_6(&huge.write().unwrap()), None);
    }
}
