use super::{NotifyWindow, RollingSends};

/// What a connection has counted, as the original's `ConnectionMetrics` does. Bytes are those of
/// whole packets, without what a transport puts around them. Acks, heartbeats and the like count
/// as unreliable; Welcome, ClientConnected and ClientDisconnected as reliable.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    /// Bytes of unreliable packets that arrived.
    pub unreliable_bytes_in: u64,
    /// Bytes of unreliable packets that were sent.
    pub unreliable_bytes_out: u64,
    /// Unreliable packets that arrived.
    pub unreliable_in: u64,
    /// Unreliable packets that were sent.
    pub unreliable_out: u64,
    /// Bytes of notify messages that arrived, late ones and duplicates too.
    pub notify_bytes_in: u64,
    /// Bytes of notify messages that were sent.
    pub notify_bytes_out: u64,
    /// Notify messages that arrived, late ones and duplicates too.
    pub notify_in: u64,
    /// Notify messages that were sent.
    pub notify_out: u64,
    /// Notify messages that arrived late or twice and were dropped.
    pub notify_discarded: u64,
    /// Notify messages that are known to be lost.
    pub notify_lost: u64,
    /// Notify messages that are known to have arrived.
    pub notify_delivered: u64,
    /// Notify messages of which nothing will ever be known. The original has no such number.
    pub notify_unknown: u64,
    /// Bytes of reliable messages that arrived, duplicates too.
    pub reliable_bytes_in: u64,
    /// Bytes of reliable messages that were sent, each time.
    pub reliable_bytes_out: u64,
    /// Reliable messages that arrived, duplicates too.
    pub reliable_in: u64,
    /// Reliable messages that were sent, each time.
    pub reliable_out: u64,
    /// Reliable messages that arrived again and were dropped.
    pub reliable_discarded: u64,
    /// Reliable messages that were handed over to be sent, each counted once.
    pub reliable_uniques: u64,
    /// Acknowledgements, of reliable or notify messages, that were ignored since they speak of
    /// what was never sent. The original has no such number.
    pub acks_ignored: u64,
    /// How often the last 64 reliable messages were sent. Not touched by [`Metrics::reset`].
    pub rolling_reliable_sends: RollingSends,
    /// What became of the last 64 notify messages. Not touched by [`Metrics::reset`].
    pub rolling_notify: NotifyWindow,
}

impl Metrics {
    /// Bytes of everything that arrived (`BytesIn`).
    #[must_use]
    pub const fn bytes_in(&self) -> u64 {
        self.unreliable_bytes_in.saturating_add(self.notify_bytes_in).saturating_add(self.reliable_bytes_in)
    }

    /// Bytes of everything that was sent (`BytesOut`).
    #[must_use]
    pub const fn bytes_out(&self) -> u64 {
        self.unreliable_bytes_out
            .saturating_add(self.notify_bytes_out)
            .saturating_add(self.reliable_bytes_out)
    }

    /// Packets that arrived (`MessagesIn`).
    #[must_use]
    pub const fn messages_in(&self) -> u64 {
        self.unreliable_in.saturating_add(self.notify_in).saturating_add(self.reliable_in)
    }

    /// Packets that were sent (`MessagesOut`).
    #[must_use]
    pub const fn messages_out(&self) -> u64 {
        self.unreliable_out.saturating_add(self.notify_out).saturating_add(self.reliable_out)
    }

    /// Sets everything to 0 but the two windows, by which the rules of quality go.
    pub fn reset(&mut self) {
        let Self { rolling_reliable_sends, rolling_notify, .. } = core::mem::take(self);
        *self = Self { rolling_reliable_sends, rolling_notify, ..Self::default() };
    }

    pub(super) const fn received_unreliable(&mut self, bytes: usize) {
        count(&mut self.unreliable_in, &mut self.unreliable_bytes_in, bytes);
    }

    pub(super) const fn sent_unreliable(&mut self, bytes: usize) {
        count(&mut self.unreliable_out, &mut self.unreliable_bytes_out, bytes);
    }

    pub(super) const fn received_notify(&mut self, bytes: usize) {
        count(&mut self.notify_in, &mut self.notify_bytes_in, bytes);
    }

    pub(super) const fn sent_notify(&mut self, bytes: usize) {
        count(&mut self.notify_out, &mut self.notify_bytes_out, bytes);
    }

    pub(super) const fn received_reliable(&mut self, bytes: usize) {
        count(&mut self.reliable_in, &mut self.reliable_bytes_in, bytes);
    }

    pub(super) const fn sent_reliable(&mut self, bytes: usize) {
        count(&mut self.reliable_out, &mut self.reliable_bytes_out, bytes);
    }
}

/// Counts one packet. 64 bits are enough for ever.
#[inline]
const fn count(packets: &mut u64, bytes: &mut u64, length: usize) {
    one_more(packets);
    *bytes = bytes.wrapping_add(length as u64);
}

/// Counts one thing.
#[inline]
pub(super) const fn one_more(count: &mut u64) {
    *count = count.wrapping_add(1);
}
