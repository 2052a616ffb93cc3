//! The sequence numbers and heartbeats of earlier packets.

use gamewire_machine::Instant;

/// The tracked sequence numbers of one sender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    newest: Option<Newest>,
}

#[derive(Clone, Copy, Debug)]
struct Newest {
    id: u16,
    /// One bit for each of the 64 ids before `id`, set if the id was captured. The lowest bit is the latest id.
    before: u64,
}

/// Result of checking a sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeqCheck {
    /// The next number, the first one, or a missing one.
    New,
    /// Captured before, or so old that the receiver drops it as a duplicate.
    Duplicate,
    /// Numbers before it are missing.
    Gap,
}

impl Sequence {
    /// Checks and records the number of a message.
    pub(super) fn check(&mut self, id: u16) -> SeqCheck {
        let Some(newest) = &mut self.newest else {
            self.newest = Some(Newest { id, before: 0 });
            return SeqCheck::New;
        };
        let diff = id.wrapping_sub(newest.id).cast_signed();
        if let Some(back) = u32::from(diff.unsigned_abs()).checked_sub(1).filter(|_| diff < 0) {
            let bit = 1_u64.checked_shl(back).unwrap_or(0);
            if newest.before & bit != 0 || bit == 0 {
                return SeqCheck::Duplicate;
            }
            newest.before |= bit;
            return SeqCheck::New;
        }
        let Some(back) = u32::from(diff.unsigned_abs()).checked_sub(1) else { return SeqCheck::Duplicate };
        let older = newest.before.checked_shl(back.saturating_add(1)).unwrap_or(0);
        *newest = Newest { id, before: older | 1_u64.checked_shl(back).unwrap_or(0) };
        if back == 0 { SeqCheck::New } else { SeqCheck::Gap }
    }

    /// Returns the captured ids that are remembered, oldest first.
    pub(super) fn captured(self) -> impl Iterator<Item = u16> {
        self.newest.into_iter().flat_map(|Newest { id, before }| {
            let older = (0..64_u16).rev();
            let older =
                older.filter(move |back| before & 1_u64.checked_shl((*back).into()).unwrap_or(0) != 0);
            older.map(move |back| id.wrapping_sub(back).wrapping_sub(1)).chain([id])
        })
    }

    /// Returns whether `id` is newer than all captured ones, or `None` if there are none.
    pub(super) fn is_ahead(&self, id: u16) -> Option<bool> {
        self.newest.map(|newest| id.wrapping_sub(newest.id).cast_signed() > 0)
    }
}

/// Maximum number of remembered heartbeats, which a client sends in eight seconds.
const MAX_HEARTBEATS: usize = 8;

/// The last heartbeats of a client, for matching replies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heartbeats {
    requests: [Option<(u8, Instant)>; MAX_HEARTBEATS],
    next: usize,
}

/// Result of matching a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeartbeatMatch {
    /// Reply to a heartbeat sent this many microseconds before.
    After(u64),
    /// No captured heartbeat matches.
    Unsolicited,
    /// No heartbeat was captured.
    Unknown,
}

impl Heartbeats {
    /// Remembers a heartbeat of the client.
    pub(super) fn on_request(&mut self, ping_id: u8, at: Instant) {
        if let Some(slot) = self.requests.get_mut(self.next) {
            *slot = Some((ping_id, at));
        }
        self.next = self.next.wrapping_add(1) % MAX_HEARTBEATS;
    }

    /// Returns the remembered heartbeats, oldest first, with their times.
    pub(super) fn requests(&self) -> impl Iterator<Item = (u8, Instant)> {
        let (newer, older) = self.requests.split_at(self.next.min(MAX_HEARTBEATS));
        older.iter().chain(newer).flatten().copied()
    }

    /// Matches a reply of the server.
    pub(super) fn match_reply(&self, ping_id: u8, at: Instant) -> HeartbeatMatch {
        let mut requests = self.requests.iter().flatten().filter(|(id, _)| *id == ping_id);
        // The Python port uses the same id for every heartbeat.
        let latest = requests
            .next()
            .map(|first| requests.fold(first, |one, other| if other.1 > one.1 { other } else { one }));
        match latest {
            Some((_, then)) => HeartbeatMatch::After(at.as_micros().saturating_sub(then.as_micros())),
            None if self.requests.iter().flatten().next().is_some() => HeartbeatMatch::Unsolicited,
            None => HeartbeatMatch::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks<const N: usize>(ids: [u16; N]) -> [SeqCheck; N] {
        let mut sequence = Sequence::default();
        ids.map(|id| sequence.check(id))
    }

    #[test]
    fn numbers_wrap_at_65536() {
        assert_eq!(
            checks([65_535, 0, 65_535, 1]),
            [SeqCheck::New, SeqCheck::New, SeqCheck::Duplicate, SeqCheck::New]
        );
    }

    #[test]
    fn a_missing_number_is_new_once() {
        assert_eq!(
            checks([5, 8, 6, 6, 8, 9]),
            [
                SeqCheck::New,
                SeqCheck::Gap,
                SeqCheck::New,
                SeqCheck::Duplicate,
                SeqCheck::Duplicate,
                SeqCheck::New
            ]
        );
    }

    #[test]
    fn old_numbers_are_duplicates_and_a_jump_resets_the_window() {
        assert_eq!(checks([100, 35, 36]), [SeqCheck::New, SeqCheck::Duplicate, SeqCheck::New]);
        assert_eq!(checks([1, 2, 1000, 990]), [SeqCheck::New, SeqCheck::New, SeqCheck::Gap, SeqCheck::New]);
    }

    #[test]
    fn numbers_after_the_newest_are_ahead() {
        let mut sequence = Sequence::default();
        assert_eq!(sequence.is_ahead(1), None);
        sequence.check(65_535);
        assert_eq!(
            [65_535, 0, 65_000].map(|id| sequence.is_ahead(id)),
            [Some(false), Some(true), Some(false)]
        );
    }

    #[test]
    fn a_reply_matches_the_latest_heartbeat_with_its_id() {
        let mut heartbeats = Heartbeats::default();
        let at = Instant::from_micros;
        assert_eq!(heartbeats.match_reply(1, at(5)), HeartbeatMatch::Unknown);
        heartbeats.on_request(1, at(1_000_000));
        heartbeats.on_request(1, at(2_000_000));
        assert_eq!(heartbeats.match_reply(1, at(2_000_700)), HeartbeatMatch::After(700));
        assert_eq!(heartbeats.match_reply(2, at(2_000_700)), HeartbeatMatch::Unsolicited);
        (10..18).for_each(|id| heartbeats.on_request(id, at(3_000_000)));
        assert_eq!(heartbeats.match_reply(1, at(3_000_000)), HeartbeatMatch::Unsolicited);
    }
}
