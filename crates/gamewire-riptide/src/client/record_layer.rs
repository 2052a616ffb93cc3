use gamewire_machine::{Instant, Wake};
use gamewire_records as records;

/// The record layer of a client.
#[derive(Debug)]
pub(super) struct RecordLayer {
    pub(super) session: records::Client,
    /// True if a connect request became due before the end of the handshake.
    pub(super) has_waiting_request: bool,
    /// Buffer for a received packet, or for one to send.
    pub(super) packet: Vec<u8>,
    /// Buffer for a record to send.
    pub(super) record: Vec<u8>,
}

impl RecordLayer {
    /// Returns whether a connect request may be sent now. Otherwise it is sent after the handshake.
    pub(super) const fn may_request(&mut self) -> bool {
        let is_open = self.session.is_open();
        self.has_waiting_request |= !is_open;
        is_open
    }

    pub(super) fn handle_timeout(&mut self, now: Instant) {
        self.session.handle_timeout(now);
    }

    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        self.session.poll_timeout()
    }

    /// Begins a new handshake.
    pub(super) fn restart(&mut self, now: Instant) {
        self.has_waiting_request = false;
        self.session.restart(now);
    }
}
