pub(crate) mod targets;

use std::sync::Arc;

use gamewire_tee::grid::{Grid, GridLayers};
use gamewire_tee::input::TeeInput;
use gamewire_tee::rules::Rules;
use gamewire_tee::tile::{MapTile, SpeedupTile, SwitchTile, TeleTile};
use gamewire_tee::vector::Vec2;
use gamewire_tee::world::World;

/// A sequence of numbers that are the same in each run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + i32::try_from(self.below(high.abs_diff(low) as usize + 1)).unwrap()
    }

    /// Changes an input as a player does.
    pub(crate) fn change(&mut self, input: &mut TeeInput) {
        if self.below(10) == 0 {
            input.direction = self.between(-1, 1);
        }
        if self.below(8) == 0 {
            input.jump ^= 1;
        }
        if self.below(12) == 0 {
            input.hook ^= 1;
        }
        if self.below(4) == 0 {
            (input.target_x, input.target_y) = (self.between(-400, 400), self.between(-400, 400));
        }
        if self.below(6) == 0 {
            input.fire = (input.fire + 1) & 63;
        }
        input.wanted_weapon = if self.below(20) == 0 { self.between(1, 5) } else { 0 };
    }
}

/// Returns the layers of an empty room with walls around it.
pub(crate) fn room(width: usize, height: usize) -> GridLayers {
    let count = width * height;
    let is_wall = |at: usize| {
        let (x, y) = (at % width, at / width);
        x == 0 || y == 0 || x + 1 == width || y + 1 == height
    };
    GridLayers {
        width: width as u32,
        height: height as u32,
        game: (0..count).map(|at| MapTile { index: u8::from(is_wall(at)), flags: 0 }).collect(),
        front: vec![MapTile::default(); count],
        tele: vec![TeleTile::default(); count],
        speedup: vec![SpeedupTile::default(); count],
        switch: vec![SwitchTile::default(); count],
        tune: vec![0; count],
    }
}

/// Returns a world without tees in a room.
pub(crate) fn world(rules: Rules, layers: GridLayers) -> World {
    World::new(rules, Arc::new(Grid::new(rules, layers).unwrap()))
}

/// Returns the center of a tile.
pub(crate) fn tile(x: i32, y: i32) -> Vec2 {
    Vec2::new((x * 32 + 16) as f32, (y * 32 + 16) as f32)
}

/// Plays ticks with the same input for a tee.
pub(crate) fn play(world: &mut World, id: usize, input: TeeInput, ticks: u32) {
    for _ in 0..ticks {
        world.direct_input(id, input);
        world.set_input(id, input);
        world.step();
    }
}

/// An input without keys that aims to the right.
pub(crate) const IDLE: TeeInput = TeeInput { target_x: 100, ..TeeInput::from_wire([0; 10]) };
