use crate::model::message::{ClientId, GameInfo};
use crate::shared::value::RaceFlags;

/// The kind, state and limits of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Game {
    /// The kind and limits.
    pub info: GameInfo,
    /// First tick of the round.
    pub start_tick: i32,
    /// The tick at which the state ends, such as a warmup; 0 if it is not known.
    pub end_tick: i32,
    /// The round has ended.
    pub is_over: bool,
    /// The next point ends the round.
    pub is_sudden_death: bool,
    /// The game is paused.
    pub is_paused: bool,
    /// The game has not begun.
    pub is_warmup: bool,
    /// The game is about to begin (0.7).
    pub is_countdown: bool,
    /// The scores of the teams, if there are two.
    pub team_scores: Option<TeamScores>,
    /// The red and the blue flag, if there are flags.
    pub flags: Option<[FlagState; 2]>,
    /// The tick at which the race of the receiver's character began (0.6 of DDNet).
    pub race_start_tick: Option<i32>,
    /// The state of the race (0.7).
    pub race: Option<Race>,
}

/// The scores of the two teams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TeamScores {
    /// The score of the red team.
    pub red: i32,
    /// The score of the blue team.
    pub blue: i32,
}

/// The place of a flag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FlagState {
    /// There is no such flag.
    #[default]
    Missing,
    /// At its stand.
    AtStand,
    /// On the ground.
    Dropped,
    /// Carried by a player.
    Carried(ClientId),
}

impl FlagState {
    const MISSING: i32 = -3;
    const AT_STAND: i32 = -2;
    const TAKEN: i32 = -1;

    /// Converts a number on the wire.
    pub(crate) fn from_wire(carrier: i32) -> Self {
        match (carrier, ClientId::from_wire(carrier)) {
            (_, Some(id)) => Self::Carried(id),
            (Self::AT_STAND, _) => Self::AtStand,
            (Self::TAKEN, _) => Self::Dropped,
            _ => Self::Missing,
        }
    }

    /// Returns the number on the wire.
    pub(crate) fn to_wire(self) -> i32 {
        match self {
            Self::Missing => Self::MISSING,
            Self::AtStand => Self::AT_STAND,
            Self::Dropped => Self::TAKEN,
            Self::Carried(id) => id.0.into(),
        }
    }
}

/// The state of a race in 0.7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Race {
    /// The best time in milliseconds; -1 for none.
    pub best_time: i32,
    /// Number of decimals of shown times.
    pub precision: i32,
    /// Settings of the display.
    pub flags: RaceFlags,
}
