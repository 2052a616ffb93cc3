use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Stream, StreamId, pump};

use crate::limits::{BYTES_PER_DATAGRAM, RECEIVED_PER_UPDATE, STREAM_QUEUED_BYTES, STREAM_READ_BYTES};
use crate::observer::Observer;
use crate::parting::drain_on_drop;
use crate::pipe::{BufferedStream, ReadOutcome, StreamSocket, WriteOutcome};
use crate::stats::StreamEnd;
use crate::{Direction, DriverConfig, Stats};

/// Turns a machine between one stream and a clock. It never waits: that is up to the driver.
pub(crate) struct StreamEngine<M: Stream, C: StreamSocket> {
    machine: M,
    events: VecDeque<M::Event>,
    /// `None` only while the engine is dropped.
    pipe: Option<BufferedStream<C>>,
    peer: SocketAddr,
    state: EngineState,
    /// There may be something to read.
    is_ready: bool,
    buffer: Vec<u8>,
    queue: usize,
    observer: Observer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EngineState {
    Open,
    /// Nothing is read any more; what waits has yet to be written.
    Over,
    /// The peer was told that no more will be written.
    Finished,
}

/// The only stream there is.
const STREAM: StreamId = StreamId::new(0);

impl<M: Stream, C: StreamSocket> StreamEngine<M, C> {
    pub(crate) fn new(
        machine: M,
        connection: C,
        (local, peer): (SocketAddr, SocketAddr),
        settings: DriverConfig,
    ) -> Self {
        let mut observer = Observer::new(local, settings.tap);
        observer.stats.streams.opened = 1;
        Self {
            machine,
            events: VecDeque::new(),
            pipe: Some(BufferedStream::new(connection)),
            peer,
            state: EngineState::Open,
            is_ready: true,
            buffer: vec![0; STREAM_READ_BYTES],
            queue: settings.stream_queue.unwrap_or(STREAM_QUEUED_BYTES),
            observer,
        }
    }

    pub(crate) const fn machine(&self) -> &M {
        &self.machine
    }

    /// The machine, which has been told the time.
    pub(crate) fn machine_mut(&mut self) -> &mut M {
        self.machine.handle_timeout(self.observer.clock.now());
        &mut self.machine
    }

    pub(crate) const fn observer(&self) -> &Observer {
        &self.observer
    }

    pub(crate) const fn stats(&self) -> &Stats {
        &self.observer.stats
    }

    pub(crate) const fn peer(&self) -> SocketAddr {
        self.peer
    }

    pub(crate) const fn events(&mut self) -> &mut VecDeque<M::Event> {
        &mut self.events
    }

    pub(crate) fn is_open(&self) -> bool {
        self.state == EngineState::Open
    }

    /// The connection, if it is to be told of something: whether to read, whether to write.
    pub(crate) fn interest(&self) -> Option<(&C, bool, bool)> {
        let pipe = self.pipe.as_ref()?;
        let wants = (self.is_open() && !self.is_ready, pipe.is_blocked);
        (wants.0 || wants.1).then_some((&pipe.connection, wants.0, wants.1))
    }

    /// The stream can be read, or written to, or has failed, which shows by either.
    pub(crate) fn mark(&mut self, can_read: bool, can_write: bool) {
        self.is_ready |= can_read && self.is_open();
        if let Some(pipe) = self.pipe.as_mut().filter(|_| can_write) {
            pipe.is_blocked = false;
        }
    }

    /// Reads all that there is, up to a bound, and turns the machine.
    pub(crate) fn update(&mut self) {
        let mut taken = 0_usize;
        while taken < RECEIVED_PER_UPDATE {
            match self.receive() {
                0 => break,
                count => taken = taken.saturating_add(count),
            }
            self.turn();
        }
        self.turn();
    }

    /// Reads once and says how much it was, in datagrams.
    pub(crate) fn receive(&mut self) -> usize {
        let now = self.observer.clock.now();
        let Some(pipe) = self.pipe.as_mut().filter(|_| self.is_ready && self.state == EngineState::Open)
        else {
            return 0;
        };
        self.is_ready = false;
        let count = match pipe.read(&mut self.buffer) {
            ReadOutcome::Bytes(count) => count,
            ReadOutcome::Nothing => return 0,
            ReadOutcome::End => {
                self.end(now, StreamEnd::Ended);
                return 1;
            }
            ReadOutcome::Failure => {
                self.end(now, StreamEnd::Broken);
                return 1;
            }
        };
        // If there is more, one is told; asking at once where there may be saves that.
        self.is_ready = count >= self.buffer.len() || pipe.is_broken;
        let bytes = self.buffer.get(..count).unwrap_or_default();
        self.observer.streamed(now, Direction::Incoming, (STREAM, self.peer), bytes);
        if self.machine.handle_bytes(now, bytes).is_err() {
            self.observer.stats.streams.count_end(StreamEnd::Closed);
            self.state = EngineState::Over;
        }
        count.checked_div(BYTES_PER_DATAGRAM).unwrap_or(0).saturating_add(1)
    }

    /// Turns the machine, writes what it says and keeps its events. Returns when to come again.
    pub(crate) fn turn(&mut self) -> Option<Instant> {
        let now = self.observer.clock.now();
        let wake = self.pump(now);
        let Some(pipe) = &mut self.pipe else { return wake };
        let (whom, observer) = ((STREAM, self.peer), &mut self.observer);
        let written = pipe.write(|bytes| observer.streamed(now, Direction::Outgoing, whom, bytes));
        match (written, self.state) {
            (WriteOutcome::Blocked, _) if pipe.waiting() > self.queue => {
                pipe.give_up();
                if self.is_open() {
                    self.end(now, StreamEnd::Overfull);
                    return self.pump(now);
                }
            }
            // What came before it broke is read first, then that it broke.
            (WriteOutcome::Failure, EngineState::Open) => self.is_ready = true,
            (WriteOutcome::All, EngineState::Over) => {
                pipe.connection.finish();
                self.state = EngineState::Finished;
            }
            (WriteOutcome::All | WriteOutcome::Blocked | WriteOutcome::Failure, _) => {}
        }
        if self.is_ready { Some(now) } else { wake }
    }

    fn pump(&mut self, now: Instant) -> Option<Instant> {
        let Self { machine, events, pipe, .. } = self;
        let wake = pump::stream(machine, now, pipe.as_mut()?.queue(), |event| events.push_back(event));
        wake.map(|wake| wake.at)
    }

    fn end(&mut self, now: Instant, reason: StreamEnd) {
        self.observer.stats.streams.count_end(reason);
        self.state = EngineState::Over;
        self.machine.handle_eof(now);
    }
}

/// Writes what the machine has to say still: good-byes, above all.
impl<M: Stream, C: StreamSocket> Drop for StreamEngine<M, C> {
    fn drop(&mut self) {
        // After a panic the machine may be in no state to speak.
        if std::thread::panicking() {
            return;
        }
        self.turn();
        if let Some(pipe) = self.pipe.take().and_then(BufferedStream::into_std) {
            drain_on_drop(vec![pipe], C::PARTING);
        }
    }
}

/// What a driver's wait says when nothing can happen any more.
pub(crate) fn nothing_more() -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, "the stream is over and nothing more can happen")
}
