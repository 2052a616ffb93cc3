//! Writes a data file.

use super::data_file::{BlobForm, DataFile, DataVersion};
use super::error::{MapError, MapErrorKind};

/// Bytes of the header that its size includes.
const COUNTED_HEADER: usize = 20;

impl DataFile {
    /// Returns the bytes of the file. If a file was read and not changed, they are the bytes that were read.
    ///
    /// # Errors
    /// [`MapErrorKind::Unwritable`] if the file has 2 GiB or more.
    pub fn to_bytes(&self) -> Result<Vec<u8>, MapError> {
        let unwritable = MapError::new(0, MapErrorKind::Unwritable);
        let int = |number: usize| i32::try_from(number).map_err(|_| unwritable);
        let (mut items, mut item_offsets) = (Vec::new(), Vec::new());
        for item in &self.items {
            item_offsets.push(int(items.len())?);
            let key = i32::from(item.type_id) << 16 | i32::from(item.id);
            let size = int(item.ints.len().saturating_mul(4))?;
            for number in [key, size].iter().chain(&item.ints) {
                items.extend(number.to_le_bytes());
            }
        }
        let (mut data_length, mut data_offsets, mut sizes) = (0_usize, Vec::new(), Vec::new());
        for blob in &self.blobs {
            data_offsets.push(int(data_length)?);
            data_length = data_length.saturating_add(blob.stored.len());
            match blob.form {
                BlobForm::Plain => {}
                BlobForm::Compressed { size } => sizes.push(i32::try_from(size).map_err(|_| unwritable)?),
            }
        }
        let types = self.type_rows(int)?;
        let tables = [types.as_slice(), &item_offsets, &data_offsets, &sizes].concat();
        let left_out = if self.version == DataVersion::V4Crude { sizes.len().saturating_mul(4) } else { 0 };
        let swap_length = (tables.len().saturating_mul(4))
            .saturating_add(items.len())
            .saturating_add(COUNTED_HEADER)
            .saturating_sub(left_out);
        let size = swap_length.saturating_add(data_length);
        let counts = [types.len() / 3, self.items.len(), self.blobs.len(), items.len(), data_length];
        let mut bytes = if self.is_foreign { b"ATAD" } else { b"DATA" }.to_vec();
        bytes.extend(if self.version == DataVersion::V3 { 3_i32 } else { 4 }.to_le_bytes());
        for number in [size, swap_length].into_iter().chain(counts) {
            bytes.extend(int(number)?.to_le_bytes());
        }
        bytes.extend(tables.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(items);
        self.blobs.iter().for_each(|blob| bytes.extend_from_slice(&blob.stored));
        Ok(bytes)
    }

    /// Returns the table of types: number, index of the first item, number of items.
    fn type_rows(&self, int: impl Fn(usize) -> Result<i32, MapError>) -> Result<Vec<i32>, MapError> {
        let mut rows = Vec::new();
        let mut start = 0_usize;
        for type_id in &self.types {
            let count = self.items.iter().filter(|item| item.type_id == *type_id).count();
            rows.extend([i32::from(*type_id), int(start)?, int(count)?]);
            start = start.saturating_add(count);
        }
        Ok(rows)
    }
}
