use crate::session::message::{ClientId, Input};
use crate::session::world::{Character, World};

/// What is played on a server: turns what players do into a world, 50 times a second.
pub trait GameLogic {
    /// One tick. `inputs` are the players who are in, by number, with what they do in this tick.
    /// `world.players` is the server's and already right; characters and pickups are the game's.
    fn tick(&mut self, tick: i32, inputs: &[(ClientId, Input)], world: &mut World);
}

/// Tees that walk left and right on one line, as fast as the game's tees do, and never meet.
#[derive(Clone, Debug)]
pub struct WalkingGame {
    /// Where players appear, in 32nds of a tile from the map's corner.
    pub spawn: (i32, i32),
    /// How far they may walk to either side of it.
    pub room: i32,
}

/// How fast a tee walks on the ground: 10 a tick.
const SPEED: i32 = 10;

impl Default for WalkingGame {
    fn default() -> Self {
        Self { spawn: (1600, 800), room: 1000 }
    }
}

impl GameLogic for WalkingGame {
    fn tick(&mut self, tick: i32, inputs: &[(ClientId, Input)], world: &mut World) {
        world.characters.retain(|character| inputs.iter().any(|(id, _)| *id == character.id));
        for &(id, input) in inputs {
            let at = match world.characters.binary_search_by_key(&id, |character| character.id) {
                Ok(at) => at,
                Err(at) => {
                    world.characters.insert(at, self.spawned(id));
                    at
                }
            };
            if let Some(character) = world.characters.get_mut(at) {
                self.walk(tick, &input, character);
            }
        }
    }
}

impl WalkingGame {
    fn spawned(&self, id: ClientId) -> Character {
        let (x, y) = self.spawn;
        Character {
            id,
            tick: 0,
            // Side by side, so that they can be told apart.
            x: x.saturating_add(i32::from(id.0).saturating_mul(32)),
            y,
            vel_x: 0,
            vel_y: 0,
            angle: 0,
            direction: 0,
            health: 10,
            armor: 0,
            weapon: 1,
        }
    }

    fn walk(&self, tick: i32, input: &Input, character: &mut Character) {
        let direction = input.direction.signum();
        let (left, right) = (self.spawn.0.saturating_sub(self.room), self.spawn.0.saturating_add(self.room));
        let x = character.x.saturating_add(direction.saturating_mul(SPEED)).clamp(left, right.max(left));
        let moved = Character {
            x,
            vel_x: x.saturating_sub(character.x).saturating_mul(256),
            direction,
            angle: angle(input.target_x, input.target_y),
            ..*character
        };
        if moved != *character {
            // Who stands still looks the same in every snapshot, which then says nothing of it.
            *character = Character { tick, ..moved };
        }
    }
}

/// The angle of an aim in 256ths of a radian, as the games send it.
#[allow(clippy::cast_possible_truncation, reason = "an angle is below 4 times 256")]
fn angle(x: i32, y: i32) -> i32 {
    (f64::from(y).atan2(f64::from(x)) * 256.0) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walking(direction: i32) -> Input {
        Input { direction, target_x: 1, ..Input::default() }
    }

    #[test]
    fn a_tee_walks_where_its_player_wants_and_not_through_the_end() {
        let mut game = WalkingGame { spawn: (0, 0), room: 25 };
        let mut world = World::default();
        let xs: Vec<i32> = (1..5)
            .map(|tick| {
                game.tick(tick, &[(ClientId(0), walking(1))], &mut world);
                world.characters[0].x
            })
            .collect();
        assert_eq!(xs, [10, 20, 25, 25]);
    }

    #[test]
    fn who_stands_still_does_not_change() {
        let (mut game, mut world) = (WalkingGame::default(), World::default());
        game.tick(1, &[(ClientId(0), walking(0))], &mut world);
        let before = world.characters.clone();
        game.tick(2, &[(ClientId(0), walking(0))], &mut world);
        assert_eq!(world.characters, before);
    }

    #[test]
    fn who_leaves_is_gone_and_who_comes_is_in_order() {
        let (mut game, mut world) = (WalkingGame::default(), World::default());
        game.tick(1, &[(ClientId(2), walking(0))], &mut world);
        game.tick(2, &[(ClientId(0), walking(0)), (ClientId(2), walking(0))], &mut world);
        assert_eq!(world.characters.iter().map(|character| character.id.0).collect::<Vec<_>>(), [0, 2]);
        game.tick(3, &[(ClientId(0), walking(0))], &mut world);
        assert_eq!(world.characters.len(), 1);
    }
}
