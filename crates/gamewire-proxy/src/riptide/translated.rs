use gamewire_machine::Role;
use gamewire_riptide::layout::{MessageKind, MessageLayouts, TranscodeError};
use gamewire_riptide::raw::Payload;
use gamewire_riptide::{Format, Message, MessageSendMode, Sendable};
use gamewire_wire::{CodecError, Found};

/// A message that is sent in another format. It is translated by its layout. Without a layout, its bytes are sent
/// unchanged.
#[derive(Debug)]
pub(super) struct Translated<'a> {
    pub(super) message: &'a Message,
    pub(super) layouts: &'a MessageLayouts,
    pub(super) sender: Role,
}

impl Sendable for Translated<'_> {
    fn mode(&self) -> MessageSendMode {
        self.message.mode()
    }

    fn id(&self) -> Option<u16> {
        self.message.id()
    }

    fn payload<'a>(&'a self, format: Format, scratch: &'a mut [u8]) -> Result<Payload<'a>, CodecError> {
        let Some((from, id)) = self.message.format().filter(|from| *from != format).zip(self.message.id())
        else {
            return self.message.payload(format);
        };
        let payload = self.message.payload(from)?;
        let (kind, mut bytes) = (MessageKind::Message(id), Vec::new());
        match self.layouts.transcode(kind, self.sender, &payload, from, format, &mut bytes) {
            Ok(bits) => {
                let max = scratch.len();
                let target = scratch.get_mut(..bytes.len());
                let target = target.ok_or_else(|| CodecError::new(max, "a shorter message", Found::End))?;
                target.copy_from_slice(&bytes);
                Ok(Payload::with_bits(target, bits))
            }
            Err(TranscodeError::Unknown) => self.message.payload(format),
            Err(TranscodeError::Read(error) | TranscodeError::Write(error)) => Err(error),
        }
    }
}
