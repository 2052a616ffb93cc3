use std::collections::VecDeque;

use gamewire_machine::TransmitQueue;

use crate::Endpoint;

/// Bytes that may wait for each client in addition to [`QUEUE_BYTES_BASE`], so that one message to all clients does
/// not fill a queue.
const QUEUE_BYTES_PER_CLIENT: usize = 4 << 10;
const QUEUE_BYTES_BASE: usize = 1 << 20;

/// A kind of transport. Each has its own queue, because drivers poll them separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TransportKind {
    Datagrams,
    Streams,
    Others,
}

impl From<Endpoint> for TransportKind {
    #[inline]
    fn from(endpoint: Endpoint) -> Self {
        match endpoint {
            Endpoint::Udp(_) | Endpoint::Record(_) => Self::Datagrams,
            Endpoint::Tcp(_) => Self::Streams,
            Endpoint::Other(_) => Self::Others,
        }
    }
}

/// The queues of unsent packets, one for each kind of transport.
#[derive(Debug)]
pub(super) struct SendQueues {
    queues: [TransportQueue; 3],
}

/// The queue of one kind of transport.
#[derive(Debug)]
pub(super) struct TransportQueue {
    /// Unreliable packets. They leave first.
    pub(super) packets: TransmitQueue<Endpoint>,
    /// Slots of peers that may have reliable packets to send. A slot may be free or reused.
    pub(super) dirty: VecDeque<usize>,
    /// Acks and heartbeat replies. They leave last, because a segmented send may end with a shorter datagram.
    pub(super) acks: TransmitQueue<Endpoint>,
    /// Endpoints to close after all packets.
    pub(super) closing: VecDeque<Endpoint>,
}

impl SendQueues {
    pub(super) fn new(max_clients: u16) -> Self {
        let limit = usize::from(max_clients).saturating_mul(QUEUE_BYTES_PER_CLIENT);
        let limit = limit.saturating_add(QUEUE_BYTES_BASE);
        let queue = |_| TransportQueue {
            packets: TransmitQueue::with_limit(limit),
            dirty: VecDeque::new(),
            acks: TransmitQueue::with_limit(limit),
            closing: VecDeque::new(),
        };
        Self { queues: core::array::from_fn(queue) }
    }

    #[inline]
    pub(super) const fn of(&mut self, kind: TransportKind) -> &mut TransportQueue {
        let [datagrams, streams, others] = &mut self.queues;
        match kind {
            TransportKind::Datagrams => datagrams,
            TransportKind::Streams => streams,
            TransportKind::Others => others,
        }
    }

    /// Returns the queue for packets to an endpoint.
    #[inline]
    pub(super) fn packets(&mut self, endpoint: Endpoint) -> &mut TransmitQueue<Endpoint> {
        &mut self.of(endpoint.into()).packets
    }

    /// Returns the number of packets that were dropped because a queue was full.
    pub(super) fn dropped(&self) -> u64 {
        let dropped = self.queues.iter().flat_map(|queue| [queue.packets.dropped(), queue.acks.dropped()]);
        dropped.fold(0, u64::saturating_add)
    }
}
