use std::io::{self, IoSliceMut};
use std::net::SocketAddr;

use quinn_udp::{BATCH_SIZE, RecvMeta};

use crate::address::canonical;
use crate::limits::MAX_DATAGRAM_BYTES;

/// Distance between the starts of two buffers. If it were a power of two, the first bytes of all buffers would share a
/// few lines of the processor's caches.
const STRIDE: usize = MAX_DATAGRAM_BYTES + 1_600;

/// Buffers for one read of a socket. Each has room for the longest datagram, because the system may join several
/// datagrams of one peer in a buffer.
#[derive(Debug)]
pub struct ReceiveBatch {
    bytes: Vec<u8>,
    /// On the heap, so that moving the batch copies little.
    meta: Box<[RecvMeta]>,
    /// Number of buffers that the next read may fill. Preparing buffers that stay empty would cost time.
    offered: usize,
    /// True if the last read filled all offered buffers.
    is_full: bool,
}

/// Minimum number of buffers for a read.
const MIN_BUFFERS: usize = 4;

impl Default for ReceiveBatch {
    fn default() -> Self {
        Self::new()
    }
}

impl ReceiveBatch {
    /// Returns buffers of about two megabytes.
    pub fn new() -> Self {
        let bytes = vec![0; BATCH_SIZE.saturating_mul(STRIDE)];
        let meta = vec![RecvMeta::default(); BATCH_SIZE].into_boxed_slice();
        Self { bytes, meta, offered: BATCH_SIZE, is_full: false }
    }

    /// Reads once with `receive`, such as [`quinn_udp::UdpSocketState::recv`]. Returns the number of filled buffers.
    ///
    /// # Errors
    /// The error of `receive`.
    pub fn fill(
        &mut self,
        receive: impl FnOnce(&mut [IoSliceMut<'_>], &mut [RecvMeta]) -> io::Result<usize>,
    ) -> io::Result<usize> {
        // Preparing unused slices would cost time.
        if self.offered <= MIN_BUFFERS {
            self.fill_up_to::<MIN_BUFFERS>(receive)
        } else {
            self.fill_up_to::<BATCH_SIZE>(receive)
        }
    }

    /// Fills at most `N` buffers.
    fn fill_up_to<const N: usize>(
        &mut self,
        receive: impl FnOnce(&mut [IoSliceMut<'_>], &mut [RecvMeta]) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let offered = self.offered;
        let mut slices = [(); N].map(|()| IoSliceMut::new(&mut []));
        let slices = slices.get_mut(..offered).unwrap_or_default();
        for (slice, buffer) in slices.iter_mut().zip(self.bytes.chunks_exact_mut(STRIDE)) {
            *slice = IoSliceMut::new(buffer);
        }
        self.is_full = false;
        let filled = receive(slices, &mut self.meta)?;
        self.is_full = filled >= offered;
        let next = if self.is_full { BATCH_SIZE } else { filled.saturating_mul(2).max(offered / 2) };
        self.offered = next.clamp(MIN_BUFFERS.min(BATCH_SIZE), BATCH_SIZE);
        Ok(filled)
    }

    /// Returns whether the last read filled all of its buffers, so that the socket may have more datagrams.
    pub const fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns the datagrams in the first `filled` buffers, with the addresses of their senders.
    pub fn datagrams(&self, filled: usize) -> impl Iterator<Item = (SocketAddr, &[u8])> {
        let buffers = self.bytes.chunks(STRIDE).zip(self.meta.iter()).take(filled);
        buffers.flat_map(|(buffer, meta)| {
            let bytes = buffer.get(..meta.len).unwrap_or_default();
            // `chunks` skips an empty datagram.
            let empty = bytes.is_empty().then_some(bytes);
            let datagrams = empty.into_iter().chain(bytes.chunks(meta.stride.max(1)));
            datagrams.map(|datagram| (canonical(meta.addr), datagram))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads from a socket with `waiting` datagrams and returns the number of buffers that were offered.
    fn read(batch: &mut ReceiveBatch, waiting: usize) -> usize {
        let mut offered = 0;
        let filled = batch.fill(|slices, _| {
            offered = slices.len();
            Ok(offered.min(waiting))
        });
        assert_eq!(batch.is_full(), filled.unwrap() == offered);
        offered
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_read_offers_as_many_buffers_as_the_last_ones_needed() {
        let mut batch = ReceiveBatch::new();
        let offered: Vec<usize> =
            [1, 1, 1, 1, 3, 3, 7, 100, 100, 9, 9].map(|waiting| read(&mut batch, waiting)).into();
        assert_eq!(offered, [32, 16, 8, 4, 4, 6, 6, 32, 32, 32, 18]);
    }

    #[test]
    fn a_failed_read_is_not_full() {
        let mut batch = ReceiveBatch::new();
        assert_eq!(read(&mut batch, 100), BATCH_SIZE);
        batch.fill(|_, _| Err(io::ErrorKind::WouldBlock.into())).unwrap_err();
        assert!(!batch.is_full());
        assert_eq!(read(&mut batch, 1), BATCH_SIZE);
    }
}
