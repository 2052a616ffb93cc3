//! The tiles of a map that the physics uses.

mod doors;
mod existing;
mod near;

use ::core::fmt;

use crate::number::{round, truncate};
use crate::rules::{Rules, TILE_SIZE};
use crate::tile::{Door, MapTile, SpeedupTile, SwitchTile, TeleTile, flags, id};
use crate::vector::Vec2;

/// Maximum number of tiles of a grid.
pub const MAX_GRID_TILES: usize = 1 << 26;

/// The layers of a map, row by row. Layers that a map does not have are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridLayers {
    /// Width in tiles.
    pub width: u32,
    /// Height in tiles.
    pub height: u32,
    /// The game layer.
    pub game: Vec<MapTile>,
    /// The front layer of DDNet.
    pub front: Vec<MapTile>,
    /// The teleporters of DDNet.
    pub tele: Vec<TeleTile>,
    /// The speedups of DDNet.
    pub speedup: Vec<SpeedupTile>,
    /// The switches of DDNet.
    pub switch: Vec<SwitchTile>,
    /// The numbers of the tune zones of DDNet.
    pub tune: Vec<u8>,
}

/// The reason why layers are not a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridError {
    /// The width or height is 0, or there are more than [`MAX_GRID_TILES`] tiles.
    Size {
        /// Width in tiles.
        width: u32,
        /// Height in tiles.
        height: u32,
    },
    /// A layer does not have one entry per tile.
    Layer {
        /// Name of the layer.
        name: &'static str,
        /// Number of tiles of the grid.
        expected: usize,
        /// Number of entries of the layer.
        found: usize,
    },
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height } => {
                write!(f, "invalid size {width} x {height}: expected 1 to {MAX_GRID_TILES} tiles")
            }
            Self::Layer { name, expected, found } => {
                write!(f, "invalid {name} layer: expected {expected} tiles, found {found}")
            }
        }
    }
}

impl ::core::error::Error for GridError {}

/// Maximum rows or columns that are searched to avoid a test of many positions.
const MAX_SCANNED: i32 = 12;

/// Bits of a tile for quick tests.
pub(crate) mod bits {
    pub(crate) const SOLID: u8 = 1;
    pub(crate) const DEATH: u8 = 2;
    pub(crate) const NO_HOOK: u8 = 4;
    /// A stopper or a tile that a door can close.
    pub(crate) const STOPPER: u8 = 8;
    /// DDNet handles the tile when a tee passes it.
    pub(crate) const EXISTS: u8 = 16;
    /// DDNet teleports or stops hooks at the tile.
    pub(crate) const HOOK: u8 = 32;
    /// The tile or one of the eight around it is a [`STOPPER`].
    pub(crate) const NEAR_STOPPER: u8 = 64;
    /// The tile or one of the eight around it kills, in the game or front layer (DDNet).
    pub(crate) const NEAR_DEATH: u8 = 128;
}

/// The tiles of a map. Positions outside have the tile of the nearest border.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub(crate) width: i32,
    pub(crate) height: i32,
    bits: Vec<u8>,
    pub(crate) layers: GridLayers,
    doors: Vec<Door>,
    /// Exits of teleporters: number and position of the tile's center.
    pub(crate) tele_outs: Vec<(u8, Vec2)>,
    /// Exits of checkpoint teleporters.
    pub(crate) tele_check_outs: Vec<(u8, Vec2)>,
}

