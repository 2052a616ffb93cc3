use serde::Serialize;

use crate::world::{GameState, World};

/// The state of the game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameView {
    /// Version of the server's protocol, such as `3.2`.
    pub version: String,
    /// `pregame`, `running` or `over`.
    pub state: &'static str,
    /// Number of the turn, counted from 1; 0 before the first turn.
    pub turn: i16,
    /// The year, negative before the common era.
    pub year: i32,
    /// Columns and rows of the map.
    pub size: Option<[i32; 2]>,
    /// Seconds left in the turn, if turns are timed.
    pub seconds_left: Option<f32>,
}

impl GameView {
    /// Describes the game of a world.
    pub fn new(world: &World) -> Self {
        let size = world.map().geometry().map(|geometry| [geometry.xsize(), geometry.ysize()]);
        let state = match world.state() {
            GameState::Pregame => "pregame",
            GameState::Running => "running",
            GameState::Over => "over",
        };
        Self {
            version: world.version().to_string(),
            state,
            turn: world.turn(),
            year: world.year(),
            size,
            seconds_left: world.seconds_left(),
        }
    }
}
