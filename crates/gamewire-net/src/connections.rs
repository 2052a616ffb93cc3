use std::collections::VecDeque;
use std::io::ErrorKind;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput};

use crate::DriverConfig;
use crate::address::canonical;
use crate::buffered_stream::{BufferedStream, ReadOutcome, WriteOutcome};
use crate::limits::{
    ACCEPT_BACKOFF, ACCEPTED_PER_TURN, BYTES_PER_DATAGRAM, CLOSING, GATHERED_BYTES, STREAM_QUEUED_BYTES,
    STREAM_READ_BYTES, STREAMS, STREAMS_QUEUED_BYTES, STREAMS_READ_PER_TURN,
};
use crate::observer::Observer;
use crate::socket::StdStream;
use crate::socket::{StreamListener, StreamSocket};
use crate::stats::StreamEnd;
use crate::stream_slot::{StreamSlot, StreamState};

/// The half of an engine that moves bytes between streams and a machine.
///
/// Nothing here goes through all streams but what waits for them ([`lines`](Self::lines)) and the
/// removal of those that are gone.
pub(crate) struct Connections<L: StreamListener> {
    pub(crate) listener: Option<L>,
    /// There may be a stream to accept.
    is_acceptable: bool,
    /// When to accept again, once it failed.
    accept_at: Option<Instant>,
    /// In the order of their numbers.
    lines: Vec<StreamSlot<L::Stream>>,
    next: u64,
    /// Streams that may have something to read, each in its turn.
    ready: VecDeque<StreamId>,
    /// Streams that have something to write.
    dirty: Vec<StreamId>,
    /// Streams that were given up, until the machine is notified.
    over: Vec<StreamId>,
    /// Streams that the machine is done with, and when their time is up, the first first.
    closing: VecDeque<(Instant, StreamId)>,
    has_gone: bool,
    /// Number of unsent bytes of all streams.
    queued: usize,
    buffer: Vec<u8>,
    most_streams: usize,
    stream_queue: usize,
}

impl<L: StreamListener> Connections<L> {
    pub(crate) fn new(listener: Option<L>, settings: &DriverConfig) -> Self {
        Self {
            is_acceptable: listener.is_some(),
            listener,
            accept_at: None,
            lines: Vec::new(),
            next: 1,
            ready: VecDeque::new(),
            dirty: Vec::new(),
            over: Vec::new(),
            closing: VecDeque::new(),
            has_gone: false,
            queued: 0,
            buffer: vec![0; STREAM_READ_BYTES],
            most_streams: settings.most_streams.unwrap_or(STREAMS),
            stream_queue: settings.stream_queue.unwrap_or(STREAM_QUEUED_BYTES),
        }
    }

    /// Every stream, in an order that [`mark`](Self::mark) knows.
    pub(crate) fn slots(&self) -> &[StreamSlot<L::Stream>] {
        &self.lines
    }

    /// Returns whether a stream is open or can be accepted.
    pub(crate) fn is_open(&self) -> bool {
        self.listener.is_some() || self.lines.iter().any(|line| line.state == StreamState::Open)
    }

    /// Adds the stream that the driver opened.
    pub(crate) fn open<M: Machine>(
        &mut self,
        machine: &mut M,
        stream: L::Stream,
        peer: SocketAddr,
        observer: &mut Observer,
    ) {
        self.add(machine, StreamId::new(0), stream, peer, observer);
    }

    fn add<M: Machine>(
        &mut self,
        machine: &mut M,
        id: StreamId,
        stream: L::Stream,
        peer: SocketAddr,
        observer: &mut Observer,
    ) {
        observer.stats.streams.opened = observer.stats.streams.opened.saturating_add(1);
        machine.handle_open(observer.clock.now(), id, peer);
        // Bytes may have arrived already.
        self.lines.push(StreamSlot { is_ready: true, ..StreamSlot::new(id, peer, stream) });
        self.ready.push_back(id);
    }

    /// Returns whether the listener must be polled.
    pub(crate) fn wants_accept(&self) -> bool {
        self.listener.is_some()
            && !self.is_acceptable
            && self.accept_at.is_none()
            && self.lines.len() < self.most_streams
    }

    /// There is a stream to accept.
    pub(crate) const fn mark_listener(&mut self) {
        self.is_acceptable = true;
    }

    /// The stream in this place can be read, or written to, or has failed, which shows by either.
    pub(crate) fn set_readiness(&mut self, place: usize, can_read: bool, can_write: bool) {
        let Some(line) = self.lines.get_mut(place) else { return };
        if can_read && line.wants_read() && !line.is_ready {
            line.is_ready = true;
            self.ready.push_back(line.id);
        }
        if can_write && line.pipe.is_blocked {
            line.pipe.is_blocked = false;
            if !line.is_dirty {
                line.is_dirty = true;
                self.dirty.push(line.id);
            }
        }
    }

