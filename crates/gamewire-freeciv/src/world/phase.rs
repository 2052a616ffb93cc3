//! The course of the game: turns, their phases, and the players who have not finished.

use super::settings::SettingValue;
use super::world::{GameState, World};
use crate::number::{Event, PhaseMode};
use crate::packets::{NewYear, Packet, PlayerInfo};

impl World {
    /// Applies a packet about the course of the game. Returns false for other packets.
    pub(super) fn apply_turn_packet(&mut self, packet: &Packet<'_>) -> bool {
        match packet {
            Packet::NewYear(it) => self.on_new_year(it),
            Packet::StartPhase(it) => self.on_start_phase(it.phase),
            Packet::EndPhase(_) => self.end_phase(),
            Packet::BeginTurn(_) => self.on_begin_turn(),
            Packet::EndTurn(_) => self.is_turn_over = true,
            Packet::FreezeClient(_) => self.is_frozen = true,
            Packet::ThawClient(_) => self.is_frozen = false,
            Packet::TimeoutInfo(it) => self.timeout = Some((*it).clone()),
            _ => return false,
        }
        true
    }

    fn on_new_year(&mut self, date: &NewYear) {
        (self.turn, self.year) = (date.turn, date.year);
        if let Some(game) = &mut self.game {
            (game.turn, game.fragment_count) = (date.turn, date.fragments);
            game.year = game.year.map(|_| date.year);
        }
    }

    fn end_phase(&mut self) {
        let mut fought = core::mem::take(&mut self.fought);
        fought.end_phase(&self.units, |player| self.is_phase_of(player));
        self.fought = fought;
        self.phase = None;
    }

    fn on_start_phase(&mut self, phase: i16) {
        self.fought.restore(&mut self.units, &mut self.changes);
        self.phase = Some(phase);
        if let Some(game) = &mut self.game {
            game.phase = phase;
        }
        self.changes.began |= self.state != GameState::Running || !self.has_entered;
        self.changes.phase = Some(phase);
        self.has_entered = true;
        self.state = GameState::Running;
        // Between two turns, the server freezes its clients, and starts the turn before or after its first phase. A
        // client that enters in the middle of a turn receives the phase last, without a freeze and without the start of
        // the turn.
        if core::mem::take(&mut self.is_turn_waiting) || !self.is_frozen {
            self.begin_turn();
        }
    }

    /// Starts the turn once its first phase has started, because no player can move before.
    fn on_begin_turn(&mut self) {
        match self.phase {
            Some(_) => self.begin_turn(),
            None => self.is_turn_waiting = true,
        }
    }

    fn begin_turn(&mut self) {
        if self.turn_started != self.turn || self.is_turn_over {
            self.changes.turn = Some(self.turn);
        }
        self.turn_started = self.turn;
        self.is_turn_over = false;
    }

    /// Detects a running game by a message. Servers repeat the messages of a running turn to new clients, also to those
    /// without a player, which receive nothing else about the state of the game.
    pub(super) fn on_message(&mut self, event: Event) {
        if self.state == GameState::Pregame && event == Event::NEXT_YEAR {
            self.state = GameState::Running;
        }
    }

    /// Returns the state of the game, which only packets of the server decide: the start of a phase, the report at the
    /// end, and the message of a new year. The number of the turn does not show it: before its start, a loaded game has
    /// the turn in which it was saved.
    ///
    /// A client without a player in the first turn of a game cannot know whether it runs; see
    /// [`is_state_known`](Self::is_state_known).
    pub const fn state(&self) -> GameState {
        self.state
    }

    /// Returns whether [`state`](Self::state) is certain. It is uncertain only for a client without a player, while the
    /// game has a turn number and the server has sent nothing that shows that the game runs: it may be a saved game
    /// that has not started.
    pub fn is_state_known(&self) -> bool {
        let is_new = self.game().is_none_or(|game| game.is_new_game || game.turn <= 0);
        self.state != GameState::Pregame || is_new || self.my_number().is_some() || self.is_observer()
    }

    /// Returns the number of the phase in which the game is, counted from 0. Returns `None` before the game and between
    /// two phases, when no player can move.
    pub const fn phase(&self) -> Option<i16> {
        self.phase
    }

    /// Returns which players move in the same phase. The operator sets it, and the server changes it at the start of a
    /// turn.
    pub fn phase_mode(&self) -> PhaseMode {
        self.game().map(|game| PhaseMode(game.phase_mode)).unwrap_or_default()
    }

    /// Returns whether a player moves in the current phase (Freeciv's `is_player_phase`).
    pub fn is_phase_of(&self, player: u16) -> bool {
        let Some(phase) = self.phase.map(i32::from) else { return false };
        match self.phase_mode() {
            PhaseMode::PLAYERS => i32::from(player) == phase,
            PhaseMode::TEAMS => self.player(player).is_some_and(|player| i32::from(player.team) == phase),
            _ => true,
        }
    }

    /// Returns whether the own player moves in the current phase.
    pub fn is_my_phase(&self) -> bool {
        self.my_number().is_some_and(|me| self.is_phase_of(me))
    }

    /// Iterates over the players for which the server waits before it ends the phase: those with a connection who have
    /// not finished, and with the setting `turnblock` also people without a connection. With the setting `fixedlength`
    /// and a timeout, the server does not end the phase before its time even if there are none.
    pub fn waiting_for(&self) -> impl Iterator<Item = &PlayerInfo> {
        let setting = self.settings.get("turnblock");
        let waits_for_absent = matches!(setting, Some(SettingValue::Bool(setting)) if setting.val);
        self.players().filter(move |player| {
            let is_awaited = player.is_connected || waits_for_absent && !self.is_ai(player.playerno);
            player.is_alive && !player.phase_done && is_awaited && self.is_phase_of(player.playerno)
        })
    }

    /// Returns the length of a phase in this turn in seconds, or `None` if phases have no limit. The first turn has its
    /// own limit.
    pub fn phase_seconds(&self) -> Option<u32> {
        /// The number that the server sends as a timeout of -1.
        const NONE: u32 = u32::MAX;
        const FIRST_TURN: i16 = 1;
        let game = self.game()?;
        let first = Some(game.first_timeout).filter(|first| self.turn == FIRST_TURN && *first != NONE);
        Some(first.unwrap_or(game.timeout)).filter(|seconds| (1..NONE).contains(seconds))
    }

    /// Returns the seconds left in the phase, from the server's last packet about it. Returns `None` if phases have no
    /// limit.
    pub fn seconds_left(&self) -> Option<f32> {
        let timeout = self.timeout.as_ref().filter(|_| self.phase_seconds().is_some())?;
        Some(timeout.seconds_to_phasedone.get())
    }

    /// Returns the seconds that the server needed for its last change of turn.
    pub fn last_turn_change_seconds(&self) -> Option<f32> {
        self.timeout.as_ref().map(|timeout| timeout.last_turn_change_time.get())
    }

    /// Returns the part of the year, counted from 0. It is always 0 if the calendar does not divide years.
    pub fn year_part(&self) -> u16 {
        self.game().map_or(0, |game| game.fragment_count)
    }

    /// Returns the name of the part of the year, such as a month, if the calendar has names.
    pub fn year_part_name(&self) -> Option<String> {
        let calendar = self.calendar().filter(|calendar| calendar.calendar_fragments > 0)?;
        let name = calendar.calendar_fragment_name.get(usize::from(self.year_part()))?;
        (!name.is_empty()).then(|| name.to_str_lossy().into_owned())
    }
}
