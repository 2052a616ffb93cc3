use core::time::Duration;
use std::collections::VecDeque;
use std::io;
use std::time::Instant as Monotonic;

use gamewire_machine::{Instant, QueuedEvent};
use gamewire_net::limits::{OVERDUE, RECEIVE_TIME, RECEIVED_PER_TURN};
use gamewire_net::log_event;
use gamewire_riptide::{Endpoint, PacketMachine, client, server};

use super::{Transport, TransportEvent};

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

    /// Handles all events of the transport, for the same limited time as the drivers of sockets.
    pub(super) fn update(&mut self, events: &mut VecDeque<M::Event>) -> io::Result<()> {
        let until = self.now() + RECEIVE_TIME;
        while self.receive()? == RECEIVED_PER_TURN && self.now() < until {
            // The machine's queues are bounded.
            self.flush(events);
        }
        self.flush(events);
        Ok(())
    }

    /// Handles the next events of the transport, and returns their number.
    fn receive(&mut self) -> io::Result<usize> {
        for count in 0..RECEIVED_PER_TURN {
            let Some(event) = self.transport.poll(&mut self.buffer)? else { return Ok(count) };
            self.handle_event(self.now(), event);
        }
        Ok(RECEIVED_PER_TURN)
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

    /// Fires the timer if it is due, sends the queued packets, and takes the machine's events.
    fn flush(&mut self, events: &mut VecDeque<M::Event>) {
        self.send();
        events.extend(core::iter::from_fn(|| self.machine.poll_event()).inspect(log_event::<M>));
    }

    /// Fires the timer if it is due, and sends the queued packets. If the timer is overdue, the waiting packets are read
    /// first, because they may contain the heartbeats of peers that would otherwise time out.
    fn send(&mut self) {
        let until = self.now() + RECEIVE_TIME;
        let is_overdue = |machine: &M, now: Instant| {
            machine.poll_timeout().is_some_and(|wake| now.since(wake.at) > OVERDUE)
        };
        // An error of the transport returns with the next update.
        while is_overdue(&self.machine, self.now())
            && self.now() < until
            && self.receive().is_ok_and(|count| count > 0)
        {}
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
        self.send();
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
            self.send();
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
