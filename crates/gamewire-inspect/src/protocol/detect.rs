use gamewire_machine::{ConversationSide, Follow};

/// What carries a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// Datagrams.
    Udp,
    /// The two streams of a connection, of which each run of bytes is shown as it becomes known.
    Tcp,
}

/// A follower that can tell its own protocol from others.
pub trait Detect: Follow + Sized {
    /// What is remembered of a conversation that nobody has recognised yet.
    type Detector: Default;
    /// What a user has told beforehand, for all conversations.
    type Config: Default;

    /// Looks at the next datagram or run of bytes of a conversation that nobody has recognised so
    /// far. Not all of them come here.
    fn detect(
        config: &Self::Config,
        suspicion: &mut Self::Detector,
        transport: Transport,
        from: ConversationSide,
        data: &[u8],
    ) -> Detection<Self>;

    /// Whether `data` is worth a look though many others of its conversation were not recognised.
    fn is_candidate(data: &[u8]) -> bool;

    /// So many bytes of a stream are missing from the capture.
    fn skip(&mut self, from: ConversationSide, bytes: u64);

    /// The protocol's name, the first word of its field names.
    fn protocol(&self) -> &'static str;

    /// Tells what the follower has counted in its protocol's own words.
    fn counters(&self, tell: &mut dyn FnMut(&'static str, u64));

    /// The memory it holds, in bytes; may err on the high side.
    fn held_bytes(&self) -> usize;
}

/// What a follower makes of bytes of a conversation that nobody has recognised so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection<F> {
    /// It follows the conversation. The bytes themselves are still to be shown to it.
    Match(F),
    /// They may be of its protocol: should later ones show that, it wants to follow these first.
    Possible,
    /// They are not.
    NoMatch,
}
