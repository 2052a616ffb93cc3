use std::net::SocketAddr;
use std::num::NonZeroUsize;

use gamewire_machine::ConversationSide;
use gamewire_machine::Role;
use lru::LruCache;

use super::packet::{Key, PacketContext};
use crate::protocol::{Detect, Detection};

/// Limits of the conversation table. Beyond them the least recently active conversation is evicted, and counts as
/// a new one if it continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConversationLimits {
    /// Maximum number of followed conversations.
    pub followed: usize,
    /// Maximum memory of all followers together, in bytes. One conversation is always kept.
    pub bytes: usize,
    /// Maximum number of address pairs with unrecognized datagrams; about 300 bytes each.
    pub unknown: NonZeroUsize,
}

impl Default for ConversationLimits {
    fn default() -> Self {
        let unknown = NonZeroUsize::new(65_536).unwrap_or(NonZeroUsize::MIN);
        Self { followed: 65_536, bytes: 1 << 30, unknown }
    }
}

/// The followed conversations, and the unrecognized address pairs.
pub(super) struct Table<F: Detect> {
    limits: ConversationLimits,
    config: F::Config,
    followed: LruCache<Key, Conversation<F>>,
    unknown: LruCache<Key, Unknown<F::Detector>>,
    started: u64,
    held: usize,
}

/// A followed conversation.
pub(super) struct Conversation<F> {
    pub(super) number: u64,
    /// Number of the frame that showed its protocol.
    pub(super) recognized: u64,
    pub(super) follower: F,
    /// The follower's memory at the last update, in bytes.
    held: usize,
    /// The address of [`ConversationSide::First`].
    first: SocketAddr,
    /// True if the first side has the higher port, as most clients have.
    first_looks_like_client: bool,
    /// True until [`Conversation::take_is_new`] is called.
    is_new: bool,
    /// True after a packet that was on the wire. The state at the start of a later file is then known.
    pub(super) is_live: bool,
    /// The follower's counters that packets of state caused.
    uncounted: Vec<(&'static str, u64)>,
}

/// Two addresses with unrecognized datagrams.
struct Unknown<S> {
    datagrams: u64,
    /// Address of the first sender.
    first: SocketAddr,
    detector: S,
}

/// The reason why a datagram has no conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookupMiss {
    /// A later datagram may show that it belongs to a conversation.
    Possible,
    /// Its protocol is unknown.
    Unknown,
}

impl<F: Detect> Table<F> {
    pub(super) fn new(limits: ConversationLimits, config: F::Config) -> Self {
        let unknown = LruCache::sparse(limits.unknown);
        Self { limits, config, followed: LruCache::unbounded(), unknown, started: 0, held: 0 }
    }

    /// Returns the conversation of a datagram or run of bytes, if its protocol is recognized.
    pub(super) fn find(
        &mut self,
        context: PacketContext,
        data: &[u8],
    ) -> Result<&mut Conversation<F>, LookupMiss> {
        let PacketContext { key, from, to, frame, .. } = context;
        let Self { config, followed, unknown, started, .. } = self;
        followed.try_get_or_insert_mut(key, || {
            let (follower, first) = detect::<F>(config, unknown, key, from, data)?;
            *started = started.saturating_add(1);
            let other = if first == from { to } else { from };
            let first_looks_like_client = first.port() >= other.port();
            Ok(Conversation {
                number: *started,
                recognized: frame,
                follower,
                held: 0,
                first,
                first_looks_like_client,
                is_new: true,
                is_live: false,
                uncounted: Vec::new(),
            })
        })
    }

    /// Returns the conversation between two addresses, if it is followed. Its age does not change.
    pub(super) fn peek(&self, key: Key) -> Option<&Conversation<F>> {
        self.followed.peek(&key)
    }

    /// Returns the conversation between two addresses, if it is followed.
    pub(super) fn get(&mut self, key: Key) -> Option<&mut Conversation<F>> {
        self.followed.get_mut(&key)
    }

