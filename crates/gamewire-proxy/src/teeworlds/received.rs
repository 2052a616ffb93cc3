//! Messages in a datagram of a connection.

use gamewire_machine::TransmitQueue;
use gamewire_teeworlds::MessageBuf;
use gamewire_teeworlds::raw::link::LinkInput;
use gamewire_teeworlds::raw::packet::MAX_PAYLOAD;
use gamewire_wire::Writer;

/// The content of a datagram.
pub(super) enum Received {
    /// Messages of the connection; none for a keep-alive.
    Messages,
    /// The end of the connection, with its reason.
    Close(String),
    /// The datagram does not belong to the connection.
    Unconnected,
}

/// Reads a datagram that the link accepted, or `None` if the link dropped it. Its messages are added to `messages`, each
/// with whether it is vital.
pub(super) fn read(input: Option<LinkInput<'_>>, messages: &mut TransmitQueue<bool>) -> Received {
    match input {
        Some(LinkInput::Chunks(chunks)) => {
            chunks.for_each(|chunk| messages.push(chunk.vital, chunk.content));
            Received::Messages
        }
        Some(LinkInput::KeepAlive) => Received::Messages,
        Some(LinkInput::Close { reason }) => {
            Received::Close(reason.map(|reason| reason.to_string()).unwrap_or_default())
        }
        Some(LinkInput::Control { .. }) | None => Received::Unconnected,
    }
}

/// Decodes a message and encodes it again. Bytes after the known fields are kept. Returns false if the message cannot be
/// decoded.
pub(super) fn encode_again(message: &mut MessageBuf) -> bool {
    let mut buffer = [0; MAX_PAYLOAD];
    let mut to = Writer::new(&mut buffer);
    if !message.decode().is_ok_and(|decoded| decoded.encode(&mut to).is_ok()) {
        return false;
    }
    let written = to.written();
    if !message.content.starts_with(written) {
        message.content.clear();
        message.content.extend_from_slice(written);
    }
    true
}
