use gamewire_wire::Writer;

use super::LinkTokens;
use crate::shared::packet::ChunkHeader;
use crate::{v06, v07};

/// No packet can say that it has more chunks.
const MAX_CHUNKS: u8 = u8::MAX;
/// What a chunk header takes at most.
const CHUNK_HEADER: usize = 3;
/// What may be appended to the chunks.
const TRAILER: usize = 4;

/// The packet that is being filled.
#[derive(Debug)]
pub(super) struct Queue {
    /// Chunks with their headers.
    pub(super) bytes: Vec<u8>,
    /// How many.
    pub(super) chunks: u8,
    /// The packet is to ask the peer to send again.
    pub(super) request_resend: bool,
    /// The last vital message in it that was not sent before.
    pub(super) newest: Option<u16>,
}

impl Queue {
    /// An empty one; a message is put in while chunks before it and the message itself have at
    /// most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        let capacity = limit.saturating_add(CHUNK_HEADER).saturating_add(TRAILER);
        Self { bytes: Vec::with_capacity(capacity), chunks: 0, request_resend: false, newest: None }
    }

    /// Whether a message of `size` bytes fits as well.
    pub(super) const fn has_room(&self, size: usize, limit: usize) -> bool {
        self.chunks < MAX_CHUNKS && self.bytes.len().saturating_add(size) <= limit
    }

    /// Whether a flush would send something.
    pub(super) const fn is_due(&self) -> bool {
        self.chunks > 0 || self.request_resend
    }

    /// Puts a message in; [`Queue::has_room`] has been asked.
    pub(super) fn push(&mut self, tokens: &LinkTokens, header: ChunkHeader, message: &[u8]) {
        let mut bytes = [0; CHUNK_HEADER];
        let mut to = Writer::new(&mut bytes);
        let written = match tokens {
            LinkTokens::V07 { .. } => v07::wire::chunk::write(&header, message.len(), &mut to),
            _ => v06::wire::chunk::write(&header, message.len(), &mut to),
        };
        if written.is_err() {
            return;
        }
        self.bytes.extend_from_slice(to.written());
        self.bytes.extend_from_slice(message);
        self.chunks = self.chunks.saturating_add(1);
        if !header.resend {
            self.newest = header.sequence.or(self.newest);
        }
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.chunks = 0;
        self.request_resend = false;
        self.newest = None;
    }
}
