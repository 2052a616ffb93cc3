use core::fmt;
use gamewire_machine::Role;

use gamewire_wire::{CodecError, Span};

use super::definition::MessageKind;
use super::layouts::{MessageLayout, MessageLayouts};
use super::single::ScalarValue;
use super::walk::{Group, Visitor, Walk};
use crate::Format;
use crate::shared::message::{Bools, Reader, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// Why a payload has no form in the other format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscodeError {
    /// No layout describes it.
    Unknown,
    /// It is not what its layout says.
    Read(CodecError),
    /// The other format cannot say it, or it is longer there than a message may be.
    Write(CodecError),
}

impl MessageLayouts {
    /// Carries what stands at `place` of a packet that `sender` sends from one format to the other:
    /// replaces `output` by it, and says how many bits it has. Bits behind the last field, which
    /// mean nothing, are left out.
    ///
    /// # Errors
    /// When no layout describes it, it is not what its layout says, or the other format cannot say
    /// it; then nothing is in `output`.
    pub fn transcode(
        &self,
        (place, sender): (MessageKind, Role),
        payload: &Payload<'_>,
        (from, to): (Format, Format),
        output: &mut Vec<u8>,
    ) -> Result<usize, TranscodeError> {
        output.clear();
        let message = self.find(place, sender).ok_or(TranscodeError::Unknown)?;
        let done = match (from, to) {
            (Format::V20, Format::V20) => self.carry::<V20, V20>(message, payload, output),
            (Format::V20, Format::V21) => self.carry::<V20, V21>(message, payload, output),
            (Format::V21, Format::V20) => self.carry::<V21, V20>(message, payload, output),
            (Format::V21, Format::V21) => self.carry::<V21, V21>(message, payload, output),
        };
        if done.is_err() {
            output.clear();
        }
        done
    }

    fn carry<From: Version, To: Version>(
        &self,
        message: &MessageLayout,
        payload: &Payload<'_>,
        output: &mut Vec<u8>,
    ) -> Result<usize, TranscodeError> {
        // Two ends may have agreed on longer messages than usual.
        output.resize(To::MAX_SIZE.max(payload.byte_len().saturating_mul(2)), 0);
        let mut from: Reader<'_, From> = payload.reader();
        let to = Writer::<To>::with_max_size(output, usize::MAX);
        let mut carrier = Transcoder { to, written: Ok(()) };
        let read = Walk { structs: &self.structs }.fields(&message.fields, &mut from, &mut carrier);
        let Transcoder { to, written } = carrier;
        let bits = to.written_bits();
        read.map_err(|error| TranscodeError::Read(error.in_packet(message.name)))?;
        written.map_err(|error| TranscodeError::Write(error.in_packet(message.name)))?;
        output.truncate(bits.div_ceil(8));
        Ok(bits)
    }
}

/// Writes what it is told, up to the first error.
struct Transcoder<'b, V> {
    to: Writer<'b, V>,
    written: Result<(), CodecError>,
}

impl<V: Version> Transcoder<'_, V> {
    fn write(
        &mut self,
        name: &'static str,
        write: impl FnOnce(&mut Writer<'_, V>) -> Result<(), CodecError>,
    ) {
        if self.written.is_ok() {
            self.written = write(&mut self.to).map_err(|error| error.in_field(name));
        }
    }
}

impl<V: Version> Visitor for Transcoder<'_, V> {
    fn enter(&mut self, _: Group, _: &'static str, _: Span) {}

    fn leave(&mut self) {}

    fn length(&mut self, length: usize) {
        self.write("", |to| to.length(length));
    }

    fn single(&mut self, name: &'static str, _: Span, value: ScalarValue) {
        self.write(name, |to| value.write(to));
    }

    fn text(&mut self, name: &'static str, _: Span, text: &Payload<'_>) {
        self.write(name, |to| to.payload(text));
    }

    fn bytes(&mut self, name: &'static str, _: Span, bytes: &Payload<'_>) {
        self.write(name, |to| to.payload(bytes));
    }

    fn bools(&mut self, name: &'static str, _: Span, bools: Bools<'_>) {
        let bools: Vec<bool> = bools.collect();
        self.write(name, |to| to.bools_without_length(&bools));
    }
}

impl fmt::Display for TranscodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("no layout describes this message"),
            Self::Read(error) => write!(f, "the message is not what its layout says: {error}"),
            Self::Write(error) => write!(f, "the other format cannot say it: {error}"),
        }
    }
}

impl core::error::Error for TranscodeError {}
