use super::bits::Bits;
use crate::Dialect;
use crate::model::{Point, World};
use crate::shared::snapshot::Snapshot;

/// Maximum distance of a visible object from the center of the view: horizontally, vertically, and along a straight
/// line.
const MAX_DISTANCE: (i64, i64, i64) = (1000, 800, 1100);

/// The world at one tick as items of one version, for all receivers of that version.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) tick: i32,
    pub(super) snapshot: Snapshot,
    /// Every item.
    pub(super) all: Bits,
    /// The sum of the integers of all items.
    crc: i32,
    /// The sum of the integers of each item.
    crcs: Vec<i32>,
    /// The items that can be clipped, with the positions of both ends.
    placed: Vec<(usize, Point, Point)>,
}

impl Frame {
    /// Rebuilds the frame from a world. Objects that do not fit into a snapshot are left out.
    pub(super) fn build(&mut self, world: &World, dialect: Dialect) {
        self.tick = world.tick;
        dialect.write_world(world, None, &mut self.snapshot).ok();
        let Self { snapshot, all, crc, crcs, placed, .. } = self;
        *all = Bits::first(snapshot.len());
        crcs.clear();
        placed.clear();
        for (at, item) in snapshot.items().enumerate() {
            crcs.push(item.ints.iter().fold(0, |sum, int| sum.wrapping_add(*int)));
            placed.extend(dialect.ends(item, snapshot).map(|(one, other)| (at, one, other)));
        }
        *crc = crcs.iter().fold(0, |sum, crc| sum.wrapping_add(*crc));
    }

    /// Returns the checksum of the visible items.
    pub(super) fn crc(&self, visible: &Bits) -> i32 {
        let hidden = self.all.without(visible);
        let crcs = hidden.iter().filter_map(|at| self.crcs.get(at));
        crcs.fold(self.crc, |sum, crc| sum.wrapping_sub(*crc))
    }

    /// Removes the items that are too far from `center` from `visible`.
    pub(super) fn clip(&self, center: Point, visible: &mut Bits) {
        for &(at, one, other) in &self.placed {
            if is_far(center, one) && is_far(center, other) {
                visible.remove(at);
            }
        }
    }

    /// Returns the allocated memory in bytes.
    pub(super) const fn held_bytes(&self) -> usize {
        let placed = self.placed.capacity().saturating_mul(size_of::<(usize, Point, Point)>());
        let crcs = self.crcs.capacity().saturating_mul(4).saturating_add(placed);
        self.snapshot.held_bytes().saturating_add(crcs)
    }
}

/// Returns whether a position is outside of a view.
fn is_far(center: Point, at: Point) -> bool {
    let distance = |one: i32, other: i32| i64::from(one).abs_diff(i64::from(other)).cast_signed();
    let (right, down) = (distance(center.0, at.0), distance(center.1, at.1));
    let (max_right, max_down, max) = MAX_DISTANCE;
    let squared = |side: i64| side.saturating_mul(side);
    right > max_right || down > max_down || squared(right).saturating_add(squared(down)) > squared(max)
}