    /// Removes a conversation, because a new one begins between the same addresses.
    pub(super) fn remove(&mut self, key: Key) -> Option<Conversation<F>> {
        self.unknown.pop(&key);
        let old = self.followed.pop(&key)?;
        self.held = self.held.saturating_sub(old.held);
        Some(old)
    }

    /// Updates the memory in use and evicts conversations beyond the limits. Passes each of them to `evicted`.
    pub(super) fn evict(&mut self, held: MemoryDelta, mut evicted: impl FnMut(Conversation<F>)) {
        self.held = self.held.saturating_sub(held.before).saturating_add(held.now);
        while self.followed.len() > 1
            && (self.followed.len() > self.limits.followed || self.held > self.limits.bytes)
            && let Some((_, oldest)) = self.followed.pop_lru()
        {
            self.held = self.held.saturating_sub(oldest.held);
            evicted(oldest);
        }
    }

    /// Returns the followed conversations, in no particular order.
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

/// Detects the protocol of a datagram. Tries the first datagrams of an address pair and then, with growing
/// distance, later ones, because a capture may begin with lost or foreign datagrams.
#[cold]
fn detect<F: Detect>(
    config: &F::Config,
    unknown: &mut LruCache<Key, Unknown<F::Detector>>,
    key: Key,
    from: SocketAddr,
    data: &[u8],
) -> Result<(F, SocketAddr), LookupMiss> {
    let mut new = Unknown { datagrams: 0, first: from, detector: F::Detector::default() };
    let known = unknown.get_mut(&key);
    let is_known = known.is_some();
    let seen = known.unwrap_or(&mut new);
    seen.datagrams = seen.datagrams.saturating_add(1);
    if seen.datagrams > 8 && !seen.datagrams.is_power_of_two() && !F::is_candidate(data) {
        return Err(LookupMiss::Unknown);
    }
    let side = if from == seen.first { ConversationSide::First } else { ConversationSide::Second };
    let detection = F::detect(config, &mut seen.detector, key.transport, side, data);
    let first = seen.first;
    let miss = match detection {
        Detection::Match(follower) => {
            unknown.pop(&key);
            return Ok((follower, first));
        }
        Detection::Possible => LookupMiss::Possible,
        Detection::NoMatch => LookupMiss::Unknown,
    };
    if !is_known {
        unknown.put(key, new);
    }
    Err(miss)
}

impl<F: Detect> Conversation<F> {
    /// Updates the memory of the follower.
    pub(super) fn update_memory_use(&mut self) -> MemoryDelta {
        let before = std::mem::replace(&mut self.held, self.follower.held_bytes());
        MemoryDelta { before, now: self.held }
    }

    /// Excludes the counts up to now from [`counters`](Self::counters), because packets of state caused them.
    pub(super) fn exclude_counts(&mut self) {
        self.uncounted.clear();
        self.follower.counters(&mut |name, count| self.uncounted.push((name, count)));
    }

    /// Calls `visit` with each counter that is not zero.
    pub(super) fn counters(&self, visit: &mut dyn FnMut(&'static str, u64)) {
        self.follower.counters(&mut |name, count| {
            let excluded =
                self.uncounted.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| *count);
            let count = count.saturating_sub(excluded);
            if count > 0 {
                visit(name, count);
            }
        });
    }

    /// Returns true at the first call, and false later.
    pub(super) const fn take_is_new(&mut self) -> bool {
        std::mem::replace(&mut self.is_new, false)
    }

    /// Returns the sender and the receiver of a packet from `side`, given the two addresses in any order.
    pub(super) fn direction(
        &self,
        side: ConversationSide,
        (one, other): (SocketAddr, SocketAddr),
    ) -> (SocketAddr, SocketAddr) {
        if (side == ConversationSide::First) == (one == self.first) { (one, other) } else { (other, one) }
    }

    /// Returns the side of the sender `from`.
    pub(super) fn side(&self, from: SocketAddr) -> ConversationSide {
        if from == self.first { ConversationSide::First } else { ConversationSide::Second }
    }

