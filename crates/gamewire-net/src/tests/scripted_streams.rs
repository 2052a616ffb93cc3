use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use gamewire_machine::{Instant, Output, StreamId, pump};
use rustix::io::Errno;

use super::scripted_socket::{LOCAL, PEER};
use super::stream_server::{Event, StreamServer};
use crate::connections::Connections;
use crate::layer::{BoundListener, LayerFactory};
use crate::observer::Observer;
use crate::socket::StdStream;
use crate::socket::{StreamListener, StreamSocket};
use crate::{DriverConfig, StreamStats};

/// A stream with scripted results. Without a script it has nothing to read and accepts everything.
#[derive(Clone, Default)]
pub(super) struct ScriptedStream(pub(super) Rc<RefCell<State>>);

#[derive(Default)]
pub(super) struct State {
    pub(super) reads: VecDeque<Result<Vec<u8>, Errno>>,
    /// The number of bytes that each write accepts.
    pub(super) writes: VecDeque<Result<usize, Errno>>,
    /// Accepts no further bytes.
    pub(super) is_full: bool,
    pub(super) written: Vec<u8>,
    pub(super) is_finished: bool,
}

impl StreamSocket for ScriptedStream {
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

/// A listener with scripted results.
#[derive(Default)]
pub(super) struct ScriptedListener(VecDeque<Result<ScriptedStream, Errno>>);

impl StreamListener for ScriptedListener {
    type Stream = ScriptedStream;

    fn accept(&mut self) -> io::Result<(ScriptedStream, SocketAddr)> {
        Ok((self.0.pop_front().unwrap_or(Err(Errno::AGAIN))?, PEER))
    }
}

/// The streams of a [`StreamServer`], in scripted time.
pub(super) struct StreamEngine {
    pub(super) machine: StreamServer,
    pub(super) connections: Connections<ScriptedListener>,
    observer: Observer,
}

impl StreamEngine {
    pub(super) fn new(
        config: &DriverConfig,
        results: impl IntoIterator<Item = Result<ScriptedStream, Errno>>,
    ) -> Self {
        let socket = ScriptedListener(results.into_iter().collect());
        Self {
            machine: StreamServer::echoing(),
            connections: Connections::new(
                vec![BoundListener { socket, local: LOCAL, layers: LayerFactory::Plain }],
                config,
            ),
            observer: Observer::new(LOCAL, None),
        }
    }

    /// Reads once and drives the machine at `now`. Returns the events and the next time to call.
    pub(super) fn drive(&mut self, now: Instant) -> (Vec<Event>, Option<Instant>) {
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

    /// Marks every stream as readable and writable.
    pub(super) fn mark_all(&mut self) {
        for place in 0..self.connections.slots.len() {
            self.connections.set_readiness(place, true, true);
        }
    }
}

pub(super) const fn id(number: u64) -> StreamId {
    StreamId::new(number)
}
