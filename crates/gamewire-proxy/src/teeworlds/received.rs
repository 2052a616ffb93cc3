//! Messages in a datagram of a connection.

use gamewire_teeworlds::raw::link::{InboundChunk, LinkInput};
use gamewire_teeworlds::raw::packet::MAX_PAYLOAD;
use gamewire_teeworlds::{Dialect, MessageBuf};
use gamewire_wire::Writer;

/// Returns whether a datagram is connectionless, the messages, and the reason if the datagram closes the connection.
pub(super) fn read(
    dialect: Dialect,
    input: Option<LinkInput<'_>>,
) -> (bool, Vec<MessageBuf>, Option<String>) {
    match input {
        Some(LinkInput::Chunks(chunks)) => {
            let message = |chunk: InboundChunk<'_>| MessageBuf {
                dialect,
                vital: chunk.vital,
                content: chunk.content.to_vec(),
            };
            (false, chunks.map(message).collect(), None)
        }
        Some(LinkInput::KeepAlive) => (false, Vec::new(), None),
        Some(LinkInput::Close { reason }) => {
            (false, Vec::new(), Some(reason.map(|reason| reason.to_string()).unwrap_or_default()))
        }
        Some(LinkInput::Control { .. }) | None => (true, Vec::new(), None),
    }
}

/// Decodes a message and encodes it again. Bytes after the known fields are kept.
pub(super) fn encoded_again(message: &MessageBuf) -> Option<Vec<u8>> {
    let decoded = message.decode().ok()?;
    let mut buffer = [0; MAX_PAYLOAD];
    let mut to = Writer::new(&mut buffer);
    decoded.encode(&mut to).ok()?;
    let written = to.written();
    Some(if message.content.starts_with(written) { message.content.clone() } else { written.to_vec() })
}
