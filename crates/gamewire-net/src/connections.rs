use std::collections::VecDeque;
use std::io::{self, ErrorKind};

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput};

use crate::DriverConfig;
use crate::address::canonical;
use crate::handshakes::Handshakes;
use crate::layer::{BoundListener, Layer};
use crate::limits::{
    ACCEPT_BACKOFF, BYTES_PER_DATAGRAM, CLOSING, GATHERED_BYTES, MAX_ACCEPTED_PER_TURN,
    MAX_STREAM_QUEUED_BYTES, MAX_STREAM_READ_BYTES, MAX_STREAMS, MAX_STREAMS_READ_PER_TURN,
    STREAMS_QUEUED_BYTES,
};
use crate::log::log;
use crate::observer::Observer;
use crate::socket::{StdStream, StreamListener};
use crate::stats::increment;
use crate::stream::{BufferedStream, ReadOutcome, StreamAddresses, StreamSlot, StreamState, WriteOutcome};

/// The half of an engine that moves bytes between streams and a machine.
///
/// Only the poller (`slots`) and the removal of closed streams iterate over all streams.
pub(crate) struct Connections<L: StreamListener> {
    pub(crate) listeners: Vec<BoundListener<L>>,
    /// Index of the listener that accepts next.
    next_listener: usize,
    /// True if there may be a stream to accept.
    pub(crate) is_acceptable: bool,
    /// Time to accept again after a failure.
    accept_at: Option<Instant>,
    /// All streams, ordered by id. [`set_readiness`](Self::set_readiness) takes their indices.
    pub(crate) slots: Vec<StreamSlot<L::Stream>>,
    next: u64,
    /// Streams that may have bytes to read, in the order of service.
    ready: VecDeque<StreamId>,
    /// Streams that have bytes to write.
    dirty: Vec<StreamId>,
    /// Streams that were closed because of slow readers or handshakes. The machine is not notified of them yet.
    dropped: Vec<StreamId>,
    /// Closing streams with their deadlines, earliest first.
    closing: VecDeque<(Instant, StreamId)>,
    handshakes: Handshakes,
    has_removed: bool,
    /// Number of unsent bytes of all streams.
    queued: usize,
    buffer: Vec<u8>,
    max_streams: usize,
    stream_send_buffer: usize,
}

impl<L: StreamListener> Connections<L> {
    pub(crate) fn new(listeners: Vec<BoundListener<L>>, config: &DriverConfig) -> Self {
        let max_streams = config.max_streams.unwrap_or(MAX_STREAMS);
        Self {
            is_acceptable: !listeners.is_empty(),
            listeners,
            next_listener: 0,
            accept_at: None,
            slots: Vec::new(),
            next: 1,
            ready: VecDeque::new(),
            dirty: Vec::new(),
            dropped: Vec::new(),
            closing: VecDeque::new(),
            handshakes: Handshakes::new(config, max_streams),
            has_removed: false,
            queued: 0,
            buffer: vec![0; MAX_STREAM_READ_BYTES],
            max_streams,
            stream_send_buffer: config.stream_send_buffer.unwrap_or(MAX_STREAM_QUEUED_BYTES),
        }
    }

    /// Returns whether a stream is open or can be accepted.
    pub(crate) fn is_open(&self) -> bool {
        !self.listeners.is_empty() || self.slots.iter().any(|slot| slot.state == StreamState::Open)
    }

    /// Adds an open stream.
    pub(crate) fn add<M: Machine>(
        &mut self,
        machine: &mut M,
        id: StreamId,
        (stream, layer): (L::Stream, Layer),
        addresses: StreamAddresses,
        observer: &mut Observer,
    ) {
        let peer = addresses.peer;
        increment(&mut observer.stats.streams.opened);
        log!(debug, "opened stream {id} with {peer}");
        machine.handle_open(observer.clock.now(), id, peer);
        let is_dirty = layer.is_handshaking();
        if is_dirty {
            // Its part of the handshake is written first.
            self.dirty.push(id);
            let slots = &self.slots;
            let exists = |id| slots.binary_search_by_key(&id, |slot| slot.id).is_ok();
            self.handshakes.begin(observer.clock.now(), id, exists);
        }
        // Bytes may have arrived already.
        let slot = StreamSlot::new(id, addresses, stream, layer);
        self.slots.push(StreamSlot { is_ready: true, is_dirty, ..slot });
        self.ready.push_back(id);
    }

