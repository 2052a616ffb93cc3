use super::queue::EventQueue;
use super::{Event, TextBuf};
use crate::session::message::ClientId;
use crate::session::world::Player;
use crate::shared::pack::{Sanitize, Text};

/// Who is there, by number: so that comings and goings can be told. No larger than there are
/// numbers for players.
#[derive(Debug, Default)]
pub(super) struct PlayerTracker {
    players: Vec<(ClientId, TextBuf)>,
    /// Whether a snapshot was compared before.
    is_begun: bool,
}

impl PlayerTracker {
    /// The name of a player.
    pub(super) fn name_of(&self, id: ClientId) -> Option<&TextBuf> {
        self.players.iter().find(|(known, _)| *known == id).map(|(_, name)| name)
    }

    /// Tells who came, went or has another name since the last snapshot (0.6). In the first one
    /// everybody was there before.
    pub(super) fn compare(&mut self, seen: &[Player], events: &mut EventQueue) {
        let silent = !core::mem::replace(&mut self.is_begun, true);
        let is_gone = |(id, _): &mut (ClientId, TextBuf)| !seen.iter().any(|player| player.id == *id);
        for (id, name) in self.players.extract_if(.., is_gone) {
            events.push(Event::Left { id, name, reason: None });
        }
        for player in seen {
            if self.name_of(player.id).is_none_or(|name| name.as_bytes() != player.name) {
                self.join(player.id, Text::received(&player.name, Sanitize::Strict), silent, events);
            }
        }
    }

    /// A player is there, or has another name now.
    pub(super) fn join(&mut self, id: ClientId, name: Text<'_>, silent: bool, events: &mut EventQueue) {
        match self.players.iter_mut().find(|(known, _)| *known == id) {
            Some((_, before)) if before.as_bytes() == name.as_bytes() => {}
            Some((_, known)) => {
                let before = core::mem::replace(known, name.into());
                events.push(Event::Renamed { id, before, name: name.into() });
            }
            None => {
                self.players.push((id, name.into()));
                events.push(Event::Joined { id, name: name.into(), silent });
            }
        }
    }

    /// A player is gone.
    pub(super) fn leave(&mut self, id: ClientId, reason: Option<TextBuf>, events: &mut EventQueue) {
        if let Some(at) = self.players.iter().position(|(known, _)| *known == id) {
            let (_, name) = self.players.swap_remove(at);
            events.push(Event::Left { id, name, reason });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::value::Team;

    fn player(id: u8, name: &str) -> Player {
        Player {
            id: ClientId(id),
            local: false,
            name: name.into(),
            clan: Vec::new(),
            country: -1,
            skin: Vec::new(),
            team: Team::RED,
            score: 0,
            latency: 0,
        }
    }

    fn drain(events: &mut EventQueue) -> Vec<Event> {
        core::iter::from_fn(|| events.pop()).collect()
    }

    #[test]
    fn in_0_6_snapshots_are_compared() {
        let (mut attendance, mut events) = (PlayerTracker::default(), EventQueue::default());
        attendance.compare(&[player(0, "anna")], &mut events);
        attendance.compare(&[player(0, "anna"), player(1, "bert")], &mut events);
        attendance.compare(&[player(1, "carl")], &mut events);
        attendance.compare(&[player(1, "carl")], &mut events);
        let (zero, one) = (ClientId(0), ClientId(1));
        assert_eq!(
            drain(&mut events),
            [
                Event::Joined { id: zero, name: "anna".into(), silent: true },
                Event::Joined { id: one, name: "bert".into(), silent: false },
                Event::Left { id: zero, name: "anna".into(), reason: None },
                Event::Renamed { id: one, before: "bert".into(), name: "carl".into() },
            ]
        );
    }

    #[test]
    fn in_0_7_messages_tell_it() {
        let (mut attendance, mut events) = (PlayerTracker::default(), EventQueue::default());
        attendance.join(ClientId(3), Text::new("anna"), true, &mut events);
        attendance.join(ClientId(3), Text::new("anna"), true, &mut events);
        attendance.leave(ClientId(4), None, &mut events);
        attendance.leave(ClientId(3), Some("bye".into()), &mut events);
        assert_eq!(
            drain(&mut events),
            [
                Event::Joined { id: ClientId(3), name: "anna".into(), silent: true },
                Event::Left { id: ClientId(3), name: "anna".into(), reason: Some("bye".into()) },
            ]
        );
    }
}
