use gamewire_machine::Instant;

/// How many heartbeats are remembered: eight seconds of them.
const KEPT: usize = 8;

/// The heartbeats of a client that may still be answered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heartbeats {
    asked: [Option<(u8, Instant)>; KEPT],
    next: usize,
}

/// What an answer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeartbeatMatch {
    /// A heartbeat, so many microseconds before.
    After(u64),
    /// None of those that were seen.
    Unasked,
    /// No heartbeat was seen at all.
    Unknown,
}

impl Heartbeats {
    /// The client asks.
    pub(super) fn on_request(&mut self, ping_id: u8, at: Instant) {
        if let Some(place) = self.asked.get_mut(self.next) {
            *place = Some((ping_id, at));
        }
        self.next = self.next.wrapping_add(1) % KEPT;
    }

    /// The server answers.
    pub(super) fn match_reply(&self, ping_id: u8, at: Instant) -> HeartbeatMatch {
        let mut asked = self.asked.iter().flatten().filter(|(id, _)| *id == ping_id);
        // The Python port gives every heartbeat the same number.
        let latest = asked
            .next()
            .map(|first| asked.fold(first, |one, other| if other.1 > one.1 { other } else { one }));
        match latest {
            Some((_, then)) => HeartbeatMatch::After(at.as_micros().saturating_sub(then.as_micros())),
            None if self.asked.iter().flatten().next().is_some() => HeartbeatMatch::Unasked,
            None => HeartbeatMatch::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_belongs_to_the_latest_heartbeat_of_its_number() {
        let mut heartbeats = Heartbeats::default();
        let at = Instant::from_micros;
        assert_eq!(heartbeats.match_reply(1, at(5)), HeartbeatMatch::Unknown);
        heartbeats.on_request(1, at(1_000_000));
        heartbeats.on_request(1, at(2_000_000));
        assert_eq!(heartbeats.match_reply(1, at(2_000_700)), HeartbeatMatch::After(700));
        assert_eq!(heartbeats.match_reply(2, at(2_000_700)), HeartbeatMatch::Unasked);
        (10..18).for_each(|id| heartbeats.on_request(id, at(3_000_000)));
        assert_eq!(heartbeats.match_reply(1, at(3_000_000)), HeartbeatMatch::Unasked);
    }
}
