use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use sha2::{Digest as _, Sha256};

use super::error::{MapError, MapErrorKind};

/// Maximum bytes of one decompressed blob.
pub(super) const MAX_BLOB_BYTES: usize = 256 << 20;

/// Version of a data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataVersion {
    /// Blobs are stored as they are.
    V3,
    /// Blobs are compressed by zlib.
    V4,
    /// Version 4 of old writers: the sizes in the header do not include the table of blob sizes.
    V4Crude,
}

/// An item: a few integers with a type and an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Number of the type in the file. A number above `0x8000` stands for a UUID.
    pub type_id: u16,
    /// Id, which items of the same type do not share.
    pub id: u16,
    /// The content.
    pub ints: Vec<i32>,
}

/// The form in which the bytes of a blob are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlobForm {
    /// As they are.
    Plain,
    /// Compressed by zlib.
    Compressed {
        /// Bytes after decompression.
        size: u32,
    },
}

/// Bytes that items refer to by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The bytes in the file.
    pub stored: Vec<u8>,
    /// The form of the stored bytes.
    pub form: BlobForm,
}

/// A data file: the container of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    /// Version of the file.
    pub version: DataVersion,
    /// True if the file was written by a host with another byte order, so that it begins with `ATAD`.
    pub is_foreign: bool,
    /// The types in the order of the file, without their items.
    pub(super) types: Vec<u16>,
    /// The items, in order. Items of a type are one after another.
    pub(super) items: Vec<Item>,
    /// The blobs by their index.
    pub(super) blobs: Vec<Blob>,
}

impl DataFile {
    /// Creates an empty file.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            version: DataVersion::V4,
            is_foreign: false,
            types: Vec::new(),
            items: Vec::new(),
            blobs: Vec::new(),
        }
    }

    /// Returns the items in the order of the file.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns an item, for changes of its content.
    pub fn item_mut(&mut self, index: usize) -> Option<&mut Vec<i32>> {
        self.items.get_mut(index).map(|item| &mut item.ints)
    }

    /// Returns the blobs.
    #[must_use]
    pub fn blobs(&self) -> &[Blob] {
        &self.blobs
    }

    /// Adds an item after the others of its type. Types are in ascending order.
    pub fn push_item(&mut self, item: Item) {
        if !self.types.contains(&item.type_id) {
            let at = self.types.partition_point(|known| *known < item.type_id);
            self.types.insert(at, item.type_id);
        }
        let order = |type_id: u16| self.types.iter().position(|known| *known == type_id);
        let own = order(item.type_id);
        let at = self.items.partition_point(|other| order(other.type_id) <= own);
        self.items.insert(at, item);
    }

    /// Adds a blob, and returns its index.
    ///
    /// # Errors
    /// [`MapErrorKind::Unwritable`] if the blob is too large for a file. Nothing is added.
    pub fn push_blob(&mut self, bytes: &[u8]) -> Result<usize, MapError> {
        let blob = self.stored(bytes)?;
        self.blobs.push(blob);
        Ok(self.blobs.len().saturating_sub(1))
    }

    /// Replaces the bytes of a blob.
    ///
    /// # Errors
    /// [`MapErrorKind::Unwritable`] if there is no such blob, or if `bytes` are too many for a file. Nothing
    /// is changed.
    pub fn set_blob(&mut self, index: usize, bytes: &[u8]) -> Result<(), MapError> {
        let stored = self.stored(bytes)?;
        let blob = self.blobs.get_mut(index).ok_or_else(|| MapError::new(index, MapErrorKind::Unwritable))?;
        *blob = stored;
        Ok(())
    }

    fn stored(&self, bytes: &[u8]) -> Result<Blob, MapError> {
        let unwritable = MapError::new(0, MapErrorKind::Unwritable);
        let size =
            u32::try_from(bytes.len()).ok().filter(|_| bytes.len() <= MAX_BLOB_BYTES).ok_or(unwritable)?;
        if self.version == DataVersion::V3 {
            return Ok(Blob { stored: bytes.to_vec(), form: BlobForm::Plain });
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let stored = encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|_| unwritable)?;
        Ok(Blob { stored, form: BlobForm::Compressed { size } })
    }

    /// Returns the decompressed bytes of a blob.
    ///
    /// # Errors
    /// [`MapErrorKind::Blob`] if there is no such blob or its bytes are not valid, [`MapErrorKind::TooLarge`] if it has
    /// more than `max` bytes.
    pub fn blob_bytes(&self, index: usize, max: usize) -> Result<Vec<u8>, MapError> {
        let blob = self.blobs.get(index);
        let blob = blob.ok_or_else(|| MapError::new(index, MapErrorKind::Blob { expected: 0 }))?;
        let too_large = MapError::new(index, MapErrorKind::TooLarge { max });
        match blob.form {
            BlobForm::Plain if blob.stored.len() > max => Err(too_large),
            BlobForm::Plain => Ok(blob.stored.clone()),
            BlobForm::Compressed { size } => {
                let expected = usize::try_from(size).unwrap_or(usize::MAX);
                if expected > max {
                    return Err(too_large);
                }
                let wrong = MapError::new(index, MapErrorKind::Blob { expected });
                // zlib cannot reach a higher ratio. Check this before memory is reserved.
                if expected / 1033 > blob.stored.len() {
                    return Err(wrong);
                }
                let mut bytes = Vec::with_capacity(expected);
                let limit = u64::from(size).saturating_add(1);
                let mut decoder = ZlibDecoder::new(blob.stored.as_slice()).take(limit);
                decoder.read_to_end(&mut bytes).map_err(|_| wrong)?;
                if bytes.len() == expected { Ok(bytes) } else { Err(wrong) }
            }
        }
    }
}

impl Default for DataFile {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the checksum of a map file that servers of 0.6 and 0.7 announce.
#[must_use]
pub fn crc(file: &[u8]) -> u32 {
    crc32fast::hash(file)
}

/// Returns the SHA-256 of a map file that servers of 0.7 and DDNet announce.
#[must_use]
pub fn sha256(file: &[u8]) -> [u8; 32] {
    Sha256::digest(file).into()
}