    /// Accepts and reads what there is, up to a bound, and says how much it was, in datagrams.
    pub(crate) fn receive<M: Machine>(&mut self, machine: &mut M, observer: &mut Observer) -> usize {
        let now = observer.clock.now();
        let accepted = self.accept(machine, now, observer);
        let mut taken = accepted;
        for _ in 0..self.ready.len().min(STREAMS_READ_PER_TURN) {
            let bytes = self.read(machine, now, observer);
            taken =
                taken.saturating_add(1).saturating_add(bytes.checked_div(BYTES_PER_DATAGRAM).unwrap_or(0));
        }
        taken
    }

    fn accept<M: Machine>(&mut self, machine: &mut M, now: Instant, observer: &mut Observer) -> usize {
        if self.accept_at.is_some_and(|at| at <= now) {
            (self.accept_at, self.is_acceptable) = (None, true);
        }
        let mut accepted = 0_usize;
        while self.is_acceptable && accepted < ACCEPTED_PER_TURN && self.lines.len() < self.most_streams {
            let Some(listener) = &mut self.listener else { break };
            match listener.accept() {
                Ok((stream, peer)) => {
                    accepted = accepted.saturating_add(1);
                    let id = StreamId::new(self.next);
                    self.next = self.next.saturating_add(1);
                    self.add(machine, id, stream, canonical(peer), observer);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.is_acceptable = false,
                Err(error) => {
                    // An attempt counts, so that failures do not keep it here.
                    accepted = accepted.saturating_add(1);
                    observer.stats.streams.accept_errors =
                        observer.stats.streams.accept_errors.saturating_add(1);
                    if !matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) {
                        // The stream is there still, so that the system would tell of it at once.
                        (self.accept_at, self.is_acceptable) = (Some(now + ACCEPT_BACKOFF), false);
                    }
                }
            }
        }
        accepted
    }

    /// Reads the stream whose turn it is, and says how many bytes it brought.
    fn read<M: Machine>(&mut self, machine: &mut M, now: Instant, observer: &mut Observer) -> usize {
        let Some(id) = self.ready.pop_front() else { return 0 };
        let Some(line) = find(&mut self.lines, id) else { return 0 };
        line.is_ready = false;
        if !line.wants_read() {
            return 0;
        }
        let read = line.read(now, &mut self.buffer, observer);
        let is_open = line.state == StreamState::Open;
        match read {
            ReadOutcome::Bytes(count) => {
                // A full buffer may mean more bytes: queue the stream again instead of waiting for the poller.
                if count >= self.buffer.len() || line.pipe.is_broken {
                    line.is_ready = true;
                    self.ready.push_back(id);
                }
                if is_open {
                    machine.handle_bytes(now, id, self.buffer.get(..count).unwrap_or_default());
                }
                return count;
            }
            ReadOutcome::Nothing => {}
            ReadOutcome::End | ReadOutcome::Failure if !is_open => self.remove(id),
            // It may read still, although it says no more.
            ReadOutcome::End => {
                observer.stats.streams.count_end(StreamEnd::Ended);
                machine.handle_close(now, id);
                self.close(now, id);
            }
            ReadOutcome::Failure => {
                observer.stats.streams.count_end(StreamEnd::Broken);
                machine.handle_close(now, id);
                self.remove(id);
            }
        }
        0
    }

    /// The machine wants something done with a stream.
    pub(crate) fn push(&mut self, now: Instant, output: StreamOutput, bytes: &[u8], observer: &mut Observer) {
        let (StreamOutput::Write(id) | StreamOutput::Close(id)) = output;
        let Some(line) = find(&mut self.lines, id).filter(|line| line.state == StreamState::Open) else {
            return;
        };
        if matches!(output, StreamOutput::Close(_)) {
            observer.stats.streams.count_end(StreamEnd::Closed);
            return self.close(now, id);
        }
        line.pipe.queue().extend_from_slice(bytes);
        self.queued = self.queued.saturating_add(bytes.len());
        if !line.is_dirty {
            line.is_dirty = true;
            self.dirty.push(id);
        }
        if line.pipe.waiting() >= GATHERED_BYTES {
            self.write(now, id, observer);
        }
        let is_scarce = self.queued > STREAMS_QUEUED_BYTES;
        let most = if is_scarce { self.stream_queue.min(GATHERED_BYTES) } else { self.stream_queue };
        if find(&mut self.lines, id).is_some_and(|line| line.pipe.waiting() > most) {
            observer.stats.streams.count_end(StreamEnd::Overfull);
            self.over.push(id);
            self.remove(id);
        }
    }

