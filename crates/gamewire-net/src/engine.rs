use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Output, StreamId, drain};

use crate::connections::Connections;
use crate::datagrams::{Datagrams, RecvOutcome};
use crate::layer::{BoundListener, Layer};
use crate::limits::{OVERDUE, RECEIVE_TIME, RECEIVED_PER_TURN};
use crate::log::{log, log_event};
use crate::observer::Observer;
use crate::socket::{DatagramSocket, StreamListener, StreamSocket};
use crate::stats::increment;
use crate::stream::{StreamAddresses, drain_on_drop};
use crate::{Conditions, Direction, DriverConfig};

/// The sockets of an engine. Each is optional.
pub(crate) struct Sockets<P, L: StreamListener> {
    pub(crate) local: SocketAddr,
    pub(crate) datagrams: Option<P>,
    pub(crate) listeners: Vec<BoundListener<L>>,
    /// Addresses of the listeners of [`DriverConfig::also_listen`].
    pub(crate) also_local: Vec<SocketAddr>,
    /// A stream that the driver opened, and its peer.
    pub(crate) stream: Option<(L::Stream, Layer, SocketAddr)>,
}

/// Moves datagrams and streams between sockets, a clock and a machine. It never blocks. Its driver waits for the
/// sockets.
pub(crate) struct Engine<M: Machine, P: DatagramSocket, L: StreamListener> {
    pub(crate) machine: M,
    pub(crate) events: VecDeque<M::Event>,
    /// Scratch space for the machine's output.
    buffer: Vec<u8>,
    pub(crate) datagrams: Option<Datagrams<P>>,
    pub(crate) connections: Option<Connections<L>>,
    pub(crate) also_local: Vec<SocketAddr>,
    pub(crate) observer: Observer,
}

impl<M: Machine, P: DatagramSocket, L: StreamListener> Engine<M, P, L> {
    pub(crate) fn new(mut machine: M, sockets: Sockets<P, L>, config: DriverConfig) -> Self {
        let Sockets { local, datagrams, listeners, also_local, stream } = sockets;
        let datagrams = datagrams.map(|socket| Datagrams::new(socket, &config));
        let has_streams = !listeners.is_empty() || stream.is_some();
        let mut connections = has_streams.then(|| Connections::new(listeners, &config));
        let mut observer = Observer::new(local, config.tap);
        if let (Some(connections), Some((stream, layer, peer))) = (&mut connections, stream) {
            let addresses = StreamAddresses { local, peer };
            connections.add(&mut machine, StreamId::new(0), (stream, layer), addresses, &mut observer);
        }
        let (events, buffer) = (VecDeque::new(), Vec::new());
        Self { machine, events, buffer, datagrams, connections, also_local, observer }
    }

    /// Returns the machine after advancing its clock.
    pub(crate) fn machine_mut(&mut self) -> &mut M {
        let now = self.observer.clock.now();
        self.read_if_overdue(now);
        self.machine.handle_timeout(now);
        &mut self.machine
    }

    /// If the machine's timer is overdue, reads the waiting data first, for a limited time.
    fn read_if_overdue(&mut self, now: Instant) {
        let is_overdue =
            |machine: &M| machine.poll_timeout().is_some_and(|wake| now.since(wake.at) > OVERDUE);
        let end = now + RECEIVE_TIME;
        // An error of the socket returns with the next read.
        while is_overdue(&self.machine)
            && let Ok(RecvOutcome::Datagrams(_)) = self.receive()
            && self.observer.clock.now() < end
        {
            self.drain(now);
        }
    }

    pub(crate) fn set_conditions(&mut self, direction: Direction, conditions: Conditions) {
        if let Some(datagrams) = &mut self.datagrams {
            datagrams.set_conditions(direction, conditions);
        }
    }

    /// Returns whether data can still arrive.
    pub(crate) fn is_open(&self) -> bool {
        self.datagrams.is_some() || self.connections.as_ref().is_some_and(Connections::is_open)
    }

