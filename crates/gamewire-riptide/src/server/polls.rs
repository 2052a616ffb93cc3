//! What is to be sent, in turn.

use gamewire_machine::StreamOutput;

use super::Server;
use super::lanes::TransportKind;
use crate::Endpoint;
use crate::peer::write_frame;

impl Server {
    /// The next packet for a kind of transport: what is written already, the reliable ones of each
    /// connection that may have some, and then acks.
    pub(super) fn poll_queue(&mut self, kind: TransportKind, buffer: &mut Vec<u8>) -> Option<Endpoint> {
        loop {
            let lane = self.lanes.of(kind);
            if let Some(to) = lane.out.pop(buffer) {
                return Some(to);
            }
            let mut put = |packet: &[u8]| {
                buffer.clear();
                buffer.extend_from_slice(packet);
            };
            let Some(slot) = lane.dirty.front().copied() else {
                return lane.answers.pop_with(|to, packet| {
                    put(packet);
                    to
                });
            };
            let connection = self.connections.get_mut(slot);
            let Some(connection) = connection.filter(|it| it.is_dirty_for(kind)) else {
                lane.dirty.pop_front();
                continue;
            };
            let to = connection.endpoint();
            if let Some(packet) = connection.peer.poll_packet(self.now) {
                put(packet);
                return Some(to);
            }
            connection.is_dirty = false;
            lane.dirty.pop_front();
            self.on_drained(slot);
        }
    }

    /// Lets `send` have all packets for a kind of transport, as [`Server::poll_lane`] does one by one.
    #[inline]
    pub(super) fn drain_queue(&mut self, kind: TransportKind, mut send: impl FnMut(Endpoint, &[u8])) {
        loop {
            let lane = self.lanes.of(kind);
            while lane.out.pop_with(&mut send).is_some() {}
            let Some(slot) = lane.dirty.pop_front() else { break };
            let connection = self.connections.get_mut(slot);
            let Some(connection) = connection.filter(|it| it.is_dirty_for(kind)) else { continue };
            let to = connection.endpoint();
            connection.peer.send_due(self.now, |packet| send(to, packet));
            connection.is_dirty = false;
            self.on_drained(slot);
        }
        let answers = &mut self.lanes.of(kind).answers;
        while answers.pop_with(&mut send).is_some() {}
    }

    /// A connection that was asked for packets has no more of them.
    fn on_drained(&mut self, slot: u32) {
        self.drain_link_events(slot);
        self.broadcast_disconnects();
        self.rearm_timer(slot);
    }

    pub(super) fn poll_stream_into(
        &mut self,
        packet: &mut Vec<u8>,
        buffer: &mut Vec<u8>,
    ) -> Option<StreamOutput> {
        while let Some(to) = self.poll_queue(TransportKind::Streams, packet) {
            if let Endpoint::Tcp(stream) = to
                && let Some(format) = self.streams.format(stream)
            {
                write_frame(format, packet, buffer);
                return Some(StreamOutput::Write(stream));
            }
        }
        while let Some(closed) = self.lanes.of(TransportKind::Streams).closing.pop_front() {
            if let Endpoint::Tcp(stream) = closed
                && self.streams.remove(stream)
            {
                return Some(StreamOutput::Close(stream));
            }
        }
        None
    }

    /// Notes when a connection is to be woken, now that it has nothing to send. A timeout that is due
    /// already is for the next turn.
    fn rearm_timer(&mut self, slot: u32) {
        if let Some(connection) = self.connections.get(slot)
            && !connection.is_dirty
        {
            self.connections.timers.set(slot, connection.peer.poll_timeout());
        }
    }
}
