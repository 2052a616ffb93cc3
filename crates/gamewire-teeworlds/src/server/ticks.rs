//! The game's clock: 50 ticks a second.

use core::time::Duration;

use gamewire_machine::Instant;

use super::GameLogic;
use super::room::ServerState;
use super::stage::{PeerState, Playing};
use crate::link::Outbox;
use crate::session::message::{ClientId, Input};
use crate::session::world::Player;
use crate::shared::value::Team;

/// The length of a tick.
const TICK: Duration = Duration::from_millis(20);
/// After a longer pause the game goes on from where it was: nobody wants an hour played at once.
const CATCH_UP: i32 = 10;
/// Snapshots are sent in every second tick.
const SNAPSHOT_EVERY: i32 = 2;

impl ServerState {
    /// When the next tick is due.
    pub(super) fn next_tick(&self) -> Instant {
        self.start_of(self.tick.saturating_add(1))
    }

    /// Plays all ticks that are due, and sends snapshots of the last one.
    pub(super) fn play(&mut self, now: Instant, game: &mut impl GameLogic, out: &mut Outbox) {
        let due = ticks(now.since(self.began));
        let behind = due.saturating_sub(self.tick);
        if behind > CATCH_UP {
            let lost = TICK.saturating_mul(behind.saturating_sub(CATCH_UP).unsigned_abs());
            self.began = self.began + lost;
        }
        let is_due = behind > 0;
        for _ in 0..behind.min(CATCH_UP) {
            self.tick = self.tick.saturating_add(1);
            let inputs = self.inputs();
            game.tick(self.tick, &inputs, &mut self.world);
        }
        if is_due && self.tick.checked_rem(SNAPSHOT_EVERY) == Some(0) {
            self.send_snapshots(now, out);
        }
    }

    /// Milliseconds from `now` to the start of a tick; negative when it has begun.
    pub(super) fn time_left(&self, now: Instant, tick: i32) -> i32 {
        let start = self.start_of(tick);
        let (ahead, behind) = (start.since(now).as_millis(), now.since(start).as_millis());
        let milliseconds = |span| i32::try_from(span).unwrap_or(i32::MAX);
        milliseconds(ahead).saturating_sub(milliseconds(behind))
    }

    fn start_of(&self, tick: i32) -> Instant {
        self.began + TICK.saturating_mul(u32::try_from(tick).unwrap_or(0))
    }

    fn inputs(&mut self) -> Vec<(ClientId, Input)> {
        let tick = self.tick;
        let peers = self.peers.iter_mut().flatten();
        peers
            .filter_map(|peer| match &mut peer.stage {
                PeerState::Playing(playing) if playing.team != Team::SPECTATORS => {
                    Some((peer.id, playing.inputs.at(tick)))
                }
                _ => None,
            })
            .collect()
    }

    fn send_snapshots(&mut self, now: Instant, out: &mut Outbox) {
        let players = self.playing().map(|(id, playing)| to_world_player(id, playing)).collect();
        self.world.players = players;
        self.world.tick = self.tick;
        for peer in self.peers.iter_mut().flatten() {
            peer.send_snapshot(now, &self.world, &mut self.workbench, out);
        }
    }
}

fn to_world_player(id: ClientId, playing: &Playing) -> Player {
    Player {
        id,
        local: false,
        name: playing.looks.name.clone(),
        clan: playing.looks.clan.clone(),
        country: playing.looks.country,
        skin: playing.looks.skin.clone(),
        team: playing.team,
        score: 0,
        latency: playing.latency,
    }
}

fn ticks(span: Duration) -> i32 {
    let ticks = span.as_millis().checked_div(TICK.as_millis()).unwrap_or(0);
    i32::try_from(ticks).unwrap_or(i32::MAX)
}
