use super::client::Client;
use super::state::SessionState;
use super::{CloseReason, SendError};
use crate::delta::{DeltaError, EncodeOptions, Value};
use crate::packets;
use crate::session::RequestId;
use crate::session::codec::Encoder;
use crate::session::packet_queue::QueueError;

impl Client {
    /// Sends a packet. Returns the number that identifies the server's answer.
    ///
    /// # Errors
    /// [`SendError`] if nothing was sent. After [`SendError::Long`] the client is closed.
    pub fn send<'p>(&mut self, packet: impl Into<packets::Packet<'p>>) -> Result<RequestId, SendError> {
        let packet = packet.into();
        self.send_with(|encoder, out| encoder.encode(packet, EncodeOptions::default(), out))
    }

    /// Sends a packet, given the names and values of the fields that are not zero or empty. Returns the number that
    /// identifies the server's answer.
    ///
    /// # Errors
    /// [`SendError`] if nothing was sent. After [`SendError::Long`] the client is closed.
    pub fn send_fields(&mut self, name: &str, fields: &[(&str, Value)]) -> Result<RequestId, SendError> {
        let number = self.config().definition.number(name);
        let number = number.ok_or_else(|| SendError::Unknown(name.to_owned()))?;
        self.send_with(|encoder, out| {
            Ok(encoder.encode_fields(number, fields, EncodeOptions::default(), out)?.then_some(number))
        })
    }

    /// Sends a packet, given a value for each field. Returns the number that identifies the server's answer.
    ///
    /// # Errors
    /// [`SendError`] if nothing was sent. After [`SendError::Long`] the client is closed.
    pub fn send_values(&mut self, number: u16, values: &[Value]) -> Result<RequestId, SendError> {
        self.send_with(|encoder, out| {
            Ok(encoder.encode_values(number, values, EncodeOptions::default(), out)?.then_some(number))
        })
    }

    /// Sends a chat line. A line that begins with `/` is a command.
    ///
    /// # Errors
    /// [`SendError`] if nothing was sent.
    pub fn chat(&mut self, line: &str) -> Result<RequestId, SendError> {
        self.send_fields("PACKET_CHAT_MSG_REQ", &[("message", line.into())])
    }

    /// Sends the password that [`Event::PasswordRequested`](super::Event::PasswordRequested) requests.
    ///
    /// # Errors
    /// [`SendError::NotRequested`] if the server does not wait for a password, [`SendError::Packet`] if the password is
    /// too long, [`SendError::Full`] if the send queue is full. After the last two, the client still waits for a
    /// password.
    pub fn send_password(&mut self, password: &str) -> Result<(), SendError> {
        match self.session.state {
            SessionState::Authenticating { .. } => Ok(self.session.send_password(password)?),
            SessionState::Closed(_) => Err(SendError::Closed),
            SessionState::Joining(_) | SessionState::Playing(_) => Err(SendError::NotRequested),
        }
    }

    /// Closes the client. The protocol has no packet for that. The driver closes the stream after it has written the
    /// queued packets.
    pub fn close(&mut self) {
        self.session.close(CloseReason::Left);
    }

    fn send_with(
        &mut self,
        encode: impl FnOnce(&mut Encoder, &mut Vec<u8>) -> Result<Option<u16>, Box<DeltaError>>,
    ) -> Result<RequestId, SendError> {
        match self.session.state {
            SessionState::Playing(_) => {}
            SessionState::Joining(_) | SessionState::Authenticating { .. } => {
                return Err(SendError::NotJoined);
            }
            SessionState::Closed(_) => return Err(SendError::Closed),
        }
        match self.session.write(encode) {
            Ok(sent) => sent.ok_or(SendError::Unchanged),
            Err(QueueError::Unsendable(error)) => {
                self.session.close(error.into());
                Err(error.into())
            }
            Err(error) => Err(error.into()),
        }
    }
}
