//! Writes a map for comparisons of tees by `tee_check`. `tile_room FILE [SEED]` fills rooms with DDNet's tiles, and
//! `tile_room FILE narrow` makes an empty room, which is so narrow that tees push each other.

#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation, reason = "small random numbers")]

use gamewire_tee::grid::GridLayers;
use gamewire_tee::map::PhysicsMap;
use gamewire_tee::tile::{MapTile, SpeedupTile, SwitchTile, TeleTile};

const WIDTH: usize = 70;
const HEIGHT: usize = 46;
/// Tiles of the game or front layer that act when a tee passes them.
const PASSED: [u8; 29] = [
    9, 11, 12, 13, 16, 17, 18, 19, 20, 21, 22, 32, 88, 89, 90, 91, 104, 105, 106, 107, 144, 145, 60, 60, 60,
    61, 61, 62, 9,
];
/// Flags of the four rotations, and of their reflections.
const ROTATIONS: [u8; 8] = [0, 8, 3, 11, 2, 10, 1, 9];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len())).copied()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("which file?")?;
    let seed = arguments.next();
    if seed.as_deref() == Some("narrow") {
        let map = PhysicsMap { layers: narrow_room(), settings: Vec::new() };
        std::fs::write(file, map.to_file()?.to_bytes()?)?;
        return Ok(());
    }
    let seed = seed.map_or(Ok(1), |seed| seed.parse())?;
    let settings = [
        "tune_zone 1 gravity 0.25",
        "tune_zone 1 air_control_accel 3",
        "tune_zone 2 ground_elasticity_x 0.5",
        "tune_zone 2 hook_drag_accel 4",
        "tune_zone 3 velramp_start 200",
        "tune_zone 3 ground_jump_impulse 20",
    ];
    let map = PhysicsMap { layers: rooms(&mut Random(seed)), settings: settings.map(str::to_owned).to_vec() };
    std::fs::write(file, map.to_file()?.to_bytes()?)?;
    Ok(())
}

/// Returns a room of 8 x 3 tiles with spawn points.
fn narrow_room() -> GridLayers {
    let (width, height) = (10, 5);
    let tile = |at: usize| {
        let (x, y) = (at % width, at / width);
        let is_border = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
        MapTile { index: if is_border { 1 } else { 192 }, flags: 0 }
    };
    let game = (0..width * height).map(tile).collect();
    GridLayers { width: width as u32, height: height as u32, game, ..GridLayers::default() }
}

fn rooms(random: &mut Random) -> GridLayers {
    let count = WIDTH * HEIGHT;
    let mut layers = GridLayers {
        width: WIDTH as u32,
        height: HEIGHT as u32,
        game: vec![MapTile::default(); count],
        front: vec![MapTile::default(); count],
        tele: vec![TeleTile::default(); count],
        speedup: vec![SpeedupTile::default(); count],
        switch: vec![SwitchTile::default(); count],
        tune: vec![0; count],
    };
    for at in 0..count {
        let (x, y) = (at % WIDTH, at / WIDTH);
        let is_border = x == 0 || y == 0 || x + 1 == WIDTH || y + 1 == HEIGHT;
        if is_border || random.below(100) < 9 {
            wall(random, &mut layers, at);
        } else {
            space(random, &mut layers, at);
        }
    }
    // Each teleporter has one exit, so that nothing is random.
    for number in 1..=6 {
        exit(random, &mut layers, TeleTile { number, id: 27 });
        exit(random, &mut layers, TeleTile { number, id: 30 });
    }
    for number in 1..=4 {
        door(random, &mut layers, number);
    }
    for _ in 0..16 {
        let at = free(random, &layers);
        set(&mut layers.game, at, MapTile { index: 192, flags: 0 });
    }
    layers
}

fn set<T>(layer: &mut [T], at: usize, tile: T) {
    if let Some(slot) = layer.get_mut(at) {
        *slot = tile;
    }
}

