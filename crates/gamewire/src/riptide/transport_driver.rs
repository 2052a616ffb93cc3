use core::time::Duration;
use std::collections::VecDeque;
use std::io;
use std::time::Instant as Monotonic;

use gamewire_machine::{Instant, QueuedEvent};
use gamewire_net::log_event;
use gamewire_riptide::{Endpoint, PacketMachine, client, server};

use super::{Transport, TransportEvent};

/// Maximum transport events per update. Further ones wait for the next update.
const MAX_EVENTS_PER_UPDATE: usize = 1_024;

/// Maximum time that `wait` sleeps, because a transport cannot wake it.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A machine over a transport with numbered peers. The server of a client has the number `server`.
pub trait TransportMachine: PacketMachine<Event: QueuedEvent> {
    /// Returns the peer with a number, if the machine can have such a peer.
    fn peer(number: u64, server: u64) -> Option<Self::Peer>;

    /// Returns the number of a peer, if it is on the transport.
    fn number(peer: Self::Peer, server: u64) -> Option<u64>;
}

/// A machine over a transport of the application.
pub(super) struct TransportDriver<M: TransportMachine> {
    machine: M,
    server: u64,
    transport: Box<dyn Transport + Send>,
    start: Monotonic,
    buffer: Vec<u8>,
}

impl<M: TransportMachine> TransportDriver<M> {
    /// Creates a driver and starts its clock.
    pub(super) fn new(machine: M, server: u64, transport: Box<dyn Transport + Send>) -> Self {
        Self { machine, server, transport, start: Monotonic::now(), buffer: Vec::new() }
    }

    pub(super) fn update(&mut self, events: &mut VecDeque<M::Event>) -> io::Result<()> {
        let now = self.now();
        for _ in 0..MAX_EVENTS_PER_UPDATE {
            let Some(event) = self.transport.poll(&mut self.buffer)? else { break };
            self.handle_event(now, event);
        }
        self.flush();
        events.extend(core::iter::from_fn(|| self.machine.poll_event()).inspect(log_event::<M>));
        Ok(())
    }

    fn handle_event(&mut self, now: Instant, event: TransportEvent) {
        match event {
            TransportEvent::Opened(_) => {}
            TransportEvent::Packet(number) => {
                if let Some(peer) = M::peer(number, self.server) {
                    // A dropped packet is not an error of the transport.
                    self.machine.handle_packet(now, peer, &self.buffer).ok();
                }
            }
            TransportEvent::Closed(number) => {
                if let Some(peer) = M::peer(number, self.server) {
                    self.machine.handle_transport_end(now, peer);
                }
            }
        }
    }

    /// Fires the timer if it is due, and sends the queued packets.
    fn flush(&mut self) {
        let now = self.now();
        if self.machine.poll_timeout().is_some_and(|wake| wake.at <= now) {
            self.machine.handle_timeout(now);
        }
        while let Some(peer) = self.machine.poll_packet(now, &mut self.buffer) {
            if let Some(number) = M::number(peer, self.server) {
                self.transport.send(number, &self.buffer);
            }
        }
        while let Some(peer) = self.machine.poll_close() {
            if let Some(number) = M::number(peer, self.server) {
                self.transport.close(number);
            }
        }
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
impl<M: TransportMachine> Drop for TransportDriver<M> {
    fn drop(&mut self) {
        // After a panic the machine may be in an invalid state.
        if !std::thread::panicking() {
            self.flush();
        }
    }
}

impl TransportMachine for server::Server {
    fn peer(number: u64, _: u64) -> Option<Endpoint> {
        Some(Endpoint::Other(number))
    }

    fn number(peer: Endpoint, _: u64) -> Option<u64> {
        if let Endpoint::Other(number) = peer { Some(number) } else { None }
    }
}

impl TransportMachine for client::Client {
    fn peer(number: u64, server: u64) -> Option<()> {
        (number == server).then_some(())
    }

    fn number((): (), server: u64) -> Option<u64> {
        Some(server)
    }
}
