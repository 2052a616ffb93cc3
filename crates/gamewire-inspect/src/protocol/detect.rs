use gamewire_machine::{ConversationSide, Follow};

/// The transport of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// Datagrams.
    Udp,
    /// The two streams of a connection. Each run of bytes is followed as it is reassembled.
    Tcp,
}

/// A follower that recognizes its own protocol.
pub trait Detect: Follow + Sized {
    /// The state of a conversation that is not recognized yet.
    type Detector: Default;
    /// The user's settings for all conversations.
    type Config: Default;

    /// Examines the next datagram or run of bytes of a conversation that is not recognized yet.
    /// Not all of them are passed to it.
    fn detect(
        config: &Self::Config,
        detector: &mut Self::Detector,
        transport: Transport,
        from: ConversationSide,
        data: &[u8],
    ) -> Detection<Self>;

    /// Returns true if `data` should be examined although many others of its conversation were not recognized.
    fn is_candidate(data: &[u8]) -> bool;

    /// Skips `bytes` bytes of a stream that are missing from the capture.
    fn skip(&mut self, from: ConversationSide, bytes: u64);

    /// Returns the protocol's name, the first word of its field names.
    fn protocol(&self) -> &'static str;

    /// Calls `visit` with each counter of the follower, in its protocol's own words.
    fn counters(&self, visit: &mut dyn FnMut(&'static str, u64));

    /// Returns the memory that it holds, in bytes; may overestimate.
    fn held_bytes(&self) -> usize;
}

/// A follower's answer to bytes of a conversation that is not recognized yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection<F> {
    /// They are of its protocol. The follower has not followed these bytes yet.
    Match(F),
    /// They may be of its protocol. If later bytes match, it follows these first.
    Possible,
    /// They are not of its protocol.
    NoMatch,
}
