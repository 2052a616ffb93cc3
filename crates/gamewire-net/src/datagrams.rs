use std::io;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine};
use gamewire_sim::Conditioner;

use crate::batch::ReceiveBatch;
use crate::limits::FAILURES_IN_A_ROW;
use crate::log::log;
use crate::observer::Observer;
use crate::queue::Queue;
use crate::socket::DatagramSocket;
use crate::socket_error::SocketError;
use crate::stats::increment;
use crate::{Conditions, Direction, DriverConfig};

/// The half of an engine that moves datagrams between a socket and a machine.
pub(crate) struct Datagrams<P> {
    pub(crate) port: P,
    /// Seed of the conditioners.
    seed: u64,
    batch: ReceiveBatch,
    incoming: Option<Conditioner<SocketAddr>>,
    /// Number of consecutive failures to receive.
    failures: u32,
    pub(crate) queue: Queue,
    pub(crate) outgoing: Option<Conditioner<SocketAddr>>,
    /// The latest datagram of a conditioner.
    pub(crate) buffer: Vec<u8>,
    /// Number of datagrams to send one by one, because the system rejected their batch.
    pub(crate) alone: usize,
    /// Time to try the socket again after its send buffer was full.
    pub(crate) retry_at: Option<Instant>,
}

/// The outcome of one read of the socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecvOutcome {
    /// This many datagrams were read. There may be more.
    Datagrams(usize),
    /// This many datagrams were read. No more have arrived.
    Last(usize),
    /// The read failed. There may be more to read.
    Failure,
    /// There is nothing to read.
    Nothing,
}

impl<P: DatagramSocket> Datagrams<P> {
    pub(crate) fn new(port: P, config: &DriverConfig) -> Self {
        let mut datagrams = Self {
            port,
            seed: config.seed,
            batch: ReceiveBatch::new(),
            incoming: None,
            failures: 0,
            queue: Queue::default(),
            outgoing: None,
            buffer: Vec::new(),
            alone: 0,
            retry_at: None,
        };
        let links = [(Direction::Incoming, config.incoming), (Direction::Outgoing, config.outgoing)];
        for (direction, conditions) in links {
            if let Some(conditions) = conditions {
                datagrams.set_conditions(direction, conditions);
            }
        }
        datagrams
    }

    pub(crate) fn set_conditions(&mut self, direction: Direction, conditions: Conditions) {
        // With equal seeds, both directions would lose the same datagrams.
        let (link, seed) = match direction {
            Direction::Incoming => (&mut self.incoming, self.seed),
            Direction::Outgoing => (&mut self.outgoing, !self.seed),
        };
        link.get_or_insert_with(|| Conditioner::new(conditions, seed)).set_conditions(conditions);
    }

    /// Reads the socket once and passes the datagrams to the machine.
    ///
    /// # Errors
    /// The socket no longer works.
    pub(crate) fn receive<M: Machine>(
        &mut self,
        machine: &mut M,
        observer: &mut Observer,
    ) -> io::Result<RecvOutcome> {
        let filled = match self.batch.fill(|slices, meta| self.port.receive(slices, meta)) {
            Ok(filled) => filled,
            Err(error) => return self.failed(error, observer),
        };
        self.failures = 0;
        increment(&mut observer.stats.received.batches);
        let now = observer.clock.now();
        let mut count = 0_usize;
        // For this iterator, `for_each` is faster than a loop.
        self.batch.datagrams(filled).for_each(|(from, datagram)| {
            count = count.saturating_add(1);
            observer.received(now, from, datagram);
            match &mut self.incoming {
                Some(link) => _ = link.push(now, from, datagram),
                None => deliver(machine, now, from, datagram, observer),
            }
        });
        Ok(if self.batch.is_full() { RecvOutcome::Datagrams(count) } else { RecvOutcome::Last(count) })
    }

    /// Passes the datagrams that are due from the conditioner to the machine.
    pub(crate) fn deliver_due<M: Machine>(&mut self, machine: &mut M, now: Instant, observer: &mut Observer) {
        let Some(link) = &mut self.incoming else { return };
        while let Some(from) = link.pop(now, &mut self.buffer) {
            deliver(machine, now, from, &self.buffer, observer);
        }
    }

    /// Returns the time at which a delayed datagram is due or sending must be tried again.
    pub(crate) fn wake(&self) -> Option<Instant> {
        if self.incoming.is_none() && self.outgoing.is_none() {
            return self.retry_at;
        }
        let links = [&self.incoming, &self.outgoing].map(|link| link.as_ref().and_then(Conditioner::wake));
        links.into_iter().chain([self.retry_at]).flatten().min()
    }

    fn failed(&mut self, error: io::Error, observer: &mut Observer) -> io::Result<RecvOutcome> {
        let failure = SocketError::of(&error);
        if failure == SocketError::NotReady {
            self.failures = 0;
            return Ok(RecvOutcome::Nothing);
        }
        observer.stats.errors.count(failure);
        self.failures = self.failures.saturating_add(1);
        if self.failures < FAILURES_IN_A_ROW { Ok(RecvOutcome::Failure) } else { Err(error) }
    }
}

fn deliver<M: Machine>(
    machine: &mut M,
    now: Instant,
    from: SocketAddr,
    data: &[u8],
    observer: &mut Observer,
) {
    if let Err(error) = machine.handle_datagram(now, from, data) {
        log!(debug, "dropped {} bytes from {from}: {error}", data.len());
        increment(&mut observer.stats.rejected);
    }
}