    /// Drops each stream with an incomplete handshake at the deadline.
    fn drop_late_handshakes(&mut self, now: Instant) {
        while let Some(id) = self.handshakes.next_late(now) {
            let slot = find(&mut self.slots, id);
            if slot.is_some_and(|slot| slot.state == StreamState::Open && slot.pipe.layer.is_handshaking()) {
                log!(debug, "closed stream {id}, whose TLS handshake takes too long");
                self.dropped.push(id);
                self.remove(id);
            }
        }
    }

    /// Returns whether the listeners must be polled.
    pub(crate) fn wants_accept(&self) -> bool {
        !self.listeners.is_empty()
            && !self.is_acceptable
            && self.accept_at.is_none()
            && self.slots.len() < self.max_streams
    }

    /// Records that the stream at `index` can be read or written. A failed stream can be both.
    pub(crate) fn set_readiness(&mut self, index: usize, can_read: bool, can_write: bool) {
        let Some(slot) = self.slots.get_mut(index) else { return };
        if can_read && slot.wants_read() && !slot.is_ready {
            slot.is_ready = true;
            self.ready.push_back(slot.id);
        }
        if can_write && slot.pipe.is_blocked {
            slot.pipe.is_blocked = false;
            if !slot.is_dirty {
                slot.is_dirty = true;
                self.dirty.push(slot.id);
            }
        }
    }

    /// Accepts and reads streams, up to a bound. Returns the amount of work, counted in datagrams.
    pub(crate) fn receive<M: Machine>(&mut self, machine: &mut M, observer: &mut Observer) -> usize {
        let now = observer.clock.now();
        let accepted = self.accept(machine, now, observer);
        let mut count = accepted;
        for _ in 0..self.ready.len().min(MAX_STREAMS_READ_PER_TURN) {
            let bytes = self.read(machine, now, observer);
            count = count.saturating_add(1).saturating_add(bytes / BYTES_PER_DATAGRAM);
        }
        count
    }

    fn accept<M: Machine>(&mut self, machine: &mut M, now: Instant, observer: &mut Observer) -> usize {
        if self.accept_at.is_some_and(|at| at <= now) {
            (self.accept_at, self.is_acceptable) = (None, true);
        }
        let mut accepted = 0_usize;
        while self.is_acceptable && accepted < MAX_ACCEPTED_PER_TURN && self.slots.len() < self.max_streams {
            match self.accept_next() {
                Ok((stream, layer, addresses)) => {
                    accepted = accepted.saturating_add(1);
                    let id = StreamId::new(self.next);
                    self.next = self.next.saturating_add(1);
                    self.add(machine, id, (stream, layer), addresses, observer);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.is_acceptable = false,
                Err(error) => {
                    // Failures count, so that they cannot keep this loop running.
                    accepted = accepted.saturating_add(1);
                    increment(&mut observer.stats.streams.accept_errors);
                    if !matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) {
                        // The stream stays in the accept queue, so the poller would report it again immediately.
                        (self.accept_at, self.is_acceptable) = (Some(now + ACCEPT_BACKOFF), false);
                    }
                }
            }
        }
        accepted
    }

