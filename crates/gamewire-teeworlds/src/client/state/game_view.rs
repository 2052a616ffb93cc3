use gamewire_machine::Instant;

use crate::Dialect;
use crate::client::Event;
use crate::client::context::Context;
use crate::client::player_tracker::PlayerTracker;
use crate::model::message::ServerMessage;
use crate::model::{Roster, World};
use crate::shared::snapshot::SnapshotOutcome;
use crate::shared::version::SnapshotMessage;

/// The effect of a message on the state.
#[derive(Debug)]
pub(super) enum Transition {
    Stay,
    /// The message is not valid in this state.
    Unexpected,
    /// The map was downloaded.
    MapLoaded(Vec<u8>),
    /// The client is in the game. `tick` is the tick of the latest snapshot.
    Entered {
        game: Box<GameView>,
        tick: i32,
    },
}

/// The client's view of the game, from ENTERGAME until the map changes.
#[derive(Debug, Default)]
pub(super) struct GameView {
    pub(super) world: World,
    /// The data that servers of 0.7 send in messages instead of snapshots.
    roster: Roster,
    pub(super) players: PlayerTracker,
    /// The server has announced the client's own player (0.7).
    is_announced: bool,
    /// Time of the latest snapshot.
    pub(super) snapshot_at: Instant,
}

impl GameView {
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
            ServerMessage::ClientInfo { client, local, profile, silent, .. } => {
                // A server of 0.7 first announces the players that joined earlier, and then the client itself.
                self.is_announced |= local;
                self.players.on_join(client, profile.name, silent || !self.is_announced, events);
            }
            ServerMessage::ClientDrop { client, reason } => {
                self.players.on_leave(client, Some(reason.into()), events);
            }
            ServerMessage::Team { client, team } => events.push(Event::Team { client, team }),
            ServerMessage::GameInfo { .. } | ServerMessage::SkinChange { .. } => {}
            _ => return Transition::Unexpected,
        }
        self.roster.apply(message);
        Transition::Stay
    }
}
