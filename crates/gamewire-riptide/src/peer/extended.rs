//! The extension on a connection: what of it concerns packets.

use gamewire_machine::Role;

use gamewire_machine::Instant;

use super::{Peer, SendError, by_format};
use crate::extension::{
    CompleteMessage, ExtensionConfig, ExtensionInbound, ExtensionParams, ExtensionState, ReliableSender,
};
use crate::link::OnSendExhausted;
use crate::message::{MessageSendMode, Sendable};
use crate::shared::payload::Payload;
use crate::shared::version::Version as _;

use super::receive::Inbound;

/// What carries the extension.
struct ExtensionLink<'a> {
    peer: &'a mut Peer,
    now: Instant,
    id: u16,
}

impl ReliableSender for ExtensionLink<'_> {
    fn packet_size(&self) -> usize {
        let bits = self.peer.max_size.saturating_mul(8);
        bits.saturating_sub(self.peer.reliable_header_bits(self.id)) / 8
    }

    fn has_room(&self, packets: usize, bytes: usize) -> bool {
        self.peer.link.has_room(packets, bytes)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<u16, SendError> {
        self.peer.send_reliable(self.now, self.id, &Payload::new(bytes))
    }
}

impl Peer {
    /// Speaks the extension with this peer, if the peer does.
    pub(super) fn session(&self, config: ExtensionConfig) -> Box<ExtensionState> {
        let role = match self.sender {
            Role::Server => Role::Client,
            Role::Client => Role::Server,
        };
        Box::new(ExtensionState::new(config, role, self.format))
    }

    /// Bits of a reliable packet before the values of its message.
    fn reliable_header_bits(&self, id: u16) -> usize {
        by_format!(self.format, V => V::HEADER_BITS.saturating_add(16).saturating_add(V::id_bits(id)))
    }

    /// Does something with the session while the rest of the peer carries it.
    fn with_session<R>(
        &mut self,
        now: Instant,
        act: impl FnOnce(&mut ExtensionState, &mut ExtensionLink<'_>) -> R,
    ) -> Option<R> {
        let mut session = self.extension.take()?;
        let id = session.id();
        let result = act(&mut session, &mut ExtensionLink { peer: self, now, id });
        self.extension = Some(session);
        Some(result)
    }

    /// The connection was established just now.
    pub(crate) fn on_connected(&mut self, now: Instant) {
        self.with_session(now, |session, carrier| session.send_hello(carrier));
    }

    /// What the peer takes of the extension, when that can be used.
    pub(crate) fn agreed(&self) -> Option<&ExtensionParams> {
        self.extension.as_ref()?.negotiated()
    }

    /// A reliable message came.
    pub(super) fn receive_extension<'a>(
        &mut self,
        now: Instant,
        id: u16,
        payload: Payload<'a>,
    ) -> Inbound<'a> {
        let session = self.extension.as_mut().filter(|session| session.id() == id);
        match session.map_or(ExtensionInbound::Foreign, |session| session.receive(&payload)) {
            ExtensionInbound::Foreign => Inbound::Reliable { id, payload },
            ExtensionInbound::Word => {
                // From now on a message that is given up would leave a hole in the order.
                self.link.set_give_up(OnSendExhausted::Disconnect);
                if self.is_connected() {
                    self.on_connected(now);
                }
                Inbound::Nothing
            }
            ExtensionInbound::Frame => Inbound::ExtensionFrame,
            ExtensionInbound::Violation => Inbound::Violation,
        }
    }

    /// The next message that the extension has ready.
    pub(crate) fn poll_extended(&mut self) -> Option<CompleteMessage> {
        self.extension.as_mut()?.poll()
    }

    /// Sends a reliable message by the extension. Gives the sequence id of its first packet.
    /// `scratch` is room of [`Peer::max_size`] bytes to write in.
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
        let longest = self.agreed().ok_or(SendError::ExtensionUnavailable)?.max_message_size;
        let mut room;
        let payload = match message.payload(self.format, scratch) {
            Ok(payload) => payload,
            // It may need more room than a packet has.
            Err(_) => {
                let own = self.extension.as_ref().map_or(0, |session| session.longest());
                room = vec![0; own.min(usize::try_from(longest).unwrap_or(usize::MAX))];
                message.payload(self.format, &mut room)?
            }
        };
        let sent = self.with_session(now, |session, carrier| session.send(is_ordered, id, &payload, carrier));
        sent.unwrap_or(Err(SendError::ExtensionUnavailable))
    }

    /// Nothing of the extension is needed any more.
    pub(crate) fn drop_extension(&mut self) {
        self.extension = None;
    }

    /// The memory that the extension holds, in bytes.
    pub(crate) fn extension_bytes(&self) -> usize {
        self.extension.as_ref().map_or(0, |session| session.held_bytes())
    }
}
