use crate::ClientId;
use crate::shared::payload::Payload;

/// The state of a client.
#[derive(Debug)]
pub(super) enum ClientState {
    /// The client requests a connection, or waits for the decision.
    Connecting(ConnectRequest),
    /// The client is connected.
    Connected(ClientId),
    /// The connection is closed, and the last event was emitted.
    Ended,
}

/// The user data of the connect request, in the server's format.
#[derive(Debug, Default)]
pub(super) struct ConnectRequest {
    bytes: Vec<u8>,
    bits: usize,
}

impl ConnectRequest {
    pub(super) fn new(data: &Payload<'_>) -> Self {
        Self { bytes: data.to_vec(), bits: data.bit_len() }
    }

    pub(super) fn data(&self) -> Payload<'_> {
        Payload::with_bits(&self.bytes, self.bits)
    }
}
