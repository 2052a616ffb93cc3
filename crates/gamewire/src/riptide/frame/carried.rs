use core::convert::Infallible;
use core::time::Duration;
use std::collections::VecDeque;
use std::io;

use gamewire_machine::{Instant, Machine, Wake};
use gamewire_riptide::{Endpoint, client, server};

use super::clock::Clock;
use crate::riptide::{Transport, TransportEvent};

/// Maximum transport events per update; the rest waits for the next one.
const ARRIVALS_PER_UPDATE: usize = 1_024;

/// Maximum time that `wait` sleeps, because a transport cannot be waited for.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A machine that exchanges packets with a transport.
pub(super) trait PacketMachine: Machine {
    fn handle_arrival(&mut self, now: Instant, arrival: TransportEvent, packet: &[u8]);

    /// Passes all packets to the transport, and closes the peers that the machine has disconnected.
    fn flush_to(&mut self, now: Instant, buffer: &mut Vec<u8>, transport: &mut dyn Transport);
}

/// A machine over a transport of the application.
pub(super) struct TransportDriver<M: PacketMachine> {
    machine: M,
    transport: Box<dyn Transport + Send>,
    clock: Clock,
    buffer: Vec<u8>,
}

impl<M: PacketMachine> TransportDriver<M> {
    /// Creates a driver whose clock starts now.
    pub(super) fn new(machine: M, transport: Box<dyn Transport + Send>) -> Self {
        Self { machine, transport, clock: Clock::start(), buffer: Vec::new() }
    }

    pub(super) fn update(&mut self, events: &mut VecDeque<M::Event>) -> io::Result<()> {
        let now = self.clock.now();
        for _ in 0..ARRIVALS_PER_UPDATE {
            let Some(arrival) = self.transport.poll(&mut self.buffer)? else { break };
            self.machine.handle_arrival(now, arrival, &self.buffer);
        }
        self.flush();
        while let Some(event) = self.machine.poll_event() {
            events.push_back(event);
        }
        Ok(())
    }

    /// Fires the timer if it is due, and sends what is queued.
    pub(super) fn flush(&mut self) {
        let now = self.clock.now();
        if self.machine.poll_timeout().is_some_and(|wake| wake.at <= now) {
            self.machine.handle_timeout(now);
        }
        self.machine.flush_to(now, &mut self.buffer, &mut *self.transport);
    }

    pub(super) fn wait(&mut self, most: Duration) {
        self.flush();
        std::thread::sleep(most.min(POLL_INTERVAL));
    }

    pub(super) const fn machine(&self) -> &M {
        &self.machine
    }

    pub(super) const fn machine_mut(&mut self) -> &mut M {
        &mut self.machine
    }
}

/// Sends what is still queued, as the drivers do.
impl<M: PacketMachine> Drop for TransportDriver<M> {
    fn drop(&mut self) {
        // After a panic the machine may be in an invalid state.
        if !std::thread::panicking() {
            self.flush();
        }
    }
}

impl PacketMachine for server::Server {
    fn handle_arrival(&mut self, now: Instant, arrival: TransportEvent, packet: &[u8]) {
        match arrival {
            TransportEvent::Opened(_) => {}
            // A dropped packet does not concern the transport.
            TransportEvent::Packet(peer) => drop(self.handle_packet(now, Endpoint::Other(peer), packet)),
            TransportEvent::Closed(peer) => self.handle_transport_end(now, Endpoint::Other(peer)),
        }
    }

    fn flush_to(&mut self, now: Instant, buffer: &mut Vec<u8>, transport: &mut dyn Transport) {
        while let Some(endpoint) = self.poll_packet(now, buffer) {
            if let Endpoint::Other(peer) = endpoint {
                transport.send(peer, buffer);
            }
        }
        while let Some(endpoint) = self.poll_close() {
            if let Endpoint::Other(peer) = endpoint {
                transport.close(peer);
            }
        }
    }
}

/// A client and its server's number in the transport.
pub(super) struct TransportClient {
    pub(super) client: client::Client,
    pub(super) server: u64,
}

impl Machine for TransportClient {
    type Event = client::Event;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.client.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.client.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<client::Event> {
        self.client.poll_event()
    }
}

impl PacketMachine for TransportClient {
    fn handle_arrival(&mut self, now: Instant, arrival: TransportEvent, packet: &[u8]) {
        match arrival {
            TransportEvent::Packet(peer) if peer == self.server => {
                self.client.handle_packet(now, packet).ok();
            }
            TransportEvent::Closed(peer) if peer == self.server => self.client.handle_transport_end(),
            TransportEvent::Opened(_) | TransportEvent::Packet(_) | TransportEvent::Closed(_) => {}
        }
    }

    fn flush_to(&mut self, now: Instant, buffer: &mut Vec<u8>, transport: &mut dyn Transport) {
        while self.client.poll_packet(now, buffer) {
            transport.send(self.server, buffer);
        }
    }
}
