//! The game as the client knows it: the world of the latest snapshot, and who is there.

use gamewire_machine::Instant;

use super::attendance::Attendance;
use super::context::Context;
use super::stage::Outcome;
use super::{Event, TextBuf};
use crate::Dialect;
use crate::session::message::{ClientId, FromServer};
use crate::session::{Roster, World, read_world, sizes};
use crate::shared::snapshot::Received;
use crate::shared::version::SnapshotMessage;

/// What goes on from ENTERGAME until the map changes.
#[derive(Debug, Default)]
pub(super) struct Game {
    world: World,
    /// What 0.7 says of players beside the snapshots.
    roster: Roster,
    attendance: Attendance,
    /// When the latest snapshot came.
    since: Instant,
}

impl Game {
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
        match desk.receiver.receive(message, dialect.fifth_byte(), sizes(dialect)) {
            Received::Complete { tick, snapshot } => {
                read_world(dialect, tick, snapshot, &self.roster, &mut self.world);
                self.since = desk.now;
                desk.events.push(Event::Snapshot { tick });
                if dialect != Dialect::V07 {
                    self.attendance.compare(&self.world.players, &mut desk.events);
                }
                Some(tick)
            }
            Received::Bad(error) => {
                desk.events.push(Event::Undecodable(error));
                None
            }
            Received::Late | Received::Incomplete | Received::WithoutBase => None,
        }
    }

    /// Takes what 0.7 says of players and game beside the snapshots.
    pub(super) fn hear(&mut self, word: &FromServer<'_>, context: &mut Context<'_>) -> Outcome {
        let events = &mut context.desk.events;
        match *word {
            FromServer::ClientInfo { client, profile, silent, .. } => {
                self.attendance.join(client, profile.name, silent, events);
            }
            FromServer::ClientDrop { client, reason } => {
                self.attendance.leave(client, Some(reason.into()), events);
            }
            FromServer::Team { client, team } => events.push(Event::Team { client, team }),
            FromServer::GameInfo { .. } => {}
            _ => return Outcome::OutOfPlace,
        }
        self.roster.hear(word);
        Outcome::Stay
    }
}
