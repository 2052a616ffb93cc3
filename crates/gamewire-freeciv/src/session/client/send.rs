use thiserror::Error;

use super::Client;
use super::stage::SessionState;
use crate::delta::{DeltaError, EncodeOptions, Value};
use crate::frame::WriteError;
use crate::session::codec::Encoder;
use crate::session::{CapabilityError, RequestId};
use crate::v30;

/// Why a packet was not sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// The client has not joined yet: the server would take the packet for something else.
    #[error("not joined yet")]
    NotJoined,
    /// No password is asked for.
    #[error("no password is asked for")]
    NotAsked,
    /// The connection is over.
    #[error("the connection is over")]
    Closed,
    /// The client's own capabilities do not fit in the join request.
    #[error(transparent)]
    Capabilities(#[from] CapabilityError),
    /// The definition has no such packet.
    #[error("no packet of the name {0}")]
    Unknown(String),
    /// It says nothing new and is of a type that is not sent then.
    #[error("it says nothing new")]
    Unchanged,
    /// The packet cannot be written.
    #[error(transparent)]
    Packet(#[from] Box<DeltaError>),
    /// The packet is too long. The connection is over with it: what was remembered of the packet
    /// cannot be taken back.
    #[error(transparent)]
    Long(#[from] WriteError),
    /// Too many bytes wait to be sent.
    #[error("more than {limit} bytes wait to be sent")]
    Full {
        /// How many are allowed.
        limit: usize,
    },
}

impl Client {
    /// Sends a packet. The number by which the server's answer is known.
    ///
    /// # Errors
    /// Nothing was sent.
    pub fn send<'p>(&mut self, packet: impl Into<v30::Packet<'p>>) -> Result<RequestId, SendError> {
        let packet = packet.into();
        self.send_with(|encoder, out| encoder.encode(packet, EncodeOptions::default(), out))
    }

    /// Sends a packet, given the fields that are not zero or empty by their names. The number by
    /// which the server's answer is known.
    ///
    /// # Errors
    /// Nothing was sent.
    pub fn send_fields(&mut self, name: &str, fields: &[(&str, Value)]) -> Result<RequestId, SendError> {
        let number = self.config().definition.number(name);
        let number = number.ok_or_else(|| SendError::Unknown(name.to_owned()))?;
        self.send_with(|encoder, out| {
            Ok(encoder.encode_fields(number, fields, EncodeOptions::default(), out)?.then_some(number))
        })
    }

    /// Sends a packet, given a value for each field.
    ///
    /// # Errors
    /// Nothing was sent.
    pub fn send_values(&mut self, number: u16, values: &[Value]) -> Result<RequestId, SendError> {
        self.send_with(|encoder, out| {
            Ok(encoder.encode_values(number, values, EncodeOptions::default(), out)?.then_some(number))
        })
    }

    /// Sends a line as if typed in the chat; one that begins with `/` is a command.
    ///
    /// # Errors
    /// Nothing was sent.
    pub fn chat(&mut self, line: &str) -> Result<RequestId, SendError> {
        let message = Value::Text(line.as_bytes().to_vec());
        self.send_fields("PACKET_CHAT_MSG_REQ", &[("message", message)])
    }

    fn send_with(
        &mut self,
        encode: impl FnOnce(&mut Encoder, &mut Vec<u8>) -> Result<Option<u16>, Box<DeltaError>>,
    ) -> Result<RequestId, SendError> {
        let core = &mut self.core;
        match core.stage {
            SessionState::Playing(_) => {}
            SessionState::Joining(_) | SessionState::Authenticating(_) => return Err(SendError::NotJoined),
            SessionState::Closed(_) => return Err(SendError::Closed),
        }
        let limit = core.config.max_send_queue_bytes;
        if core.link.waiting() >= limit {
            return Err(SendError::Full { limit });
        }
        core.link.body.clear();
        let number = encode(&mut core.encoder, &mut core.link.body)?.ok_or(SendError::Unchanged)?;
        match core.link.write(number) {
            Ok(()) => Ok(core.requests.sent()),
            Err(error) => {
                core.close(error.into());
                Err(error.into())
            }
        }
    }
}
