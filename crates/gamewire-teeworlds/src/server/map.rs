use std::sync::Arc;

use sha2::{Digest as _, Sha256};

/// The map that a server plays, with its file.
#[derive(Clone, Debug)]
pub struct Map {
    name: String,
    bytes: Arc<[u8]>,
    crc: u32,
    sha256: [u8; 32],
}

impl Map {
    /// The map `name`, without folder or ending, with the bytes of its file.
    #[must_use]
    pub fn new(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self { name: name.into(), crc: crc32fast::hash(&bytes), sha256: Sha256::digest(&bytes).into(), bytes }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// CRC-32 of the file.
    #[must_use]
    pub const fn crc(&self) -> u32 {
        self.crc
    }

    /// SHA-256 of the file.
    #[must_use]
    pub const fn sha256(&self) -> &[u8; 32] {
        &self.sha256
    }

    /// Size of the file in bytes, as messages say it.
    #[must_use]
    pub fn size(&self) -> i32 {
        i32::try_from(self.bytes.len()).unwrap_or(i32::MAX)
    }

    /// Piece `number` of pieces of `size` bytes, and whether it is the last one; `None` behind it.
    #[must_use]
    pub fn piece(&self, number: usize, size: usize) -> Option<(&[u8], bool)> {
        let start = number.checked_mul(size)?;
        let end = start.saturating_add(size).min(self.bytes.len());
        let piece = self.bytes.get(start..end).filter(|piece| !piece.is_empty())?;
        Some((piece, end == self.bytes.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_the_file_and_end() {
        let map = Map::new("dm1", vec![7; 2000]);
        let sizes: Vec<_> = (0..4).map(|number| map.piece(number, 896)).collect();
        let sizes: Vec<_> =
            sizes.iter().map(|piece| piece.map(|(bytes, last)| (bytes.len(), last))).collect();
        assert_eq!(sizes, [Some((896, false)), Some((896, false)), Some((208, true)), None]);
        assert_eq!(map.piece(usize::MAX, 896), None);
    }

    #[test]
    fn a_file_that_fills_its_pieces_has_no_empty_one_behind_them() {
        let map = Map::new("dm1", vec![7; 896]);
        assert_eq!(map.piece(0, 896).map(|(_, last)| last), Some(true));
        assert_eq!(map.piece(1, 896), None);
    }
}
