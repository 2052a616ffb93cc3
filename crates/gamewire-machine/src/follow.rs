use gamewire_wire::Trace;

use crate::Instant;

/// One of the two ends of a conversation, numbered by who was seen first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConversationSide {
    /// The end whose bytes were seen first.
    First,
    /// The other one.
    Second,
}

impl ConversationSide {
    /// The end across.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// Watches both directions of one conversation and never answers.
///
/// All that a follower keeps is bounded, whatever it is shown.
pub trait Follow {
    /// Bytes went by: one datagram, or the next run of a stream. What they say goes to `trace`.
    fn follow<T: Trace>(&mut self, at: Instant, from: ConversationSide, data: &[u8], trace: &mut T);

    /// The dialect, in the words of the tool's URLs; a guess may be mended as more is seen.
    fn dialect(&self) -> Option<&'static str>;

    /// Which end is the client, once that has shown.
    fn client(&self) -> Option<ConversationSide>;
}
