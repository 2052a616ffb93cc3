use core::fmt;

/// The number of the packet with which a server lets a client in or turns it away.
pub const JOIN_REPLY: u16 = 5;

/// How many bytes the type of a packet has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeWidth {
    /// One, up to the accepting join reply.
    One,
    /// Two, after it.
    Two,
}

impl TypeWidth {
    /// Bytes of a packet's header: the length and the type.
    #[must_use]
    pub const fn header(self) -> usize {
        match self {
            Self::One => 3,
            Self::Two => 4,
        }
    }

    /// The width after a packet: the accepting join reply is the last one with a short type.
    pub(super) fn after(self, number: u16, body: &[u8]) -> Self {
        match body {
            [1, ..] if number == JOIN_REPLY => Self::Two,
            _ => self,
        }
    }
}

/// Where a packet begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamOffset {
    /// The byte of the stream where it, or the chunk that holds it, begins.
    pub stream: u64,
    /// The byte among what the innermost chunk inflates to; `None` outside chunks.
    pub inflated: Option<usize>,
}

/// As `120` or, inside a chunk, as `120+7`.
impl fmt::Display for StreamOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.stream)?;
        self.inflated.map_or(Ok(()), |inflated| write!(f, "+{inflated}"))
    }
}

/// A packet as it stands in its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Its type.
    pub number: u16,
    /// What follows the header.
    pub body: &'a [u8],
    /// All of it, header and body.
    pub bytes: &'a [u8],
    /// All that the innermost chunk around it inflated to; empty outside chunks.
    pub chunk: &'a [u8],
    /// How its type stands on the wire.
    pub width: TypeWidth,
    /// Where it begins.
    pub offset: StreamOffset,
}
