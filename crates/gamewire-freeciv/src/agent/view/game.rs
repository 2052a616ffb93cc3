use serde::Serialize;

use crate::world::{GameState, VictoryCondition, World};

/// The state of the game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameView {
    /// Version of the server's protocol, such as `3.2`.
    pub version: String,
    /// `pregame`, `running`, `over` or `started`: the game runs, or it is a saved game that waits for its start. A
    /// client without a player cannot know which of the two it is.
    pub state: &'static str,
    /// Number of the turn, counted from 1; 0 before the first turn.
    pub turn: i16,
    /// Number of the phase, counted from 0; `None` before the game and between two phases.
    pub phase: Option<i16>,
    /// Which players move in the same phase: `all`, `player` or `team`.
    pub phase_mode: Option<&'static str>,
    /// True if the own player can move now.
    pub is_my_phase: bool,
    /// Numbers of the players who have not finished the phase.
    pub waiting_for: Vec<u16>,
    /// The year, negative before the common era.
    pub year: i32,
    /// The ways to win before the last turn: `space_race`, `allied`, `culture`.
    pub victories: Vec<&'static str>,
    /// Columns and rows of the map.
    pub size: Option<[i32; 2]>,
    /// Length of a phase in seconds, if it is limited.
    pub phase_seconds: Option<u32>,
    /// Seconds left in the phase, if it is limited.
    pub seconds_left: Option<f32>,
}

impl GameView {
    /// Describes the game of a world.
    pub fn new(world: &World) -> Self {
        let size = world.map().geometry().map(|geometry| [geometry.xsize(), geometry.ysize()]);
        let state = match world.state() {
            GameState::Pregame if !world.is_state_known() => "started",
            GameState::Pregame => "pregame",
            GameState::Running => "running",
            GameState::Over => "over",
        };
        Self {
            version: world.version().to_string(),
            state,
            turn: world.turn(),
            phase: world.phase(),
            phase_mode: world.phase_mode().name(),
            is_my_phase: world.is_my_phase(),
            waiting_for: world.waiting_for().map(|player| player.playerno).collect(),
            year: world.year(),
            victories: world.victory_conditions().map(victory_name).collect(),
            size,
            phase_seconds: world.phase_seconds(),
            seconds_left: world.seconds_left(),
        }
    }
}

const fn victory_name(condition: VictoryCondition) -> &'static str {
    match condition {
        VictoryCondition::SpaceRace => "space_race",
        VictoryCondition::Allied => "allied",
        VictoryCondition::Culture => "culture",
    }
}