impl Grid {
    /// Creates a grid.
    ///
    /// # Errors
    /// [`GridError`] if the size is invalid or a layer has another size.
    pub fn new(rules: Rules, layers: GridLayers) -> Result<Self, GridError> {
        let size = GridError::Size { width: layers.width, height: layers.height };
        let (Ok(width), Ok(height)) = (i32::try_from(layers.width), i32::try_from(layers.height)) else {
            return Err(size);
        };
        let count = usize::try_from(u64::from(layers.width).saturating_mul(layers.height.into()))
            .unwrap_or(usize::MAX);
        if count == 0 || count > MAX_GRID_TILES {
            return Err(size);
        }
        let check = |name, found: usize, is_optional: bool| {
            let is_valid = found == count || (is_optional && found == 0);
            if is_valid { Ok(()) } else { Err(GridError::Layer { name, expected: count, found }) }
        };
        check("game", layers.game.len(), false)?;
        check("front", layers.front.len(), true)?;
        check("tele", layers.tele.len(), true)?;
        check("speedup", layers.speedup.len(), true)?;
        check("switch", layers.switch.len(), true)?;
        check("tune", layers.tune.len(), true)?;
        let mut grid = Self {
            width,
            height,
            bits: Vec::new(),
            layers,
            doors: Vec::new(),
            tele_outs: Vec::new(),
            tele_check_outs: Vec::new(),
        };
        grid.bits = grid.layers.game.iter().map(|tile| collision_bits(tile.index)).collect();
        if rules.is_ddnet() {
            grid.find_tele_outs();
            doors::close(&mut grid);
            for index in 0..count {
                let extra = grid.ddnet_bits(index);
                if let Some(bits) = grid.bits.get_mut(index) {
                    *bits |= extra;
                }
            }
            near::mark(&mut grid);
        }
        Ok(grid)
    }

    /// Returns the width in tiles.
    #[must_use]
    pub const fn width(&self) -> i32 {
        self.width
    }

    /// Returns the height in tiles.
    #[must_use]
    pub const fn height(&self) -> i32 {
        self.height
    }

    /// Returns the layers that the grid was created with.
    #[must_use]
    pub const fn layers(&self) -> &GridLayers {
        &self.layers
    }

    /// Returns the index of the tile at a whole position.
    #[inline]
    pub(crate) fn index_at(&self, x: i32, y: i32) -> usize {
        let column = (x / TILE_SIZE).clamp(0, self.width.wrapping_sub(1));
        let row = (y / TILE_SIZE).clamp(0, self.height.wrapping_sub(1));
        row.wrapping_mul(self.width).wrapping_add(column).unsigned_abs() as usize
    }

    /// Returns the index of the tile at a position, which is rounded.
    #[inline]
    pub(crate) fn rounded_index(&self, at: Vec2) -> usize {
        self.index_at(round(at.x), round(at.y))
    }

    /// Returns the bits of a tile by its index.
    #[inline]
    pub(crate) fn bits(&self, index: usize) -> u8 {
        self.bits.get(index).copied().unwrap_or(0)
    }

    /// Returns the bits of the tile at a position, which is rounded.
    #[inline]
    pub(crate) fn bits_at(&self, x: f32, y: f32) -> u8 {
        self.bits(self.index_at(round(x), round(y)))
    }

    /// Returns false if no tile between two positions has the bits. It may return true without such a tile if there are
    /// many tiles between.
    pub(crate) fn may_have(&self, from: Vec2, to: Vec2, margin: f32, wanted: u8) -> bool {
        // Add two units, because positions are rounded.
        let margin = margin + 2.0;
        let tile = |position: f32, size: i32| {
            (truncate(position).wrapping_div(TILE_SIZE)).clamp(0, size.wrapping_sub(1))
        };
        let range = |from: f32, to: f32, size: i32| {
            (tile(from.min(to) - margin, size), tile(from.max(to) + margin, size))
        };
        let (left, right) = range(from.x, to.x, self.width);
        let (top, bottom) = range(from.y, to.y, self.height);
        let is_finite = (from.x + from.y + to.x + to.y).is_finite();
        if !is_finite || right.wrapping_sub(left) > MAX_SCANNED || bottom.wrapping_sub(top) > MAX_SCANNED {
            return true;
        }
        (top..=bottom).any(|row| {
            let start = row.wrapping_mul(self.width);
            let index = |column: i32| start.wrapping_add(column).unsigned_abs() as usize;
            let tiles = self.bits.get(index(left)..=index(right)).unwrap_or_default();
            tiles.iter().any(|bits| bits & wanted != 0)
        })
    }

    /// Returns whether the tile at a position is solid.
    #[must_use]
    #[inline]
    pub fn is_solid(&self, at: Vec2) -> bool {
        self.bits_at(at.x, at.y) & bits::SOLID != 0
    }

    /// Returns whether the hook does not hold on the tile at a position.
    #[must_use]
    #[inline]
    pub fn is_unhookable(&self, at: Vec2) -> bool {
        self.bits_at(at.x, at.y) & bits::NO_HOOK != 0
    }

