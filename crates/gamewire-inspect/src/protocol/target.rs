use gamewire_machine::{ConversationSide, Follow, Instant, Record};
use gamewire_wire::Trace;

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
