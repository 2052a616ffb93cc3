use gamewire_machine::Role;
use std::net::SocketAddr;
use std::num::NonZeroUsize;

use gamewire_machine::ConversationSide;
use lru::LruCache;

use super::key::Key;
use crate::protocol::{Detect, Detection};

/// What is kept in mind at once; beyond that the conversation that was silent for the longest time is
/// forgotten, and counts as a new one should it go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConversationLimits {
    /// Conversations that are followed.
    pub followed: usize,
    /// Bytes that their followers hold together; one of them may always stay.
    pub bytes: usize,
    /// Pairs of addresses whose datagrams nobody recognised; about 300 bytes each.
    pub unknown: NonZeroUsize,
}

impl Default for ConversationLimits {
    fn default() -> Self {
        let unknown = NonZeroUsize::new(65_536).unwrap_or(NonZeroUsize::MIN);
        Self { followed: 65_536, bytes: 1 << 30, unknown }
    }
}

/// The conversations that are in mind.
pub(super) struct Table<F: Detect> {
    limits: ConversationLimits,
    settings: F::Settings,
    followed: LruCache<Key, Conversation<F>>,
    unknown: LruCache<Key, Unknown<F::Detector>>,
    started: u64,
    held: usize,
}

/// A conversation that somebody follows.
pub(super) struct Conversation<F> {
    pub(super) number: u64,
    pub(super) follower: F,
    /// What the follower held when it was last asked.
    held: usize,
    /// The address of [`StreamEnd::First`].
    first: SocketAddr,
    /// Whether the first end has the higher port, as clients mostly do.
    first_looks_like_client: bool,
    /// Nobody has looked at it yet.
    is_new: bool,
}

/// What went by between two addresses without being recognised.
struct Unknown<S> {
    datagrams: u64,
    /// Who sent the first one.
    first: SocketAddr,
    suspicion: S,
}

/// Why there is no conversation for a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookupMiss {
    /// It may turn out to be of one.
    Perhaps,
    /// Nobody recognises it.
    Unknown,
}

impl<F: Detect> Table<F> {
    pub(super) fn new(limits: ConversationLimits, settings: F::Settings) -> Self {
        let unknown = LruCache::sparse(limits.unknown);
        Self { limits, settings, followed: LruCache::unbounded(), unknown, started: 0, held: 0 }
    }

    /// The conversation of a datagram or run of bytes, if anybody recognises it.
    #[inline]
    pub(super) fn find(
        &mut self,
        key: Key,
        from: SocketAddr,
        to: SocketAddr,
        data: &[u8],
    ) -> Result<&mut Conversation<F>, LookupMiss> {
        let Self { settings, followed, unknown, started, .. } = self;
        followed.try_get_or_insert_mut(key, || {
            let (follower, first) = recognise::<F>(settings, unknown, key, from, data)?;
            *started = started.saturating_add(1);
            let other = if first == from { to } else { from };
            let first_looks_like_client = first.port() >= other.port();
            Ok(Conversation {
                number: *started,
                follower,
                held: 0,
                first,
                first_looks_like_client,
                is_new: true,
            })
        })
    }

    /// The conversation between two addresses, if it is followed.
    pub(super) fn get(&mut self, key: Key) -> Option<&mut Conversation<F>> {
        self.followed.get_mut(&key)
    }

    /// Another conversation begins between the same addresses.
    pub(super) fn begin_anew(&mut self, key: Key) -> Option<(u64, F)> {
        self.unknown.pop(&key);
        let old = self.followed.pop(&key)?;
        self.held = self.held.saturating_sub(old.held);
        Some((old.number, old.follower))
    }

    /// Takes note of what a conversation holds more or less than before, and forgets conversations
    /// beyond the limits: `forgotten` is told of each.
    #[inline]
    pub(super) fn evict(&mut self, held: MemoryDelta, mut forgotten: impl FnMut(u64, F)) {
        self.held = self.held.saturating_sub(held.before).saturating_add(held.now);
        while self.followed.len() > 1
            && (self.followed.len() > self.limits.followed || self.held > self.limits.bytes)
            && let Some((_, oldest)) = self.followed.pop_lru()
        {
            self.held = self.held.saturating_sub(oldest.held);
            forgotten(oldest.number, oldest.follower);
        }
    }

    /// The conversations in mind, in no order.
    pub(super) fn followed(&self) -> impl Iterator<Item = &Conversation<F>> {
        self.followed.iter().map(|(_, conversation)| conversation)
    }
}

/// The memory of a follower before and after a datagram, in bytes.
#[derive(Clone, Copy)]
pub(super) struct MemoryDelta {
    before: usize,
    now: usize,
}

/// Asks the protocols about a datagram: early and often, then ever more rarely, since a capture may
/// begin with lost or foreign datagrams.
#[cold]
fn recognise<F: Detect>(
    settings: &F::Settings,
    unknown: &mut LruCache<Key, Unknown<F::Detector>>,
    key: Key,
    from: SocketAddr,
    data: &[u8],
) -> Result<(F, SocketAddr), LookupMiss> {
    let mut fresh = Unknown { datagrams: 0, first: from, suspicion: F::Detector::default() };
    let known = unknown.get_mut(&key);
    let is_known = known.is_some();
    let seen = known.unwrap_or(&mut fresh);
    seen.datagrams = seen.datagrams.saturating_add(1);
    if seen.datagrams > 8 && !seen.datagrams.is_power_of_two() && !F::is_candidate(data) {
        return Err(LookupMiss::Unknown);
    }
    let end = if from == seen.first { ConversationSide::First } else { ConversationSide::Second };
    let verdict = F::recognise(settings, &mut seen.suspicion, key.transport, end, data);
    let first = seen.first;
    let missing = match verdict {
        Detection::Match(follower) => {
            unknown.pop(&key);
            return Ok((follower, first));
        }
        Detection::Possible => LookupMiss::Perhaps,
        Detection::NoMatch => LookupMiss::Unknown,
    };
    if !is_known {
        unknown.put(key, fresh);
    }
    Err(missing)
}

