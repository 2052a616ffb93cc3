use ::core::cell::Cell;

use super::data_file::DataFile;
use super::error::{MapError, MapErrorKind};
use super::item::{Fields, ItemType};

/// Default maximum bytes of all blobs that one reader decompresses.
const MAX_BYTES: usize = 512 << 20;

/// A reader of the items of a map.
#[derive(Debug)]
pub struct MapReader<'a> {
    file: &'a DataFile,
    left: Cell<usize>,
}

impl<'a> MapReader<'a> {
    /// Creates a reader.
    #[must_use]
    pub const fn new(file: &'a DataFile) -> Self {
        Self::with_limit(file, MAX_BYTES)
    }

    /// Creates a reader that decompresses at most `max_bytes` in total.
    #[must_use]
    pub const fn with_limit(file: &'a DataFile, max_bytes: usize) -> Self {
        Self { file, left: Cell::new(max_bytes) }
    }

    /// Returns the file.
    #[must_use]
    pub const fn file(&self) -> &'a DataFile {
        self.file
    }

    /// Returns the bytes of a blob.
    ///
    /// # Errors
    /// [`MapErrorKind::Blob`] if the blob is not valid, [`MapErrorKind::TooLarge`] if the reader's limit is exceeded.
    pub fn blob(&self, index: usize) -> Result<Vec<u8>, MapError> {
        let bytes = self.file.blob_bytes(index, self.left.get())?;
        self.left.set(self.left.get().saturating_sub(bytes.len()));
        Ok(bytes)
    }

    /// Returns a string of a blob without its NUL.
    pub(super) fn string(&self, index: Option<usize>) -> Result<Option<Vec<u8>>, MapError> {
        let Some(index) = index else { return Ok(None) };
        let mut bytes = self.blob(index)?;
        let end = bytes.iter().position(|byte| *byte == 0);
        let wrong = MapError::new(index, MapErrorKind::Content { expected: "a string that ends with NUL" });
        bytes.truncate(end.ok_or(wrong)?);
        Ok(Some(bytes))
    }

    /// Returns the fields of the items of a type.
    pub(super) fn fields(&self, wanted: u16) -> impl Iterator<Item = Fields<'a>> {
        let items = self.file.items_of(ItemType::Plain(wanted));
        items.map(|(item, content)| Fields { item, ints: &content.ints })
    }

    /// Returns the integers of the first item of a type, with the index of the item.
    pub(super) fn first_of(&self, wanted: ItemType) -> Option<(usize, &'a [i32])> {
        self.file.items_of(wanted).next().map(|(item, content)| (item, content.ints.as_slice()))
    }
}
