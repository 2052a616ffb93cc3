use gamewire_wire::{CodecError, Found};

use super::{Message, MessageSendMode, MessageType};
use crate::Format;
use crate::shared::message::Writer;
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// What a client or server sends: a [`Message`], or a [`MessageType`] as it is.
pub trait Sendable {
    /// How it is sent.
    fn mode(&self) -> MessageSendMode;

    /// What tells its receiver what it is. Notify messages have no id; nor has the user data of a
    /// handshake, which cannot be sent as a message for that reason.
    fn id(&self) -> Option<u16>;

    /// Its values in a format: from the message itself, or written to `scratch`, which has as
    /// many bytes as a payload may take. Whether they fit behind the header is for the caller to
    /// check, with [`max_payload_bits`].
    ///
    /// # Errors
    /// When the format cannot say it, or there is no room.
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
    let room = scratch.len();
    let mut writer = Writer::<V>::with_max_size(scratch, room);
    value.write(&mut writer)?;
    Ok(writer.written_bits())
}

/// Why a notify message has no form in 2.0.
#[cold]
pub(super) const fn no_notify() -> CodecError {
    CodecError::new(0, "a format with notify messages", Found::End)
}
