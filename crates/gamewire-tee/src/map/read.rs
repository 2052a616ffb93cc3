//! Reads a data file.

use super::data_file::{Blob, BlobForm, DataFile, DataVersion, Item, MAX_BLOB_BYTES};
use super::error::{MapError, MapErrorKind};

/// Bytes at the start of the file that the size in the header does not include.
const UNCOUNTED: usize = 16;
/// Bytes of the header.
const HEADER: usize = 36;

/// A reader with a position.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The numbers of a header.
struct Header {
    size: i32,
    swap_length: i32,
    types: usize,
    items: usize,
    blobs: usize,
    item_bytes: usize,
    data_bytes: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], MapError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some((first, _)) = rest.split_at_checked(length) else {
            return Err(MapError::new(self.bytes.len(), MapErrorKind::Truncated));
        };
        self.at = self.at.saturating_add(length);
        Ok(first)
    }

    fn int(&mut self) -> Result<i32, MapError> {
        let bytes = self.take(4)?;
        Ok(bytes.first_chunk().map_or(0, |bytes| i32::from_le_bytes(*bytes)))
    }

    fn count(&mut self, name: &'static str) -> Result<usize, MapError> {
        let at = self.at;
        let found = self.int()?;
        usize::try_from(found).map_err(|_| number(at, name, None, found.into()))
    }

    /// Reads `count` integers. Checks that the file has their bytes before it allocates memory.
    fn ints(&mut self, count: usize) -> Result<Vec<i32>, MapError> {
        let bytes = self.take(count.saturating_mul(4))?;
        Ok(ints(bytes))
    }
}

fn ints(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).filter_map(|int| int.first_chunk().map(|int| i32::from_le_bytes(*int))).collect()
}

const fn number(at: usize, name: &'static str, expected: Option<i64>, found: i64) -> MapError {
    MapError::new(at, MapErrorKind::Number { name, expected, found })
}

