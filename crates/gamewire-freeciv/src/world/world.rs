use std::collections::BTreeMap;

use super::change::{Change, Changes};
use super::city::Cities;
use super::diplomacy::Diplomacy;
use super::land::TileMap;
use super::rulesets::Rulesets;
use super::settings::ServerSettings;
use super::unit::Units;
use crate::v30::{CalendarInfo, ConnInfo, GameInfo, PlayerInfo, ResearchInfo, TimeoutInfo};

/// The world that the packets of a game describe, as far as one sees it.
///
/// [`apply`](Self::apply) takes every packet of the server in its order;
/// [`take_changes`](Self::take_changes) says what is otherwise than at the last look.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub(super) connection: Option<i16>,
    pub(super) connections: BTreeMap<i16, Box<ConnInfo>>,
    pub(super) stage: GameState,
    pub(super) game: Option<Box<GameInfo>>,
    pub(super) calendar: Option<Box<CalendarInfo>>,
    pub(super) timeout: Option<TimeoutInfo>,
    pub(super) turn: i16,
    pub(super) begun_turn: i16,
    pub(super) year: i32,
    pub(super) players: BTreeMap<u8, Box<PlayerInfo>>,
    pub(super) researches: BTreeMap<u8, Box<ResearchInfo>>,
    pub(super) diplomacy: Diplomacy,
    pub(super) land: TileMap,
    pub(super) cities: Cities,
    pub(super) units: Units,
    pub(super) rulesets: Rulesets,
    pub(super) settings: ServerSettings,
    pub(super) changes: Changes,
}

/// How far a game is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameState {
    /// Players gather; or it runs, and one has no part in it yet.
    #[default]
    Pregame,
    /// It runs.
    Running,
    /// It is over.
    Over,
}

impl World {
    /// A world of which nothing is known.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What is otherwise than at the last look. Each thing is told once, however often it changed;
    /// what came and went in between is not told.
    pub fn take_changes(&mut self) -> Vec<Change> {
        core::mem::take(&mut self.changes).into_changes(self)
    }

    /// How far the game is.
    #[must_use]
    pub const fn stage(&self) -> GameState {
        self.stage
    }

    /// The rules and the state of the whole game.
    #[must_use]
    pub fn game(&self) -> Option<&GameInfo> {
        self.game.as_deref()
    }

    /// How years are written.
    #[must_use]
    pub fn calendar(&self) -> Option<&CalendarInfo> {
        self.calendar.as_deref()
    }

    /// The number of the turn, counted from 1; 0 before the game.
    #[must_use]
    pub const fn turn(&self) -> i16 {
        self.turn
    }

    /// The last turn whose begin was told: from then on one may act in it. 0 before that.
    #[must_use]
    pub const fn turn_started(&self) -> i16 {
        self.begun_turn
    }

    /// The year; below zero it is BCE.
    #[must_use]
    pub const fn year(&self) -> i32 {
        self.year
    }

    /// How many seconds were left of the turn when the server last said so, if turns end by time.
    #[must_use]
    pub fn seconds_left(&self) -> Option<f32> {
        let timed = self.game.as_ref().is_some_and(|game| game.timeout > 0);
        self.timeout.as_ref().filter(|_| timed).map(|timeout| timeout.seconds_to_phasedone.get())
    }

    /// The number of one's connection.
    #[must_use]
    pub const fn connection(&self) -> Option<i16> {
        self.connection
    }

    /// All connections of the server, by their numbers.
    pub fn connections(&self) -> impl ExactSizeIterator<Item = &ConnInfo> {
        self.connections.values().map(Box::as_ref)
    }

    /// What the server says of one's own connection.
    #[must_use]
    pub fn my_connection(&self) -> Option<&ConnInfo> {
        self.connections.get(&self.connection?).map(Box::as_ref)
    }

    /// Whether one only watches.
    #[must_use]
    pub fn is_observer(&self) -> bool {
        self.my_connection().is_some_and(|connection| connection.observer)
    }

    /// The number of the player that one plays, or watches.
    #[must_use]
    pub fn my_number(&self) -> Option<u8> {
        self.my_connection().map(|connection| connection.player_num).filter(|number| *number != NO_PLAYER)
    }

    /// The player that one plays, or watches.
    #[must_use]
    pub fn me(&self) -> Option<&PlayerInfo> {
        self.player(self.my_number()?)
    }

    /// The player with this number.
    #[must_use]
    pub fn player(&self, number: u8) -> Option<&PlayerInfo> {
        self.players.get(&number).map(Box::as_ref)
    }

    /// All players in the order of their numbers.
    pub fn players(&self) -> impl ExactSizeIterator<Item = &PlayerInfo> {
        self.players.values().map(Box::as_ref)
    }

    /// Relations between players, and meetings.
    #[must_use]
    pub const fn diplomacy(&self) -> &Diplomacy {
        &self.diplomacy
    }

    /// The map and its tiles.
    #[must_use]
    pub const fn map(&self) -> &TileMap {
        &self.land
    }

    /// The cities that one knows of.
    #[must_use]
    pub const fn cities(&self) -> &Cities {
        &self.cities
    }

    /// The units that one sees.
    #[must_use]
    pub const fn units(&self) -> &Units {
        &self.units
    }

    /// The rules: what there is, by id and by name.
    #[must_use]
    pub const fn rulesets(&self) -> &Rulesets {
        &self.rulesets
    }

    /// The settings of the server.
    #[must_use]
    pub const fn settings(&self) -> &ServerSettings {
        &self.settings
    }
}

/// Stands for no player where a connection names one.
pub(super) const NO_PLAYER: u8 = 160;
