use gamewire_machine::Instant;

use super::context::Context;
use super::player_tracker::PlayerTracker;
use super::state::Transition;
use super::{Event, TextBuf};
use crate::Dialect;
use crate::session::message::{ClientId, ServerMessage};
use crate::session::{Roster, World};
use crate::shared::snapshot::SnapshotOutcome;
use crate::shared::version::SnapshotMessage;

/// The game as the client knows it, from ENTERGAME until the map changes.
#[derive(Debug, Default)]
pub(super) struct GameView {
    world: World,
    /// The data of 0.7 that is sent in messages instead of snapshots.
    roster: Roster,
    players: PlayerTracker,
    /// Time of the latest snapshot.
    snapshot_at: Instant,
}

impl GameView {
    /// Returns the world of the latest snapshot.
    pub(super) const fn world(&self) -> &World {
        &self.world
    }

    /// Returns the tick of the latest snapshot.
    pub(super) const fn tick(&self) -> i32 {
        self.world.tick
    }

    /// Returns the time of the latest snapshot.
    pub(super) const fn snapshot_at(&self) -> Instant {
        self.snapshot_at
    }

    /// Returns the name of a player.
    pub(super) fn name_of(&self, id: ClientId) -> Option<&TextBuf> {
        self.players.name_of(id)
    }

    /// Handles a snapshot or a part of one. Returns its tick if it is complete and new.
    pub(super) fn on_snapshot(
        &mut self,
        message: &SnapshotMessage<'_>,
        context: &mut Context<'_>,
    ) -> Option<i32> {
        let dialect = context.dialect();
        let shared = &mut *context.shared;
        match shared.receiver.receive(message, dialect.fifth_byte(), dialect.item_sizes()) {
            SnapshotOutcome::Complete { tick, snapshot } => {
                dialect.read_world(tick, snapshot, &self.roster, &mut self.world);
                self.snapshot_at = shared.clock.now();
                shared.events.push(Event::Snapshot { tick });
                if dialect != Dialect::V07 {
                    self.players.on_snapshot(&self.world.players, &mut shared.events);
                }
                Some(tick)
            }
            SnapshotOutcome::Bad(error) => {
                shared.events.push(Event::Undecodable(error));
                None
            }
            SnapshotOutcome::Late | SnapshotOutcome::Incomplete | SnapshotOutcome::WithoutBase => None,
        }
    }

    /// Handles a message of 0.7 about players or the game.
    pub(super) fn on_message(
        &mut self,
        message: &ServerMessage<'_>,
        context: &mut Context<'_>,
    ) -> Transition {
        let events = &mut context.shared.events;
        match *message {
            ServerMessage::ClientInfo { client, profile, silent, .. } => {
                self.players.on_join(client, profile.name, silent, events);
            }
            ServerMessage::ClientDrop { client, reason } => {
                self.players.on_leave(client, Some(reason.into()), events);
            }
            ServerMessage::Team { client, team } => events.push(Event::Team { client, team }),
            ServerMessage::GameInfo { .. } => {}
            _ => return Transition::Unexpected,
        }
        self.roster.apply(message);
        Transition::Stay
    }
}
