use gamewire_machine::{ConversationSide, Follow, Instant, Transport};

use super::TraceTarget;

/// A callback that receives packets of state: their sender, their time if it matters, and their bytes.
pub type SendState<'a> = dyn FnMut(ConversationSide, Option<Instant>, &[u8]) + 'a;

/// A follower that recognizes its own protocol.
pub trait Detect: Follow + Sized {
    /// The state of a conversation that is not recognized yet.
    type Detector: Default;
    /// The user's settings for all conversations.
    type Config: Default;

    /// Examines the next datagram or run of bytes of a conversation that is not recognized yet. The caller may skip
    /// some of them.
    fn detect(
        config: &Self::Config,
        detector: &mut Self::Detector,
        transport: Transport,
        from: ConversationSide,
        data: &[u8],
    ) -> Detection<Self>;

    /// Returns whether `data` must be examined, even after many bytes of its conversation that were not recognized.
    fn is_candidate(data: &[u8]) -> bool;

    /// Decodes the next bytes of one side, as [`Follow::follow`]. A type that overrides it with the same body is compiled
    /// for each kind of trace in its own crate, instead of in each crate with an inspector.
    fn follow_to(&mut self, at: Instant, from: ConversationSide, data: &[u8], trace: TraceTarget<'_>) {
        trace.follow(self, at, from, data);
    }

    /// Skips `bytes` bytes of a stream that are missing from the capture.
    fn skip(&mut self, from: ConversationSide, bytes: u64);

    /// Passes to `send` the packets from which a new follower learns the state of this one: the handshake, the bases of
    /// deltas, and the beginning of an incomplete packet. A packet has a time if its decoding depends on it.
    fn resume(&self, send: &mut SendState<'_>);

    /// Returns the protocol's name, the first word of its field names.
    fn protocol(&self) -> &'static str;

    /// Calls `visit` with each counter of the follower, under its name in the protocol.
    fn counters(&self, visit: &mut dyn FnMut(&'static str, u64));

    /// Returns the memory of the follower in bytes. May overestimate.
    fn held_bytes(&self) -> usize;
}

/// The result of examining bytes of a conversation that is not recognized yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection<F> {
    /// The bytes match the protocol. The new follower has not followed them yet.
    Match(F),
    /// The bytes may match the protocol. If later bytes match, the follower processes these first.
    Possible,
    /// The bytes do not match the protocol.
    NoMatch,
}
