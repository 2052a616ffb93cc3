use gamewire_wire::Trace;

use crate::Instant;

/// One of the two sides of a conversation, in the order of their first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConversationSide {
    /// The side that sent the first captured bytes.
    First,
    /// The other side.
    Second,
}

impl ConversationSide {
    /// Returns the opposite side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// A follower, which decodes both directions of one conversation and sends nothing. Its memory is bounded for any
/// input.
pub trait Follow {
    /// Decodes the next bytes of one side, a datagram or a part of a stream, and reports them to `trace`.
    fn follow<T: Trace>(&mut self, at: Instant, from: ConversationSide, data: &[u8], trace: &mut T);

    /// Returns the dialect as URLs spell it. A guess may change with further packets.
    fn dialect(&self) -> Option<&'static str>;

    /// Returns the side of the client once it is known.
    fn client(&self) -> Option<ConversationSide>;
}