    /// Returns the role of a side. The side with the higher port is the client until the follower knows the roles.
    pub(super) fn role(&self, side: ConversationSide) -> Role {
        let looks_like_client =
            if self.first_looks_like_client { ConversationSide::First } else { ConversationSide::Second };
        let client = self.follower.client().unwrap_or(looks_like_client);
        if side == client { Role::Client } else { Role::Server }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use gamewire_machine::Transport;

    use super::*;
    use crate::protocol::test_protocol::TestProtocol;

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
        let key = Key::new(Transport::Udp, from, to);
        let context =
            PacketContext { key, frame: 1, frame_length: data.len(), time: 0, is_state: false, from, to };
        table.find(context, data).ok()
    }

    #[test]
    fn both_directions_are_one_conversation() {
        let mut table = table(10, 1 << 20, 10);
        let there = find(&mut table, address(5000), address(80), b"toy").unwrap();
        assert_eq!((there.number, there.side(address(5000))), (1, ConversationSide::First));
        let back = find(&mut table, address(80), address(5000), b"any").unwrap();
        assert_eq!((back.number, back.side(address(80))), (1, ConversationSide::Second));
        let other = find(&mut table, address(80), address(5001), b"toy").unwrap();
        assert_eq!(other.number, 2);
    }

    #[test]
    fn the_lower_port_is_the_server_until_the_follower_knows() {
        let mut table = table(10, 1 << 20, 10);
        let conversation = find(&mut table, address(80), address(5000), b"toy").unwrap();
        assert_eq!(
            (conversation.role(ConversationSide::First), conversation.role(ConversationSide::Second)),
            (Role::Server, Role::Client)
        );
    }

    #[test]
    fn detection_of_unknown_traffic_becomes_rarer() {
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
    fn a_candidate_is_always_passed_to_detection() {
        let mut table = table(10, 1 << 20, 10);
        for _ in 0..20 {
            assert!(find(&mut table, address(1), address(2), b"?").is_none());
        }
        assert!(find(&mut table, address(1), address(2), b"toy").is_none());
        assert!(find(&mut table, address(2), address(1), b"toy!").is_some());
        let conversation = find(&mut table, address(2), address(1), b"toy").unwrap();
        assert_eq!(
            conversation.side(address(1)),
            ConversationSide::First,
            "the sender of the first datagram"
        );
    }

    #[test]
    fn a_new_conversation_between_the_same_addresses_has_a_new_number() {
        let mut table = table(10, 1 << 20, 10);
        let conversation = find(&mut table, address(1), address(2), b"toy").unwrap();
        let memory = conversation.update_memory_use();
        table.evict(memory, |_| {});
        let old = table.remove(Key::new(Transport::Udp, address(1), address(2)));
        assert_eq!((old.map(|old| old.number), table.held), (Some(1), 0));
        assert_eq!(find(&mut table, address(1), address(2), b"toy").unwrap().number, 2);
    }

    /// Begins a thousand conversations, and as many unrecognized ones. Returns the evicted ones.
    fn crowd(table: &mut Table<TestProtocol>) -> Vec<u64> {
        let mut evicted = Vec::new();
        for port in 1..=1000 {
            find(table, address(port), address(8888), b"?");
            let conversation = find(table, address(port), address(9999), b"toy").unwrap();
            let memory = conversation.update_memory_use();
            table.evict(memory, |conversation| evicted.push(conversation.number));
        }
        evicted
    }

    #[test]
    fn the_table_stays_within_its_limits_and_evicts_the_oldest() {
        let mut table = table(3, usize::MAX, 2);
        assert_eq!(crowd(&mut table), (1..=997).collect::<Vec<_>>());
        assert_eq!((table.followed.len(), table.unknown.len(), table.held), (3, 2, 3000));
    }

    #[test]
    fn followers_use_no_more_memory_than_allowed() {
        let mut table = table(usize::MAX, 5500, 2);
        assert_eq!(crowd(&mut table).len(), 995);
        assert_eq!(table.held, 5000);
    }
}
