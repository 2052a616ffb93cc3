use core::fmt;

/// Number of SERVER_JOIN_REPLY, which accepts or rejects a client.
pub const JOIN_REPLY: u16 = 5;

/// Width of the type in a packet's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeWidth {
    /// One byte, up to the accepting join reply.
    One,
    /// Two bytes, after it.
    Two,
}

impl TypeWidth {
    /// Returns the bytes of a packet's header: the length and the type.
    #[must_use]
    pub const fn header(self) -> usize {
        match self {
            Self::One => 3,
            Self::Two => 4,
        }
    }

    /// Returns the width after a packet: the accepting join reply is the last packet with a short type.
    pub(super) fn after(self, number: u16, body: &[u8]) -> Self {
        match body {
            [1, ..] if number == JOIN_REPLY => Self::Two,
            _ => self,
        }
    }
}

/// The position of a packet in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamOffset {
    /// Offset in the stream of the packet, or of the chunk that holds it.
    pub stream: u64,
    /// Offset in the inflated bytes of the innermost chunk; `None` outside chunks.
    pub inflated: Option<usize>,
}

/// Displays as `120` or, inside a chunk, as `120+7`.
impl fmt::Display for StreamOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.stream)?;
        self.inflated.map_or(Ok(()), |inflated| write!(f, "+{inflated}"))
    }
}

/// A packet of a stream, borrowed from the splitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// The type of the packet.
    pub number: u16,
    /// The bytes after the header.
    pub body: &'a [u8],
    /// The whole packet, header and body.
    pub bytes: &'a [u8],
    /// The inflated bytes of the innermost chunk; empty outside chunks.
    pub chunk: &'a [u8],
    /// The width of the type in the header.
    pub width: TypeWidth,
    /// The position of the packet.
    pub offset: StreamOffset,
}
