use std::io::{self, IoSliceMut};
use std::net::SocketAddr;

use quinn_udp::{BATCH_SIZE, RecvMeta};

use crate::address::canonical;
use crate::limits::DATAGRAM_BYTES;

/// Distance of the buffers. With a power of two, the first bytes of all buffers would be in the same few lines of the
/// processor's caches.
const STRIDE: usize = DATAGRAM_BYTES + 1_600;

/// Buffers for one read of a socket. The system may join several datagrams of one peer in a buffer, so each holds the
/// longest datagram.
#[derive(Debug)]
pub struct ReceiveBatch {
    bytes: Vec<u8>,
    meta: [RecvMeta; BATCH_SIZE],
}

impl Default for ReceiveBatch {
    fn default() -> Self {
        Self::new()
    }
}

impl ReceiveBatch {
    /// Returns buffers of about two megabytes.
    pub fn new() -> Self {
        let bytes = vec![0; BATCH_SIZE.saturating_mul(STRIDE)];
        Self { bytes, meta: [RecvMeta::default(); BATCH_SIZE] }
    }

    /// Reads once with `receive`, such as [`quinn_udp::UdpSocketState::recv`], and returns the number of filled buffers.
    ///
    /// # Errors
    /// The error of `receive`.
    pub fn fill(
        &mut self,
        receive: impl FnOnce(&mut [IoSliceMut<'_>], &mut [RecvMeta]) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let mut buffers = self.bytes.chunks_mut(STRIDE);
        let mut slices: [IoSliceMut<'_>; BATCH_SIZE] =
            core::array::from_fn(|_| IoSliceMut::new(buffers.next().unwrap_or_default()));
        receive(&mut slices, &mut self.meta)
    }

    /// Returns whether the socket may have more datagrams than those in the first `filled` buffers.
    pub const fn is_full(&self, filled: usize) -> bool {
        filled >= self.meta.len()
    }

    /// Returns the datagrams in the first `filled` buffers, with the addresses of their senders.
    pub fn datagrams(&self, filled: usize) -> impl Iterator<Item = (SocketAddr, &[u8])> {
        let buffers = self.bytes.chunks(STRIDE).zip(&self.meta).take(filled);
        buffers.flat_map(|(buffer, meta)| {
            let bytes = buffer.get(..meta.len).unwrap_or_default();
            // `chunks` skips an empty datagram.
            let empty = bytes.is_empty().then_some(bytes);
            let datagrams = empty.into_iter().chain(bytes.chunks(meta.stride.max(1)));
            datagrams.map(|datagram| (canonical(meta.addr), datagram))
        })
    }
}
