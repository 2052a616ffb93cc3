use gamewire_wire::{CodecError, Found};

use super::{Message, MessageSendMode, MessageType};
use crate::Format;
use crate::shared::message::Writer;
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::versions::{V20, V21};

/// A value that a client or server can send: a [`Message`] or a [`MessageType`].
pub trait Sendable {
    /// Returns the send mode.
    fn mode(&self) -> MessageSendMode;

    /// Returns the message id. Notify messages have no id. Neither has user data of a handshake, so it
    /// cannot be sent as a message.
    fn id(&self) -> Option<u16>;

    /// Returns the values in a format: from the message itself, or encoded to `scratch`, which has the
    /// maximum size of a payload. The caller checks with [`max_payload_bits`] that they fit after the
    /// header.
    ///
    /// # Errors
    /// If the format does not support a value, or `scratch` is full.
    ///
    /// [`max_payload_bits`]: super::max_payload_bits
    fn payload<'a>(&'a self, format: Format, scratch: &'a mut [u8]) -> Result<Payload<'a>, CodecError>;
}

impl Sendable for Message {
    fn mode(&self) -> MessageSendMode {
        self.mode()
    }

    fn id(&self) -> Option<u16> {
        self.id()
    }

    fn payload<'a>(&'a self, format: Format, _: &'a mut [u8]) -> Result<Payload<'a>, CodecError> {
        self.payload(format)
    }
}

impl<T: MessageType> Sendable for T {
    fn mode(&self) -> MessageSendMode {
        T::MODE
    }

    fn id(&self) -> Option<u16> {
        T::ID
    }

    fn payload<'a>(&'a self, format: Format, scratch: &'a mut [u8]) -> Result<Payload<'a>, CodecError> {
        let bits = match format {
            Format::V20 if T::MODE == MessageSendMode::Notify => return Err(no_notify()),
            Format::V20 => write::<V20, T>(self, scratch)?,
            Format::V21 => write::<V21, T>(self, scratch)?,
        };
        Ok(Payload::with_bits(scratch, bits))
    }
}

fn write<V: Version, T: MessageType>(value: &T, scratch: &mut [u8]) -> Result<usize, CodecError> {
    let size = scratch.len();
    let mut writer = Writer::<V>::with_max_size(scratch, size);
    value.write(&mut writer)?;
    Ok(writer.written_bits())
}

/// Returns the error of a notify message in 2.0.
#[cold]
pub(super) const fn no_notify() -> CodecError {
    CodecError::new(0, "a format with notify messages", Found::End)
}
