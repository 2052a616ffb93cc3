use core::time::Duration;

use gamewire_machine::Instant;

use super::server::ServerState;
use super::{GameLogic, Messages};
use crate::shared::value::Team;

/// The length of a tick.
const TICK: Duration = Duration::from_millis(20);
/// Maximum number of ticks that are played in a row after a pause. The other ticks are skipped.
const MAX_CATCH_UP: i32 = 10;
/// Snapshots are sent in every second tick.
const SNAPSHOT_INTERVAL: i32 = 2;
/// The reason for disconnecting a client that does not enter the game in time.
const TOO_SLOW: &str = "Took too long to enter the game";

/// The ticks of the game: 50 per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    /// Time of tick 0.
    start: Instant,
    current: i32,
}

impl Ticks {
    pub(super) const fn new(start: Instant) -> Self {
        Self { start, current: 0 }
    }

    /// Returns the last tick that was played. It is 0 at first.
    pub(super) const fn current(self) -> i32 {
        self.current
    }

    /// Returns the start of the next tick.
    pub(super) fn next_start(self) -> Instant {
        self.start_of(self.current.saturating_add(1))
    }

    /// Returns the milliseconds from `now` to the start of a tick. The result is negative after the start.
    pub(super) fn time_left(self, now: Instant, tick: i32) -> i32 {
        let start = self.start_of(tick);
        let millis = |span: Duration| i32::try_from(span.as_millis()).unwrap_or(i32::MAX);
        millis(start.since(now)).saturating_sub(millis(now.since(start)))
    }

    /// Returns the number of ticks that are due at `now`. Ticks over the maximum are skipped.
    fn due(&mut self, now: Instant) -> i32 {
        let passed = now.since(self.start).as_millis().checked_div(TICK.as_millis()).unwrap_or(0);
        let due = i32::try_from(passed).unwrap_or(i32::MAX).saturating_sub(self.current);
        if due > MAX_CATCH_UP {
            let skipped = TICK.saturating_mul(due.saturating_sub(MAX_CATCH_UP).unsigned_abs());
            self.start = self.start + skipped;
        }
        due.min(MAX_CATCH_UP)
    }

    fn start_of(self, tick: i32) -> Instant {
        self.start + TICK.saturating_mul(u32::try_from(tick).unwrap_or(0))
    }
}

impl ServerState {
    /// Handles the due timers of clients. The server announces a client that leaves to the others, which can make their
    /// timers due again.
    pub(super) fn handle_peer_timeouts(&mut self) {
        let now = self.peers.clock.now();
        while let Some(slot) = self.peers.pop_due() {
            let result = self.peers.update(slot, |peer| {
                let login_timed_out = peer.login_timed_out(now);
                peer.link.handle_timeout(now).map(|()| login_timed_out)
            });
            match result {
                Some(Err(reason)) => self.remove(slot, reason),
                Some(Ok(true)) => self.disconnect(slot, TOO_SLOW),
                Some(Ok(false)) | None => {}
            }
        }
    }

    /// Plays the ticks that are due and sends snapshots of the last one.
    pub(super) fn play(&mut self, game: &mut impl GameLogic) {
        let due = self.ticks.due(self.peers.clock.now());
        for _ in 0..due {
            self.ticks.current = self.ticks.current.saturating_add(1);
            self.collect_inputs();
            game.tick(self.ticks.current, &self.inputs, &mut self.world);
            game.after_tick(&mut Messages { state: self });
        }
        if due > 0 {
            self.send_game_info();
        }
        if due > 0 && self.ticks.current.checked_rem(SNAPSHOT_INTERVAL) == Some(0) {
            self.send_snapshots(game);
        }
    }

    fn collect_inputs(&mut self) {
        let Self { peers, inputs, ticks, .. } = self;
        let players = peers.playing_mut().filter(|(_, playing)| playing.player.team != Team::SPECTATORS);
        inputs.clear();
        inputs.extend(players.map(|(id, playing)| (id, playing.inputs.at(ticks.current))));
    }
}
