use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;

use gamewire_machine::{Datagram, Instant, pump};

use crate::clock::Clock;
use crate::datagrams::{Datagrams, RecvOutcome};
use crate::limits::RECEIVED_PER_UPDATE;
use crate::observer::Observer;
use crate::port::DatagramSocket;
use crate::{Conditions, Direction, DriverConfig, Stats};

/// Turns a machine between a port and a clock. It never waits: that is up to the driver.
pub(crate) struct Engine<M: Datagram, P: DatagramSocket> {
    machine: M,
    events: VecDeque<M::Event>,
    /// Where the machine writes its datagrams.
    buffer: Vec<u8>,
    datagrams: Datagrams<P>,
    observer: Observer,
}

impl<M: Datagram, P: DatagramSocket> Engine<M, P> {
    pub(crate) fn new(machine: M, port: P, local: SocketAddr, settings: DriverConfig) -> Self {
        Self {
            machine,
            events: VecDeque::new(),
            buffer: Vec::new(),
            datagrams: Datagrams::new(port, &settings),
            observer: Observer::new(local, settings.tap),
        }
    }

    pub(crate) fn set_conditions(&mut self, direction: Direction, conditions: Conditions) {
        self.datagrams.set_conditions(direction, conditions);
    }

    pub(crate) const fn machine(&self) -> &M {
        &self.machine
    }

    /// The machine, which has been told the time.
    pub(crate) fn machine_mut(&mut self) -> &mut M {
        self.machine.handle_timeout(self.observer.clock.now());
        &mut self.machine
    }

    pub(crate) const fn port(&self) -> &P {
        &self.datagrams.port
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
                RecvOutcome::Datagrams(count) => taken = taken.saturating_add(count),
                RecvOutcome::Failure => {}
                RecvOutcome::Last(_) | RecvOutcome::Nothing => break,
            }
            // What a machine has to answer is bounded, so it is taken between batches. It is sent
            // when all of them have been read, so that what is for one peer goes together.
            self.pump(self.observer.clock.now());
        }
        self.drive();
        Ok(())
    }

    /// Turns the machine, sends what it says and keeps its events. Returns when to come again.
    pub(crate) fn drive(&mut self) -> Option<Instant> {
        let now = self.observer.clock.now();
        let wake = self.pump(now);
        self.datagrams.flush(now, &mut self.observer);
        [wake, self.datagrams.wake()].into_iter().flatten().min()
    }

    /// Turns the machine, takes what it says and keeps its events. Returns when it wants to be
    /// turned again.
    fn pump(&mut self, now: Instant) -> Option<Instant> {
        let Self { machine, events, buffer, datagrams, observer } = self;
        datagrams.deliver_due(machine, now, observer);
        let wake = pump::datagrams(
            machine,
            now,
            buffer,
            |transmit, datagram| datagrams.push(now, transmit.to, datagram, observer),
            |event| events.push_back(event),
        );
        wake.map(|wake| wake.at)
    }

    /// Reads the socket once and gives the machine what came. `Err` is the end.
    pub(crate) fn receive(&mut self) -> io::Result<RecvOutcome> {
        self.datagrams.receive(&mut self.machine, &mut self.observer)
    }
}

/// Sends what the machine has to say still: good-byes, above all.
impl<M: Datagram, P: DatagramSocket> Drop for Engine<M, P> {
    fn drop(&mut self) {
        // After a panic the machine may be in no state to speak.
        if !std::thread::panicking() {
            self.drive();
        }
    }
}
