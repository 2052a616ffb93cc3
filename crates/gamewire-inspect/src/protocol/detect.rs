use gamewire_machine::{ConversationSide, Follow, Instant, Record, Transport};
use gamewire_wire::Trace;

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

/// The trace to which an inspector decodes.
///
/// A follower that is compiled for a type of trace is large, so there are two of them, both in this crate.
pub enum TraceTarget<'a> {
    /// Packets, messages and fields.
    Record(&'a mut Record),
    /// Any other trace, through calls that are not inlined.
    Other(&'a mut dyn Trace),
}

impl<'a> From<&'a mut Record> for TraceTarget<'a> {
    fn from(record: &'a mut Record) -> Self {
        Self::Record(record)
    }
}

impl<'a> From<&'a mut dyn Trace> for TraceTarget<'a> {
    fn from(trace: &'a mut dyn Trace) -> Self {
        Self::Other(trace)
    }
}

impl<'a> From<&'a mut ()> for TraceTarget<'a> {
    fn from(nothing: &'a mut ()) -> Self {
        Self::Other(nothing)
    }
}

impl TraceTarget<'_> {
    /// Reborrows the target for a shorter lifetime.
    pub const fn reborrow(&mut self) -> TraceTarget<'_> {
        match self {
            Self::Record(record) => TraceTarget::Record(record),
            Self::Other(trace) => TraceTarget::Other(*trace),
        }
    }

    /// Returns the trace.
    pub(crate) fn as_trace(&mut self) -> &mut dyn Trace {
        match self {
            Self::Record(record) => *record,
            Self::Other(trace) => *trace,
        }
    }

    /// Decodes bytes with a follower that is compiled for the type of the trace.
    pub(crate) fn follow<F: Follow>(
        self,
        follower: &mut F,
        at: Instant,
        from: ConversationSide,
        data: &[u8],
    ) {
        match self {
            Self::Record(record) => follower.follow(at, from, data, record),
            Self::Other(mut trace) => follower.follow(at, from, data, &mut trace),
        }
    }
}
