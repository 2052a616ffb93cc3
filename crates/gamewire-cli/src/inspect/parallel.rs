//! Filters and displays datagrams on several threads, in batches, in the order of the capture.

use std::io::Write;
use std::mem;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use gamewire_inspect::conversation::PacketInfo;
use gamewire_machine::Record;

use super::view::{ShownCounts, View};
use crate::exit_status::Failure;

/// Maximum number of datagrams in a batch.
const MAX_DATAGRAMS: usize = 64;
/// Number of nodes in the records of a batch at which the batch is full.
const NODES: usize = 1 << 13;
/// Maximum number of batches in flight per thread.
const MAX_DEPTH: usize = 2;
/// Maximum number of threads. One other thread follows the conversations for all of them.
const MAX_THREADS: usize = 8;

/// Threads that display datagrams.
///
/// Batches go to the threads in turn and are received in the same order, so the output keeps the order. A thread has at
/// most [`MAX_DEPTH`] batches, and their memory is reused, so memory is bounded.
pub(super) struct Renderers {
    threads: Vec<Renderer>,
    batch: Batch,
    spare: Vec<Batch>,
    /// Number of batches sent.
    sent: usize,
    /// Number of batches received.
    received: usize,
}

struct Renderer {
    jobs: SyncSender<Batch>,
    results: Receiver<Result<Batch, Failure>>,
}

/// Datagrams to display.
#[derive(Default)]
struct Batch {
    /// Records to reuse. The first `datagrams` of them are in use.
    records: Vec<(PacketInfo, Record)>,
    datagrams: usize,
    nodes: usize,
    counts: ShownCounts,
    out: Vec<u8>,
}

impl Renderers {
    /// Starts a thread per processor. Returns `None` if there is only one processor, or if one thread must show all
    /// datagrams of this view.
    pub(super) fn start<W>(view: &View<W>) -> Option<Self> {
        let count = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_THREADS);
        let start = || {
            let mut view = view.with_writer(Vec::new())?;
            let (jobs, to_do) = sync_channel::<Batch>(MAX_DEPTH);
            let (done, results) = sync_channel(MAX_DEPTH);
            thread::spawn(move || {
                // Both channels close when the capture ends.
                while let Ok(batch) = to_do.recv() {
                    if done.send(batch.show(&mut view)).is_err() {
                        break;
                    }
                }
            });
            Some(Renderer { jobs, results })
        };
        let threads: Option<Vec<_>> = (0..count).map(|_| start()).collect();
        let threads = threads.filter(|threads| threads.len() > 1)?;
        Some(Self { threads, batch: Batch::default(), spare: Vec::new(), sent: 0, received: 0 })
    }

    /// Adds a datagram to the batch. Takes the content of `record`, and leaves another record to reuse. Writes the
    /// batches that are done to `view`, and adds their counts.
    pub(super) fn datagram<W: Write>(
        &mut self,
        info: &PacketInfo,
        record: &mut Record,
        view: &mut View<W>,
    ) -> Result<(), Failure> {
        self.batch.push(info, record);
        if self.batch.is_full() { self.send(view) } else { Ok(()) }
    }

    /// Writes all datagrams that are not written yet.
    pub(super) fn finish<W: Write>(&mut self, view: &mut View<W>) -> Result<(), Failure> {
        self.send(view)?;
        while self.received < self.sent {
            self.receive(view)?;
        }
        Ok(())
    }

    /// Sends the current batch. If the threads have enough batches, receives the oldest one first.
    fn send<W: Write>(&mut self, view: &mut View<W>) -> Result<(), Failure> {
        let in_flight = self.sent.saturating_sub(self.received);
        if in_flight >= self.threads.len().saturating_mul(MAX_DEPTH) {
            self.receive(view)?;
        }
        let batch = mem::replace(&mut self.batch, self.spare.pop().unwrap_or_default());
        let thread = self.sent.checked_rem(self.threads.len()).and_then(|index| self.threads.get(index));
        thread.and_then(|thread| thread.jobs.send(batch).ok()).ok_or_else(panicked)?;
        self.sent = self.sent.saturating_add(1);
        Ok(())
    }

    /// Waits for the oldest batch and writes it.
    fn receive<W: Write>(&mut self, view: &mut View<W>) -> Result<(), Failure> {
        let thread = self.received.checked_rem(self.threads.len()).and_then(|index| self.threads.get(index));
        let mut batch = thread.and_then(|thread| thread.results.recv().ok()).ok_or_else(panicked)??;
        self.received = self.received.saturating_add(1);
        view.output.to.write_all(&batch.out)?;
        view.counts.add(mem::take(&mut batch.counts));
        batch.clear();
        self.spare.push(batch);
        Ok(())
    }
}

fn panicked() -> Failure {
    Failure::Failed("a thread that displays datagrams panicked".into())
}

impl Batch {
    fn push(&mut self, info: &PacketInfo, record: &mut Record) {
        self.nodes = self.nodes.saturating_add(record.nodes().count());
        match self.records.get_mut(self.datagrams) {
            Some((slot, used)) => {
                *slot = *info;
                mem::swap(used, record);
            }
            None => self.records.push((*info, mem::take(record))),
        }
        self.datagrams = self.datagrams.saturating_add(1);
    }

    const fn is_full(&self) -> bool {
        self.datagrams >= MAX_DATAGRAMS || self.nodes >= NODES
    }

    /// Shows the datagrams that match.
    fn show(mut self, view: &mut View<Vec<u8>>) -> Result<Self, Failure> {
        mem::swap(&mut self.out, &mut view.output.to);
        for (info, record) in self.records.iter().take(self.datagrams) {
            view.show(info, record, None)?;
        }
        mem::swap(&mut self.out, &mut view.output.to);
        self.counts = mem::take(&mut view.counts);
        Ok(self)
    }

    fn clear(&mut self) {
        if self.nodes >= NODES {
            // Free the memory of large records.
            *self = Self::default();
        }
        self.out.clear();
        (self.datagrams, self.nodes) = (0, 0);
    }
}