    /// Writes what waits, as far as it goes, and ends streams whose time is up.
    pub(crate) fn flush(&mut self, now: Instant, observer: &mut Observer) {
        let mut dirty = core::mem::take(&mut self.dirty);
        for id in dirty.drain(..) {
            if let Some(line) = find(&mut self.lines, id) {
                line.is_dirty = false;
                self.write(now, id, observer);
            }
        }
        self.dirty = dirty;
        while self.closing.front().is_some_and(|(until, _)| *until <= now) {
            if let Some((_, id)) = self.closing.pop_front() {
                self.remove(id);
            }
        }
    }

    /// Tells the machine of the streams that were given up, and whether there were any.
    pub(crate) fn notify_closed<M: Machine>(&mut self, machine: &mut M, now: Instant) -> bool {
        let has_any = !self.over.is_empty();
        for id in self.over.drain(..) {
            machine.handle_close(now, id);
        }
        has_any
    }

    /// Forgets the streams that are gone. Returns when to come again.
    pub(crate) fn remove_closed(&mut self, now: Instant) -> Option<Instant> {
        if self.has_gone {
            self.lines.retain(|line| line.state != StreamState::Gone);
            self.has_gone = false;
        }
        let can_accept = self.lines.len() < self.most_streams;
        let at_once = !self.ready.is_empty() || (self.is_acceptable && can_accept);
        let accept_at = self.accept_at.filter(|_| can_accept);
        let closed_at = self.closing.front().map(|(until, _)| *until);
        [at_once.then_some(now), accept_at, closed_at].into_iter().flatten().min()
    }

    /// All connections with what waits to be written, for good.
    pub(crate) fn take_unsent(&mut self) -> Vec<BufferedStream<StdStream>> {
        let open = self
            .lines
            .drain(..)
            .filter(|line| matches!(line.state, StreamState::Open | StreamState::Flushing));
        open.filter_map(|line| line.pipe.into_std()).collect()
    }

    fn write(&mut self, now: Instant, id: StreamId, observer: &mut Observer) {
        let Some(line) = find(&mut self.lines, id).filter(|line| line.state != StreamState::Gone) else {
            return;
        };
        let before = line.pipe.waiting();
        let written = line.write(now, observer);
        self.queued = self.queued.saturating_sub(before.saturating_sub(line.pipe.waiting()));
        match (written, line.state) {
            (WriteOutcome::All, StreamState::Flushing) => {
                line.pipe.connection.finish();
                line.state = StreamState::Lingering;
                self.wake(id);
            }
            (WriteOutcome::Failure, StreamState::Flushing) => self.remove(id),
            // What came before it broke is read first, then that it broke.
            (WriteOutcome::Failure, _) => self.wake(id),
            (WriteOutcome::All | WriteOutcome::Blocked, _) => {}
        }
    }

    /// Queues the stream to be read.
    fn wake(&mut self, id: StreamId) {
        let Some(line) = find(&mut self.lines, id).filter(|line| !line.is_ready) else { return };
        line.is_ready = true;
        self.ready.push_back(id);
    }

    /// The machine is done with a stream, which goes when all is written.
    fn close(&mut self, now: Instant, id: StreamId) {
        let Some(line) = find(&mut self.lines, id) else { return };
        line.state = StreamState::Flushing;
        if !line.is_dirty {
            line.is_dirty = true;
            self.dirty.push(id);
        }
        if self.closing.len() >= self.most_streams.saturating_mul(2) {
            // Most of them have gone before their time.
            let lines = &self.lines;
            self.closing.retain(|(_, id)| lines.binary_search_by_key(id, |line| line.id).is_ok());
        }
        self.closing.push_back((now + CLOSING, id));
    }

    fn remove(&mut self, id: StreamId) {
        let Some(line) = find(&mut self.lines, id).filter(|line| line.state != StreamState::Gone) else {
            return;
        };
        self.queued = self.queued.saturating_sub(line.pipe.waiting());
        line.pipe.forget();
        line.state = StreamState::Gone;
        self.has_gone = true;
    }
}

fn find<C>(lines: &mut [StreamSlot<C>], id: StreamId) -> Option<&mut StreamSlot<C>> {
    let place = lines.binary_search_by_key(&id, |line| line.id).ok()?;
    lines.get_mut(place)
}
