//! Runs of equal tiles, as layers of version 4 store them.

/// A tile of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileTile {
    /// Kind of the tile, or its place in the image.
    pub index: u8,
    /// Flip, rotation and opacity.
    pub flags: u8,
    /// Number of equal tiles after this one, in layers of version 4.
    pub skip: u8,
    /// Unused.
    pub reserved: u8,
}

impl FileTile {
    /// Returns the bytes of the tile.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 4] {
        [self.index, self.flags, self.skip, self.reserved]
    }
}

/// Bytes of a tile.
const TILE_BYTES: usize = 4;

/// Expands packed tiles to `count` tiles. Returns `None` if the bytes are not exactly that many tiles.
#[must_use]
pub fn expand_tiles(packed: &[u8], count: usize) -> Option<Vec<FileTile>> {
    // A packed tile becomes at most 256 tiles.
    let max = (packed.len() / TILE_BYTES).saturating_mul(256);
    if count > max || !packed.len().is_multiple_of(TILE_BYTES) {
        return None;
    }
    let mut tiles = Vec::with_capacity(count);
    for tile in packed.chunks_exact(TILE_BYTES) {
        let &[index, flags, skip, reserved] = tile else { return None };
        let length = usize::from(skip).saturating_add(1);
        if tiles.len().saturating_add(length) > count {
            return None;
        }
        tiles.extend(::core::iter::repeat_n(FileTile { index, flags, skip: 0, reserved }, length));
    }
    (tiles.len() == count).then_some(tiles)
}

/// Packs tiles as the editor of 0.7 does: the longest runs first, across rows.
#[must_use]
pub fn pack_tiles(tiles: &[FileTile]) -> Vec<u8> {
    let mut packed: Vec<FileTile> = Vec::new();
    for tile in tiles {
        let tile = FileTile { skip: 0, ..*tile };
        match packed.last_mut() {
            Some(last) if last.skip < u8::MAX && FileTile { skip: 0, ..*last } == tile => {
                last.skip = last.skip.saturating_add(1);
            }
            _ => packed.push(tile),
        }
    }
    packed.into_iter().flat_map(FileTile::to_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_packed_and_expanded() {
        let tile = |index| FileTile { index, ..FileTile::default() };
        let tiles: Vec<FileTile> = [tile(1); 300].into_iter().chain([tile(2), tile(1)]).collect();
        let packed = pack_tiles(&tiles);
        assert_eq!(packed, [1, 0, 255, 0, 1, 0, 43, 0, 2, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(expand_tiles(&packed, 302), Some(tiles));
    }

    #[test]
    fn p1_a_wrong_number_of_tiles_is_rejected() {
        let packed = [1, 0, 255, 0];
        assert!(expand_tiles(&packed, 256).is_some());
        for count in [0, 255, 257, usize::MAX] {
            assert_eq!(expand_tiles(&packed, count), None);
        }
        assert_eq!(expand_tiles(&packed[..3], 1), None);
    }
}
