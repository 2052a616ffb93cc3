use super::{Broadcast, Server};
use crate::link::ConnectionSettings;
use crate::message::{Message, Sendable};
use crate::shared::packet::{ClientConnected, ClientDisconnected, Disconnect};
use crate::shared::payload::Payload;
use crate::{ClientId, ConnectionId, DisconnectReason, Endpoint, RejectReason, SendError};

/// Commands for connections.
impl Server {
    /// Accepts a connection that awaits the decision (`Accept`), and returns its client id. Returns `None` if no such
    /// connection waits, or if the server is full; a full server rejects the connection.
    pub fn accept(&mut self, connection: ConnectionId) -> Option<ClientId> {
        let slot = self.peers.requested(connection)?;
        let client = self.send_welcome(slot, None);
        if client.is_none() {
            self.reject_pending(slot, RejectReason::ServerFull, &Payload::EMPTY).ok();
        }
        self.update_peer(slot);
        client
    }

    /// Accepts a connection under an id that another server gave its client, as a proxy does. Returns `None` if no such
    /// connection waits, or if the id is taken. Do not combine it with [`accept`](Self::accept), which allocates ids.
    pub fn accept_as(&mut self, connection: ConnectionId, client: ClientId) -> Option<ClientId> {
        let slot = self.peers.requested(connection)?;
        let client = self.send_welcome(slot, Some(client));
        self.update_peer(slot);
        client
    }

    /// Rejects a connection for the reason that another server gave, as a proxy does. The data belong to
    /// [`RejectReason::Custom`].
    ///
    /// # Errors
    /// The errors of [`reject`](Self::reject).
    pub fn reject_as(
        &mut self,
        connection: ConnectionId,
        reason: RejectReason,
        data: Option<&Message>,
    ) -> Result<(), SendError> {
        let slot = self.peers.requested(connection).ok_or(SendError::NotConnected)?;
        let peer = self.peers.get(slot).ok_or(SendError::NotConnected)?;
        let payload = data.map_or(Ok(Payload::EMPTY), |data| data.payload(peer.connection.format))?;
        self.reject_pending(slot, reason, &payload)
    }

    /// Notifies a client that another client connected to, or disconnected from, another server, as a proxy does.
    pub fn announce_client(&mut self, to: ClientId, other: ClientId, is_connected: bool) {
        let Some(slot) = self.peers.client(to) else { return };
        let client_id = other.0;
        if is_connected {
            self.announce(slot, |seq_id| {
                ClientConnected { seq_id, client_id, ..ClientConnected::default() }.into()
            });
        } else {
            self.announce(slot, |seq_id| {
                ClientDisconnected { seq_id, client_id, ..ClientDisconnected::default() }.into()
            });
        }
    }

    /// Rejects a connection that awaits the decision (`Reject`), with optional user data.
    ///
    /// # Errors
    /// [`SendError::NotConnected`] if no such connection waits, or another [`SendError`] if the data cannot be sent.
    /// The connection then still awaits the decision.
    pub fn reject(&mut self, connection: ConnectionId, data: Option<&Message>) -> Result<(), SendError> {
        let slot = self.peers.requested(connection).ok_or(SendError::NotConnected)?;
        let Some(data) = data else {
            return self.reject_pending(slot, RejectReason::Rejected, &Payload::EMPTY);
        };
        let peer = self.peers.get(slot).ok_or(SendError::NotConnected)?;
        let payload = data.payload(peer.connection.format)?;
        self.reject_pending(slot, RejectReason::Custom, &payload)
    }

    /// Disconnects a client (`DisconnectClient`), with optional user data.
    ///
    /// # Errors
    /// [`SendError::NotConnected`] if there is no such client, or another [`SendError`] if the data cannot be sent. The
    /// client then stays connected.
    pub fn disconnect_client(&mut self, id: ClientId, data: Option<&Message>) -> Result<(), SendError> {
        let slot = self.peers.client(id).ok_or(SendError::NotConnected)?;
        let now = self.clock.now();
        let peer = self.peers.get_mut(slot).ok_or(SendError::NotConnected)?;
        let out = self.queues.packets(peer.endpoint());
        // Send earlier messages before the Disconnect.
        peer.connection.flush(now, out);
        let format = peer.connection.format;
        let number = DisconnectReason::Kicked.number(format).unwrap_or_default();
        let sent = match data.map_or(Ok(Payload::EMPTY), |data| data.payload(format)) {
            Ok(data) => peer.connection.send_unreliable(Disconnect { reason: number, data }, out),
            Err(error) => Err(error.into()),
        };
        if sent.is_ok() {
            self.close_peer(slot, DisconnectReason::Kicked);
        } else {
            self.update_peer(slot);
        }
        sent
    }

    /// Rejects all further connect requests ([`RejectReason::Rejected`]), or accepts clients again. Connections that exist
    /// stay, also half-open ones and those that await a decision. A server that ends soon lets its clients finish this way:
    /// it calls [`stop`](Self::stop) when [`client_count`](Self::client_count) is 0, or after a time.
    pub const fn set_accepts_clients(&mut self, accepts_clients: bool) {
        self.accepts_clients = accepts_clients;
    }

