use core::time::Duration;
use std::net::SocketAddr;
use std::time::{Instant as Monotonic, SystemTime};

use gamewire_machine::{Instant, StreamId};

use crate::log::log;
use crate::stats::increment;
use crate::stream::StreamAddresses;
use crate::{Direction, Stats, Tap, TapPacket};

/// Counts the traffic of a driver's sockets and passes it to the tap.
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
        log!(trace, "received {} bytes from {peer}", bytes.len());
        self.show(now, Direction::Incoming, peer, bytes);
    }

    /// Counts the datagrams of one batch and passes them to the tap.
    pub(crate) fn sent<'a>(&mut self, now: Instant, datagrams: impl Iterator<Item = (SocketAddr, &'a [u8])>) {
        increment(&mut self.stats.sent.batches);
        for (to, datagram) in datagrams {
            let peer = crate::address::canonical(to);
            self.stats.sent.add(datagram);
            log!(trace, "sent {} bytes to {peer}", datagram.len());
            self.show(now, Direction::Outgoing, peer, datagram);
        }
    }

    fn show(&mut self, now: Instant, direction: Direction, peer: SocketAddr, bytes: &[u8]) {
        let Some(tap) = &mut self.tap else { return };
        let unix_micros = self.clock.unix_micros(now);
        tap.on_datagram(&TapPacket { unix_micros, direction, local: self.local, peer, bytes });
    }

    /// Counts bytes of a stream and passes them to the tap.
    pub(crate) fn streamed(
        &mut self,
        now: Instant,
        direction: Direction,
        (stream, addresses): (StreamId, StreamAddresses),
        bytes: &[u8],
    ) {
        self.stats.streams.add(direction, bytes);
        let Some(tap) = &mut self.tap else { return };
        let unix_micros = self.clock.unix_micros(now);
        let StreamAddresses { local, peer } = addresses;
        tap.on_stream_bytes(stream, &TapPacket { unix_micros, direction, local, peer, bytes });
    }
}

/// The time since a driver was created, and the wall clock at its creation. The wall clock is read only once, so that
/// later changes of it have no effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Monotonic,
    wall: Duration,
}

impl Clock {
    pub(crate) fn start() -> Self {
        let wall = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self { start: Monotonic::now(), wall }
    }

    pub(crate) fn now(&self) -> Instant {
        Instant::ZERO + self.start.elapsed()
    }

    /// Returns `at` in microseconds since 1970.
    pub(crate) fn unix_micros(&self, at: Instant) -> u64 {
        (Instant::ZERO + self.wall.saturating_add(at.since(Instant::ZERO))).as_micros()
    }

    /// Returns `at` on the system's clock, or `None` if it is beyond the range of that clock.
    pub(crate) fn monotonic(&self, at: Instant) -> Option<Monotonic> {
        self.start.checked_add(at.since(Instant::ZERO))
    }
}
