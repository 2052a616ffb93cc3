//! How connections end.

use super::peer::AdmissionState;
use super::queues::TransportKind;
use super::{Event, Server};
use crate::shared::packet::{ClientDisconnected, Packet};
use crate::{ConnectionLimit, DisconnectReason, Endpoint};

/// Maximum closed endpoints in the queue for an application with its own transport, which may never poll them.
const MAX_CLOSED_ENDPOINTS: usize = 65_536;

impl Server {
    /// Removes a peer, and notifies the application and the other clients.
    pub(super) fn close_peer(&mut self, slot: usize, reason: DisconnectReason) {
        self.remove_peer(slot, reason, None);
        self.broadcast_disconnects();
    }

    /// Removes a peer and notifies the application. The other clients are notified by
    /// [`Self::broadcast_disconnects`], so that clients that leave together are not notified of each other.
    pub(super) fn remove_peer(
        &mut self,
        slot: usize,
        reason: DisconnectReason,
        limit: Option<ConnectionLimit>,
    ) {
        let Some(peer) = self.peers.remove(slot) else { return };
        self.timers.set(slot, None);
        self.closed_metrics.add_counters(&peer.connection.link.metrics);
        let from = peer.endpoint();
        self.close_transport(from);
        if let AdmissionState::Connected { client } = peer.state {
            let exceeded = limit.map(|limit| peer.connection.link.exceeded(self.clock.now(), limit));
            self.events.push(Event::ClientDisconnected { client, reason, exceeded });
            if self.config.announce_clients {
                self.disconnected_clients.push(client);
            }
        } else {
            self.half_open.remove(peer.address);
            self.events.push(Event::ConnectionFailed { connection: peer.id, from, reason });
        }
    }

    /// Notifies all clients of the clients that disconnected.
    #[inline]
    pub(super) fn broadcast_disconnects(&mut self) {
        // A notice may find that its receiver is disconnected, too.
        while !self.disconnected_clients.is_empty() {
            for client in core::mem::take(&mut self.disconnected_clients) {
                self.for_each_connected(|server, slot| {
                    let notice = ClientDisconnected { client_id: client.0, ..ClientDisconnected::default() };
                    server.announce(slot, |seq_id| ClientDisconnected { seq_id, ..notice }.into());
                });
            }
        }
    }

    /// Sends a notice about another client. If the send buffer is full, the client acknowledges nothing, and its link
    /// closes the connection soon.
    pub(super) fn announce(&mut self, slot: usize, notice: impl Fn(u16) -> Packet<'static>) {
        if let Some(peer) = self.peers.get_mut(slot) {
            peer.connection.send_control(self.clock.now(), notice).ok();
            self.apply_effects(slot);
            self.mark_dirty(slot);
        }
    }

    /// Closes the transport of an endpoint after the packets that were sent to it, if the transport can be closed.
    pub(super) fn close_transport(&mut self, endpoint: Endpoint) {
        match endpoint {
            Endpoint::Udp(_) | Endpoint::Record(_) => {}
            Endpoint::Tcp(stream) => {
                if self.streams.is_half_open(stream) {
                    self.half_open.remove_stream(self.streams.address(stream));
                }
                if self.streams.close(stream) {
                    self.queues.of(TransportKind::Streams).closing.push_back(endpoint);
                }
            }
            Endpoint::Other(_) => {
                let closing = &mut self.queues.of(TransportKind::Others).closing;
                closing.push_back(endpoint);
                if closing.len() > MAX_CLOSED_ENDPOINTS {
                    closing.pop_front();
                }
            }
        }
    }
}
