use gamewire_machine::Role;
use gamewire_wire::{CodecError, Result, Span};
use thiserror::Error;

use super::definition::MessageKind;
use super::layouts::{MessageLayout, MessageLayouts};
use super::scalar::ScalarValue;
use super::visitor::{Visitor, Walker};
use crate::Format;
use crate::shared::message::{Reader, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::versions::by_format;

/// Error of converting a payload to the other format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TranscodeError {
    /// There is no layout.
    #[error("no layout for this message")]
    Unknown,
    /// The payload does not match its layout.
    #[error("the message does not match its layout: {0}")]
    Read(CodecError),
    /// The other format does not support a value, or the message is too long there.
    #[error("cannot encode the message in the other format: {0}")]
    Write(CodecError),
}

impl MessageLayouts {
    /// Converts user data of a packet that `sender` sends from the format `from` to the format `to`. Replaces the
    /// content of `output` and returns its number of bits. Drops bits after the last field, which have no meaning.
    ///
    /// # Errors
    /// [`TranscodeError`] if there is no layout, the payload does not match it, or the other format does not support a
    /// value. `output` is empty then.
    pub fn transcode(
        &self,
        kind: MessageKind,
        sender: Role,
        payload: &Payload<'_>,
        from: Format,
        to: Format,
        output: &mut Vec<u8>,
    ) -> Result<usize, TranscodeError> {
        output.clear();
        let message = self.find(kind, sender).ok_or(TranscodeError::Unknown)?;
        let done = by_format!(from, From => by_format!(to, To => self.convert::<From, To>(message, payload, output)));
        if done.is_err() {
            output.clear();
        }
        done
    }

    fn convert<From: Version, To: Version>(
        &self,
        message: &MessageLayout,
        payload: &Payload<'_>,
        output: &mut Vec<u8>,
    ) -> Result<usize, TranscodeError> {
        // Peers may use a larger maximum size than the default.
        output.resize(To::MAX_SIZE.max(payload.byte_len().saturating_mul(2)), 0);
        let mut from: Reader<'_, From> = payload.reader();
        let to = Writer::<To>::with_max_size(output, usize::MAX);
        let mut transcoder = Transcoder { to, written: Ok(()) };
        let read = Walker { structs: &self.structs }.fields(&message.fields, &mut from, &mut transcoder);
        let Transcoder { to, written } = transcoder;
        let bits = to.written_bits();
        read.map_err(|error| TranscodeError::Read(error.in_packet(message.name)))?;
        written.map_err(|error| TranscodeError::Write(error.in_packet(message.name)))?;
        output.truncate(bits.div_ceil(8));
        Ok(bits)
    }
}

/// A visitor that writes the values in the other format, up to the first error.
struct Transcoder<'b, V> {
    to: Writer<'b, V>,
    written: Result<()>,
}

impl<V: Version> Transcoder<'_, V> {
    fn write(&mut self, name: &'static str, write: impl FnOnce(&mut Writer<'_, V>) -> Result<()>) {
        if self.written.is_ok() {
            self.written = write(&mut self.to).map_err(|error| error.in_field(name));
        }
    }
}

impl<V: Version> Visitor for Transcoder<'_, V> {
    fn length(&mut self, length: usize) {
        self.write("", |to| to.length(length));
    }

    fn scalar(&mut self, name: &'static str, _: Span, value: ScalarValue) {
        self.write(name, |to| value.write(to));
    }

    fn text(&mut self, name: &'static str, _: Span, text: &Payload<'_>) {
        self.write(name, |to| to.payload(text));
    }

    fn bytes(&mut self, name: &'static str, _: Span, bytes: &Payload<'_>) {
        self.write(name, |to| to.payload(bytes));
    }

    fn bools(&mut self, name: &'static str, _: Span, bools: &Payload<'_>) {
        let bools: Vec<bool> = bools.bits().collect();
        self.write(name, |to| to.bools_without_length(&bools));
    }
}
