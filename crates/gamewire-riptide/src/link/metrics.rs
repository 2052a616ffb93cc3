use super::{NotifyWindow, RollingSends};

/// Counters of a connection (`ConnectionMetrics`). Bytes count whole packets, without headers of the transport. Acks
/// and heartbeats count as unreliable; Welcome, ClientConnected and ClientDisconnected as reliable.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    /// Bytes of unreliable packets received.
    pub unreliable_bytes_in: u64,
    /// Bytes of unreliable packets sent.
    pub unreliable_bytes_out: u64,
    /// Unreliable packets received.
    pub unreliable_in: u64,
    /// Unreliable packets sent.
    pub unreliable_out: u64,
    /// Bytes of notify messages received, including late ones and duplicates.
    pub notify_bytes_in: u64,
    /// Bytes of notify messages sent.
    pub notify_bytes_out: u64,
    /// Notify messages received, including late ones and duplicates.
    pub notify_in: u64,
    /// Notify messages sent.
    pub notify_out: u64,
    /// Notify messages dropped as late or duplicates.
    pub notify_discarded: u64,
    /// Notify messages lost.
    pub notify_lost: u64,
    /// Notify messages delivered.
    pub notify_delivered: u64,
    /// Notify messages without a known delivery outcome. Not in the C# library.
    pub notify_unknown: u64,
    /// Bytes of reliable messages received, including duplicates.
    pub reliable_bytes_in: u64,
    /// Bytes of reliable messages sent, each attempt.
    pub reliable_bytes_out: u64,
    /// Reliable messages received, including duplicates.
    pub reliable_in: u64,
    /// Reliable messages sent, each attempt.
    pub reliable_out: u64,
    /// Reliable messages dropped as duplicates.
    pub reliable_discarded: u64,
    /// Reliable messages sent, each counted once.
    pub reliable_uniques: u64,
    /// Acks of reliable or notify messages that were ignored because they name an unsent id. Not in the C# library.
    pub acks_ignored: u64,
    /// Attempts of the last 64 reliable messages. [`Metrics::reset`] keeps them.
    pub rolling_reliable_sends: RollingSends,
    /// Results of the last 64 notify messages. [`Metrics::reset`] keeps them.
    pub rolling_notify: NotifyWindow,
}

impl Metrics {
    /// Returns the bytes of all packets received (`BytesIn`).
    pub const fn bytes_in(&self) -> u64 {
        self.unreliable_bytes_in.saturating_add(self.notify_bytes_in).saturating_add(self.reliable_bytes_in)
    }

    /// Returns the bytes of all packets sent (`BytesOut`).
    pub const fn bytes_out(&self) -> u64 {
        self.unreliable_bytes_out
            .saturating_add(self.notify_bytes_out)
            .saturating_add(self.reliable_bytes_out)
    }

    /// Returns the number of packets received (`MessagesIn`).
    pub const fn messages_in(&self) -> u64 {
        self.unreliable_in.saturating_add(self.notify_in).saturating_add(self.reliable_in)
    }

    /// Returns the number of packets sent (`MessagesOut`).
    pub const fn messages_out(&self) -> u64 {
        self.unreliable_out.saturating_add(self.notify_out).saturating_add(self.reliable_out)
    }

    /// Sets everything to 0 except the two windows, which the quality limits use.
    pub fn reset(&mut self) {
        let Self { rolling_reliable_sends, rolling_notify, .. } = core::mem::take(self);
        *self = Self { rolling_reliable_sends, rolling_notify, ..Self::default() };
    }

    /// Adds the counters of another connection. The windows stay as they are.
    pub const fn add_counters(&mut self, other: &Self) {
        macro_rules! add {
            ($($counter:ident),* $(,)?) => {
                let Self { $($counter,)* rolling_reliable_sends: _, rolling_notify: _ } = other;
                $(self.$counter = self.$counter.saturating_add(*$counter);)*
            };
        }
        add!(
            unreliable_bytes_in,
            unreliable_bytes_out,
            unreliable_in,
            unreliable_out,
            notify_bytes_in,
            notify_bytes_out,
            notify_in,
            notify_out,
            notify_discarded,
            notify_lost,
            notify_delivered,
            notify_unknown,
            reliable_bytes_in,
            reliable_bytes_out,
            reliable_in,
            reliable_out,
            reliable_discarded,
            reliable_uniques,
            acks_ignored,
        );
    }

    pub(crate) const fn received_unreliable(&mut self, bytes: usize) {
        count(&mut self.unreliable_in, &mut self.unreliable_bytes_in, bytes);
    }

    pub(crate) const fn sent_unreliable(&mut self, bytes: usize) {
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

/// Counts one packet. 64-bit counters do not overflow in practice.
#[inline]
const fn count(packets: &mut u64, bytes: &mut u64, length: usize) {
    one_more(packets);
    *bytes = bytes.wrapping_add(length as u64);
}

/// Adds one.
#[inline]
pub(super) const fn one_more(count: &mut u64) {
    *count = count.wrapping_add(1);
}
