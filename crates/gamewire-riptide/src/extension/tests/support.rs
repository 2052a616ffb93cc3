//! One side of a connection, and scripted packets of the other side.

use gamewire_machine::Role;

use crate::extension::{ExtensionConfig, ExtensionInbound, ExtensionParams, ExtensionState, ReliableSender};
use crate::shared::payload::Payload;
use crate::{Format, SendError};

/// A sender that records its packets.
#[derive(Debug, Default)]
pub(super) struct Wire {
    pub(super) sent: Vec<Vec<u8>>,
}

impl ReliableSender for Wire {
    fn packet_size(&self) -> usize {
        100
    }

    fn has_room(&self, _: usize, _: usize) -> bool {
        true
    }

    fn send(&mut self, bytes: &[u8]) -> Result<u16, SendError> {
        self.sent.push(bytes.to_vec());
        Ok(self.sent.len() as u16)
    }
}

/// Small limits, which a test reaches quickly.
pub(super) const BOUNDS: ExtensionConfig =
    ExtensionConfig { id: 7, max_message_size: 1_000, reassembly_buffer: 4_000, messages: 16 };

pub(super) const WORD: ExtensionParams = ExtensionParams {
    can_order: true,
    can_reassemble: true,
    max_message_size: 1_000,
    reassembly_buffer: 4_000,
    max_pending_messages: 16,
};

pub(super) fn hear(session: &mut ExtensionState, bytes: &[u8]) -> ExtensionInbound {
    session.receive(&Payload::new(bytes))
}

/// Returns the extension of a client that has negotiated it with its server.
pub(super) fn agreed(format: Format) -> ExtensionState {
    agreed_with(format, &WORD)
}

pub(super) fn agreed_with(format: Format, word: &ExtensionParams) -> ExtensionState {
    let mut session = ExtensionState::new(BOUNDS, Role::Client, format);
    session.send_hello(&mut Wire::default());
    assert_eq!(hear(&mut session, &word.encode(Role::Server)), ExtensionInbound::Hello);
    assert_eq!(session.on_acked(1), None);
    session
}

/// Returns a whole message with the order number as its bytes.
pub(super) fn whole(number: u16) -> Vec<u8> {
    [&[2][..], &number.to_le_bytes(), &[5, 0, 16, 0, 0, 0], &number.to_le_bytes()].concat()
}

/// Returns a part of `kind` 3 or 4 of a message of `bytes` bytes.
pub(super) fn part(kind: u8, number: u16, bytes: u32, size: u16, index: u16, content: &[u8]) -> Vec<u8> {
    let (number, bits) = (number.to_le_bytes(), (bytes * 8).to_le_bytes());
    [&[kind][..], &number, &[5, 0], &bits, &size.to_le_bytes(), &index.to_le_bytes(), content].concat()
}

/// Returns the values of all messages that are ready, in bytes.
pub(super) fn ready(session: &mut ExtensionState, format: Format) -> Vec<Vec<u8>> {
    core::iter::from_fn(|| session.poll())
        .map(|whole| whole.message.payload(format).unwrap().to_vec())
        .collect()
}
