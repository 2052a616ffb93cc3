use super::Server;
use crate::extension::CompleteMessage;
use crate::message::{Message, MessageSendMode, Sendable};
use crate::shared::payload::Payload;
use crate::{ClientId, Format};

/// How many bytes a packet takes beside its payload: its header, and those of IPv4 and UDP.
const PACKET_OVERHEAD: usize = 32;

impl Server {
    /// A message of a client: for the others or for the application.
    pub(super) fn message(
        &mut self,
        slot: u32,
        format: Format,
        mode: MessageSendMode,
        id: Option<u16>,
        payload: &Payload<'_>,
    ) {
        let Some(connection) = self.connections.get(slot) else { return };
        let Some(client) = connection.stage.client() else { return };
        let message = Message::received(format, mode, id, payload);
        if message.id().is_some_and(|id| self.config.relay_filter.should_relay(id)) {
            self.relay_to_others(slot, &message, false);
        } else {
            self.events.push_message((client, message));
        }
    }

    /// Passes a message of a client on to all others, as the relay filter does: for an application
    /// that looks at messages before they go on. Whether the client's
    /// [`RelayBudget`](super::RelayBudget) allowed it. Who cannot be told in its format, or has no
    /// room, misses it.
    pub fn relay(&mut self, message: &impl Sendable, from: ClientId) -> bool {
        self.connections.client(from).is_some_and(|slot| self.relay_to_others(slot, message, false))
    }

    /// Messages of a client that the extension has ready.
    pub(super) fn extended(&mut self, slot: u32) {
        while let Some(connection) = self.connections.get_mut(slot)
            && let Some(CompleteMessage { message, is_ordered }) = connection.peer.poll_extended()
        {
            let Some(client) = connection.stage.client() else { return };
            if message.id().is_some_and(|id| self.config.relay_filter.should_relay(id)) {
                self.relay_to_others(slot, &message, is_ordered);
            } else {
                let bytes = message.bytes_in_use();
                self.events.push_extended((client, message), bytes);
            }
        }
    }

    fn relay_to_others(&mut self, slot: u32, message: &impl Sendable, is_ordered: bool) -> bool {
        let is_allowed = self.take_relay_budget(slot, message);
        if is_allowed && is_ordered {
            self.send_in_order_to_others(message, slot);
        } else if is_allowed {
            self.send_to_others(message, Some(slot)).ok();
        } else {
            self.relay_dropped = self.relay_dropped.saturating_add(1);
        }
        is_allowed
    }

    /// Takes a message for all others from what a client may have passed on.
    fn take_relay_budget(&mut self, slot: u32, message: &impl Sendable) -> bool {
        let (now, most) = (self.now, self.scratch.len());
        let others = self.connections.connected_count().saturating_sub(1);
        let Some(connection) = self.connections.get_mut(slot) else { return false };
        let payload = message.payload(connection.peer.format(), &mut self.scratch);
        let bytes = payload.map_or(most, |payload| payload.byte_len());
        let bytes = bytes.saturating_add(PACKET_OVERHEAD).saturating_mul(others);
        connection.is_connected() && connection.relayed.take(now, bytes, &self.config.relay_budget)
    }
}
