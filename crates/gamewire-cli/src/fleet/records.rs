//! Packets that match a filter, on their way to NATS.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gamewire_inspect::conversation::{PacketInfo, PacketSplitter};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::render;
use gamewire_machine::Record;
use gamewire_watch::{PeerConnection, Sink};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::exit_status::warn;

/// Maximum number of records in the queue.
const MAX_WAITING: usize = 1_024;
/// Maximum bytes of a record. A longer record is dropped.
const MAX_RECORD: usize = 256 << 10;

/// A sink that queues the records of packets that match a filter.
pub(super) struct RecordSink {
    filter: Filter,
    queue: Sender<Vec<u8>>,
    dropped: Arc<AtomicU64>,
    splitter: PacketSplitter,
}

/// The receiving end of the queue.
pub(super) struct Records {
    pub(super) queue: Receiver<Vec<u8>>,
    pub(super) dropped: Arc<AtomicU64>,
}

impl RecordSink {
    pub(super) fn new(filter: Filter) -> (Self, Records) {
        let (queue, received) = channel(MAX_WAITING);
        let dropped = Arc::new(AtomicU64::new(0));
        let records = Records { queue: received, dropped: Arc::clone(&dropped) };
        (Self { filter, queue, dropped, splitter: PacketSplitter::default() }, records)
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        // The records in the queue will not be published.
        let waiting = u64::try_from(self.queue.len()).unwrap_or(u64::MAX);
        self.dropped.fetch_add(waiting, Ordering::Relaxed);
    }
}

impl Drop for RecordSink {
    fn drop(&mut self) {
        let dropped = self.dropped.load(Ordering::Relaxed);
        if dropped > 0 {
            warn(format_args!("{dropped} records of packets were not published to NATS"));
        }
    }
}

impl Sink for RecordSink {
    fn packet(&mut self, _: PeerConnection, info: &PacketInfo, record: &Record) {
        let Self { filter, queue, dropped, splitter, .. } = self;
        let Ok(()) = splitter.split(info, record, |meta, record| -> Result<(), core::convert::Infallible> {
            if filter.holds(meta, record) {
                let mut line = Vec::new();
                // Writing to memory cannot fail.
                let _ = render::json(&mut line, meta, record, false);
                if line.len() > MAX_RECORD || queue.try_send(line).is_err() {
                    dropped.fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok(())
        });
    }
}
