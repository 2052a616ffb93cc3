use super::DeliveryOutcome;
use super::receive_window::seq_diff;

/// Number of ids before the last one that an ack names.
const ACK_BITFIELD_BITS: u16 = 8;
/// Number of ids that an ack names.
const NAMED_IDS: u32 = 9;
/// Maximum number of messages between the last id of an ack and the newest one.
const MAX_BEHIND: u32 = 63;
/// Maximum unacknowledged messages. With one more, the delivery of the oldest one remains unknown.
///
/// The C# library has no limit: its ids wrap after 32768 messages without an ack, and it reports nothing for a while.
const MAX_UNACKED: u16 = 1024;

/// The sender of notify messages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NotifySent {
    /// Id of the last message.
    pub(super) last: u16,
    /// Id of the last message with a result.
    pub(super) resolved: u16,
}

impl NotifySent {
    /// Returns the id for a new message, and the id of a message that remains unknown because there are too many.
    pub(super) const fn send(&mut self) -> (u16, Option<u16>) {
        self.last = self.last.wrapping_add(1);
        if self.last.wrapping_sub(self.resolved) <= MAX_UNACKED {
            return (self.last, None);
        }
        self.resolved = self.resolved.wrapping_add(1);
        (self.last, Some(self.resolved))
    }

    /// Returns whether a message with this id was sent.
    pub(super) fn is_sent(&self, id: u16) -> bool {
        seq_diff(id, self.last) <= 0
    }

    /// Returns the next result of an ack, oldest message first. Call it until it returns `None`.
    ///
    /// A message that the ack does not name is lost, because the peer drops messages that are older than its last one.
    pub(super) fn resolve(
        &mut self,
        remote_last: u16,
        remote_received: u8,
    ) -> Option<(u16, DeliveryOutcome)> {
        let open = u16::try_from(seq_diff(remote_last, self.resolved)).ok().filter(|open| *open > 0)?;
        self.resolved = self.resolved.wrapping_add(1);
        let back = open.saturating_sub(1);
        let verdict = match back {
            0 => DeliveryOutcome::NotifyDelivered,
            1..=ACK_BITFIELD_BITS => {
                let bit = 1_u8.wrapping_shl(back.saturating_sub(1).into());
                if remote_received & bit == 0 {
                    DeliveryOutcome::NotifyLost
                } else {
                    DeliveryOutcome::NotifyDelivered
                }
            }
            _ => DeliveryOutcome::NotifyUnknown,
        };
        Some((self.resolved, verdict))
    }
}

/// The receiver of notify messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotifyReceived {
    /// Id of the newest message.
    newest: u16,
    /// The newest message and the 127 before it, the newest one in the lowest bit; a bit is set if the message arrived.
    arrived: u128,
    /// Last id of the previous ack.
    reported: u16,
}

impl Default for NotifyReceived {
    /// No message has arrived. Like the C# library, the receiver counts an imaginary message before the first as received.
    fn default() -> Self {
        Self::after(0)
    }
}

impl NotifyReceived {
    /// Creates a receiver in which the newest message has this id.
    pub(super) const fn after(newest: u16) -> Self {
        Self { newest, arrived: 1, reported: newest }
    }

    /// Returns whether a message is newer than all before it. The C# library drops a message after more than 1024 lost
    /// ones; this one does not.
    pub(super) fn check(&mut self, id: u16) -> bool {
        let gap = seq_diff(id, self.newest);
        let Some(gap) = u32::try_from(gap).ok().filter(|gap| *gap > 0) else { return false };
        self.arrived = self.arrived.checked_shl(gap).unwrap_or(0) | 1;
        self.newest = id;
        true
    }

