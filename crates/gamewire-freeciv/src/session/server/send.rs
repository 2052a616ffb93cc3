use thiserror::Error;

use super::{ClientId, Server};
use crate::delta::{DeltaError, EncodeOptions, Value};
use crate::session::codec::{Encoder, PacketRef};
use crate::v30;

/// Why something was not done for a client.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// There is no such client.
    #[error("the client is gone")]
    NoSuchClient,
    /// The client has not been let in.
    #[error("the client has not joined yet")]
    NotJoined,
    /// The client does not wait for that.
    #[error("the client does not wait for that")]
    NotAsked,
    /// The definition has no such packet.
    #[error("no packet of the name {0}")]
    Unknown(String),
    /// The packet cannot be written.
    #[error(transparent)]
    Packet(#[from] Box<DeltaError>),
}

impl Server {
    /// Sends a packet to a client. False if it says nothing new and is of a type that is not sent
    /// then.
    ///
    /// # Errors
    /// Nothing was sent. A client for which too much waits, or a packet too long, is gone then.
    pub fn send<'p>(
        &mut self,
        client: ClientId,
        packet: impl Into<v30::Packet<'p>>,
    ) -> Result<bool, SendError> {
        let packet = packet.into();
        self.send_with(client, |encoder, out| encoder.encode(packet, EncodeOptions::default(), out))
    }

    /// Sends a packet to a client, given the fields that are not zero or empty by their names.
    /// False if it says nothing new and is of a type that is not sent then.
    ///
    /// # Errors
    /// Nothing was sent. A client for which too much waits, or a packet too long, is gone then.
    pub fn send_fields(
        &mut self,
        client: ClientId,
        name: &str,
        fields: &[(&str, Value)],
    ) -> Result<bool, SendError> {
        let number = self.config.definition.number(name);
        let number = number.ok_or_else(|| SendError::Unknown(name.to_owned()))?;
        self.send_with(client, |encoder, out| {
            Ok(encoder.encode_fields(number, fields, EncodeOptions::default(), out)?.then_some(number))
        })
    }

    /// The same, given a value for each field.
    ///
    /// # Errors
    /// As [`send_fields`](Self::send_fields).
    pub fn send_values(
        &mut self,
        client: ClientId,
        number: u16,
        values: &[Value],
        sending: EncodeOptions<'_>,
    ) -> Result<bool, SendError> {
        self.send_with(client, |encoder, out| {
            Ok(encoder.encode_values(number, values, sending, out)?.then_some(number))
        })
    }

    /// Sends a packet on that another server sent, by the same definition.
    ///
    /// # Errors
    /// As [`send_fields`](Self::send_fields).
    pub fn forward(&mut self, client: ClientId, packet: &PacketRef<'_>) -> Result<bool, SendError> {
        self.send_with(client, |encoder, out| Ok(encoder.forward(packet, out)?.then(|| packet.number())))
    }

    fn send_with(
        &mut self,
        client: ClientId,
        encode: impl FnOnce(&mut Encoder, &mut Vec<u8>) -> Result<Option<u16>, Box<DeltaError>>,
    ) -> Result<bool, SendError> {
        let stream = self.stream(client)?;
        let peer = self.peers.get_mut(&stream).ok_or(SendError::NoSuchClient)?;
        if peer.playing().is_none() {
            return Err(SendError::NotJoined);
        }
        match peer.send_with(encode) {
            Ok(is_sent) => {
                self.enqueue(stream);
                Ok(is_sent)
            }
            Err(super::CloseReason::Packet(error)) => Err(error.into()),
            Err(reason) => {
                self.close(stream, reason);
                Err(SendError::NoSuchClient)
            }
        }
    }
}
