use super::{Event, Server};
use crate::ClientId;
use crate::extension::CompleteMessage;
use crate::message::{Message, MessageSendMode, Sendable};

/// Bytes of a packet in addition to its payload: the headers of the protocol, IPv4 and UDP.
const PACKET_OVERHEAD: usize = 32;

impl Server {
    /// Relays a client's message, or emits it as an event.
    #[inline(always)]
    pub(super) fn on_message(&mut self, slot: usize, client: ClientId, message: Message, is_ordered: bool) {
        if message.id().is_some_and(|id| self.config.relay_filter.should_relay(id)) {
            self.relay_to_others(slot, &message, is_ordered);
        } else {
            self.events.push(Event::MessageReceived { client, message });
        }
    }

    /// Relays or emits the messages that the extension completed.
    pub(super) fn on_extension_messages(&mut self, slot: usize) {
        while let Some(peer) = self.peers.get_mut(slot)
            && let Some(CompleteMessage { message, is_ordered }) = peer.connection.poll_extension_message()
        {
            let Some(client) = peer.state.client() else { return };
            self.on_message(slot, client, message, is_ordered);
        }
    }

    /// Relays a client's message, if its budget allows that. Returns whether it did. A reliable message is always
    /// relayed, because the server has already acknowledged it.
    pub(super) fn relay_to_others(&mut self, slot: usize, message: &impl Sendable, is_ordered: bool) -> bool {
        let is_allowed = self.take_relay_budget(slot, message);
        if !is_allowed {
            self.relay_dropped.increment();
        } else if is_ordered {
            self.send_ordered_to_others(message, slot);
        } else {
            self.send_to_others(message, Some(slot));
        }
        is_allowed
    }

    fn take_relay_budget(&mut self, slot: usize, message: &impl Sendable) -> bool {
        let (now, max) = (self.clock.now(), self.scratch.len());
        let others = self.peers.connected_count().saturating_sub(1);
        let Some(peer) = self.peers.get_mut(slot).filter(|peer| peer.is_connected()) else { return false };
        let payload = message.payload(peer.connection.format, &mut self.scratch);
        let bytes = payload.map_or(max, |payload| payload.byte_len());
        let bytes = bytes.saturating_add(PACKET_OVERHEAD).saturating_mul(others);
        if message.mode() != MessageSendMode::Reliable && peer.relay_limiter.is_exhausted(now) {
            return false;
        }
        peer.relay_limiter.acquire(now, bytes, &self.config.relay_budget);
        true
    }
}
