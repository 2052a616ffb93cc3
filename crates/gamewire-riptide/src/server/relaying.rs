use super::{Event, Server};
use crate::Format;
use crate::message::{Message, MessageSendMode};
use crate::shared::payload::Payload;

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
        let now = self.now;
        let Some(connection) = self.connections.get_mut(slot) else { return };
        let Some(client) = connection.stage.client() else { return };
        let is_relayed = id.is_some_and(|id| self.config.relay_filter.should_relay(id));
        if !is_relayed {
            let message = Message::received(format, mode, id, payload);
            self.events.push_back(Event::MessageReceived { client, message });
            return;
        }
        let is_connected = connection.is_connected();
        let budget = &self.config.relay_budget;
        let receivers = self.connections.connected_count().saturating_sub(usize::from(is_connected));
        let bytes = payload.byte_len().saturating_mul(receivers);
        let has_budget = self
            .connections
            .get_mut(slot)
            .is_some_and(|connection| is_connected && connection.relayed.take(now, bytes, budget));
        if has_budget {
            let message = Message::received(format, mode, id, payload);
            // Who cannot be told in its format, or has no room, misses it.
            self.send_to_others(&message, Some(slot)).ok();
        } else {
            self.relay_dropped = self.relay_dropped.saturating_add(1);
        }
    }
}
