use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;

use gamewire_machine::{Datagram, Instant, pump};
use gamewire_sim::Conditioner;

use crate::clock::Clock;
use crate::failure::Failure;
use crate::incoming::Incoming;
use crate::limits::{FAILURES_IN_A_ROW, RECEIVED_PER_UPDATE};
use crate::observer::Observer;
use crate::outgoing::Outgoing;
use crate::port::Port;
use crate::{Conditions, Direction, Settings, Stats};

/// Turns a machine between a port and a clock. It never waits: that is up to the driver.
pub(crate) struct Engine<M: Datagram, P: Port> {
    machine: M,
    port: P,
    events: VecDeque<M::Event>,
    /// Where the machine writes its datagrams.
    buffer: Vec<u8>,
    incoming: Incoming,
    outgoing: Outgoing,
    observer: Observer,
    seed: u64,
}

/// What one read of the socket brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intake {
    /// So many datagrams.
    Datagrams(usize),
    /// A failure that is not the end. There may be more to read.
    Failure,
    /// There is nothing to read.
    Nothing,
}

impl<M: Datagram, P: Port> Engine<M, P> {
    pub(crate) fn new(machine: M, port: P, local: SocketAddr, settings: Settings) -> Self {
        let Settings { tap, incoming, outgoing, seed, .. } = settings;
        let mut engine = Self {
            machine,
            port,
            events: VecDeque::new(),
            buffer: Vec::new(),
            incoming: Incoming::new(None),
            outgoing: Outgoing::new(None),
            observer: Observer { clock: Clock::start(), local, stats: Stats::default(), tap },
            seed,
        };
        let links = [(Direction::Incoming, incoming), (Direction::Outgoing, outgoing)];
        for (direction, conditions) in links {
            if let Some(conditions) = conditions {
                engine.set_conditions(direction, conditions);
            }
        }
        engine
    }

    pub(crate) fn set_conditions(&mut self, direction: Direction, conditions: Conditions) {
        // The two directions must not lose the same ones.
        let (link, seed) = match direction {
            Direction::Incoming => (&mut self.incoming.conditioner, self.seed),
            Direction::Outgoing => (&mut self.outgoing.conditioner, !self.seed),
        };
        link.get_or_insert_with(|| Conditioner::new(conditions, seed)).set_conditions(conditions);
    }

    pub(crate) const fn view(&self) -> &M {
        &self.machine
    }

    /// The machine, which has been told the time.
    pub(crate) fn machine(&mut self) -> &mut M {
        self.machine.handle_timeout(self.observer.clock.now());
        &mut self.machine
    }

    pub(crate) const fn port(&self) -> &P {
        &self.port
    }

    pub(crate) const fn clock(&self) -> Clock {
        self.observer.clock
    }

    pub(crate) const fn local(&self) -> SocketAddr {
        self.observer.local
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
                Intake::Datagrams(count) => taken = taken.saturating_add(count),
                Intake::Failure => {}
                Intake::Nothing => break,
            }
            // What a machine has to answer is bounded, so it is taken between batches.
            self.turn();
        }
        self.turn();
        Ok(())
    }

    /// Turns the machine, sends what it says and keeps its events. Returns when to come again.
    pub(crate) fn turn(&mut self) -> Option<Instant> {
        let now = self.observer.clock.now();
        let Self { machine, port, events, buffer, incoming, outgoing, observer, .. } = self;
        if let Some(link) = &mut incoming.conditioner {
            while let Some(from) = link.pop(now, &mut incoming.buffer) {
                take(machine, now, from, &incoming.buffer, observer);
            }
        }
        let wake = pump::datagrams(
            machine,
            now,
            buffer,
            |transmit, datagram| outgoing.push(now, transmit.to, datagram, port, observer),
            |event| events.push_back(event),
        );
        outgoing.turn(now, port, observer);
        let arrivals = incoming.conditioner.as_ref().and_then(Conditioner::wake);
        let departures = outgoing.conditioner.as_ref().and_then(Conditioner::wake);
        [wake.map(|wake| wake.at), arrivals, departures, outgoing.retry_at].into_iter().flatten().min()
    }

    /// Reads the socket once and gives the machine what came. `Err` is the end.
    pub(crate) fn receive(&mut self) -> io::Result<Intake> {
        let Self { machine, port, incoming, observer, .. } = self;
        let filled = match incoming.batch.fill(port) {
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
        Ok(Intake::Datagrams(count))
    }
}

impl Incoming {
    fn failed(&mut self, error: io::Error, observer: &mut Observer) -> io::Result<Intake> {
        let failure = Failure::of(&error);
        if failure == Failure::NotReady {
            self.failures = 0;
            return Ok(Intake::Nothing);
        }
        observer.failed(failure);
        self.failures = self.failures.saturating_add(1);
        if self.failures < FAILURES_IN_A_ROW { Ok(Intake::Failure) } else { Err(error) }
    }
}

fn take<M: Datagram>(machine: &mut M, now: Instant, from: SocketAddr, data: &[u8], observer: &mut Observer) {
    if machine.handle_datagram(now, from, data).is_err() {
        observer.rejected();
    }
}

/// Sends what the machine has to say still: good-byes, above all.
impl<M: Datagram, P: Port> Drop for Engine<M, P> {
    fn drop(&mut self) {
        // After a panic the machine may be in no state to speak.
        if !std::thread::panicking() {
            self.turn();
        }
    }
}
