use super::change::Changes;
use super::city_details::Details;
use super::city_unit::{Cities, Units};
use super::combat::Fought;
use super::diplomacy::Diplomacy;
use super::page::PageParts;
use super::rulesets::Rulesets;
use super::settings::ServerSettings;
use super::society::Society;
use super::table::Table;
use super::tile::TileMap;
use super::vote::{Vote, Votes};
use crate::codec::ProtocolVersion;
use crate::packets::{
    CalendarInfo, ConnInfo, EndgamePlayer, GameInfo, PlayerInfo, ResearchInfo, ScenarioInfo, ServerInfo,
    TimeoutInfo,
};

/// The state of a game, as the packets that a client receives describe it.
///
/// Call [`apply`](Self::apply) with every packet from the server in order. [`take_changes`](Self::take_changes) returns
/// the changes since the last call.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct World {
    /// The version of the server's protocol.
    pub(super) version: ProtocolVersion,
    pub(super) server: Option<ServerInfo>,
    pub(super) connection: Option<i16>,
    pub(super) connections: Table<ConnInfo>,
    pub(super) state: GameState,
    pub(super) game: Option<Box<GameInfo>>,
    pub(super) calendar: Option<Box<CalendarInfo>>,
    pub(super) timeout: Option<TimeoutInfo>,
    pub(super) ranking: Ranking,
    pub(super) scenario: Option<Box<ScenarioInfo>>,
    pub(super) turn: i16,
    pub(super) turn_started: i16,
    pub(super) year: i32,
    pub(super) players: Table<PlayerInfo>,
    pub(super) researches: Table<ResearchInfo>,
    pub(super) diplomacy: Diplomacy,
    pub(super) map: TileMap,
    pub(super) cities: Cities,
    pub(super) units: Units,
    pub(super) fought: Fought,
    pub(super) rulesets: Rulesets,
    pub(super) settings: ServerSettings,
    pub(super) city_details: Details,
    pub(super) society: Society,
    pub(super) votes: Votes,
    /// The page that is not complete yet.
    pub(super) page: Option<PageParts>,
    pub(super) scenario_description: String,
    pub(super) ruleset_choices: Vec<String>,
    pub(super) is_turn_over: bool,
    /// True if the server has started a turn, but no phase of it.
    pub(super) is_turn_waiting: bool,
    /// The current phase; `None` between two phases.
    pub(super) phase: Option<i16>,
    /// True if the server has let the own connection into the game since its player last changed.
    pub(super) has_entered: bool,
    /// True while the server computes the change of a turn.
    pub(super) is_frozen: bool,
    /// Name of the saved game that the operator loaded.
    pub(super) loaded_game: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) changes: Changes,
}

/// The state of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GameState {
    /// The game has not started, or it is not known yet that it has; see [`World::is_state_known`].
    #[default]
    Pregame,
    /// The game runs.
    Running,
    /// The game has ended.
    Over,
}

/// The reason why a game has ended for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ending {
    /// The game has ended for all players.
    GameOver,
    /// The own nation was destroyed. The game continues without it.
    Destroyed,
}

impl core::fmt::Display for Ending {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::GameOver => "the game is over",
            Self::Destroyed => "the nation was destroyed",
        })
    }
}

/// The players of a game that has ended.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Ranking {
    /// Number of players that the server announced.
    pub(super) announced: u16,
    /// Names of the categories in which the players have scores.
    pub(super) categories: Vec<String>,
    pub(super) players: Vec<EndgamePlayer>,
}

/// Defines getters of the state, for an `impl`.
macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $world:ident => $value:expr;)+) => {$(
        $(#[$doc])*
        pub const fn $name(&self) -> $type {
            let $world = self;
            $value
        }
    )+};
}

