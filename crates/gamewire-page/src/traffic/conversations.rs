use std::collections::BTreeMap;

use gamewire_inspect::conversation::PacketInfo;

use super::conversation::Conversation;

/// Maximum number of conversations. A new one replaces the conversation that has been silent for the longest time.
const MAX_CONVERSATIONS: usize = 4_096;
/// Maximum number of conversations that keep a map, or the packets with the file of one.
const MAX_MAPS: usize = 16;
/// Maximum number of conversations that keep snapshots.
const MAX_SNAPSHOTS: usize = 256;

/// The latest conversations of a source, by number.
#[derive(Debug, Default)]
pub(super) struct Conversations {
    all: BTreeMap<u64, Conversation>,
    started: u64,
}

impl Conversations {
    /// Starts a conversation with its first packet. Returns its number.
    pub(super) fn start(&mut self, info: &PacketInfo) -> u64 {
        if self.all.len() >= MAX_CONVERSATIONS
            && let Some(silent) =
                self.all.values().min_by_key(|known| known.times.1).map(|known| known.number)
        {
            self.all.remove(&silent);
        }
        self.started = self.started.saturating_add(1);
        self.all.insert(self.started, Conversation::new(self.started, info));
        self.started
    }

    /// Removes a map, snapshots or the packets of a map if too many conversations keep them. The longest silent conversation loses them.
    pub(super) fn limit_views(&mut self) {
        if let Some(known) = self.silent(MAX_MAPS, |known| known.map.is_some()) {
            known.map = None;
        }
        if let Some(known) = self.silent(MAX_SNAPSHOTS, |known| known.snapshots.is_some()) {
            known.snapshots = None;
        }
        if let Some(known) = self.silent(MAX_MAPS, |known| known.game_map.has_parts()) {
            known.game_map.remove_parts();
        }
    }

    /// Returns the conversation that has been silent for the longest time among those that `has` accepts. Returns
    /// `None` if it accepts at most `limit` conversations.
    fn silent(&mut self, limit: usize, has: impl Fn(&Conversation) -> bool) -> Option<&mut Conversation> {
        let with = || self.all.values().filter(|known| has(known));
        let number = with().nth(limit).and_then(|_| with().min_by_key(|known| known.times.1))?.number;
        self.all.get_mut(&number)
    }

    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut Conversation> {
        self.all.get_mut(&number)
    }

    pub(super) fn get(&self, number: u64) -> Option<&Conversation> {
        self.all.get(&number)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Conversation> {
        self.all.values()
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::tests::info;
    use super::*;

    #[test]
    fn the_most_silent_conversation_gives_way_to_a_new_one() {
        let mut conversations = Conversations::default();
        for _ in 0..MAX_CONVERSATIONS + 2 {
            conversations.start(&info(0));
        }
        assert_eq!(conversations.all().count(), MAX_CONVERSATIONS);
        assert!(conversations.get(1).is_none() && conversations.get(3).is_some());
    }
}
