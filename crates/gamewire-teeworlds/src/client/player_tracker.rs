use gamewire_machine::EventQueue;

use super::Event;
use crate::model::TextBuf;
use crate::model::message::ClientId;
use crate::model::world::Player;
use crate::shared::pack::Text;

/// The players by id, to detect joins, leaves and changes of names. There is at most one player for each id.
#[derive(Debug, Default)]
pub(super) struct PlayerTracker {
    players: Vec<(ClientId, TextBuf)>,
    /// A snapshot was compared before.
    has_snapshot: bool,
}

impl PlayerTracker {
    /// Returns the name of a player.
    pub(super) fn name_of(&self, id: ClientId) -> Option<&TextBuf> {
        self.players.iter().find(|(known, _)| *known == id).map(|(_, name)| name)
    }

    /// Compares the players with the players of the last snapshot (0.6). All players of the first snapshot join
    /// silently.
    pub(super) fn on_snapshot(&mut self, players: &[Player], events: &mut EventQueue<Event>) {
        let silent = !core::mem::replace(&mut self.has_snapshot, true);
        let has_left = |(id, _): &mut (ClientId, TextBuf)| !players.iter().any(|player| player.id == *id);
        for (id, name) in self.players.extract_if(.., has_left) {
            events.push(Event::Left { id, name, reason: None });
        }
        for player in players {
            if self.name_of(player.id).is_none_or(|name| *name != player.name) {
                self.on_join(player.id, player.name.as_text(), silent, events);
            }
        }
    }

    /// Adds a player, or changes its name.
    pub(super) fn on_join(
        &mut self,
        id: ClientId,
        name: Text<'_>,
        silent: bool,
        events: &mut EventQueue<Event>,
    ) {
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

    /// Removes a player.
    pub(super) fn on_leave(&mut self, id: ClientId, reason: Option<TextBuf>, events: &mut EventQueue<Event>) {
        if let Some(at) = self.players.iter().position(|(known, _)| *known == id) {
            let (_, name) = self.players.swap_remove(at);
            events.push(Event::Left { id, name, reason });
        }
    }
}

#[cfg(test)]
mod tests {
    use gamewire_machine::EventLimits;

    use super::*;

    fn player(id: u8, name: &str) -> Player {
        Player { name: name.into(), ..Player::new(ClientId(id)) }
    }

    fn drain(events: &mut EventQueue<Event>) -> Vec<Event> {
        core::iter::from_fn(|| events.pop()).collect()
    }

    #[test]
    fn in_0_6_players_are_found_by_comparing_snapshots() {
        let (mut tracker, mut events) = (PlayerTracker::default(), EventQueue::new(EventLimits::default()));
        tracker.on_snapshot(&[player(0, "anna")], &mut events);
        tracker.on_snapshot(&[player(0, "anna"), player(1, "bert")], &mut events);
        tracker.on_snapshot(&[player(1, "carl")], &mut events);
        tracker.on_snapshot(&[player(1, "carl")], &mut events);
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
    fn in_0_7_messages_add_and_remove_players() {
        let (mut tracker, mut events) = (PlayerTracker::default(), EventQueue::new(EventLimits::default()));
        tracker.on_join(ClientId(3), Text::new("anna"), true, &mut events);
        tracker.on_join(ClientId(3), Text::new("anna"), true, &mut events);
        tracker.on_leave(ClientId(4), None, &mut events);
        tracker.on_leave(ClientId(3), Some("bye".into()), &mut events);
        assert_eq!(
            drain(&mut events),
            [
                Event::Joined { id: ClientId(3), name: "anna".into(), silent: true },
                Event::Left { id: ClientId(3), name: "anna".into(), reason: Some("bye".into()) },
            ]
        );
    }
}
