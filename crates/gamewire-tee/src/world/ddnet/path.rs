use crate::grid::{Grid, bits};
use crate::number::{float, truncate};
use crate::vector::Vec2;

/// Maximum tiles of the way of a tee in a tick.
const MAX_STEPS: i32 = 1 << 16;

impl Grid {
    /// Returns the tile at a position without rounding, if DDNet handles it.
    pub(super) fn handled_tile(&self, at: Vec2) -> Option<usize> {
        let index = self.index_at(truncate(at.x), truncate(at.y));
        Some(index).filter(|index| self.bits(*index) & bits::EXISTS != 0)
    }

    /// Returns the tiles that DDNet handles on the way between two positions. The last one may be missing.
    pub(super) fn handled_tiles(&self, from: Vec2, to: Vec2) -> impl Iterator<Item = usize> + '_ {
        let distance = from.distance(to);
        let steps = if !self.may_have(from, to, 0.0, bits::EXISTS) {
            0
        } else if distance == 0.0 {
            1
        } else {
            truncate(distance + 1.0).min(MAX_STEPS)
        };
        // The game takes the first tile of the map for one that was handled already.
        let mut last = (distance != 0.0).then_some(0);
        (0..steps).filter_map(move |step| {
            let at = if distance == 0.0 { to } else { from.mix(to, float(step) / distance) };
            let index = self.handled_tile(at).filter(|index| Some(*index) != last)?;
            last = Some(index);
            Some(index)
        })
    }
}
