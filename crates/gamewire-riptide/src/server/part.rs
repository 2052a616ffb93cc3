//! How connections end.

use super::connection::AdmissionState;
use super::{Event, Server};
use crate::message::Message;
use crate::shared::payload::Payload;
use crate::{ClientId, DisconnectReason, Endpoint, SendError};

/// How many ends wait for an application with a transport of its own, that may not want to know.
const MAX_CLOSING: usize = 65_536;

impl Server {
    /// A connection is over: frees it, and tells everybody.
    pub(super) fn close_connection(&mut self, slot: u32, reason: DisconnectReason) {
        self.remove_connection(slot, reason);
        self.broadcast_disconnects();
    }

    /// The same, but the other clients are told by [`Server::announce_departed`] only. When many go at
    /// once, they are not told of each other then.
    pub(super) fn remove_connection(&mut self, slot: u32, reason: DisconnectReason) {
        let client = self.free_slot(slot, reason);
        self.disconnected_clients.extend(client.filter(|_| self.config.announce_clients));
    }

    /// Tells all clients who is gone.
    #[inline]
    pub(super) fn broadcast_disconnects(&mut self) {
        if !self.disconnected_clients.is_empty() {
            self.announce_all_departed();
        }
    }

    fn announce_all_departed(&mut self) {
        while !self.disconnected_clients.is_empty() {
            let mut departed = core::mem::take(&mut self.disconnected_clients);
            for client in departed.drain(..) {
                self.each_connected(|server, slot| {
                    server.announce(slot, |peer, now| peer.send_client_disconnected(now, client));
                });
            }
            if self.disconnected_clients.is_empty() {
                self.disconnected_clients = departed;
            }
        }
    }

    /// Frees a connection, and tells the application. The client, if there was one.
    fn free_slot(&mut self, slot: u32, reason: DisconnectReason) -> Option<ClientId> {
        let connection = self.connections.remove(slot)?;
        let from = connection.endpoint();
        self.close(from);
        if let Some(client) = connection.stage.client() {
            self.ids.free(client);
        }
        if let AdmissionState::Connected { client } = connection.stage {
            self.events.push_other(Event::ClientDisconnected { client, reason });
            return Some(client);
        }
        self.half_open.remove(connection.address);
        self.events.push_other(Event::ConnectionFailed { connection: connection.id, from, reason });
        None
    }

    /// The transport of an endpoint is to be closed, if it can be.
    pub(super) fn close(&mut self, endpoint: Endpoint) {
        match endpoint {
            Endpoint::Udp(_) => {}
            Endpoint::Tcp(stream) => {
                if self.streams.is_half_open(stream) {
                    self.half_open.remove(self.streams.address(stream));
                }
                if self.streams.close(stream) {
                    self.lanes.of(endpoint.into()).closing.push_back(endpoint);
                }
            }
            Endpoint::Other(_) => {
                let closing = &mut self.lanes.of(endpoint.into()).closing;
                closing.push_back(endpoint);
                if closing.len() > MAX_CLOSING {
                    closing.pop_front();
                }
            }
        }
    }

    /// Sends a client away (`DisconnectClient`), with something to say if `data` is given.
    ///
    /// # Errors
    /// When there is no such client, or the data do not fit; then it stays.
    pub fn disconnect_client(&mut self, id: ClientId, data: Option<&Message>) -> Result<(), SendError> {
        self.flush(self.connections.client(id).ok_or(SendError::NotConnected)?);
        let slot = self.connections.client(id).ok_or(SendError::NotConnected)?;
        let Some(data) = data else { return self.kick(slot, &Payload::EMPTY) };
        let format = self.connections.get(slot).ok_or(SendError::NotConnected)?.peer.format();
        let payload = data.payload(format)?;
        self.kick(slot, &payload)
    }

    fn kick(&mut self, slot: u32, data: &Payload<'_>) -> Result<(), SendError> {
        self.send_disconnect(slot, DisconnectReason::Kicked, data)?;
        self.close_connection(slot, DisconnectReason::Kicked);
        Ok(())
    }

    /// What a client was sent before goes out before its end.
    fn flush(&mut self, slot: u32) {
        let now = self.now;
        if let Some(connection) = self.connections.get_mut(slot) {
            let endpoint = connection.endpoint();
            connection.peer.flush(now, self.lanes.out(endpoint));
            self.reschedule(slot);
        }
    }

    pub(super) fn send_disconnect(
        &mut self,
        slot: u32,
        reason: DisconnectReason,
        data: &Payload<'_>,
    ) -> Result<(), SendError> {
        let connection = self.connections.get_mut(slot).ok_or(SendError::NotConnected)?;
        let number = reason.number(connection.peer.format()).unwrap_or_default();
        let to = connection.endpoint();
        connection.peer.send_disconnect(number, data, self.lanes.out(to))
    }

    /// Ends everything (`Stop`): tells all clients, once, and lets nobody in any more.
    pub fn stop(&mut self) {
        self.is_running = false;
        for slot in self.connections.slots() {
            self.flush(slot);
            let is_client = |server: &Self| server.connections.get(slot)?.stage.client();
            if is_client(self).is_some() {
                // Without data it is always short enough.
                self.send_disconnect(slot, DisconnectReason::ServerStopped, &Payload::EMPTY).ok();
            }
            self.free_slot(slot, DisconnectReason::ServerStopped);
        }
        for stream in self.streams.all() {
            self.close(Endpoint::Tcp(stream));
        }
    }
}
