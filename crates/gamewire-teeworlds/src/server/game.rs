use super::{Messages, View};
use crate::model::message::{ClientId, ClientMessage, Input};
use crate::model::world::{Character, World};

/// The rules of a game. They turn the inputs of the players into a world, 50 times per second.
pub trait GameLogic {
    /// Plays one tick. `inputs` has the players in the game, ordered by id, with their input for this tick. The server
    /// maintains `world.players`, and the game maintains everything else.
    fn tick(&mut self, tick: i32, inputs: &[(ClientId, Input)], world: &mut World);

    /// Changes the part of the world that a player will see. The server calls it before each snapshot of each player.
    fn view(&mut self, viewer: ClientId, world: &World, view: &mut View<'_>) {
        let _ = (viewer, world, view);
    }

    /// Sends messages after a tick.
    fn after_tick(&mut self, messages: &mut Messages<'_>) {
        let _ = messages;
    }

    /// Handles a message of a player in the game, after the server has handled it. [`GameLogic::tick`] gets the inputs.
    fn on_message(&mut self, from: ClientId, message: &ClientMessage<'_>, messages: &mut Messages<'_>) {
        let _ = (from, message, messages);
    }
}

/// A game in which tees walk left and right on one line, as fast as in the game, without collisions.
#[derive(Clone, Debug)]
pub struct WalkingGame {
    /// The spawn position in 32nds of a tile from the corner of the map.
    pub spawn: (i32, i32),
    /// Maximum distance from the spawn position to either side.
    pub max_distance: i32,
}

/// Speed of a tee on the ground, per tick.
const SPEED: i32 = 10;

impl Default for WalkingGame {
    fn default() -> Self {
        Self { spawn: (1600, 800), max_distance: 1000 }
    }
}

impl GameLogic for WalkingGame {
    fn tick(&mut self, tick: i32, inputs: &[(ClientId, Input)], world: &mut World) {
        world.characters.retain(|character| inputs.iter().any(|(id, _)| *id == character.id));
        for &(id, input) in inputs {
            let index = match world.characters.binary_search_by_key(&id, |character| character.id) {
                Ok(index) => index,
                Err(index) => {
                    world.characters.insert(index, self.new_character(id));
                    index
                }
            };
            if let Some(character) = world.characters.get_mut(index) {
                self.walk(tick, &input, character);
            }
        }
    }
}

impl WalkingGame {
    fn new_character(&self, id: ClientId) -> Character {
        let (x, y) = self.spawn;
        // Characters start next to each other, so that they do not overlap.
        Character::new(id, 0, x.saturating_add(i32::from(id.0).saturating_mul(32)), y)
    }

    fn walk(&self, tick: i32, input: &Input, character: &mut Character) {
        let direction = input.direction.signum();
        let (left, right) =
            (self.spawn.0.saturating_sub(self.max_distance), self.spawn.0.saturating_add(self.max_distance));
        let x = character.x.saturating_add(direction.saturating_mul(SPEED)).clamp(left, right.max(left));
        let moved = Character {
            x,
            vel_x: x.saturating_sub(character.x).saturating_mul(256),
            direction,
            angle: angle(input.target_x, input.target_y),
            ..*character
        };
        if moved != *character {
            // A character that does not move is equal in every snapshot, so that its delta is empty.
            *character = Character { tick, ..moved };
        }
    }
}

/// Returns the angle of an aim in 256ths of a radian, as the games send it.
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
    fn a_tee_walks_as_its_input_says_and_stops_at_the_maximum_distance() {
        let mut game = WalkingGame { spawn: (0, 0), max_distance: 25 };
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
    fn a_character_that_stands_still_does_not_change() {
        let (mut game, mut world) = (WalkingGame::default(), World::default());
        game.tick(1, &[(ClientId(0), walking(0))], &mut world);
        let before = world.characters.clone();
        game.tick(2, &[(ClientId(0), walking(0))], &mut world);
        assert_eq!(world.characters, before);
    }

    #[test]
    fn characters_are_ordered_by_id_and_removed_when_the_player_leaves() {
        let (mut game, mut world) = (WalkingGame::default(), World::default());
        game.tick(1, &[(ClientId(2), walking(0))], &mut world);
        game.tick(2, &[(ClientId(0), walking(0)), (ClientId(2), walking(0))], &mut world);
        assert_eq!(world.characters.iter().map(|character| character.id.0).collect::<Vec<_>>(), [0, 2]);
        game.tick(3, &[(ClientId(0), walking(0))], &mut world);
        assert_eq!(world.characters.len(), 1);
    }
}