    /// Accepts a stream of the listeners, each in turn.
    fn accept_next(&mut self) -> io::Result<(L::Stream, Layer, StreamAddresses)> {
        let count = self.listeners.len();
        for _ in 0..count {
            let Some(listener) = self.listeners.get_mut(self.next_listener) else { break };
            self.next_listener = self.next_listener.saturating_add(1).checked_rem(count).unwrap_or_default();
            match listener.socket.accept() {
                Ok((stream, peer)) => {
                    let addresses = StreamAddresses { local: listener.local, peer: canonical(peer) };
                    return Ok((stream, listener.layers.open()?, addresses));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::WouldBlock.into())
    }

    /// Reads the next ready stream and returns the number of bytes.
    fn read<M: Machine>(&mut self, machine: &mut M, now: Instant, observer: &mut Observer) -> usize {
        let Some(id) = self.ready.pop_front() else { return 0 };
        let Some(slot) = find(&mut self.slots, id) else { return 0 };
        slot.is_ready = false;
        if !slot.wants_read() {
            return 0;
        }
        let was_handshaking = slot.pipe.layer.is_handshaking();
        let read = slot.read(now, &mut self.buffer, observer);
        if was_handshaking && !slot.pipe.layer.is_handshaking() && !slot.is_dirty {
            slot.is_dirty = true;
            self.dirty.push(id);
        }
        let is_open = slot.state == StreamState::Open;
        match read {
            ReadOutcome::Bytes(count) => {
                // A full buffer may mean more bytes: queue the stream again instead of waiting for the poller.
                if count >= self.buffer.len() || slot.pipe.is_broken {
                    slot.is_ready = true;
                    self.ready.push_back(id);
                }
                if is_open {
                    machine.handle_bytes(now, id, self.buffer.get(..count).unwrap_or_default());
                }
                return count;
            }
            ReadOutcome::Nothing => {}
            ReadOutcome::End | ReadOutcome::Failure if !is_open => self.remove(id),
            // The peer has ended its sending direction, and may still read.
            ReadOutcome::End => {
                increment(&mut observer.stats.streams.ended);
                log!(debug, "the peer ended stream {id}");
                machine.handle_close(now, id);
                self.close(now, id);
            }
            ReadOutcome::Failure => {
                increment(&mut observer.stats.streams.reset);
                log!(debug, "stream {id} failed");
                machine.handle_close(now, id);
                self.remove(id);
            }
        }
        0
    }

    /// Applies an operation of the machine to a stream.
    pub(crate) fn push(&mut self, now: Instant, output: StreamOutput, bytes: &[u8], observer: &mut Observer) {
        let (StreamOutput::Write(id) | StreamOutput::Close(id)) = output;
        let Some(slot) = find(&mut self.slots, id).filter(|slot| slot.state == StreamState::Open) else {
            return;
        };
        if matches!(output, StreamOutput::Close(_)) {
            increment(&mut observer.stats.streams.closed);
            log!(debug, "closed stream {id}");
            return self.close(now, id);
        }
        slot.pipe.queue().extend_from_slice(bytes);
        self.queued = self.queued.saturating_add(bytes.len());
        if !slot.is_dirty {
            slot.is_dirty = true;
            self.dirty.push(id);
        }
        if slot.pipe.waiting() >= GATHERED_BYTES {
            self.write(now, id, observer);
        }
        let is_scarce = self.queued > STREAMS_QUEUED_BYTES;
        let limit =
            if is_scarce { self.stream_send_buffer.min(GATHERED_BYTES) } else { self.stream_send_buffer };
        if find(&mut self.slots, id).is_some_and(|slot| slot.pipe.waiting() > limit) {
            increment(&mut observer.stats.streams.slow_reader);
            log!(debug, "closed stream {id}, whose peer reads too slowly");
            self.dropped.push(id);
            self.remove(id);
        }
    }

    /// Writes as many unsent bytes as possible, and removes closing streams after their deadline.
    pub(crate) fn flush(&mut self, now: Instant, observer: &mut Observer) {
        let mut dirty = core::mem::take(&mut self.dirty);
        for id in dirty.drain(..) {
            if let Some(slot) = find(&mut self.slots, id) {
                slot.is_dirty = false;
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

    /// Notifies the machine of streams that were closed because of slow readers or handshakes. Returns whether there were any.
    pub(crate) fn notify_closed<M: Machine>(&mut self, machine: &mut M, now: Instant) -> bool {
        self.drop_late_handshakes(now);
        let has_any = !self.dropped.is_empty();
        for id in self.dropped.drain(..) {
            machine.handle_close(now, id);
        }
        has_any
    }

    /// Removes closed streams. Returns the time at which this must be called again.
    pub(crate) fn remove_closed(&mut self, now: Instant) -> Option<Instant> {
        if self.has_removed {
            self.slots.retain(|slot| slot.state != StreamState::Gone);
            self.has_removed = false;
        }
        let can_accept = self.slots.len() < self.max_streams;
        let has_ready = !self.ready.is_empty() || (self.is_acceptable && can_accept);
        let accept_at = self.accept_at.filter(|_| can_accept);
        let closed_at = self.closing.front().map(|(until, _)| *until);
        [has_ready.then_some(now), accept_at, closed_at, self.handshakes.due_at()].into_iter().flatten().min()
    }

    /// Removes all streams and returns those with unsent bytes.
    pub(crate) fn take_unsent(&mut self) -> Vec<BufferedStream<StdStream>> {
        let open = self
            .slots
            .drain(..)
            .filter(|slot| matches!(slot.state, StreamState::Open | StreamState::Flushing));
        open.filter_map(|slot| slot.pipe.into_std()).collect()
    }

    fn write(&mut self, now: Instant, id: StreamId, observer: &mut Observer) {
        let Some(slot) = find(&mut self.slots, id).filter(|slot| slot.state != StreamState::Gone) else {
            return;
        };
        let before = slot.pipe.waiting();
        let written = slot.write(now, observer);
        self.queued = self.queued.saturating_sub(before.saturating_sub(slot.pipe.waiting()));
        match (written, slot.state) {
            (WriteOutcome::All, StreamState::Flushing) => {
                slot.pipe.finish();
                slot.state = StreamState::Lingering;
                self.wake(id);
            }
            (WriteOutcome::Failure, StreamState::Flushing) => self.remove(id),
            // Bytes that arrived before the failure are read first, then the failure.
            (WriteOutcome::Failure, _) => self.wake(id),
            (WriteOutcome::All | WriteOutcome::Blocked, _) => {}
        }
    }

    /// Queues the stream to be read.
    fn wake(&mut self, id: StreamId) {
        let Some(slot) = find(&mut self.slots, id).filter(|slot| !slot.is_ready) else { return };
        slot.is_ready = true;
        self.ready.push_back(id);
    }

    /// Closes a stream after writing its unsent bytes.
    fn close(&mut self, now: Instant, id: StreamId) {
        let Some(slot) = find(&mut self.slots, id) else { return };
        slot.state = StreamState::Flushing;
        if !slot.is_dirty {
            slot.is_dirty = true;
            self.dirty.push(id);
        }
        if self.closing.len() >= self.max_streams.saturating_mul(2) {
            // Remove the entries of streams that closed before their deadline.
            let slots = &self.slots;
            self.closing.retain(|(_, id)| slots.binary_search_by_key(id, |slot| slot.id).is_ok());
        }
        self.closing.push_back((now + CLOSING, id));
    }

    fn remove(&mut self, id: StreamId) {
        let Some(slot) = find(&mut self.slots, id).filter(|slot| slot.state != StreamState::Gone) else {
            return;
        };
        self.queued = self.queued.saturating_sub(slot.pipe.waiting());
        slot.pipe.forget();
        slot.state = StreamState::Gone;
        self.has_removed = true;
    }
}

fn find<C>(slots: &mut [StreamSlot<C>], id: StreamId) -> Option<&mut StreamSlot<C>> {
    let index = slots.binary_search_by_key(&id, |slot| slot.id).ok()?;
    slots.get_mut(index)
}
