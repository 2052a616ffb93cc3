use core::error::Error;
use std::net::SocketAddr;

use crate::{Instant, LogLine, StreamId, StreamOutput};

/// The time at which a machine must be woken, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// The time at which [`Machine::handle_timeout`] is due.
    pub at: Instant,
    /// The timer, by its name in the protocol. It identifies the cause of a busy loop.
    pub reason: &'static str,
}

impl Wake {
    /// Returns the earliest timer; the first one, if several are due at the same time.
    pub fn earliest(timers: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        timers.into_iter().flatten().min_by_key(|wake| wake.at)
    }
}

/// The destination of a datagram that a machine has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit {
    /// The receiver.
    pub to: SocketAddr,
}

/// A role of a protocol without I/O: the caller passes in time and bytes, and polls bytes and events.
///
/// Every machine has time and events. It implements the methods of the transports that its protocol uses: datagrams,
/// streams, or both. The provided methods of the other transport ignore everything and send nothing.
///
/// Any order of calls is legal. Commands (connect, send, accept) are inherent methods of each machine, named in the
/// terms of its protocol. Any call may change the results of all `poll_` methods, so drain them afterwards with
/// [`pump`](crate::pump).
///
/// A stream begins with [`handle_open`](Self::handle_open). It ends with [`handle_close`](Self::handle_close) or
/// [`StreamOutput::Close`], whichever is earlier. A server can have any number of streams. A client has only the stream
/// that its driver opened. Machines and drivers ignore unknown streams.
pub trait Machine {
    /// An event for the application.
    type Event;
    /// The reason why a datagram was rejected. [`Infallible`](core::convert::Infallible) for a machine without
    /// datagrams.
    type DatagramError: Error;

    /// Advances the machine's clock and fires the timers that are due. `now` is the current time, not the deadline of
    /// the timer. Afterwards [`poll_timeout`](Self::poll_timeout) is later than `now`.
    fn handle_timeout(&mut self, now: Instant);

    /// Returns the earliest timer.
    fn poll_timeout(&self) -> Option<Wake>;

    /// Returns the next event. Each peer has exactly one last event, with the reason for its close.
    fn poll_event(&mut self) -> Option<Self::Event>;

    /// Returns the log line of an event if a connection began or ended, or if events were lost. Most events have none.
    fn log_line(event: &Self::Event) -> Option<LogLine> {
        let _ = event;
        None
    }

    /// Handles a datagram from a peer.
    ///
    /// # Errors
    /// The datagram was dropped. The machine's state is unchanged.
    fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        data: &[u8],
    ) -> Result<(), Self::DatagramError> {
        let _ = (now, from, data);
        Ok(())
    }

    /// Replaces the content of `buffer` with the next datagram to send.
    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let _ = (now, buffer);
        None
    }

    /// Passes all datagrams of [`poll_transmit`](Self::poll_transmit) to `send`. A machine that need not copy them into
    /// `buffer` overrides this method.
    fn poll_transmits(&mut self, now: Instant, buffer: &mut Vec<u8>, mut send: impl FnMut(Transmit, &[u8]))
    where
        Self: Sized,
    {
        while let Some(transmit) = self.poll_transmit(now, buffer) {
            send(transmit, buffer);
        }
    }

    /// Handles a new stream with `peer`, which either side opened. A server may reject a stream by closing it.
    fn handle_open(&mut self, now: Instant, stream: StreamId, peer: SocketAddr) {
        let _ = (now, stream, peer);
    }

    /// Handles the next bytes of a stream. They may be cut anywhere, and are never empty.
    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        let _ = (now, stream, data);
    }

    /// Handles the end of a stream in both directions: the peer ended or reset it, or the driver closed it because the
    /// peer read too slowly.
    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        let _ = (now, stream);
    }

    /// Returns the next operation on a stream. Bytes to write are appended to `buffer`.
    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        let _ = (now, buffer);
        None
    }
}
