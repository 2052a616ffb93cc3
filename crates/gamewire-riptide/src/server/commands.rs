//! What the application wants sent and set.

use gamewire_machine::Instant;

use super::Server;
use crate::link::ConnectionSettings;
use crate::message::Sendable;
use crate::peer::Peer;
use crate::{ClientId, SendError};

impl Server {
    /// Sends a message to a client (`Send`). A reliable one over the limit of a packet goes in parts,
    /// if the client has [agreed](super::ClientView::extension). Its sequence id, unless it is unreliable.
    ///
    /// # Errors
    /// When there is no such client, its format cannot say the message, or it does not fit.
    pub fn send(&mut self, message: &impl Sendable, to: ClientId) -> Result<Option<u16>, SendError> {
        let slot = self.connections.client(to).ok_or(SendError::NotConnected)?;
        self.send_to_slot(message, slot)
    }

    /// Sends a reliable message to a client that is delivered in the order of sending among all
    /// that it is sent by this; it may be over the limit of a packet. Its sequence id.
    ///
    /// # Errors
    /// [`SendError::NotAgreed`] when the client cannot do that, or is not known to yet
    /// ([`ClientView::extension`](super::ClientView::extension)), and as for [`Server::send`].
    /// Nothing was sent then.
    pub fn send_ordered(&mut self, message: &impl Sendable, to: ClientId) -> Result<u16, SendError> {
        let slot = self.connections.client(to).ok_or(SendError::NotConnected)?;
        self.send_ordered_to_slot(message, slot)
    }

    /// Sends a message to all clients that are connected (`SendToAll`).
    ///
    /// # Errors
    /// The first error that there was; all those whom the message can be sent to get it.
    pub fn send_to_all(&mut self, message: &impl Sendable) -> Result<(), SendError> {
        self.send_to_others(message, None)
    }

    /// The same, but for one of them.
    ///
    /// # Errors
    /// The first error that there was; all those whom the message can be sent to get it.
    pub fn send_to_all_except(&mut self, message: &impl Sendable, except: ClientId) -> Result<(), SendError> {
        let except = self.connections.client(except);
        self.send_to_others(message, except)
    }

    pub(super) fn send_to_others(
        &mut self,
        message: &impl Sendable,
        except: Option<u32>,
    ) -> Result<(), SendError> {
        let mut sent = Ok(());
        self.each_connected(|server, slot| {
            if Some(slot) != except {
                let result = server.send_to_slot(message, slot).map(drop);
                if sent.is_ok() {
                    sent = result;
                }
            }
        });
        sent
    }

    /// Sets what may be set for a client that is connected. Silence counts from now on.
    ///
    /// # Errors
    /// When there is no such client.
    pub fn set_settings(&mut self, id: ClientId, settings: ConnectionSettings) -> Result<(), SendError> {
        let now = self.now;
        let slot = self.connections.client(id).ok_or(SendError::NotConnected)?;
        let connection = self.connections.get_mut(slot).filter(|connection| connection.is_connected());
        connection.ok_or(SendError::NotConnected)?.peer.link_mut().set_settings(now, settings);
        self.reschedule(slot);
        Ok(())
    }

    /// A client's counters begin at 0 again (`Metrics.Reset`).
    pub fn reset_metrics(&mut self, id: ClientId) {
        let slot = self.connections.client(id);
        if let Some(connection) = slot.and_then(|slot| self.connections.get_mut(slot)) {
            connection.peer.link_mut().reset_metrics();
        }
    }

    fn send_to_slot(&mut self, message: &impl Sendable, slot: u32) -> Result<Option<u16>, SendError> {
        let now = self.now;
        let connection = self.connections.get_mut(slot).ok_or(SendError::NotConnected)?;
        let endpoint = connection.endpoint();
        let sent = connection.peer.send(now, message, &mut self.scratch, self.lanes.out(endpoint));
        self.reschedule(slot);
        sent
    }

    fn send_ordered_to_slot(&mut self, message: &impl Sendable, slot: u32) -> Result<u16, SendError> {
        let now = self.now;
        let connection = self.connections.get_mut(slot).ok_or(SendError::NotConnected)?;
        let sent = connection.peer.send_extended(now, true, message, &mut self.scratch);
        self.reschedule(slot);
        sent
    }

    /// Sends a message to all but one: in order to those who have that.
    pub(super) fn send_in_order_to_others(&mut self, message: &impl Sendable, except: u32) {
        self.each_connected(|server, slot| {
            if slot == except {
                return;
            }
            let peer = server.connections.get(slot).map(|connection| &connection.peer);
            if peer.is_some_and(|peer| peer.agreed().is_some()) {
                server.send_ordered_to_slot(message, slot).ok();
            } else {
                server.send_to_slot(message, slot).ok();
            }
        });
    }

    /// Does something with every client that is connected, in the order of ids.
    pub(super) fn each_connected(&mut self, mut act: impl FnMut(&mut Self, u32)) {
        let mut last = None;
        while let Some((id, slot)) = self.connections.client_after(last) {
            last = Some(id);
            if self.connections.get(slot).is_some_and(super::connection::ConnectionSlot::is_connected) {
                act(self, slot);
            }
        }
    }

    /// Tells a client reliably of another one. A client that has no room for it is too far behind,
    /// and its link will say so.
    pub(super) fn announce(
        &mut self,
        slot: u32,
        tell: impl FnOnce(&mut Peer, Instant) -> Result<u16, SendError>,
    ) {
        let now = self.now;
        if let Some(connection) = self.connections.get_mut(slot) {
            tell(&mut connection.peer, now).ok();
            self.reschedule(slot);
        }
    }
}
