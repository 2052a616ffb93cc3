use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use gamewire_machine::{Instant, Output, StreamId, pump};
use rustix::io::Errno;

use super::exchange::{Event, Exchange};
use super::script::{LOCAL, PEER};
use crate::connections::Connections;
use crate::observer::Observer;
use crate::socket::StdStream;
use crate::socket::{StreamListener, StreamSocket};
use crate::{DriverConfig, StreamStats};

/// A connection that does what is written, seen from outside. Where nothing is, it has nothing to
/// read and takes all.
#[derive(Clone, Default)]
pub(super) struct Wire(pub(super) Rc<RefCell<State>>);

#[derive(Default)]
pub(super) struct State {
    pub(super) reads: VecDeque<Result<Vec<u8>, Errno>>,
    /// It takes so much at a time.
    pub(super) writes: VecDeque<Result<usize, Errno>>,
    /// It takes nothing more.
    pub(super) is_full: bool,
    pub(super) written: Vec<u8>,
    pub(super) is_finished: bool,
}

impl StreamSocket for Wire {
    const DRAIN_TIMEOUT: Duration = Duration::ZERO;

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.0.borrow_mut().reads.pop_front().unwrap_or(Err(Errno::AGAIN))?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.borrow_mut();
        if state.is_full {
            return Err(Errno::AGAIN.into());
        }
        let count = state.writes.pop_front().unwrap_or(Ok(bytes.len()))?.min(bytes.len());
        state.written.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn finish(&mut self) {
        self.0.borrow_mut().is_finished = true;
    }

    fn into_std(self) -> Option<StdStream> {
        None
    }
}

/// A listener to which these come.
#[derive(Default)]
pub(super) struct Arrivals(VecDeque<Result<Wire, Errno>>);

impl StreamListener for Arrivals {
    type Stream = Wire;

    fn accept(&mut self) -> io::Result<(Wire, SocketAddr)> {
        Ok((self.0.pop_front().unwrap_or(Err(Errno::AGAIN))?, PEER))
    }
}

/// Streams with an exchange behind them, in time that is told.
pub(super) struct Office {
    pub(super) machine: Exchange,
    pub(super) connections: Connections<Arrivals>,
    observer: Observer,
}

impl Office {
    pub(super) fn new(
        settings: &DriverConfig,
        arrivals: impl IntoIterator<Item = Result<Wire, Errno>>,
    ) -> Self {
        Self {
            machine: Exchange::repeating(),
            connections: Connections::new(Some(Arrivals(arrivals.into_iter().collect())), settings),
            observer: Observer::new(LOCAL, None),
        }
    }

    /// Reads once and turns the machine at `now`; what happened, and when to come again.
    pub(super) fn turn(&mut self, now: Instant) -> (Vec<Event>, Option<Instant>) {
        let Self { machine, connections, observer } = self;
        connections.receive(machine, observer);
        let mut events = Vec::new();
        loop {
            let output = |output: Output, bytes: &[u8]| {
                if let Output::Stream(output) = output {
                    connections.push(now, output, bytes, observer);
                }
            };
            pump(machine, now, &mut Vec::new(), output, |event| events.push(event));
            if !connections.notify_closed(machine, now) {
                break;
            }
        }
        connections.flush(now, observer);
        (events, connections.remove_closed(now))
    }

    pub(super) fn streams(&self) -> StreamStats {
        self.observer.stats.streams
    }

    pub(super) fn now(&self) -> Instant {
        self.observer.clock.now()
    }

    /// Every stream can be read and written to.
    pub(super) fn mark_all(&mut self) {
        for place in 0..self.connections.slots().len() {
            self.connections.set_readiness(place, true, true);
        }
    }
}

pub(super) const fn id(number: u64) -> StreamId {
    StreamId::new(number)
}
