use gamewire_machine::{Instant, Role, Wake};

/// The conversation of one client with the server through the proxy. A bridge takes bytes from either side, and
/// returns the bytes to send to each side. A side is the [`Role`] of its program.
///
/// A bridge has no socket and no clock: the caller passes in time and bytes, and polls the output. Any call may
/// change what [`poll_transmit`](Self::poll_transmit) returns for both sides, so drain both after each call.
pub trait Bridge: Send {
    /// Handles bytes from `from`: one datagram, or the next bytes of a stream, split at any position.
    fn handle(&mut self, now: Instant, from: Role, bytes: &[u8]);

    /// Handles the end of the stream of `from`. Datagrams have no end.
    fn handle_close(&mut self, now: Instant, from: Role) {
        let _ = (now, from);
    }

    /// Replaces the content of `buffer` with the next datagram for `to`, or the next bytes of its stream. Returns
    /// false if there is nothing to send.
    fn poll_transmit(&mut self, now: Instant, to: Role, buffer: &mut Vec<u8>) -> bool;

    /// Returns the next timer.
    fn poll_timeout(&self) -> Option<Wake>;

    /// Fires the timers that are due.
    fn handle_timeout(&mut self, now: Instant);

    /// Returns whether the conversation has ended. An ended bridge ignores all input and has no timer. The caller
    /// sends the remaining output of [`poll_transmit`](Self::poll_transmit) before it drops the bridge.
    fn is_over(&self) -> bool;
}
