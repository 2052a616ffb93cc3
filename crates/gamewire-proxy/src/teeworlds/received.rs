//! Messages in a datagram of a connection.

use gamewire_teeworlds::raw::link::{InboundChunk, LinkInput};
use gamewire_teeworlds::raw::packet::MAX_PAYLOAD;
use gamewire_teeworlds::{Dialect, MessageBuf};
use gamewire_wire::Writer;

/// The content of a datagram.
pub(super) enum Received {
    /// Messages of the connection; none for a keep-alive.
    Messages(Vec<MessageBuf>),
    /// The end of the connection, with its reason.
    Close(String),
    /// The datagram does not belong to the connection.
    Unconnected,
}

/// Reads a datagram that the link accepted, or `None` if the link dropped it.
pub(super) fn read(dialect: Dialect, input: Option<LinkInput<'_>>) -> Received {
    match input {
        Some(LinkInput::Chunks(chunks)) => {
            let message = |chunk: InboundChunk<'_>| MessageBuf {
                dialect,
                vital: chunk.vital,
                content: chunk.content.to_vec(),
            };
            Received::Messages(chunks.map(message).collect())
        }
        Some(LinkInput::KeepAlive) => Received::Messages(Vec::new()),
        Some(LinkInput::Close { reason }) => {
            Received::Close(reason.map(|reason| reason.to_string()).unwrap_or_default())
        }
        Some(LinkInput::Control { .. }) | None => Received::Unconnected,
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
