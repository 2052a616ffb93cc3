use std::io;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine};
use gamewire_sim::Conditioner;

use crate::incoming::Incoming;
use crate::limits::FAILURES_IN_A_ROW;
use crate::observer::Observer;
use crate::outgoing::Outgoing;
use crate::socket::DatagramSocket;
use crate::socket_error::SocketError;
use crate::{Conditions, Direction, DriverConfig};

/// The half of an engine that moves datagrams between a port and a machine.
pub(crate) struct Datagrams<P> {
    pub(crate) port: P,
    incoming: Incoming,
    outgoing: Outgoing,
    seed: u64,
}

/// The outcome of one read of the socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecvOutcome {
    /// This many datagrams; there may be more to read.
    Datagrams(usize),
    /// This many datagrams, the last ones that had arrived.
    Last(usize),
    /// A failure that is not the end. There may be more to read.
    Failure,
    /// There is nothing to read.
    Nothing,
}

impl<P: DatagramSocket> Datagrams<P> {
    pub(crate) fn new(port: P, settings: &DriverConfig) -> Self {
        let DriverConfig { incoming, outgoing, seed, .. } = settings;
        let mut datagrams =
            Self { port, incoming: Incoming::new(None), outgoing: Outgoing::new(None), seed: *seed };
        let links = [(Direction::Incoming, incoming), (Direction::Outgoing, outgoing)];
        for (direction, conditions) in links {
            if let Some(conditions) = conditions {
                datagrams.set_conditions(direction, *conditions);
            }
        }
        datagrams
    }

    pub(crate) fn set_conditions(&mut self, direction: Direction, conditions: Conditions) {
        // The two directions must not lose the same ones.
        let (link, seed) = match direction {
            Direction::Incoming => (&mut self.incoming.conditioner, self.seed),
            Direction::Outgoing => (&mut self.outgoing.conditioner, !self.seed),
        };
        link.get_or_insert_with(|| Conditioner::new(conditions, seed)).set_conditions(conditions);
    }

    /// Reads the socket once and gives the machine what came. `Err` is the end.
    pub(crate) fn receive<M: Machine>(
        &mut self,
        machine: &mut M,
        observer: &mut Observer,
    ) -> io::Result<RecvOutcome> {
        let incoming = &mut self.incoming;
        let filled = match incoming.batch.fill(&self.port) {
            Ok(filled) => filled,
            Err(error) => return incoming.failed(error, observer),
        };
        incoming.failures = 0;
        observer.received_batch();
        let now = observer.clock.now();
        let mut count = 0_usize;
        for (from, datagram) in incoming.batch.datagrams(filled) {
            count = count.saturating_add(1);
            observer.received(now, from, datagram);
            match &mut incoming.conditioner {
                Some(link) => link.push(now, from, datagram),
                None => take(machine, now, from, datagram, observer),
            }
        }
        Ok(if incoming.batch.is_full(filled) {
            RecvOutcome::Datagrams(count)
        } else {
            RecvOutcome::Last(count)
        })
    }

    /// Gives the machine what comes off the bad link, if there is one.
    pub(crate) fn deliver_due<M: Machine>(&mut self, machine: &mut M, now: Instant, observer: &mut Observer) {
        let incoming = &mut self.incoming;
        let Some(link) = &mut incoming.conditioner else { return };
        while let Some(from) = link.pop(now, &mut incoming.buffer) {
            take(machine, now, from, &incoming.buffer, observer);
        }
    }

    /// A datagram leaves the machine.
    pub(crate) fn push(&mut self, now: Instant, to: SocketAddr, datagram: &[u8], observer: &mut Observer) {
        self.outgoing.push(now, to, datagram, &self.port, observer);
    }

    /// Brings all that waits to the socket.
    pub(crate) fn flush(&mut self, now: Instant, observer: &mut Observer) {
        self.outgoing.turn(now, &self.port, observer);
    }

    /// When to come again.
    pub(crate) fn wake(&self) -> Option<Instant> {
        let arrivals = self.incoming.conditioner.as_ref().and_then(Conditioner::wake);
        let departures = self.outgoing.conditioner.as_ref().and_then(Conditioner::wake);
        [arrivals, departures, self.outgoing.retry_at].into_iter().flatten().min()
    }
}

impl Incoming {
    fn failed(&mut self, error: io::Error, observer: &mut Observer) -> io::Result<RecvOutcome> {
        let failure = SocketError::of(&error);
        if failure == SocketError::NotReady {
            self.failures = 0;
            return Ok(RecvOutcome::Nothing);
        }
        observer.failed(failure);
        self.failures = self.failures.saturating_add(1);
        if self.failures < FAILURES_IN_A_ROW { Ok(RecvOutcome::Failure) } else { Err(error) }
    }
}

fn take<M: Machine>(machine: &mut M, now: Instant, from: SocketAddr, data: &[u8], observer: &mut Observer) {
    if machine.handle_datagram(now, from, data).is_err() {
        observer.rejected();
    }
}
