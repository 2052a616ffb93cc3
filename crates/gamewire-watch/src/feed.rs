use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use crate::batch::Batch;
use crate::event::Event;
use crate::packet::ObservedPacket;

/// Maximum number of batches that wait for the watcher. While the watcher takes no batch, the next one grows, so a few
/// batches hold much traffic.
const MAX_WAITING: usize = 8;

/// Sends packets and events to a [`Watcher`](crate::Watcher). It never blocks: it counts and drops entries that do not
/// fit.
#[derive(Debug)]
pub struct Feed {
    batches: SyncSender<Batch>,
    /// Empty batches that the watcher returns, so that their memory is reused.
    empty: Receiver<Batch>,
    batch: Batch,
    missed: u64,
}

/// The receiving end of a [`Feed`], for a [`Watcher`](crate::Watcher).
#[derive(Debug)]
pub struct Watched {
    pub(crate) batches: Receiver<Batch>,
    pub(crate) empty: SyncSender<Batch>,
}

/// Returns the two ends of a bounded queue: the sender of packets and events, and the receiver for a
/// [`Watcher`](crate::Watcher).
pub fn feed() -> (Feed, Watched) {
    let (batches, received) = sync_channel(MAX_WAITING);
    let (returned, empty) = sync_channel(MAX_WAITING);
    let feed = Feed { batches, empty, batch: Batch::default(), missed: 0 };
    (feed, Watched { batches: received, empty: returned })
}

impl Feed {
    /// Adds a packet. If the queue is full, the packet is dropped and counted.
    pub fn packet(&mut self, packet: ObservedPacket, bytes: &[u8]) {
        self.add(|batch| batch.packet(packet, bytes));
    }

    /// Adds an event. If the queue is full, the event is dropped and counted. `time` is in nanoseconds since 1970.
    pub fn event(&mut self, time: i64, event: Event) {
        self.add(|batch| batch.event(time, event));
    }

    fn add(&mut self, add: impl Fn(&mut Batch) -> bool) {
        if add(&mut self.batch) {
            return;
        }
        self.flush();
        if !add(&mut self.batch) {
            self.missed = self.missed.saturating_add(1);
        }
    }

    /// Returns whether no entry waits to be sent.
    pub const fn is_empty(&self) -> bool {
        self.batch.is_empty()
    }

    /// Sends the collected entries, if the watcher's queue has space.
    pub fn flush(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        self.batch.missed = self.missed;
        match self.batches.try_send(core::mem::take(&mut self.batch)) {
            Ok(()) => self.batch = self.empty.try_recv().unwrap_or_default(),
            Err(TrySendError::Full(batch)) => self.batch = batch,
            // There is no watcher.
            Err(TrySendError::Disconnected(mut batch)) => {
                batch.drain(|_, _| {});
                self.batch = batch;
            }
        }
    }

    /// Sends the remaining entries, and blocks until the watcher has space. Call it only when the program has ended.
    pub fn finish(mut self) {
        self.batch.missed = self.missed;
        // A failure means that there is no watcher.
        drop(self.batches.send(core::mem::take(&mut self.batch)));
    }

    /// Returns the number of dropped packets and events.
    pub const fn missed(&self) -> u64 {
        self.missed
    }
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    reason = "a test that overflows or panics fails"
)]
mod tests {
    use std::thread;

    use gamewire_inspect::conversation::PacketInfo;
    use gamewire_machine::{Record, Role, Transport};

    use super::*;
    use crate::{PeerConnection, PeerNumber, Sink, WatchConfig, Watcher};

    #[derive(Default)]
    struct Counts {
        lost: u64,
        missed: u64,
    }

    impl Sink for Counts {
        fn packet(&mut self, _: PeerConnection, _: &PacketInfo, _: &Record) {}

        fn lost(&mut self, _: &ObservedPacket, _: &[u8]) {
            self.lost += 1;
        }

        fn missed(&mut self, count: u64) {
            self.missed = count;
        }
    }

    #[test]
    fn a_sink_learns_what_a_full_queue_missed() {
        let (mut feed, watched) = feed();
        let packet = ObservedPacket {
            time: 0,
            is_lost: true,
            connection: PeerConnection { peer: PeerNumber(1), side: None },
            sender: Role::Client,
            transport: Transport::Udp,
            client: "127.0.0.1:1000".parse().unwrap(),
            server: "127.0.0.1:2000".parse().unwrap(),
        };
        for number in 0..40 {
            feed.packet(packet, &[number; 1 << 20]);
        }
        assert_eq!(feed.missed(), 4, "4 MiB fit in each of 8 batches and in the next one");
        let watcher = Watcher::new(WatchConfig::default()).unwrap();
        let watcher = thread::spawn(move || {
            let mut counts = Counts::default();
            watcher.run(&watched, &mut counts);
            counts
        });
        feed.finish();
        let counts = watcher.join().unwrap();
        assert_eq!((counts.lost, counts.missed), (36, 4));
    }
}
