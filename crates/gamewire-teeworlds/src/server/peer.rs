use gamewire_machine::{Instant, Wake};
use gamewire_wire::Writer;

use super::stage::Stage;
use crate::link::{Link, Outbox};
use crate::session::message::{ClientId, FromServer};
use crate::session::world::World;
use crate::session::{encode_from_server, sizes, write_world};
use crate::shared::packet::MAX_PAYLOAD;
use crate::shared::snapshot::{Snapshot, Workbench};

/// Somebody who has proven an address.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) id: ClientId,
    pub(super) link: Link,
    pub(super) stage: Stage,
    pub(super) console: Console,
}

/// What somebody may do with the remote console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Console {
    /// Nothing; so many passwords were wrong.
    Closed { tries: u8 },
    /// Everything.
    Open,
}

impl Peer {
    pub(super) const fn new(id: ClientId, link: Link, stage: Stage) -> Self {
        Self { id, link, stage, console: Console::Closed { tries: 0 } }
    }

    /// The next time at which something is to be done about this peer.
    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        let greeting = match self.stage {
            Stage::Greeting { until } => Some(Wake { at: until, why: "greeting" }),
            _ => None,
        };
        self.link.poll_timeout().into_iter().chain(greeting).min_by_key(|wake| wake.at)
    }

    /// Whether something is to be done about this peer.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.poll_timeout().is_some_and(|wake| wake.at <= now)
    }

    /// The memory of the connection and of the snapshots, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let snapshots = match &self.stage {
            Stage::Playing(playing) => playing.snapshots.held_bytes(),
            _ => 0,
        };
        self.link.held_bytes().saturating_add(snapshots)
    }

    /// Shows the world, if this peer is in it and a snapshot is due.
    pub(super) fn show(&mut self, now: Instant, world: &World, bench: &mut Bench, out: &mut Outbox) {
        let dialect = self.link.dialect();
        let Stage::Playing(playing) = &mut self.stage else { return };
        if !playing.snapshots.rate().is_due(world.tick) {
            return;
        }
        bench.snapshot.clear();
        // A world that is too large for a snapshot is shown as far as it fits.
        write_world(dialect, world, self.id, &mut bench.snapshot).ok();
        let sent = playing.snapshots.send(world.tick, &bench.snapshot, sizes(dialect), &mut bench.work);
        let Ok(messages) = sent else { return };
        for message in messages {
            say(&mut self.link, now, &FromServer::Snapshot(message), out);
        }
    }

    /// Says something. What this dialect has no message for is not said, nor what does not fit a
    /// packet; a link that is too weak says so itself with the next timeout.
    pub(super) fn tell(&mut self, now: Instant, word: &FromServer<'_>, out: &mut Outbox) {
        say(&mut self.link, now, word, out);
    }
}

/// What snapshots are made on; one for all peers.
#[derive(Debug, Default)]
pub(super) struct Bench {
    snapshot: Snapshot,
    work: Workbench,
}

fn say(link: &mut Link, now: Instant, word: &FromServer<'_>, out: &mut Outbox) {
    let mut buffer = [0; MAX_PAYLOAD];
    let mut to = Writer::new(&mut buffer);
    if encode_from_server(link.dialect(), word, &mut to).is_err() {
        return;
    }
    let Delivery { vital, flush } = Delivery::of(word);
    if link.send(now, vital, to.written(), out).is_ok() && flush {
        link.flush(now, out);
    }
}

/// How a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Delivery {
    /// Whether it must arrive.
    vital: bool,
    /// Whether it leaves at once, with all that waits.
    flush: bool,
}

impl Delivery {
    /// As teeworlds-server 0.7.5 sends it: answers of the login and snapshots leave at once, what
    /// is said in the game waits for the next snapshot.
    const fn of(word: &FromServer<'_>) -> Self {
        match word {
            FromServer::Snapshot(_) | FromServer::PingReply => Self { vital: false, flush: true },
            FromServer::InputTiming { .. } => Self { vital: false, flush: false },
            FromServer::MapChange { .. }
            | FromServer::MapData { .. }
            | FromServer::ConReady
            | FromServer::ReadyToEnter
            | FromServer::PongEx(_) => Self { vital: true, flush: true },
            _ => Self { vital: true, flush: false },
        }
    }
}
