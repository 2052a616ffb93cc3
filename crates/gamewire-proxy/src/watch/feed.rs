use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use super::batch::Batch;
use crate::traffic::Event;
use crate::traffic::Packet;

/// Maximum number of batches that wait for the watcher. A batch grows while none is taken, so a few hold much.
const MAX_WAITING: usize = 8;

/// Passes what a relay sees to its watcher. It never waits: what does not fit is missed, and counted.
#[derive(Debug)]
pub struct Feed {
    batches: SyncSender<Batch>,
    /// Empty batches that the watcher returns, so that their memory is used again.
    empty: Receiver<Batch>,
    batch: Batch,
    missed: u64,
}

/// Packets and events of a relay, for a [`Watcher`](super::Watcher).
#[derive(Debug)]
pub struct Watched {
    pub(super) batches: Receiver<Batch>,
    pub(super) empty: SyncSender<Batch>,
}

/// Returns the two ends of a bounded queue: one for what sees traffic, one for a [`Watcher`](super::Watcher).
pub fn feed() -> (Feed, Watched) {
    let (batches, received) = sync_channel(MAX_WAITING);
    let (returned, empty) = sync_channel(MAX_WAITING);
    let feed = Feed { batches, empty, batch: Batch::default(), missed: 0 };
    (feed, Watched { batches: received, empty: returned })
}

impl Feed {
    /// Adds a packet, if there is room.
    pub fn packet(&mut self, packet: Packet, bytes: &[u8]) {
        if !self.batch.packet(packet, bytes) {
            self.flush();
            let fits = self.batch.packet(packet, bytes);
            self.count(fits);
        }
    }

    /// Adds an event, if there is room; `time` is nanoseconds since 1970.
    pub fn event(&mut self, time: i64, event: Event) {
        if !self.batch.event(time, event.clone()) {
            self.flush();
            let fits = self.batch.event(time, event);
            self.count(fits);
        }
    }

    /// Returns whether nothing waits to be passed on.
    pub const fn is_empty(&self) -> bool {
        self.batch.is_empty()
    }

    /// Passes on what was seen since the last call, if the watcher has room.
    pub fn flush(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        match self.batches.try_send(core::mem::take(&mut self.batch)) {
            Ok(()) => self.batch = self.empty.try_recv().unwrap_or_default(),
            Err(TrySendError::Full(batch)) => self.batch = batch,
            // There is no watcher.
            Err(TrySendError::Disconnected(mut batch)) => {
                batch.drain(|_| {});
                self.batch = batch;
            }
        }
    }

    /// Waits until the watcher has room for what is left. For the end: no player waits any more.
    pub fn finish(mut self) {
        // A failure means that there is no watcher.
        drop(self.batches.send(core::mem::take(&mut self.batch)));
    }

    /// Returns the number of packets and events that did not fit.
    pub const fn missed(&self) -> u64 {
        self.missed
    }

    const fn count(&mut self, fits: bool) {
        self.missed = self.missed.saturating_add(if fits { 0 } else { 1 });
    }
}
