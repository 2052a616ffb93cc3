use std::net::SocketAddr;

use gamewire_machine::{Instant, StreamId};

use crate::clock::Clock;
use crate::queue::GsoBatch;
use crate::socket_error::SocketError;
use crate::{Direction, Stats, Tap, TapPacket};

/// Counts what crosses a driver's sockets and shows it to the tap.
pub(crate) struct Observer {
    pub(crate) clock: Clock,
    pub(crate) local: SocketAddr,
    pub(crate) stats: Stats,
    pub(crate) tap: Option<Box<dyn Tap + Send>>,
}

impl Observer {
    pub(crate) fn new(local: SocketAddr, tap: Option<Box<dyn Tap + Send>>) -> Self {
        Self { clock: Clock::start(), local, stats: Stats::default(), tap }
    }

    pub(crate) fn received(&mut self, now: Instant, peer: SocketAddr, bytes: &[u8]) {
        self.stats.received.add(bytes);
        self.show(now, Direction::Incoming, peer, bytes);
    }

    pub(crate) fn received_batch(&mut self) {
        self.stats.received.batches = self.stats.received.batches.saturating_add(1);
    }

    pub(crate) fn sent(&mut self, now: Instant, run: GsoBatch<'_>) {
        self.stats.sent.batches = self.stats.sent.batches.saturating_add(1);
        for datagram in run.datagrams() {
            self.stats.sent.add(datagram);
            self.show(now, Direction::Outgoing, crate::address::canonical(run.to), datagram);
        }
    }

    pub(crate) const fn rejected(&mut self) {
        self.stats.rejected = self.stats.rejected.saturating_add(1);
    }

    pub(crate) const fn dropped(&mut self) {
        self.stats.dropped = self.stats.dropped.saturating_add(1);
    }

    pub(crate) const fn failed(&mut self, failure: SocketError) {
        self.stats.errors.count(failure);
    }

    fn show(&mut self, now: Instant, direction: Direction, peer: SocketAddr, bytes: &[u8]) {
        let Some(tap) = &mut self.tap else { return };
        let unix_micros = self.clock.unix_micros(now);
        tap.on_datagram(&TapPacket { unix_micros, direction, local: self.local, peer, bytes });
    }

    /// Bytes crossed a stream.
    pub(crate) fn streamed(
        &mut self,
        now: Instant,
        direction: Direction,
        (stream, peer): (StreamId, SocketAddr),
        bytes: &[u8],
    ) {
        self.stats.streams.add(direction, bytes);
        let Some(tap) = &mut self.tap else { return };
        let unix_micros = self.clock.unix_micros(now);
        tap.on_stream_bytes(stream, &TapPacket { unix_micros, direction, local: self.local, peer, bytes });
    }
}
