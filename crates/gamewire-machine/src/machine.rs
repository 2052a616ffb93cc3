use core::error::Error;
use std::net::SocketAddr;

use crate::Instant;

/// When a machine wants to be woken, and for what: a busy loop explains itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// The time at which [`Machine::handle_timeout`] is due.
    pub at: Instant,
    /// The timer that asked, in the protocol's own words.
    pub reason: &'static str,
}

impl Wake {
    /// Returns the earliest of some timers, the first one of those that are due at the same time.
    #[must_use]
    pub fn earliest(timers: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        timers.into_iter().flatten().min_by_key(|wake| wake.at)
    }
}

/// A role in a protocol, without I/O.
///
/// Any order of calls is legal. Commands (connect, send, accept) are inherent methods of each
/// machine in its protocol's words; after any call the answers of all `poll_` methods may have
/// changed, so drain them: [`pump`](crate::pump) does.
pub trait Machine {
    /// What happened, for the application.
    type Event;

    /// Time has passed. `now` is the current time, not the deadline that fired; afterwards
    /// [`Machine::poll_timeout`] is later than `now`.
    fn handle_timeout(&mut self, now: Instant);

    /// The next time at which something is to be done by itself.
    fn poll_timeout(&self) -> Option<Wake>;

    /// The next event. A peer's last event is exactly one that says why it is gone.
    fn poll_event(&mut self) -> Option<Self::Event>;
}

/// Where a datagram that a machine has written goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit {
    /// The receiver.
    pub to: SocketAddr,
}

/// A machine that speaks in datagrams with any number of peers.
pub trait Datagram: Machine {
    /// Why a datagram was not taken.
    type DatagramError: Error;

    /// A datagram arrived.
    ///
    /// # Errors
    /// The datagram was dropped and the machine is as if it had never come.
    fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        data: &[u8],
    ) -> Result<(), Self::DatagramError>;

    /// The next datagram to send: it replaces what is in `buffer`.
    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit>;

    /// Hands over all datagrams to send, which [`Datagram::poll_transmit`] gives one by one. A machine
    /// that need not copy them into `buffer` for it does so here.
    fn poll_transmits(&mut self, now: Instant, buffer: &mut Vec<u8>, mut send: impl FnMut(Transmit, &[u8]))
    where
        Self: Sized,
    {
        while let Some(transmit) = self.poll_transmit(now, buffer) {
            send(transmit, buffer);
        }
    }
}

/// A machine that speaks over one stream of bytes with one peer.
pub trait Stream: Machine {
    /// Why the stream cannot go on.
    type Error: Error;

    /// Bytes arrived, cut anywhere.
    ///
    /// # Errors
    /// The machine is closed; its last event says so too.
    fn handle_bytes(&mut self, now: Instant, data: &[u8]) -> Result<(), Self::Error>;

    /// The peer will send no more.
    fn handle_eof(&mut self, now: Instant);

    /// Appends bytes to send to `buffer`; whether there were any.
    fn poll_write(&mut self, now: Instant, buffer: &mut Vec<u8>) -> bool;
}