fn wide(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl DataFile {
    /// Reads a data file. Each byte of a file has a meaning: gaps and surplus bytes are errors.
    ///
    /// # Errors
    /// [`MapError`] if the bytes are not a data file of version 3 or 4.
    pub fn parse(bytes: &[u8]) -> Result<Self, MapError> {
        let mut cursor = Cursor { bytes, at: 0 };
        let is_foreign = match cursor.take(4)? {
            b"DATA" => false,
            b"ATAD" => true,
            _ => return Err(MapError::new(0, MapErrorKind::Magic)),
        };
        let version = cursor.int()?;
        if !matches!(version, 3 | 4) {
            return Err(MapError::new(4, MapErrorKind::Version(version)));
        }
        let header = Header::read(&mut cursor)?;
        let version = header.check(bytes.len(), version)?;
        let type_rows = cursor.ints(header.types.saturating_mul(3))?;
        let item_offsets = cursor.ints(header.items)?;
        let offsets_at = cursor.at;
        let data_offsets = cursor.ints(header.blobs)?;
        let sizes_at = cursor.at;
        let sizes = if version == DataVersion::V3 { Vec::new() } else { cursor.ints(header.blobs)? };
        let item_bytes = cursor.take(header.item_bytes)?;
        let data = cursor.take(header.data_bytes)?;
        let items = read_items(item_bytes, &item_offsets)?;
        let types = read_types(&type_rows, &items)?;
        let stored = read_blobs(data, &data_offsets, offsets_at)?;
        check_sizes(&sizes, sizes_at)?;
        let form = |index: usize| {
            let size = sizes.get(index).map(|size| size.unsigned_abs());
            size.map_or(BlobForm::Plain, |size| BlobForm::Compressed { size })
        };
        let blobs = stored.into_iter().enumerate();
        let blobs = blobs.map(|(index, stored)| Blob { stored, form: form(index) }).collect();
        Ok(Self { version, is_foreign, types, items, blobs })
    }
}

impl Header {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, MapError> {
        Ok(Self {
            size: cursor.int()?,
            swap_length: cursor.int()?,
            types: cursor.count("number of item types")?,
            items: cursor.count("number of items")?,
            blobs: cursor.count("number of blobs")?,
            item_bytes: cursor.count("size of items")?,
            data_bytes: cursor.count("size of blobs")?,
        })
    }

    /// Returns the version, or an error if the sizes in the header do not match the file.
    fn check(&self, length: usize, version: i32) -> Result<DataVersion, MapError> {
        let size_table = if version == 4 { self.blobs.saturating_mul(4) } else { 0 };
        let tables = (self.types.saturating_mul(12))
            .saturating_add(self.items.saturating_mul(4))
            .saturating_add(self.blobs.saturating_mul(4))
            .saturating_add(size_table);
        let swap_length =
            HEADER.saturating_sub(UNCOUNTED).saturating_add(tables).saturating_add(self.item_bytes);
        let size = swap_length.saturating_add(self.data_bytes);
        if size.saturating_add(UNCOUNTED) != length {
            return Err(number(
                20,
                "sum of the sizes in the header",
                Some(wide(length)),
                wide(size.saturating_add(UNCOUNTED)),
            ));
        }
        let is_crude =
            version == 4 && wide(size.saturating_sub(size_table)) == i64::from(self.size) && self.blobs > 0;
        let left_out = if is_crude { size_table } else { 0 };
        let (size, swap_length) =
            (wide(size.saturating_sub(left_out)), wide(swap_length.saturating_sub(left_out)));
        if i64::from(self.size) != size {
            return Err(number(8, "size", Some(size), self.size.into()));
        }
        if i64::from(self.swap_length) != swap_length {
            return Err(number(12, "swap length", Some(swap_length), self.swap_length.into()));
        }
        Ok(match (version, is_crude) {
            (3, _) => DataVersion::V3,
            (_, false) => DataVersion::V4,
            (_, true) => DataVersion::V4Crude,
        })
    }
}

fn read_items(bytes: &[u8], offsets: &[i32]) -> Result<Vec<Item>, MapError> {
    let mut items = Vec::with_capacity(offsets.len());
    let mut rest = bytes;
    for (index, offset) in offsets.iter().enumerate() {
        let error = MapError::new(index, MapErrorKind::Item);
        let at = bytes.len().saturating_sub(rest.len());
        let Some(([key, size], after)) = header_of(rest).filter(|_| usize::try_from(*offset) == Ok(at))
        else {
            return Err(error);
        };
        let size = usize::try_from(size).ok().filter(|size| size % 4 == 0).ok_or(error)?;
        let (content, after) = after.split_at_checked(size).ok_or(error)?;
        rest = after;
        let key = key.cast_unsigned();
        let (type_id, id) = ((key >> 16) as u16, (key & 0xffff) as u16);
        items.push(Item { type_id, id, ints: ints(content) });
    }
    if !rest.is_empty() {
        return Err(MapError::new(offsets.len(), MapErrorKind::Item));
    }
    Ok(items)
}

/// Returns the key and the size of an item, and the bytes after them.
fn header_of(bytes: &[u8]) -> Option<([i32; 2], &[u8])> {
    let (key, rest) = bytes.split_first_chunk()?;
    let (size, rest) = rest.split_first_chunk()?;
    Some(([i32::from_le_bytes(*key), i32::from_le_bytes(*size)], rest))
}

/// Reads the types. Each type has one row: its number, and the range of its items.
fn read_types(rows: &[i32], items: &[Item]) -> Result<Vec<u16>, MapError> {
    let mut types: Vec<u16> = Vec::with_capacity(rows.len() / 3);
    let mut is_known = vec![false; 1 << 16];
    let mut next = 0_usize;
    for (index, row) in rows.chunks_exact(3).enumerate() {
        let error = MapError::new(index, MapErrorKind::ItemTypes);
        let &[type_id, start, count] = row else { return Err(error) };
        let type_id = u16::try_from(type_id).map_err(|_| error)?;
        let count = usize::try_from(count).ok().filter(|count| *count > 0).ok_or(error)?;
        let end = next.checked_add(count).ok_or(error)?;
        let range = items.get(next..end).filter(|_| usize::try_from(start) == Ok(next)).ok_or(error)?;
        let known = is_known.get_mut(usize::from(type_id)).ok_or(error)?;
        if *known || range.iter().any(|item| item.type_id != type_id) {
            return Err(error);
        }
        *known = true;
        next = end;
        types.push(type_id);
    }
    if next != items.len() {
        return Err(MapError::new(rows.len() / 3, MapErrorKind::ItemTypes));
    }
    Ok(types)
}

fn read_blobs(data: &[u8], offsets: &[i32], table_at: usize) -> Result<Vec<Vec<u8>>, MapError> {
    let length = i32::try_from(data.len()).unwrap_or(i32::MAX);
    if offsets.first().is_some_and(|first| *first != 0) || (offsets.is_empty() && !data.is_empty()) {
        let found = offsets.first().copied().unwrap_or(length);
        return Err(number(table_at, "blob offset", Some(0), found.into()));
    }
    let ends = offsets.iter().skip(1).copied().chain([length]);
    let mut blobs = Vec::with_capacity(offsets.len());
    for (index, (start, end)) in offsets.iter().copied().zip(ends).enumerate() {
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        let bytes = range.and_then(|(start, end)| data.get(start..end));
        let at = table_at.saturating_add(index.saturating_mul(4));
        blobs.push(bytes.ok_or_else(|| number(at, "blob offset", None, start.into()))?.to_vec());
    }
    Ok(blobs)
}

/// Checks the claimed sizes against the limit. The content is checked when a blob is read.
fn check_sizes(sizes: &[i32], table_at: usize) -> Result<(), MapError> {
    for (index, size) in sizes.iter().enumerate() {
        if usize::try_from(*size).is_ok_and(|size| size <= MAX_BLOB_BYTES) {
            continue;
        }
        let at = table_at.saturating_add(index.saturating_mul(4));
        return Err(number(at, "blob size", None, (*size).into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
