use super::ServerState;
use super::{GameLogic, Messages};
use crate::shared::value::Team;

/// Snapshots are sent in every second tick.
const SNAPSHOT_INTERVAL: i32 = 2;
/// The reason for disconnecting a client that does not enter the game in time.
const TOO_SLOW: &str = "Took too long to enter the game";

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
            let tick = self.ticks.begin_next();
            self.collect_inputs();
            game.tick(tick, &self.inputs, &mut self.world);
            game.after_tick(&mut Messages { state: self });
        }
        if due > 0 {
            self.send_game_info();
        }
        if due > 0 && self.ticks.current().checked_rem(SNAPSHOT_INTERVAL) == Some(0) {
            self.send_snapshots(game);
        }
    }

    fn collect_inputs(&mut self) {
        let Self { peers, inputs, ticks, .. } = self;
        let players = peers.playing_mut().filter(|(_, playing)| playing.player.team != Team::SPECTATORS);
        inputs.clear();
        inputs.extend(players.map(|(id, playing)| (id, playing.inputs.at(ticks.current()))));
    }
}
