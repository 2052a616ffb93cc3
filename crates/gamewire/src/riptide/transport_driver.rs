use core::time::Duration;
use std::collections::VecDeque;
use std::io;
use std::time::Instant as Monotonic;

use gamewire_machine::{Instant, Machine, QueuedEvent};
use gamewire_riptide::{Endpoint, client, server};

use super::{Transport, TransportEvent};

/// Maximum transport events per update; the rest waits for the next one.
const EVENTS_PER_UPDATE: usize = 1_024;

/// Maximum time that `wait` sleeps, because a transport cannot be waited for.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A machine that exchanges packets with a transport, in which a client's server has the number `server`.
pub trait PacketMachine: Machine<Event: QueuedEvent> {
    /// Handles an event of the transport, and the packet that came with it.
    fn handle_event(&mut self, now: Instant, server: u64, event: TransportEvent, packet: &[u8]);

    /// Passes all packets to the transport, and closes the peers that the machine has disconnected.
    fn flush(&mut self, now: Instant, server: u64, buffer: &mut Vec<u8>, transport: &mut dyn Transport);
}

/// A machine over a transport of the application.
pub(super) struct TransportDriver<M: PacketMachine> {
    machine: M,
    server: u64,
    transport: Box<dyn Transport + Send>,
    start: Monotonic,
    buffer: Vec<u8>,
}

impl<M: PacketMachine> TransportDriver<M> {
    /// Creates a driver whose clock starts now.
    pub(super) fn new(machine: M, server: u64, transport: Box<dyn Transport + Send>) -> Self {
        Self { machine, server, transport, start: Monotonic::now(), buffer: Vec::new() }
    }

    pub(super) fn update(&mut self, events: &mut VecDeque<M::Event>) -> io::Result<()> {
        let now = self.now();
        for _ in 0..EVENTS_PER_UPDATE {
            let Some(event) = self.transport.poll(&mut self.buffer)? else { break };
            self.machine.handle_event(now, self.server, event, &self.buffer);
        }
        self.flush();
        events.extend(core::iter::from_fn(|| self.machine.poll_event()));
        Ok(())
    }

    /// Fires the timer if it is due, and sends the queued packets.
    fn flush(&mut self) {
        let now = self.now();
        if self.machine.poll_timeout().is_some_and(|wake| wake.at <= now) {
            self.machine.handle_timeout(now);
        }
        self.machine.flush(now, self.server, &mut self.buffer, &mut *self.transport);
    }

    pub(super) fn wait(&mut self, timeout: Duration) {
        self.flush();
        std::thread::sleep(timeout.min(POLL_INTERVAL));
    }

    pub(super) const fn machine(&self) -> &M {
        &self.machine
    }

    pub(super) const fn machine_mut(&mut self) -> &mut M {
        &mut self.machine
    }

    fn now(&self) -> Instant {
        Instant::ZERO + self.start.elapsed()
    }
}

/// Sends the queued packets, as the drivers of sockets do.
impl<M: PacketMachine> Drop for TransportDriver<M> {
    fn drop(&mut self) {
        // After a panic the machine may be in an invalid state.
        if !std::thread::panicking() {
            self.flush();
        }
    }
}

impl PacketMachine for server::Server {
    fn handle_event(&mut self, now: Instant, _: u64, event: TransportEvent, packet: &[u8]) {
        match event {
            TransportEvent::Opened(_) => {}
            // A dropped packet does not concern the transport.
            TransportEvent::Packet(peer) => drop(self.handle_packet(now, Endpoint::Other(peer), packet)),
            TransportEvent::Closed(peer) => self.handle_transport_end(now, Endpoint::Other(peer)),
        }
    }

    fn flush(&mut self, now: Instant, _: u64, buffer: &mut Vec<u8>, transport: &mut dyn Transport) {
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

impl PacketMachine for client::Client {
    fn handle_event(&mut self, now: Instant, server: u64, event: TransportEvent, packet: &[u8]) {
        match event {
            TransportEvent::Packet(peer) if peer == server => drop(self.handle_packet(now, packet)),
            TransportEvent::Closed(peer) if peer == server => self.handle_transport_end(),
            TransportEvent::Opened(_) | TransportEvent::Packet(_) | TransportEvent::Closed(_) => {}
        }
    }

    fn flush(&mut self, now: Instant, server: u64, buffer: &mut Vec<u8>, transport: &mut dyn Transport) {
        while self.poll_packet(now, buffer) {
            transport.send(server, buffer);
        }
    }
}