fn wall(random: &mut Random, layers: &mut GridLayers, at: usize) {
    set(&mut layers.game, at, MapTile { index: if random.below(4) == 0 { 3 } else { 1 }, flags: 0 });
    let flags = random.pick(&ROTATIONS).unwrap_or(0);
    match random.below(6) {
        0 => set(&mut layers.front, at, MapTile { index: 66, flags: 0 }),
        1 => set(&mut layers.front, at, MapTile { index: 67, flags }),
        2 => set(&mut layers.front, at, MapTile { index: 5, flags: 0 }),
        _ => {}
    }
}

fn space(random: &mut Random, layers: &mut GridLayers, at: usize) {
    let flags = random.pick(&ROTATIONS).unwrap_or(0);
    let number = 1 + random.below(6) as u8;
    match random.below(100) {
        0..10 => {
            let index = random.pick(&PASSED).unwrap_or(0);
            set(&mut layers.game, at, MapTile { index, flags });
        }
        10..14 => {
            let index = random.pick(&PASSED).unwrap_or(0);
            set(&mut layers.front, at, MapTile { index, flags });
        }
        14 => {
            let index = random.pick(&[66, 67, 6]).unwrap_or(66);
            set(&mut layers.game, at, MapTile { index, flags });
        }
        15..17 => {
            let id = random.pick(&[26, 10, 15, 29, 31, 63]).unwrap_or(26);
            set(&mut layers.tele, at, TeleTile { number, id });
        }
        17..20 => {
            let angle = random.pick(&[0, 45, 90, 135, 180, 225, 270, 315]).unwrap_or(0);
            let id = random.pick(&[28, 29]).unwrap_or(28);
            let max_speed = random.pick(&[0, 3, 40, 90]).unwrap_or(0);
            let force = random.pick(&[1, 4, 12, 255]).unwrap_or(1);
            set(&mut layers.speedup, at, SpeedupTile { force, max_speed, id, angle });
        }
        20..24 => {
            let id = random.pick(&[22, 23, 24, 25, 9, 12, 13, 7, 19, 20, 144, 145]).unwrap_or(22);
            let delay = match id {
                7 => random.pick(&[1, 2, 3, 5, 255, 0]).unwrap_or(2),
                19 | 20 => random.below(5) as u8,
                _ => 1 + random.below(4) as u8,
            };
            set(&mut layers.switch, at, SwitchTile { number: 1 + number % 4, id, flags: 0, delay });
        }
        24..29 => set(&mut layers.tune, at, 1 + number % 3),
        29 => set(&mut layers.game, at, MapTile { index: 191 + 8 + random.below(4) as u8, flags: 0 }),
        _ => {}
    }
}

/// Returns a tile without a wall and without a tile of the game layer.
fn free(random: &mut Random, layers: &GridLayers) -> usize {
    loop {
        let at = random.below(WIDTH * HEIGHT);
        if layers.game.get(at).is_some_and(|tile| tile.index == 0) {
            return at;
        }
    }
}

fn exit(random: &mut Random, layers: &mut GridLayers, tile: TeleTile) {
    let at = free(random, layers);
    set(&mut layers.tele, at, tile);
}

/// Puts a door with one or more beams on a place away from the border.
fn door(random: &mut Random, layers: &mut GridLayers, number: u8) {
    let (x, y) = (4 + random.below(WIDTH - 8), 4 + random.below(HEIGHT - 8));
    let at = y * WIDTH + x;
    set(&mut layers.game, at, MapTile::default());
    set(&mut layers.switch, at, SwitchTile { number, id: 191 + 49, flags: 0, delay: 0 });
    for beside in [at + 1, at - WIDTH, at + WIDTH] {
        let id = 191 + 19 + random.below(3) as u8;
        set(&mut layers.game, beside, MapTile::default());
        set(&mut layers.switch, beside, SwitchTile { number, id, flags: 0, delay: 0 });
    }
}
