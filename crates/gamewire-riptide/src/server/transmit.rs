use gamewire_machine::StreamOutput;

use super::Server;
use super::peer::Peer;
use super::queues::TransportKind;
use crate::Endpoint;

impl Server {
    /// Applies the effects of a call of the peer, and marks it dirty. Call it after every change to a peer.
    #[inline]
    pub(super) fn update_peer(&mut self, slot: usize) {
        // Packets and messages of one peer arrive in bursts, so the peer is usually dirty already.
        let is_updated = |peer: &Peer| peer.is_dirty && !peer.connection.link.has_events();
        if !self.peers.get(slot).is_some_and(is_updated) {
            self.update_clean_peer(slot);
        }
    }

    fn update_clean_peer(&mut self, slot: usize) {
        self.apply_effects(slot);
        self.mark_dirty(slot);
        self.broadcast_disconnects();
    }

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
        if let Some(stream) = self.streams.poll_replies(buffer) {
            return Some(StreamOutput::Write(stream));
        }
        while let Some(to) = self.poll_queue(TransportKind::Streams, copy_to(packet)) {
            if let Endpoint::Tcp(stream) = to
                && self.streams.append(stream, packet, buffer)
            {
                return Some(StreamOutput::Write(stream));
            }
        }
        while let Some(endpoint) = self.queues.of(TransportKind::Streams).closing.front().copied() {
            if let Endpoint::Tcp(stream) = endpoint
                && self.streams.append_close(stream, buffer)
            {
                return Some(StreamOutput::Write(stream));
            }
            self.queues.of(TransportKind::Streams).closing.pop_front();
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
