//! The game as the client knows it: the world of the latest snapshot, and who is there.

use gamewire_machine::Instant;

use super::attendance::PlayerTracker;
use super::context::Context;
use super::stage::Transition;
use super::{Event, TextBuf};
use crate::Dialect;
use crate::session::message::{ClientId, ServerMessage};
use crate::session::{Roster, World};
use crate::shared::snapshot::SnapshotOutcome;
use crate::shared::version::SnapshotMessage;

/// What goes on from ENTERGAME until the map changes.
#[derive(Debug, Default)]
pub(super) struct GameView {
    world: World,
    /// What 0.7 says of players beside the snapshots.
    roster: Roster,
    attendance: PlayerTracker,
    /// When the latest snapshot came.
    since: Instant,
}

impl GameView {
    /// What the latest snapshot shows.
    pub(super) const fn world(&self) -> &World {
        &self.world
    }

    /// The tick of the latest snapshot.
    pub(super) const fn tick(&self) -> i32 {
        self.world.tick
    }

    /// When the latest snapshot came.
    pub(super) const fn since(&self) -> Instant {
        self.since
    }

    /// The name of a player.
    pub(super) fn name_of(&self, id: ClientId) -> Option<&TextBuf> {
        self.attendance.name_of(id)
    }

    /// Takes a snapshot, or a part of one; gives its tick when it is whole and new.
    pub(super) fn take_snapshot(
        &mut self,
        message: &SnapshotMessage<'_>,
        context: &mut Context<'_>,
    ) -> Option<i32> {
        let dialect = context.dialect();
        let desk = &mut *context.desk;
        match desk.receiver.receive(message, dialect.fifth_byte(), dialect.item_sizes()) {
            SnapshotOutcome::Complete { tick, snapshot } => {
                dialect.read_world(tick, snapshot, &self.roster, &mut self.world);
                self.since = desk.now;
                desk.events.push(Event::Snapshot { tick });
                if dialect != Dialect::V07 {
                    self.attendance.compare(&self.world.players, &mut desk.events);
                }
                Some(tick)
            }
            SnapshotOutcome::Bad(error) => {
                desk.events.push(Event::Undecodable(error));
                None
            }
            SnapshotOutcome::Late | SnapshotOutcome::Incomplete | SnapshotOutcome::WithoutBase => None,
        }
    }

    /// Takes what 0.7 says of players and game beside the snapshots.
    pub(super) fn handle_message(
        &mut self,
        word: &ServerMessage<'_>,
        context: &mut Context<'_>,
    ) -> Transition {
        let events = &mut context.desk.events;
        match *word {
            ServerMessage::ClientInfo { client, profile, silent, .. } => {
                self.attendance.join(client, profile.name, silent, events);
            }
            ServerMessage::ClientDrop { client, reason } => {
                self.attendance.leave(client, Some(reason.into()), events);
            }
            ServerMessage::Team { client, team } => events.push(Event::Team { client, team }),
            ServerMessage::GameInfo { .. } => {}
            _ => return Transition::Unexpected,
        }
        self.roster.apply(word);
        Transition::Stay
    }
}