impl<F: Detect> Conversation<F> {
    /// What the follower holds, now that it has seen a datagram more.
    pub(super) fn update_memory_use(&mut self) -> MemoryDelta {
        let before = std::mem::replace(&mut self.held, self.follower.held_bytes());
        MemoryDelta { before, now: self.held }
    }

    /// Whether nobody has asked this before.
    pub(super) const fn is_new(&mut self) -> bool {
        std::mem::replace(&mut self.is_new, false)
    }

    pub(super) fn end(&self, from: SocketAddr) -> ConversationSide {
        if from == self.first { ConversationSide::First } else { ConversationSide::Second }
    }

    pub(super) fn role(&self, end: ConversationSide) -> Role {
        let looks_like_client =
            if self.first_looks_like_client { ConversationSide::First } else { ConversationSide::Second };
        let client = self.follower.client().unwrap_or(looks_like_client);
        if end == client { Role::Client } else { Role::Server }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::protocol::Transport;
    use crate::protocol::toy::TestProtocol;

    fn address(port: u16) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, port).into()
    }

    fn table(followed: usize, bytes: usize, unknown: usize) -> Table<TestProtocol> {
        Table::new(ConversationLimits { followed, bytes, unknown: NonZeroUsize::new(unknown).unwrap() }, ())
    }

    fn find<'t>(
        table: &'t mut Table<TestProtocol>,
        from: SocketAddr,
        to: SocketAddr,
        data: &[u8],
    ) -> Option<&'t mut Conversation<TestProtocol>> {
        table.find(Key::new(Transport::Udp, from, to), from, to, data).ok()
    }

    #[test]
    fn both_directions_are_one_conversation() {
        let mut table = table(10, 1 << 20, 10);
        let there = find(&mut table, address(5000), address(80), b"toy").unwrap();
        assert_eq!((there.number, there.end(address(5000))), (1, ConversationSide::First));
        let back = find(&mut table, address(80), address(5000), b"any").unwrap();
        assert_eq!((back.number, back.end(address(80))), (1, ConversationSide::Second));
        let other = find(&mut table, address(80), address(5001), b"toy").unwrap();
        assert_eq!(other.number, 2);
    }

    #[test]
    fn the_lower_port_is_the_server_until_the_follower_knows_better() {
        let mut table = table(10, 1 << 20, 10);
        let talk = find(&mut table, address(80), address(5000), b"toy").unwrap();
        assert_eq!(
            (talk.role(ConversationSide::First), talk.role(ConversationSide::Second)),
            (Role::Server, Role::Client)
        );
    }

    #[test]
    fn what_nobody_recognises_is_asked_about_ever_more_rarely() {
        let mut table = table(10, 1 << 20, 10);
        for _ in 0..8 {
            assert!(find(&mut table, address(1), address(2), b"?").is_none());
        }
        for _ in 9..16 {
            assert!(find(&mut table, address(1), address(2), b"toy").is_none());
        }
        assert!(find(&mut table, address(1), address(2), b"toy").is_some());
        assert_eq!(table.unknown.len(), 0);
    }

    #[test]
    fn what_tells_by_itself_is_always_asked_about() {
        let mut table = table(10, 1 << 20, 10);
        for _ in 0..20 {
            assert!(find(&mut table, address(1), address(2), b"?").is_none());
        }
        assert!(find(&mut table, address(1), address(2), b"toy").is_none());
        assert!(find(&mut table, address(2), address(1), b"toy!").is_some());
        let talk = find(&mut table, address(2), address(1), b"toy").unwrap();
        assert_eq!(talk.end(address(1)), ConversationSide::First, "who sent the first datagram of all");
    }

    #[test]
    fn another_conversation_between_the_same_ends_has_another_number() {
        let mut table = table(10, 1 << 20, 10);
        let talk = find(&mut table, address(1), address(2), b"toy").unwrap();
        let held = talk.update_memory_use();
        table.evict(held, |_, _| {});
        let old = table.begin_anew(Key::new(Transport::Udp, address(1), address(2)));
        assert_eq!((old.map(|(number, _)| number), table.held), (Some(1), 0));
        assert_eq!(find(&mut table, address(1), address(2), b"toy").unwrap().number, 2);
    }

    /// Lets a thousand conversations begin, and as many that nobody knows.
    fn crowd(table: &mut Table<TestProtocol>) -> Vec<u64> {
        let mut forgotten = Vec::new();
        for port in 1..=1000 {
            find(table, address(port), address(8888), b"?");
            let talk = find(table, address(port), address(9999), b"toy").unwrap();
            let held = talk.update_memory_use();
            table.evict(held, |number, _| forgotten.push(number));
        }
        forgotten
    }

    #[test]
    fn the_table_stays_within_its_limits_and_forgets_the_oldest() {
        let mut table = table(3, usize::MAX, 2);
        assert_eq!(crowd(&mut table), (1..=997).collect::<Vec<_>>());
        assert_eq!((table.followed.len(), table.unknown.len(), table.held), (3, 2, 3000));
    }

    #[test]
    fn followers_hold_no_more_memory_than_allowed() {
        let mut table = table(usize::MAX, 5500, 2);
        assert_eq!(crowd(&mut table).len(), 995);
        assert_eq!(table.held, 5000);
    }
}
