use std::collections::VecDeque;

use gamewire_machine::{StreamOutput, TransmitQueue};

use super::Server;
use crate::Endpoint;
use crate::shared::frame;

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
            Endpoint::Udp(_) => Self::Datagrams,
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
    dirty: VecDeque<usize>,
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

impl Server {
    /// Marks a peer dirty, so that the next poll asks it for packets and sets its timer.
    #[inline]
    pub(super) fn mark_dirty(&mut self, slot: usize) {
        let Some(peer) = self.peers.get_mut(slot) else { return };
        if !core::mem::replace(&mut peer.is_dirty, true) {
            self.queues.of(peer.transport()).dirty.push_back(slot);
            self.timers.set(slot, None);
        }
    }

    /// Calls `take` with the next packet for a kind of transport.
    #[inline]
    pub(super) fn poll_queue<R>(
        &mut self,
        kind: TransportKind,
        take: impl FnOnce(Endpoint, &[u8]) -> R,
    ) -> Option<R> {
        loop {
            let queue = self.queues.of(kind);
            if !queue.packets.is_empty() {
                return queue.packets.pop_with(take);
            }
            let Some(slot) = queue.dirty.front().copied() else { return queue.acks.pop_with(take) };
            // The slot may belong to another peer now, even to one on another kind of transport.
            if let Some(peer) =
                self.peers.get_mut(slot).filter(|peer| peer.is_dirty && peer.transport() == kind)
            {
                let to = peer.endpoint();
                if let Some(packet) = peer.connection.poll_packet(self.clock.now()) {
                    return Some(take(to, packet));
                }
                peer.is_dirty = false;
                self.on_drained(slot);
            }
            self.queues.of(kind).dirty.pop_front();
        }
    }

    /// Applies the effects of a peer without further packets, and sets its timer. A timer that is due already fires
    /// with the next call of `handle_timeout`.
    fn on_drained(&mut self, slot: usize) {
        self.apply_effects(slot);
        self.broadcast_disconnects();
        if let Some(peer) = self.peers.get(slot).filter(|peer| !peer.is_dirty) {
            self.timers.set(slot, peer.connection.link.poll_timeout());
        }
    }

    /// Returns the next output of a stream. Bytes are appended to `buffer`; `packet` is scratch space.
    pub(super) fn poll_stream_output(
        &mut self,
        packet: &mut Vec<u8>,
        buffer: &mut Vec<u8>,
    ) -> Option<StreamOutput> {
        while let Some(to) = self.poll_queue(TransportKind::Streams, copy_to(packet)) {
            if let Endpoint::Tcp(stream) = to
                && let Some(format) = self.streams.format(stream)
            {
                frame::append(format, packet, buffer);
                return Some(StreamOutput::Write(stream));
            }
        }
        while let Some(endpoint) = self.queues.of(TransportKind::Streams).closing.pop_front() {
            if let Endpoint::Tcp(stream) = endpoint
                && self.streams.remove(stream)
            {
                return Some(StreamOutput::Close(stream));
            }
        }
        None
    }
}

/// Returns a function that replaces the content of `buffer` with a packet.
pub(super) fn copy_to(buffer: &mut Vec<u8>) -> impl FnOnce(Endpoint, &[u8]) -> Endpoint {
    |to, packet| {
        buffer.clear();
        buffer.extend_from_slice(packet);
        to
    }
}
