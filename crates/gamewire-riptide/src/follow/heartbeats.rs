use gamewire_machine::Instant;

/// Maximum number of remembered heartbeats, which are eight seconds.
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
