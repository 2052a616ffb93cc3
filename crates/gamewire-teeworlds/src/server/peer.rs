use core::time::Duration;

use gamewire_machine::{Instant, Wake};
use gamewire_wire::Writer;

use super::stage::PeerState;
use crate::link::{Link, Outbox, SendError};
use crate::session::message::{ClientId, ServerMessage};
use crate::session::world::World;
use crate::shared::packet::MAX_PAYLOAD;
use crate::shared::snapshot::{DeltaScratch, Snapshot};

/// How long a place is kept for somebody who says nothing.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(10);
/// How long it is kept for somebody who does not enter the game, whatever is said: a map is loaded then.
const ENTER_TIMEOUT: Duration = Duration::from_secs(120);

/// Somebody who has proven an address.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) id: ClientId,
    pub(super) link: Link,
    pub(super) stage: PeerState,
    pub(super) console: RconState,
    /// When the place was given.
    since: Instant,
    /// Something was said that is not to wait for what is said later.
    is_urgent: bool,
}

/// What somebody may do with the remote console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RconState {
    /// Nothing; so many passwords were wrong.
    Closed { tries: u8 },
    /// Everything.
    Open,
}

impl Peer {
    /// Somebody who comes at `now`.
    pub(super) const fn new(id: ClientId, link: Link, now: Instant) -> Self {
        let console = RconState::Closed { tries: 0 };
        Self { id, link, stage: PeerState::Greeting, console, since: now, is_urgent: false }
    }

    /// Until when the next stage, or the game, must be reached.
    fn deadline(&self) -> Option<Wake> {
        match self.stage {
            PeerState::Greeting => Some(Wake { at: self.since + LOGIN_TIMEOUT, reason: "greeting" }),
            PeerState::Loading { .. } | PeerState::Ready | PeerState::Named(_) => {
                Some(Wake { at: self.since + ENTER_TIMEOUT, reason: "entering" })
            }
            PeerState::Playing(_) => None,
        }
    }

    /// Whether it was not reached in time.
    pub(super) fn login_timed_out(&self, now: Instant) -> bool {
        self.deadline().is_some_and(|deadline| deadline.at <= now)
    }

    /// The next time at which something is to be done about this peer.
    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        self.link.poll_timeout().into_iter().chain(self.deadline()).min_by_key(|wake| wake.at)
    }

    /// Whether something is to be done about this peer.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.poll_timeout().is_some_and(|wake| wake.at <= now)
    }

    /// The memory of the connection and of the snapshots, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let snapshots = match &self.stage {
            PeerState::Playing(playing) => playing.snapshots.held_bytes(),
            _ => 0,
        };
        self.link.held_bytes().saturating_add(snapshots)
    }

    /// Shows the world, if this peer is in it and a snapshot is due.
    pub(super) fn send_snapshot(
        &mut self,
        now: Instant,
        world: &World,
        bench: &mut SnapshotScratch,
        out: &mut Outbox,
    ) {
        let dialect = self.link.dialect();
        let PeerState::Playing(playing) = &mut self.stage else { return };
        if !playing.snapshots.rate().is_due(world.tick) {
            return;
        }
        bench.snapshot.clear();
        // A world that is too large for a snapshot is shown as far as it fits.
        dialect.write_world(world, self.id, &mut bench.snapshot).ok();
        let sent = playing.snapshots.send(world.tick, &bench.snapshot, dialect.item_sizes(), &mut bench.work);
        let Ok(messages) = sent else { return };
        for message in messages {
            // It is not vital, so there is always room for it.
            queue_message(&mut self.link, now, &ServerMessage::Snapshot(message), out).ok();
        }
        self.link.flush(now, out);
    }

    /// Says something. What this dialect has no message for is not said, nor what does not fit a
    /// packet. A link without room for what must arrive is too weak, and says so itself with the next
    /// timeout: who misses a word would see players that are long gone.
    pub(super) fn send_or_close(&mut self, now: Instant, word: &ServerMessage<'_>, out: &mut Outbox) {
        if !self.try_send(now, word, out) {
            self.link.give_up(now, out);
        }
    }

    /// The same for what can be said later, too: `false` when there is no room for it now.
    pub(super) fn try_send(&mut self, now: Instant, word: &ServerMessage<'_>, out: &mut Outbox) -> bool {
        let said = queue_message(&mut self.link, now, word, out);
        self.is_urgent |= said == Ok(true);
        said != Err(SendError::Full)
    }

    /// Sends what is urgent, with all that waits. That is done once for a datagram, however much it
    /// asks for: its answer must not be many.
    pub(super) fn flush_urgent(&mut self, now: Instant, out: &mut Outbox) {
        if core::mem::take(&mut self.is_urgent) {
            self.link.flush(now, out);
        }
    }
}

/// What snapshots are made on; one for all peers.
#[derive(Debug, Default)]
pub(super) struct SnapshotScratch {
    snapshot: Snapshot,
    work: DeltaScratch,
}

/// Queues a word; whether it is urgent.
fn queue_message(
    link: &mut Link,
    now: Instant,
    word: &ServerMessage<'_>,
    out: &mut Outbox,
) -> Result<bool, SendError> {
    let mut buffer = [0; MAX_PAYLOAD];
    let mut to = Writer::new(&mut buffer);
    if link.dialect().encode_server_message(word, &mut to).is_err() {
        return Ok(false);
    }
    let SendFlags { vital, urgent } = SendFlags::of(word);
    link.send(now, vital, to.written(), out).map(|()| urgent)
}

/// How a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SendFlags {
    /// Whether it must arrive.
    vital: bool,
    /// Whether it leaves with the answer to the datagram at hand, and all that waits.
    urgent: bool,
}

impl SendFlags {
    /// As teeworlds-server 0.7.5 sends it: answers of the login leave at once, what is said
    /// in the game waits for the next snapshot, which leaves at once too.
    const fn of(word: &ServerMessage<'_>) -> Self {
        match word {
            ServerMessage::Snapshot(_) | ServerMessage::PingReply => Self { vital: false, urgent: true },
            ServerMessage::InputTiming { .. } => Self { vital: false, urgent: false },
            ServerMessage::MapChange { .. }
            | ServerMessage::MapData { .. }
            | ServerMessage::ConReady
            | ServerMessage::ReadyToEnter
            | ServerMessage::PongEx(_) => Self { vital: true, urgent: true },
            _ => Self { vital: true, urgent: false },
        }
    }
}
