//! Plays a million ticks of tees with random inputs and prints a hash of all their states for each game, which must be the
//! same on every platform.

#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation, reason = "small random numbers")]
#![allow(clippy::cast_sign_loss, reason = "small random numbers")]

use std::sync::Arc;

use gamewire_tee::grid::{Grid, GridError, GridLayers};
use gamewire_tee::input::TeeInput;
use gamewire_tee::rules::Rules;
use gamewire_tee::tile::{MapTile, SpeedupTile, SwitchTile, TeleTile};
use gamewire_tee::vector::Vec2;
use gamewire_tee::world::World;

const WIDTH: u32 = 90;
const HEIGHT: u32 = 60;
const TEES: usize = 16;
/// Tee-ticks of each game.
const TEE_TICKS: u64 = 250_000;
/// Tiles of DDNet that act when a tee passes them.
const PASSED: [u8; 24] =
    [9, 11, 12, 13, 16, 17, 18, 19, 20, 32, 60, 61, 62, 88, 89, 90, 91, 104, 105, 106, 107, 144, 145, 2];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound) as i32
    }

    /// Changes an input as a player does.
    fn change(&mut self, input: &mut TeeInput) {
        match self.below(20) {
            0..2 => input.direction = self.below(3) - 1,
            2..4 => input.jump ^= 1,
            4..6 => input.hook ^= 1,
            6..10 => (input.target_x, input.target_y) = (self.below(801) - 400, self.below(801) - 400),
            10..13 => input.fire = (input.fire + 1) & 63,
            13 => input.wanted_weapon = self.below(6),
            _ => {}
        }
    }
}

/// A hash by the method of Fowler, Noll and Vo.
struct Hash(u64);

impl Hash {
    fn add(&mut self, value: i32) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

fn main() -> Result<(), GridError> {
    for rules in [Rules::Teeworlds06, Rules::Teeworlds07, Rules::Ddnet16, Rules::Ddnet20] {
        let mut random = Random(1);
        let mut world = World::new(rules, Arc::new(Grid::new(rules, room(rules, &mut random))?));
        let mut inputs = [TeeInput::default(); TEES];
        let (mut hash, mut tee_ticks) = (Hash(0xcbf2_9ce4_8422_2325), 0_u64);
        while tee_ticks < TEE_TICKS {
            for (id, input) in inputs.iter_mut().enumerate() {
                if world.core(id).is_none() {
                    let (x, y) = (64 + random.below(2752), 64 + random.below(1792));
                    world.spawn(id, Vec2::new(x as f32, y as f32));
                }
                random.change(input);
                world.direct_input(id, *input);
                world.set_input(id, *input);
            }
            world.step();
            for id in 0..TEES {
                let (Some(core), Some(tee)) = (world.core(id), world.tee(id)) else { continue };
                core.to_item().to_wire().into_iter().for_each(|value| hash.add(value));
                let bits = [tee.at.x.to_bits(), tee.at.y.to_bits(), core.velocity.x.to_bits()];
                bits.into_iter().for_each(|bits| hash.add(bits.cast_signed()));
                [tee.health, tee.attack_tick, tee.ddnet.freeze_ticks]
                    .into_iter()
                    .for_each(|value| hash.add(value));
                tee_ticks += 1;
            }
        }
        println!("{rules:?}: {:016x} after {tee_ticks} tee-ticks", hash.0);
    }
    Ok(())
}

/// Returns a room with walls, and in DDNet with tiles of each kind.
fn room(rules: Rules, random: &mut Random) -> GridLayers {
    let mut layers = GridLayers { width: WIDTH, height: HEIGHT, ..GridLayers::default() };
    for at in 0..WIDTH * HEIGHT {
        let (x, y) = (at % WIDTH, at / WIDTH);
        let is_border = x == 0 || y == 0 || x + 1 == WIDTH || y + 1 == HEIGHT;
        let chance = random.below(100);
        let flags = [0, 8, 3, 11].into_iter().nth(random.below(4) as usize).unwrap_or(0);
        let index = match chance {
            _ if is_border => 1,
            0..9 => 1,
            9..12 => 3,
            12 => 191 + 6 + random.below(6) as u8,
            13..23 if rules.is_ddnet() => PASSED.into_iter().nth(random.below(24) as usize).unwrap_or(0),
            _ => 0,
        };
        layers.game.push(MapTile { index, flags });
        if !rules.is_ddnet() {
            continue;
        }
        let number = 1 + random.below(4) as u8;
        let (mut tele, mut speedup, mut switch) =
            (TeleTile::default(), SpeedupTile::default(), SwitchTile::default());
        match chance {
            30 => tele = TeleTile { number, id: 26 },
            31 => tele = TeleTile { number, id: 15 },
            // Each teleporter has one exit, so that nothing is random.
            32 if layers.tele.iter().all(|other| other.id != 27 || other.number != number) => {
                tele = TeleTile { number, id: 27 };
            }
            33..36 => {
                speedup = SpeedupTile {
                    force: 1 + number * 3,
                    max_speed: 40,
                    id: 28,
                    angle: 45 * i16::from(number),
                }
            }
            36..38 => switch = SwitchTile { number, id: 22 + number % 4, flags: 0, delay: number },
            _ => {}
        }
        layers.tele.push(tele);
        layers.speedup.push(speedup);
        layers.switch.push(switch);
        layers.tune.push(0);
        layers.front.push(MapTile { index: if chance == 38 { 66 } else { 0 }, flags: 0 });
    }
    layers
}
