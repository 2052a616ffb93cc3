use core::ops::{Deref, DerefMut};
use std::convert::Infallible;
use std::net::SocketAddr;

use gamewire_machine::{Datagram, Instant, Machine, StreamId, StreamOutput, Streams, Transmit, Wake};

/// Lets a machine that speaks over streams alone be driven by a host, which takes those that speak
/// in datagrams as well. Datagrams are nothing to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct StreamOnly<M>(
    /// The machine.
    pub M,
);

impl<M> Deref for StreamOnly<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.0
    }
}

impl<M> DerefMut for StreamOnly<M> {
    fn deref_mut(&mut self) -> &mut M {
        &mut self.0
    }
}

impl<M: Machine> Machine for StreamOnly<M> {
    type Event = M::Event;

    fn handle_timeout(&mut self, now: Instant) {
        self.0.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.0.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<M::Event> {
        self.0.poll_event()
    }
}

impl<M: Streams> Streams for StreamOnly<M> {
    fn handle_open(&mut self, now: Instant, stream: StreamId, from: SocketAddr) {
        self.0.handle_open(now, stream, from);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        self.0.handle_bytes(now, stream, data);
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.0.handle_close(now, stream);
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.0.poll_stream(now, buffer)
    }
}

impl<M: Streams> Datagram for StreamOnly<M> {
    type DatagramError = Infallible;

    fn handle_datagram(&mut self, _: Instant, _: SocketAddr, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, _: &mut Vec<u8>) -> Option<Transmit> {
        None
    }
}
