//! The extension on a connection.

use gamewire_machine::Instant;

use super::{Connection, Inbound};
use crate::SendError;
use crate::extension::{CompleteMessage, ExtensionInbound, ExtensionParams, ExtensionState, ReliableSender};
use crate::link::OnSendExhausted;
use crate::message::{MessageSendMode, Sendable};
use crate::shared::message::ROOM;
use crate::shared::packet::{Packet, Reliable};
use crate::shared::payload::Payload;
use crate::versions::by_format;

/// First bytes of a buffer for a message that is longer than a packet.
const MIN_BUFFER: usize = 4096;

/// The connection as the carrier of the extension's packets.
struct ExtensionLink<'a> {
    connection: &'a mut Connection,
    now: Instant,
    id: u16,
}

impl ReliableSender for ExtensionLink<'_> {
    fn packet_size(&self) -> usize {
        let header = Packet::from(Reliable { id: self.id, ..Reliable::default() });
        let header_bits = by_format!(self.connection.format, V => header.bit_len::<V>());
        self.connection.max_size.saturating_mul(8).saturating_sub(header_bits) / 8
    }

    fn has_room(&self, packets: usize, bytes: usize) -> bool {
        self.connection.link.has_room(packets, bytes)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<u16, SendError> {
        self.connection.send_reliable(self.now, self.id, &Payload::new(bytes))
    }
}

impl Connection {
    /// Calls `act` with the extension, if it is on, and the rest of the connection as its carrier.
    fn with_extension<R>(
        &mut self,
        now: Instant,
        act: impl FnOnce(&mut ExtensionState, &mut ExtensionLink<'_>) -> R,
    ) -> Option<R> {
        let mut extension = self.extension.take()?;
        let id = extension.config.id;
        let result = act(&mut extension, &mut ExtensionLink { connection: self, now, id });
        self.extension = Some(extension);
        Some(result)
    }

    /// Starts the negotiation of the extension. The connection must be established.
    pub(crate) fn on_connected(&mut self, now: Instant) {
        self.with_extension(now, |extension, link| extension.send_hello(link));
    }

    /// Returns the peer's parameters of the extension, after their negotiation.
    pub(crate) fn negotiated(&self) -> Option<&ExtensionParams> {
        self.extension.as_ref()?.negotiated()
    }

    /// Handles a reliable message, if it belongs to the extension.
    pub(super) fn receive_extension(
        &mut self,
        now: Instant,
        id: u16,
        payload: &Payload<'_>,
    ) -> Option<Inbound<'static>> {
        let extension = self.extension.as_mut().filter(|extension| extension.config.id == id)?;
        match extension.receive(payload) {
            ExtensionInbound::Foreign => None,
            ExtensionInbound::Hello => {
                // A discarded message would leave a gap in the order.
                self.link.set_on_send_exhausted(OnSendExhausted::Disconnect);
                if self.is_connected() {
                    self.on_connected(now);
                }
                Some(Inbound::Nothing)
            }
            ExtensionInbound::Frame => Some(Inbound::ExtensionMessages),
            ExtensionInbound::Violation => Some(Inbound::Violation),
        }
    }

    /// Returns the next complete message of the extension.
    pub(crate) fn poll_extension_message(&mut self) -> Option<CompleteMessage> {
        self.extension.as_mut()?.poll()
    }

    /// Sends a reliable message through the extension, and returns the sequence id of its first packet. `scratch` has
    /// [`Connection::max_size`] bytes.
    pub(crate) fn send_extended(
        &mut self,
        now: Instant,
        is_ordered: bool,
        message: &impl Sendable,
        scratch: &mut [u8],
    ) -> Result<u16, SendError> {
        if message.mode() != MessageSendMode::Reliable {
            return Err(SendError::NotReliable);
        }
        let id = message.id().ok_or(SendError::NoId)?;
        let peer_max = self.negotiated().ok_or(SendError::ExtensionUnavailable)?.max_message_size;
        let own_max = self.extension.as_ref().map_or(0, |extension| extension.config.max_message_size);
        let max = own_max.min(usize::try_from(peer_max).unwrap_or(usize::MAX));
        let mut buffer = Vec::new();
        let payload = match message.payload(self.format, scratch) {
            Ok(payload) => payload,
            // The message may be longer than a packet.
            Err(_) => {
                while message.payload(self.format, &mut buffer).is_err_and(|error| error.expected == ROOM) {
                    if buffer.len() >= max {
                        return Err(SendError::ValuesTooLong { max });
                    }
                    buffer.resize(buffer.len().saturating_mul(2).clamp(MIN_BUFFER.min(max), max), 0);
                }
                message.payload(self.format, &mut buffer)?
            }
        };
        let sent = self.with_extension(now, |extension, link| extension.send(is_ordered, id, &payload, link));
        sent.unwrap_or(Err(SendError::ExtensionUnavailable))
    }
}