impl World {
    getters! {
        /// Returns the version of the server's protocol.
        version: ProtocolVersion = world => world.version;
        /// Returns the number of the turn, counted from 1; 0 before the game.
        turn: i16 = world => world.turn;
        /// Returns the last turn that started. Orders are possible in it. 0 before the first turn.
        turn_started: i16 = world => world.turn_started;
        /// Returns whether the turn has ended on the server, and the next one has not started. Orders are delayed until
        /// it starts.
        is_turn_over: bool = world => world.is_turn_over;
        /// Returns the year. Years BCE are negative.
        year: i32 = world => world.year;
        /// Returns the number of the own connection.
        connection: Option<i16> = world => world.connection;
        /// Returns the relations between players, and the meetings.
        diplomacy: &Diplomacy = world => &world.diplomacy;
        /// Returns the map and its tiles.
        map: &TileMap = world => &world.map;
        /// Returns the cities that the client knows.
        cities: &Cities = world => &world.cities;
        /// Returns the units that the client sees.
        units: &Units = world => &world.units;
        /// Returns the rulesets.
        rulesets: &Rulesets = world => &world.rulesets;
        /// Returns the settings of the server.
        settings: &ServerSettings = world => &world.settings;
    }

    /// Creates an empty world.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the rules and the state of the whole game.
    pub fn game(&self) -> Option<&GameInfo> {
        self.game.as_deref()
    }

    /// Returns the reason why the game has ended, or `None` while it runs.
    pub fn ending(&self) -> Option<Ending> {
        let is_destroyed = |me: &PlayerInfo| self.turn_started > 0 && !me.is_alive && !self.is_observer();
        match self.state {
            GameState::Over => Some(Ending::GameOver),
            _ => self.me().is_some_and(is_destroyed).then_some(Ending::Destroyed),
        }
    }

    /// Returns the players' scores and the winners after the end of the game. Returns `None` until the server has sent
    /// all of them.
    pub fn ranking(&self) -> Option<&[EndgamePlayer]> {
        let Ranking { announced, players, .. } = &self.ranking;
        let is_complete = self.state == GameState::Over && players.len() >= usize::from(*announced);
        is_complete.then_some(players.as_slice())
    }

    /// Returns the names of the categories in which the players have scores after the end of the game, in the order of
    /// [`EndgamePlayer::category_score`].
    pub fn score_categories(&self) -> &[String] {
        &self.ranking.categories
    }

    /// Returns the server's description of its version.
    pub const fn server(&self) -> Option<&ServerInfo> {
        self.server.as_ref()
    }

    /// Returns the calendar.
    pub fn calendar(&self) -> Option<&CalendarInfo> {
        self.calendar.as_deref()
    }

    /// Returns the scenario of the game.
    pub fn scenario(&self) -> Option<&ScenarioInfo> {
        self.scenario.as_deref()
    }

    /// Returns the description of the scenario, or an empty text without one.
    pub fn scenario_description(&self) -> &str {
        &self.scenario_description
    }

    /// Returns the names of the rulesets that the operator of the server can choose.
    pub fn ruleset_choices(&self) -> &[String] {
        &self.ruleset_choices
    }

    /// Iterates over the open votes, by number.
    pub fn votes(&self) -> impl ExactSizeIterator<Item = &Vote> {
        self.votes.values()
    }

    /// Returns the name of the saved game that the operator loaded while the client was connected.
    pub fn loaded_game(&self) -> Option<&str> {
        self.loaded_game.as_deref()
    }

    /// Iterates over all connections of the server by number.
    pub fn connections(&self) -> impl ExactSizeIterator<Item = &ConnInfo> {
        self.connections.iter()
    }

    /// Returns the own connection.
    pub fn my_connection(&self) -> Option<&ConnInfo> {
        self.connections.get(self.connection?)
    }

    /// Returns whether the own connection is an observer.
    pub fn is_observer(&self) -> bool {
        self.my_connection().is_some_and(|connection| connection.observer)
    }

    /// Returns the number of the player that the own connection plays or observes.
    pub fn my_number(&self) -> Option<u16> {
        self.my_connection()
            .map(|connection| connection.player_num)
            .filter(|number| *number != self.version.no_player())
    }

    /// Returns the player that the own connection plays or observes.
    pub fn me(&self) -> Option<&PlayerInfo> {
        self.player(self.my_number()?)
    }

    /// Returns the player with this number.
    pub fn player(&self, number: u16) -> Option<&PlayerInfo> {
        self.players.get(number)
    }

    /// Iterates over all players by number.
    pub fn players(&self) -> impl ExactSizeIterator<Item = &PlayerInfo> {
        self.players.iter()
    }
}
