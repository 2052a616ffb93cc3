use gamewire_wire::Result;

use crate::Dialect;
use crate::session::message::{ClientMessage, ServerMessage};

/// A received message with its bytes, for what has no event of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MessageBuf {
    /// The dialect of the connection.
    pub dialect: Dialect,
    /// The message was sent as vital.
    pub vital: bool,
    /// The content of its chunk: id and fields.
    pub content: Vec<u8>,
}

impl MessageBuf {
    /// Decodes a message of a server.
    ///
    /// # Errors
    /// As [`Dialect::decode_server_message`].
    pub fn decode_server(&self) -> Result<ServerMessage<'_>> {
        self.dialect.decode_server_message(&self.content)
    }

    /// Decodes a message of a client.
    ///
    /// # Errors
    /// As [`Dialect::decode_client_message`].
    pub fn decode_client(&self) -> Result<ClientMessage<'_>> {
        self.dialect.decode_client_message(&self.content)
    }
}
