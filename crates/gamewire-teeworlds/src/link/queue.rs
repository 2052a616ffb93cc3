use gamewire_wire::Writer;

use super::LinkTokens;
use crate::shared::packet::ChunkHeader;

/// Maximum number of chunks: the packet header has one byte for it.
const MAX_CHUNKS: u8 = u8::MAX;
/// Maximum size of a chunk header in bytes.
const MAX_CHUNK_HEADER: usize = 3;
/// Maximum size of the trailer in bytes.
const MAX_TRAILER: usize = 4;

/// The chunks of the next packet.
#[derive(Debug)]
pub(super) struct Queue {
    /// Chunks with their headers.
    pub(super) bytes: Vec<u8>,
    /// Number of chunks.
    pub(super) chunks: u8,
    /// The packet will request a resend from the peer.
    pub(super) request_resend: bool,
    /// Sequence number of the last vital message that is sent for the first time.
    pub(super) newest: Option<u16>,
}

impl Queue {
    /// Creates an empty queue for chunks of at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        let capacity = limit.saturating_add(MAX_CHUNK_HEADER).saturating_add(MAX_TRAILER);
        Self { bytes: Vec::with_capacity(capacity), chunks: 0, request_resend: false, newest: None }
    }

    /// Returns whether a message of `size` bytes fits, if the chunks and the message together may have `limit` bytes.
    pub(super) const fn has_room(&self, size: usize, limit: usize) -> bool {
        self.chunks < MAX_CHUNKS && self.bytes.len().saturating_add(size) <= limit
    }

    /// Returns whether a flush would send a packet.
    pub(super) const fn is_due(&self) -> bool {
        self.chunks > 0 || self.request_resend
    }

    /// Appends a message. The caller has checked [`Queue::has_room`].
    pub(super) fn push(&mut self, tokens: &LinkTokens, header: ChunkHeader, message: &[u8]) {
        let mut bytes = [0; MAX_CHUNK_HEADER];
        let mut to = Writer::new(&mut bytes);
        if tokens.write_chunk(&header, message.len(), &mut to).is_err() {
            return;
        }
        self.bytes.extend_from_slice(to.written());
        self.bytes.extend_from_slice(message);
        self.chunks = self.chunks.saturating_add(1);
        if !header.resend {
            self.newest = header.sequence.or(self.newest);
        }
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.chunks = 0;
        self.request_resend = false;
        self.newest = None;
    }
}