    /// Returns whether the tile at a position kills.
    #[must_use]
    #[inline]
    pub fn is_deadly(&self, at: Vec2) -> bool {
        self.bits_at(at.x, at.y) & bits::DEATH != 0
    }

    /// Returns the center of a tile.
    pub(crate) fn center(&self, index: usize) -> Vec2 {
        let width = usize::try_from(self.width).unwrap_or(1).max(1);
        let half = |tiles: usize| (tiles as f32) * 32.0 + 16.0;
        Vec2::new(half(index.checked_rem(width).unwrap_or(0)), half(index.checked_div(width).unwrap_or(0)))
    }

    pub(crate) fn game(&self, index: usize) -> MapTile {
        self.layers.game.get(index).copied().unwrap_or_default()
    }

    pub(crate) fn front(&self, index: usize) -> MapTile {
        self.layers.front.get(index).copied().unwrap_or_default()
    }

    pub(crate) fn tele(&self, index: usize) -> TeleTile {
        self.layers.tele.get(index).copied().unwrap_or_default()
    }

    pub(crate) fn speedup(&self, index: usize) -> SpeedupTile {
        self.layers.speedup.get(index).copied().unwrap_or_default()
    }

    pub(crate) fn switch(&self, index: usize) -> SwitchTile {
        self.layers.switch.get(index).copied().unwrap_or_default()
    }

    pub(crate) fn tune_zone(&self, index: usize) -> u8 {
        self.layers.tune.get(index).copied().unwrap_or(0)
    }

    pub(crate) fn door(&self, index: usize) -> Door {
        self.doors.get(index).copied().unwrap_or_default()
    }

    /// Lets a door close a tile.
    pub(crate) fn set_door(&mut self, index: usize, door: Door) {
        if self.doors.is_empty() {
            self.doors = vec![Door::default(); self.bits.len()];
        }
        if let Some(tile) = self.doors.get_mut(index) {
            *tile = door;
        }
    }

    fn find_tele_outs(&mut self) {
        let (mut outs, mut check_outs) = (Vec::new(), Vec::new());
        for (index, tile) in self.layers.tele.iter().enumerate().filter(|(_, tile)| tile.number > 0) {
            match tile.id {
                id::TELE_OUT => outs.push((tile.number, self.center(index))),
                id::TELE_CHECK_OUT => check_outs.push((tile.number, self.center(index))),
                _ => {}
            }
        }
        (self.tele_outs, self.tele_check_outs) = (outs, check_outs);
    }

    fn ddnet_bits(&self, index: usize) -> u8 {
        let (game, front, door) = (self.game(index), self.front(index), self.door(index));
        let is_stopper = |tile: u8| (id::STOP..=id::STOP_ALL).contains(&tile);
        let mut found = 0;
        if is_stopper(game.index) || is_stopper(front.index) || door.index != 0 {
            found |= bits::STOPPER;
        }
        let is_blocker = |tile: u8| matches!(tile, id::THROUGH_ALL | id::THROUGH_DIR);
        if self.tele(index).id == id::TELE_IN_HOOK || is_blocker(game.index) || is_blocker(front.index) {
            found |= bits::HOOK;
        }
        if existing::exists(self, index) {
            found |= bits::EXISTS;
        }
        found
    }

    /// Returns the tile indices to the right, left, below and above a tile, for the stoppers there.
    pub(crate) fn neighbors(&self, index: usize) -> [(Option<usize>, u8); 4] {
        let width = usize::try_from(self.width).unwrap_or(1).max(1);
        let column = index.checked_rem(width).unwrap_or(0);
        let right = (column.saturating_add(1) < width).then(|| index.saturating_add(1));
        let left = (column > 0).then(|| index.saturating_sub(1));
        let below = Some(index.saturating_add(width)).filter(|below| *below < self.layers.game.len());
        let above = index.checked_sub(width);
        [
            (right, flags::ROTATION_270),
            (left, flags::ROTATION_90),
            (below, flags::ROTATION_0),
            (above, flags::ROTATION_180),
        ]
    }
}

const fn collision_bits(index: u8) -> u8 {
    match index {
        id::SOLID => bits::SOLID,
        id::DEATH => bits::DEATH,
        id::NO_HOOK => bits::SOLID | bits::NO_HOOK,
        _ => 0,
    }
}
