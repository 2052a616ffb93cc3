use gamewire_machine::{Instant, Wake};

/// The program on one side of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The player's program.
    Client,
    /// The game's server.
    Server,
}

impl Side {
    /// Both sides, the client's first.
    pub const BOTH: [Self; 2] = [Self::Client, Self::Server];

    /// Returns the other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

/// One client's conversation with the server, through the proxy: it takes what either side sent, and returns what
/// each side receives.
///
/// It has no socket and no clock: time and bytes are passed in, bytes polled out. Any call may change what
/// [`poll_transmit`](Self::poll_transmit) returns for both sides, so drain both afterwards.
pub trait Session: Send {
    /// Handles what `from` sent: one datagram, or the next bytes of a stream, cut anywhere.
    fn handle(&mut self, now: Instant, from: Side, bytes: &[u8]);

    /// Handles the end of the stream of `from`. Datagrams have no end.
    fn handle_close(&mut self, now: Instant, from: Side) {
        let _ = (now, from);
    }

    /// Replaces the content of `buffer` with the next datagram for `to`, or with the next bytes of its stream.
    /// Returns whether there was one.
    fn poll_transmit(&mut self, now: Instant, to: Side, buffer: &mut Vec<u8>) -> bool;

    /// Returns the earliest timer.
    fn poll_timeout(&self) -> Option<Wake>;

    /// Fires the timers that are due.
    fn handle_timeout(&mut self, now: Instant);

    /// Returns whether the conversation has ended: neither side will send anything. What
    /// [`poll_transmit`](Self::poll_transmit) still returns is sent before the session is dropped.
    fn is_over(&self) -> bool;
}
