use super::error::{MapError, MapErrorKind};
use super::layer::TileLayer;
use super::reader::MapReader;
use super::tiles::{FileTile, expand_tiles};
use crate::tile::{SpeedupTile, SwitchTile, TeleTile};

/// Kind of a tile layer. A layer without a flag is for the eye only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TileFlags(pub i32);

impl TileFlags {
    /// The game layer.
    pub const GAME: Self = Self(1);
    /// Teleporters of DDNet.
    pub const TELE: Self = Self(2);
    /// Speedups of DDNet.
    pub const SPEEDUP: Self = Self(4);
    /// Second game layer of DDNet.
    pub const FRONT: Self = Self(8);
    /// Switches of DDNet.
    pub const SWITCH: Self = Self(16);
    /// Tune zones of DDNet.
    pub const TUNE: Self = Self(32);

    /// Returns whether all flags of another value are set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the position of the layer's index among the special indices of DDNet.
    pub(super) fn special(self) -> Option<usize> {
        [Self::TELE, Self::SPEEDUP, Self::FRONT, Self::SWITCH, Self::TUNE]
            .into_iter()
            .position(|flag| self.contains(flag))
    }
}

impl MapReader<'_> {
    /// Returns the plain tiles of a layer, row by row.
    ///
    /// # Errors
    /// [`MapError`] if the blob is missing or has too few tiles.
    pub fn tiles(&self, layer: &TileLayer) -> Result<Vec<FileTile>, MapError> {
        let index = layer.data.unwrap_or(usize::MAX);
        let bytes = self.blob(index)?;
        if layer.version >= 4 {
            let wrong =
                MapError::new(index, MapErrorKind::Content { expected: "the packed tiles of the layer" });
            return expand_tiles(&bytes, layer.count()).ok_or(wrong);
        }
        exact(index, layer, &bytes, |[index, flags, skip, reserved]| FileTile {
            index,
            flags,
            skip,
            reserved,
        })
    }

    /// Returns the tiles of the front layer.
    ///
    /// # Errors
    /// [`MapError`] if the blob is missing or has too few tiles.
    pub fn front_tiles(&self, layer: &TileLayer) -> Result<Vec<FileTile>, MapError> {
        self.special(layer, |[index, flags, skip, reserved]| FileTile { index, flags, skip, reserved })
    }

    /// Returns the tiles of a layer of teleporters.
    ///
    /// # Errors
    /// [`MapError`] if the blob is missing or has too few tiles.
    pub fn tele_tiles(&self, layer: &TileLayer) -> Result<Vec<TeleTile>, MapError> {
        self.special(layer, |[number, id]| TeleTile { number, id })
    }

    /// Returns the tiles of a layer of speedups.
    ///
    /// # Errors
    /// [`MapError`] if the blob is missing or has too few tiles.
    pub fn speedup_tiles(&self, layer: &TileLayer) -> Result<Vec<SpeedupTile>, MapError> {
        self.special(layer, |[force, max_speed, id, _, low, high]| SpeedupTile {
            force,
            max_speed,
            id,
            angle: i16::from_le_bytes([low, high]),
        })
    }

    /// Returns the tiles of a layer of switches.
    ///
    /// # Errors
    /// [`MapError`] if the blob is missing or has too few tiles.
    pub fn switch_tiles(&self, layer: &TileLayer) -> Result<Vec<SwitchTile>, MapError> {
        self.special(layer, |[number, id, flags, delay]| SwitchTile { number, id, flags, delay })
    }

    /// Returns the numbers of a layer of tune zones; 0 for none.
    ///
    /// # Errors
    /// [`MapError`] if the blob is missing or has too few tiles.
    pub fn tune_tiles(&self, layer: &TileLayer) -> Result<Vec<u8>, MapError> {
        self.special(layer, |[number, id]| if id == 0 { 0 } else { number })
    }

    fn special<T, const N: usize>(
        &self,
        layer: &TileLayer,
        read: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, MapError> {
        let index = layer.special.unwrap_or(usize::MAX);
        let bytes = self.blob(index)?;
        exact(index, layer, &bytes, read)
    }
}

/// Reads one entry for each tile of a layer. Surplus bytes are ignored, as by the games.
fn exact<T, const N: usize>(
    index: usize,
    layer: &TileLayer,
    bytes: &[u8],
    read: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, MapError> {
    let wrong =
        MapError::new(index, MapErrorKind::Content { expected: "one entry for each tile of the layer" });
    let length = layer.count().checked_mul(N).filter(|length| *length <= bytes.len()).ok_or(wrong)?;
    let entries = bytes.get(..length).unwrap_or_default().chunks_exact(N);
    Ok(entries.filter_map(|entry| entry.first_chunk().map(|entry| read(*entry))).collect())
}
