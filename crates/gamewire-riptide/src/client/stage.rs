use crate::ClientId;
use crate::shared::payload::Payload;

/// How far a client has come.
#[derive(Debug)]
pub(super) enum ClientState {
    /// It asks for a connection, or waits for the answer.
    Connecting(ConnectRequest),
    /// It is connected.
    Connected(ClientId),
    /// It is over, and that has been told.
    Ended,
}

/// What the server is told with each question for a connection, in its format.
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
