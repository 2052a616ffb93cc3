use crate::shared::pack::Text;
use crate::shared::packet::MAX_PAYLOAD;

/// Where packets are unpacked; one for each machine.
#[derive(Debug)]
pub struct Scratch {
    pub(super) payload: Box<[u8; MAX_PAYLOAD]>,
    /// The new chunks of the last packet.
    pub(super) chunks: Vec<ChunkRange>,
}

/// Where a chunk's content is in its payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkRange {
    pub(super) start: u16,
    pub(super) end: u16,
    pub(super) vital: bool,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Scratch {
    /// An unused one.
    #[must_use]
    pub fn new() -> Self {
        Self { payload: Box::new([0; MAX_PAYLOAD]), chunks: Vec::with_capacity(u8::MAX.into()) }
    }
}

/// What a datagram brought. It borrows nothing from the link, which may be used meanwhile.
#[derive(Clone, Debug)]
pub enum LinkInput<'s> {
    /// New messages; none when the packet held only old ones or just asked for those.
    Chunks(Chunks<'s>),
    /// Nothing for the owner: the peer is still there, or repeats an answer of the handshake that is over.
    KeepAlive,
    /// The peer closed the connection; the link is over.
    Close {
        /// Why, if it said so.
        reason: Option<Text<'s>>,
    },
    /// Another control message, with the right token: CONNECT, TOKEN, or an unknown one. Whether
    /// it means anything is the owner's to say; to the games it does not, once online.
    Control {
        /// Its id.
        id: u8,
        /// What follows the id.
        body: &'s [u8],
    },
}

/// A new message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InboundChunk<'s> {
    /// Id and body.
    pub content: &'s [u8],
    /// It was sent as vital.
    pub vital: bool,
}

/// The new messages of a packet, in order.
#[derive(Clone, Debug)]
pub struct Chunks<'s> {
    pub(super) payload: &'s [u8],
    pub(super) places: core::slice::Iter<'s, ChunkRange>,
}

impl<'s> Iterator for Chunks<'s> {
    type Item = InboundChunk<'s>;

    fn next(&mut self) -> Option<InboundChunk<'s>> {
        let place = self.places.next()?;
        let content = self.payload.get(place.start.into()..place.end.into()).unwrap_or_default();
        Some(InboundChunk { content, vital: place.vital })
    }
}
