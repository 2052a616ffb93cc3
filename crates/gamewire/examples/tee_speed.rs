//! Measures the speed of the movement: `tee_speed [TICKS] [RULES]` plays 16 tees on 1000 x 1000 tiles and prints tee-ticks a
//! second for each game, or for one, such as `Ddnet20`.

#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss, reason = "figures to be looked at")]

use std::sync::Arc;
use std::time::Instant;

use gamewire_tee::grid::{Grid, GridLayers};
use gamewire_tee::input::TeeInput;
use gamewire_tee::rules::Rules;
use gamewire_tee::tile::MapTile;
use gamewire_tee::vector::Vec2;
use gamewire_tee::world::World;

const SIDE: u32 = 1000;
const TEES: usize = 16;
const DEFAULT_TICKS: u32 = 60_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ticks = std::env::args().nth(1).map_or(Ok(DEFAULT_TICKS), |ticks| ticks.parse())?;
    let only = std::env::args().nth(2);
    for rules in [Rules::Teeworlds07, Rules::Ddnet20] {
        if only.as_ref().is_some_and(|only| *only != format!("{rules:?}")) {
            continue;
        }
        let mut random = 1_u64;
        let mut below = |bound: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % bound
        };
        // A tenth of the tiles is solid, and some others are tiles of DDNet.
        let game = (0..SIDE * SIDE).map(|_| match below(100) {
            0..8 => MapTile { index: 1, flags: 0 },
            8..10 => MapTile { index: 3, flags: 0 },
            10 if rules.is_ddnet() => MapTile { index: 60, flags: 8 },
            _ => MapTile::default(),
        });
        let layers = GridLayers { width: SIDE, height: SIDE, game: game.collect(), ..GridLayers::default() };
        let mut world = World::new(rules, Arc::new(Grid::new(rules, layers)?));
        let mut inputs = [TeeInput::default(); TEES];
        for id in 0..TEES {
            world.spawn(id, Vec2::new(16_000.0 + 100.0 * id as f32, 16_000.0));
        }
        let begin = Instant::now();
        let mut tee_ticks = 0_u64;
        for tick in 0..ticks {
            for (id, input) in inputs.iter_mut().enumerate() {
                if tick % 8 == 0 {
                    input.direction = below(3) as i32 - 1;
                    input.jump = below(2) as i32;
                    input.hook = below(2) as i32;
                    input.fire = (input.fire + below(2) as i32) & 63;
                    input.target_x = below(801) as i32 - 400;
                    input.target_y = below(801) as i32 - 400;
                }
                if world.core(id).is_none() {
                    world.spawn(id, Vec2::new(16_000.0 + 100.0 * id as f32, 16_000.0));
                }
                world.direct_input(id, *input);
                world.set_input(id, *input);
            }
            world.step();
            tee_ticks += world.ids().count() as u64;
        }
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "{rules:?}: {tee_ticks} tee-ticks, {:.2} million a second",
            tee_ticks as f64 / seconds / 1e6
        );
    }
    Ok(())
}
