use super::DeliveryOutcome;
use super::receive_window::seq_diff;

/// Number of ids before the last one that an ack names.
const ACK_BITFIELD_BITS: u16 = 8;
/// Maximum unacknowledged messages. With one more the oldest one remains unknown.
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
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NotifyReceived {
    /// Id of the newest message.
    pub(super) last: u16,
    /// The 8 messages before it that arrived, the latest one in the lowest bit.
    pub(super) field: u8,
}

impl NotifyReceived {
    /// Returns whether a message is newer than all before it. The C# library drops a message after more than 1024 lost
    /// ones; this one does not.
    pub(super) fn check(&mut self, id: u16) -> bool {
        let gap = seq_diff(id, self.last);
        let Some(back) = u32::try_from(gap).ok().and_then(|gap| gap.checked_sub(1)) else { return false };
        // The previous last id is `gap` before the new one.
        let shifted = self.field.checked_shl(back.saturating_add(1)).unwrap_or(0);
        self.field = shifted | 1_u8.checked_shl(back).unwrap_or(0);
        self.last = id;
        true
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
        let mut received = NotifyReceived { last: 65_534, field: 0 };
        let taken = [65_535, 2, 1, 2, 3, 20].map(|id| received.check(id));
        assert_eq!(taken, [true, true, false, false, true, true]);
        assert_eq!((received.last, received.field), (20, 0));
        received = NotifyReceived { last: 65_534, field: 0 };
        [65_535, 2, 3].into_iter().for_each(|id| assert!(received.check(id)));
        // 2, then 65535 and 65534 (the latter as what was before the first).
        assert_eq!((received.last, received.field), (3, 0b1_1001));
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
