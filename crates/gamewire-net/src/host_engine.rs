use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;

use gamewire_machine::pump::{self, Action};
use gamewire_machine::{Datagram, Instant, Streams};

use crate::connections::Connections;
use crate::datagrams::{Datagrams, RecvOutcome};
use crate::limits::RECEIVED_PER_UPDATE;
use crate::observer::Observer;
use crate::parting::drain_on_drop;
use crate::pipe::{StreamListener, StreamSocket};
use crate::port::DatagramSocket;
use crate::{DriverConfig, Stats};

/// Turns a machine between a port, a listener, or both, and a clock. It never waits: that is up
/// to the driver.
pub(crate) struct HostEngine<M: Datagram + Streams, P: DatagramSocket, L: StreamListener> {
    machine: M,
    events: VecDeque<M::Event>,
    /// Where the machine writes what it says.
    buffer: Vec<u8>,
    pub(crate) datagrams: Option<Datagrams<P>>,
    pub(crate) connections: Option<Connections<L>>,
    observer: Observer,
}

impl<M: Datagram + Streams, P: DatagramSocket, L: StreamListener> HostEngine<M, P, L> {
    pub(crate) fn new(
        machine: M,
        port: Option<P>,
        listener: Option<L>,
        local: SocketAddr,
        settings: DriverConfig,
    ) -> Self {
        Self {
            machine,
            events: VecDeque::new(),
            buffer: Vec::new(),
            datagrams: port.map(|port| Datagrams::new(port, &settings)),
            connections: listener.map(|listener| Connections::new(listener, &settings)),
            observer: Observer::new(local, settings.tap),
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

    pub(crate) const fn events(&mut self) -> &mut VecDeque<M::Event> {
        &mut self.events
    }

    /// Reads all that there is, up to a bound, and turns the machine.
    pub(crate) fn update(&mut self) -> io::Result<()> {
        let mut taken = 0_usize;
        while taken < RECEIVED_PER_UPDATE {
            match self.receive()? {
                RecvOutcome::Datagrams(count) => taken = taken.saturating_add(count),
                RecvOutcome::Failure => {}
                RecvOutcome::Last(_) | RecvOutcome::Nothing => break,
            }
            // What a machine has to answer is bounded, so it is taken between batches. It is sent
            // when all of them have been read, so that what is for one peer goes together.
            self.pump(self.observer.clock.now());
        }
        self.turn();
        Ok(())
    }

    /// Turns the machine, sends and writes what it says and keeps its events. Returns when to
    /// come again.
    pub(crate) fn turn(&mut self) -> Option<Instant> {
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

    /// Turns the machine, takes what it says and keeps its events. Returns when it wants to be
    /// turned again.
    fn pump(&mut self, now: Instant) -> Option<Instant> {
        let Self { machine, events, buffer, datagrams, connections, observer } = self;
        if let Some(datagrams) = datagrams {
            datagrams.deliver_due(machine, now, observer);
        }
        loop {
            let output = |output: Action, bytes: &[u8]| match (output, &mut *datagrams, &mut *connections) {
                (Action::Datagram(transmit), Some(datagrams), _) => {
                    datagrams.push(now, transmit.to, bytes, observer);
                }
                (Action::Stream(output), _, Some(connections)) => {
                    connections.push(now, output, bytes, observer);
                }
                (Action::Datagram(_), None, _) => observer.dropped(),
                (Action::Stream(_), _, None) => {}
            };
            let wake = pump::both(machine, now, buffer, output, |event| events.push_back(event));
            // A machine that is told of an end may have something to say about it.
            if !connections.as_mut().is_some_and(|connections| connections.notify_closed(machine, now)) {
                return wake.map(|wake| wake.at);
            }
        }
    }

    /// Reads what there is, once, and gives it to the machine. What came by streams counts in
    /// datagrams. `Err` is the end.
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

/// Sends and writes what the machine has to say still: good-byes, above all.
impl<M: Datagram + Streams, P: DatagramSocket, L: StreamListener> Drop for HostEngine<M, P, L> {
    fn drop(&mut self) {
        // After a panic the machine may be in no state to speak.
        if std::thread::panicking() {
            return;
        }
        self.turn();
        if let Some(connections) = &mut self.connections {
            drain_on_drop(connections.into_unsent(), L::Connection::PARTING);
        }
    }
}