    /// Returns an error if no data can arrive and no timer is set.
    pub(crate) fn check_alive(&self) -> io::Result<()> {
        if self.is_open() || self.machine.poll_timeout().is_some() {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::NotConnected, "the stream is closed and no timer is set"))
    }

    /// Reads all data that has arrived, for a limited time, and drives the machine.
    pub(crate) fn update(&mut self) -> io::Result<()> {
        let (mut until, mut count) = (None, 0_usize);
        loop {
            match self.receive()? {
                RecvOutcome::Datagrams(more) => count = count.saturating_add(more),
                RecvOutcome::Failure => {}
                RecvOutcome::Last(_) | RecvOutcome::Nothing => break,
            }
            let now = self.observer.clock.now();
            if now >= *until.get_or_insert(now + RECEIVE_TIME) {
                break;
            }
            // Pump between batches, because the machine's queues are bounded. Send only after many batches, so that
            // datagrams to one peer share a batch.
            if count >= RECEIVED_PER_TURN {
                count = 0;
                self.drive();
            } else {
                self.pump(now);
            }
        }
        self.drive();
        Ok(())
    }

    /// Pumps the machine, sends its output and keeps its events. Returns the time at which this must be called again.
    pub(crate) fn drive(&mut self) -> Option<Instant> {
        let now = self.observer.clock.now();
        let wake = self.pump(now);
        let Self { datagrams, connections, observer, .. } = self;
        let datagrams = datagrams.as_mut().and_then(|datagrams| {
            datagrams.flush(now, observer);
            datagrams.wake()
        });
        let connections = connections.as_mut().and_then(|connections| {
            connections.flush(now, observer);
            connections.remove_closed(now)
        });
        [wake, datagrams, connections].into_iter().flatten().min()
    }

    /// Fires the machine's timer if it is due, queues its output and keeps its events. Returns the machine's next timer.
    fn pump(&mut self, now: Instant) -> Option<Instant> {
        if let Some(datagrams) = &mut self.datagrams {
            datagrams.deliver_due(&mut self.machine, now, &mut self.observer);
        }
        self.read_if_overdue(now);
        if self.machine.poll_timeout().is_some_and(|wake| wake.at <= now) {
            self.machine.handle_timeout(now);
        }
        self.drain(now);
        self.machine.poll_timeout().map(|wake| wake.at)
    }

    /// Queues the machine's output and keeps its events.
    fn drain(&mut self, now: Instant) {
        let Self { machine, events, buffer, datagrams, connections, observer, .. } = self;
        loop {
            let output = |output: Output, bytes: &[u8]| match (output, &mut *datagrams, &mut *connections) {
                (Output::Datagram(transmit), Some(datagrams), _) => {
                    datagrams.push(now, transmit.to, bytes, observer);
                }
                (Output::Stream(operation), _, Some(connections)) => {
                    connections.push(now, operation, bytes, observer);
                }
                (Output::Datagram(_), None, _) => increment(&mut observer.stats.dropped),
                (Output::Stream(_), _, None) => {}
            };
            drain(machine, now, buffer, output, |event| {
                log_event::<M>(&event);
                events.push_back(event);
            });
            // Drain again, because the machine may react to a closed stream.
            if !connections.as_mut().is_some_and(|connections| connections.notify_closed(machine, now)) {
                return;
            }
        }
    }

    /// Reads each socket once and passes the data to the machine. Bytes of streams are counted as datagrams.
    pub(crate) fn receive(&mut self) -> io::Result<RecvOutcome> {
        let Self { machine, datagrams, connections, observer, .. } = self;
        let datagrams = match datagrams {
            Some(datagrams) => datagrams.receive(machine, observer)?,
            None => RecvOutcome::Nothing,
        };
        let streams = connections.as_mut().map_or(0, |connections| connections.receive(machine, observer));
        Ok(match datagrams {
            RecvOutcome::Datagrams(count) => RecvOutcome::Datagrams(count.saturating_add(streams)),
            RecvOutcome::Last(count) if streams > 0 => RecvOutcome::Datagrams(count.saturating_add(streams)),
            RecvOutcome::Failure | RecvOutcome::Nothing if streams > 0 => RecvOutcome::Datagrams(streams),
            none => none,
        })
    }
}

/// Sends the machine's remaining output, such as the datagrams that close its connections.
impl<M: Machine, P: DatagramSocket, L: StreamListener> Drop for Engine<M, P, L> {
    fn drop(&mut self) {
        // A panic may have left the machine in an inconsistent state.
        if std::thread::panicking() {
            return;
        }
        log!(debug, "closing {}", self.observer.local);
        self.drive();
        if let Some(datagrams) = &mut self.datagrams {
            datagrams.flush_delayed(self.observer.clock.now(), &mut self.observer);
        }
        if let Some(connections) = &mut self.connections {
            drain_on_drop(connections.take_unsent(), L::Stream::DRAIN_TIMEOUT);
        }
    }
}
