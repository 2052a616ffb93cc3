use std::sync::Arc;

use sha2::{Digest as _, Sha256};

/// A chunk of a map file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapChunk<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// It is the last chunk of the file.
    pub is_last: bool,
}

/// The map of a server with the bytes of its file.
#[derive(Clone, Debug)]
pub struct Map {
    name: String,
    bytes: Arc<[u8]>,
    crc: u32,
    sha256: [u8; 32],
}

impl Map {
    /// Creates a map from its name without folder or extension and the bytes of its file.
    pub fn new(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self { name: name.into(), crc: crc32fast::hash(&bytes), sha256: Sha256::digest(&bytes).into(), bytes }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the CRC-32 of the file.
    pub const fn crc(&self) -> u32 {
        self.crc
    }

    /// Returns the SHA-256 of the file.
    pub const fn sha256(&self) -> &[u8; 32] {
        &self.sha256
    }

    /// Returns the size of the file in bytes.
    pub fn size(&self) -> i32 {
        i32::try_from(self.bytes.len()).unwrap_or(i32::MAX)
    }

    /// Returns chunk `number`, if the chunks have `size` bytes. Returns `None` after the last one.
    pub fn chunk(&self, number: usize, size: usize) -> Option<MapChunk<'_>> {
        let start = number.checked_mul(size)?;
        let end = start.saturating_add(size).min(self.bytes.len());
        let bytes = self.bytes.get(start..end).filter(|bytes| !bytes.is_empty())?;
        Some(MapChunk { bytes, is_last: end == self.bytes.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chunks_have_the_bytes_of_the_file() {
        let map = Map::new("dm1", vec![7; 2000]);
        let sizes: Vec<_> = (0..4).map(|number| map.chunk(number, 896)).collect();
        let sizes: Vec<_> = sizes.iter().map(|chunk| chunk.map(|it| (it.bytes.len(), it.is_last))).collect();
        assert_eq!(sizes, [Some((896, false)), Some((896, false)), Some((208, true)), None]);
        assert_eq!(map.chunk(usize::MAX, 896), None);
    }

    #[test]
    fn a_file_that_fills_its_chunks_has_no_empty_one_after_them() {
        let map = Map::new("dm1", vec![7; 896]);
        assert_eq!(map.chunk(0, 896).map(|chunk| chunk.is_last), Some(true));
        assert_eq!(map.chunk(1, 896), None);
    }
}
