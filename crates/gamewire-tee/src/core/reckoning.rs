use super::item::CoreItem;
use super::state::{Core, CoreContext};
use crate::vector::Vec2;

/// Advances a core of a snapshot by `ticks` as clients do: without input, in a world without other tees. The context has
/// the default tunings.
///
/// Servers send a core again when the actual core differs from the evolved one. Therefore the core in a snapshot,
/// evolved from its own tick to the tick of the snapshot, equals the server's core.
#[must_use]
pub fn evolve(context: &CoreContext<'_>, item: &CoreItem, ticks: u32) -> CoreItem {
    let mut core = Core::new(Vec2::ZERO);
    core.set_item(item);
    for _ in 0..ticks {
        core.tick(context, usize::MAX, &mut [], None);
        core.advance(context, usize::MAX, &[]);
        core.quantize();
    }
    core.to_item()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, GridLayers};
    use crate::rules::Rules;
    use crate::tile::{MapTile, id};
    use crate::tuning::Tuning;

    #[test]
    fn a_tee_falls_to_the_ground_and_stays() {
        for rules in [Rules::Teeworlds06, Rules::Teeworlds07, Rules::Ddnet16, Rules::Ddnet20] {
            let tile = |at: u32| MapTile { index: if at >= 20 { id::SOLID } else { 0 }, flags: 0 };
            let game = (0..25).map(tile).collect();
            let grid =
                Grid::new(rules, GridLayers { width: 5, height: 5, game, ..GridLayers::default() }).unwrap();
            let tuning = Tuning::new(rules);
            let open_switches = CoreContext::NO_OPEN_SWITCHES;
            let context = CoreContext { rules, grid: &grid, tuning: &tuning, open_switches };
            let item = CoreItem { x: 80, y: 50, hooked: -1, ..CoreItem::default() };
            let one = evolve(&context, &item, 1);
            assert_eq!((one.x, one.y, one.velocity_y), (80, 51, 128), "half a unit is rounded up");
            let end = evolve(&context, &item, 100);
            assert_eq!((end.x, end.y, end.velocity_y), (80, 113, 0));
            assert_eq!((end.hook_x, end.hook_y), (80, 113), "the idle hook moves with the tee");
        }
    }
}