    /// Disconnects all clients, closes all streams and accepts no more connections (`Stop`).
    pub fn stop(&mut self) {
        self.is_running = false;
        for slot in self.peers.slots() {
            if let Some(peer) = self.peers.get_mut(slot) {
                let out = self.queues.packets(peer.endpoint());
                peer.connection.flush(self.clock.now(), out);
                if peer.state.client().is_some() {
                    peer.send_disconnect(DisconnectReason::ServerStopped, out);
                }
            }
            self.remove_peer(slot, DisconnectReason::ServerStopped, None);
        }
        self.disconnected_clients.clear();
        for stream in self.streams.all() {
            self.close_transport(Endpoint::Tcp(stream));
        }
    }

    /// Replaces the settings of a connected client. Its timeout restarts.
    ///
    /// # Errors
    /// [`SendError::NotConnected`] if no such client is connected.
    pub fn set_settings(&mut self, id: ClientId, settings: ConnectionSettings) -> Result<(), SendError> {
        let slot = self.peers.client(id).ok_or(SendError::NotConnected)?;
        let peer = self.peers.get_mut(slot).filter(|peer| peer.is_connected());
        let peer = peer.ok_or(SendError::NotConnected)?;
        peer.connection.link.set_settings(self.clock.now(), settings);
        self.update_peer(slot);
        Ok(())
    }

    /// Resets a client's metrics (`Metrics.Reset`).
    pub fn reset_metrics(&mut self, id: ClientId) {
        let slot = self.peers.client(id);
        if let Some(peer) = slot.and_then(|slot| self.peers.get_mut(slot)) {
            peer.connection.link.metrics.reset();
        }
    }
}

/// Commands for messages.
impl Server {
    /// Sends a message to a client (`Send`), and returns its sequence id, unless it is unreliable. A reliable message
    /// that is too long for a packet is sent in parts, if the client [negotiated](super::ClientView::extension) that.
    ///
    /// # Errors
    /// [`SendError`]; nothing is sent.
    pub fn send(&mut self, message: &impl Sendable, to: ClientId) -> Result<Option<u16>, SendError> {
        let slot = self.peers.client(to).ok_or(SendError::NotConnected)?;
        self.send_to_slot(message, slot)
    }

    /// Sends a reliable message to a client, and returns its sequence id. The client receives all messages that are
    /// sent with this method in the order of sending. They may be too long for a packet.
    ///
    /// # Errors
    /// [`SendError::ExtensionUnavailable`] if the client has not negotiated the extension
    /// ([`ClientView::extension`](super::ClientView::extension)), or as for [`Server::send`]. Nothing is sent.
    pub fn send_ordered(&mut self, message: &impl Sendable, to: ClientId) -> Result<u16, SendError> {
        let slot = self.peers.client(to).ok_or(SendError::NotConnected)?;
        self.send_ordered_to_slot(message, slot)
    }

    /// Sends a message to all connected clients (`SendToAll`).
    pub fn send_to_all(&mut self, message: &impl Sendable) -> Broadcast {
        self.send_to_others(message, None)
    }

    /// Sends a message to all connected clients except `except` (`SendToAll`).
    pub fn send_to_all_except(&mut self, message: &impl Sendable, except: ClientId) -> Broadcast {
        let except = self.peers.client(except);
        self.send_to_others(message, except)
    }

    /// Relays a client's message to all other clients, for an application that checks messages first. Returns whether
    /// the client's [`RelayBudget`](super::RelayBudget) allowed it; it allows every reliable message. Skips a client
    /// if its format cannot represent the message, or if its send buffer is full.
    pub fn relay(&mut self, message: &impl Sendable, from: ClientId) -> bool {
        self.peers.client(from).is_some_and(|slot| self.relay_to_others(slot, message, false))
    }

    pub(super) fn send_to_others(&mut self, message: &impl Sendable, except: Option<usize>) -> Broadcast {
        let mut broadcast = Broadcast::default();
        self.for_each_connected(|server, slot| {
            if Some(slot) != except
                && let Some(client) = server.peers.get(slot).and_then(|peer| peer.state.client())
            {
                broadcast.count(client, server.send_to_slot(message, slot));
            }
        });
        broadcast
    }

    /// Sends a message in order to each client that negotiated the extension, and out of order to the others.
    pub(super) fn send_ordered_to_others(&mut self, message: &impl Sendable, except: usize) {
        self.for_each_connected(|server, slot| {
            let Some(peer) = server.peers.get(slot).filter(|_| slot != except) else { return };
            if peer.connection.negotiated().is_some() {
                server.send_ordered_to_slot(message, slot).ok();
            } else {
                server.send_to_slot(message, slot).ok();
            }
        });
    }

    fn send_to_slot(&mut self, message: &impl Sendable, slot: usize) -> Result<Option<u16>, SendError> {
        let peer = self.peers.get_mut(slot).ok_or(SendError::NotConnected)?;
        let out = self.queues.packets(peer.endpoint());
        let sent = peer.connection.send(self.clock.now(), message, &mut self.scratch, out);
        self.update_peer(slot);
        sent
    }

    fn send_ordered_to_slot(&mut self, message: &impl Sendable, slot: usize) -> Result<u16, SendError> {
        let peer = self.peers.get_mut(slot).ok_or(SendError::NotConnected)?;
        let sent = peer.connection.send_extended(self.clock.now(), true, message, &mut self.scratch);
        self.update_peer(slot);
        sent
    }
}
