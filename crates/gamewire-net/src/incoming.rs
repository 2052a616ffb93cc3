use std::io::{self, IoSliceMut};
use std::net::SocketAddr;

use gamewire_sim::Conditioner;
use quinn_udp::{BATCH_SIZE, RecvMeta};

use crate::address::canonical;
use crate::limits::DATAGRAM_BYTES;
use crate::socket::DatagramSocket;

/// The receive path: the socket's buffers, and the conditioner after them, if there is one.
pub(crate) struct Incoming {
    pub(crate) batch: Batch,
    pub(crate) conditioner: Option<Conditioner<SocketAddr>>,
    /// The datagram that the conditioner returned last.
    pub(crate) buffer: Vec<u8>,
    /// Failures to receive since the socket last worked.
    pub(crate) failures: u32,
}

impl Incoming {
    pub(crate) fn new(conditioner: Option<Conditioner<SocketAddr>>) -> Self {
        Self { batch: Batch::new(), conditioner, buffer: Vec::new(), failures: 0 }
    }
}

/// Buffers for one read of the socket. The system may have joined several datagrams of one peer
/// in a buffer, so that each is as long as the longest.
pub(crate) struct Batch {
    bytes: Vec<u8>,
    meta: [RecvMeta; BATCH_SIZE],
}

impl Batch {
    fn new() -> Self {
        let bytes = vec![0; BATCH_SIZE.saturating_mul(DATAGRAM_BYTES)];
        Self { bytes, meta: [RecvMeta::default(); BATCH_SIZE] }
    }

    /// Reads the socket once and returns the number of filled buffers.
    pub(crate) fn fill(&mut self, port: &impl DatagramSocket) -> io::Result<usize> {
        let mut buffers = self.bytes.chunks_mut(DATAGRAM_BYTES);
        let mut slices: [IoSliceMut<'_>; BATCH_SIZE] =
            core::array::from_fn(|_| IoSliceMut::new(buffers.next().unwrap_or_default()));
        port.receive(&mut slices, &mut self.meta)
    }

    /// Returns whether the socket may have more datagrams than those in the first `filled` buffers.
    pub(crate) const fn is_full(&self, filled: usize) -> bool {
        filled >= self.meta.len()
    }

    /// Returns the datagrams in the first `filled` buffers.
    pub(crate) fn datagrams(&self, filled: usize) -> impl Iterator<Item = (SocketAddr, &[u8])> {
        let buffers = self.bytes.chunks(DATAGRAM_BYTES).zip(&self.meta).take(filled);
        buffers.flat_map(|(buffer, meta)| {
            let bytes = buffer.get(..meta.len).unwrap_or_default();
            // `chunks` skips an empty datagram.
            let empty = bytes.is_empty().then_some(bytes);
            let datagrams = empty.into_iter().chain(bytes.chunks(meta.stride.max(1)));
            datagrams.map(|datagram| (canonical(meta.addr), datagram))
        })
    }
}