    /// Returns the last id and the bit field of the next ack: bit k is the message k + 1 before that id.
    ///
    /// An ack names nine ids, and the C# library counts earlier ones as lost. After a larger batch of messages, the
    /// last id therefore advances by at most nine per ack, unless the next nine are all lost, or the id would be 64
    /// messages late.
    pub(super) fn ack(&mut self) -> (u16, u8) {
        let behind = u32::from(self.newest.wrapping_sub(self.reported)).min(MAX_BEHIND);
        let unreported = self.arrived & 1_u128.wrapping_shl(behind).wrapping_sub(1);
        let skipped = behind.saturating_sub(NAMED_IDS);
        let named = unreported >> skipped;
        let back = match named {
            // The oldest unreported message, or the newest message if all were reported.
            0 => unreported.checked_ilog2().unwrap_or(0),
            _ => skipped.saturating_add(named.trailing_zeros()),
        };
        self.reported = self.newest.wrapping_sub(u16::try_from(back).unwrap_or(0));
        let [field, ..] = self.arrived.checked_shr(back.saturating_add(1)).unwrap_or(0).to_le_bytes();
        (self.reported, field)
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    fn resolved(sent: &mut NotifySent, last: u16, field: u8) -> Vec<(u16, DeliveryOutcome)> {
        core::iter::from_fn(|| sent.resolve(last, field)).collect()
    }

    #[test]
    fn only_newer_messages_are_accepted_and_the_ack_field_marks_earlier_ones() {
        let mut received = NotifyReceived::after(65_534);
        let taken = [65_535, 2, 1, 2, 3].map(|id| received.check(id));
        assert_eq!(taken, [true, true, false, false, true]);
        // Messages 2, 65535 and 65534. The last one is the imaginary message before the first.
        assert_eq!(received.ack(), (3, 0b1_1001));
        assert!(received.check(20));
        assert_eq!(received.ack(), (20, 0), "the next nine are lost, so that nothing is skipped");
        assert_eq!(received.ack(), (20, 0));
    }

    #[test]
    fn after_a_batch_each_ack_names_the_next_nine_messages() {
        let mut received = NotifyReceived::default();
        (1..=23).filter(|id| *id != 18).for_each(|id| assert!(received.check(id)));
        let acks: Vec<_> = (0..4).map(|_| received.ack()).collect();
        assert_eq!(acks, [(9, 0xff), (17, 0xff), (23, 0b1110_1111), (23, 0b1110_1111)]);
    }

    #[test]
    fn an_ack_is_at_most_63_messages_behind() {
        let mut received = NotifyReceived::default();
        let behind = (1..=1_000_u16).map(|id| {
            (0..15).for_each(|step| assert!(received.check((id - 1) * 15 + step + 1)));
            id * 15 - received.ack().0
        });
        assert_eq!(behind.max(), Some(63 - 9));
    }

    #[test]
    fn verdicts_are_oldest_first_and_unknown_beyond_the_field() {
        let mut sent = NotifySent { last: 12, resolved: 0 };
        let verdicts = resolved(&mut sent, 11, 0b1000_0001);
        let expected = (1..=11).map(|id| match id {
            1 | 2 => (id, DeliveryOutcome::NotifyUnknown),
            3 | 10 | 11 => (id, DeliveryOutcome::NotifyDelivered),
            _ => (id, DeliveryOutcome::NotifyLost),
        });
        assert_eq!(verdicts, expected.collect::<Vec<_>>());
        assert_eq!(resolved(&mut sent, 11, 0xff), []);
        assert_eq!(resolved(&mut sent, 5, 0xff), []);
        assert_eq!(resolved(&mut sent, 12, 0), [(12, DeliveryOutcome::NotifyDelivered)]);
    }

    #[test]
    fn without_acks_the_oldest_are_reported_lost_one_by_one() {
        let mut sent = NotifySent { last: 65_000, resolved: 65_000 };
        let given_up: Vec<_> = (0..1030).filter_map(|_| sent.send().1).collect();
        assert_eq!(given_up, (65_001..65_007).collect::<Vec<_>>());
        assert!(sent.is_sent(sent.last) && !sent.is_sent(sent.last.wrapping_add(1)));
    }
}
