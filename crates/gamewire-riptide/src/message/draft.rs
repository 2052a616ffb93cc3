use core::marker::PhantomData;

use gamewire_wire::CodecError;

use super::pool::Buffer;
use crate::shared::message::Writer;
use crate::shared::payload::Payload;
use crate::shared::version::Version;

/// The values of a message in one of the formats, up to the first one that it cannot hold.
#[derive(Clone)]
pub(super) struct Draft<V> {
    buffer: Buffer,
    /// Bits that are written, and how many there may be.
    bits: usize,
    limit: usize,
    error: Option<CodecError>,
    version: PhantomData<V>,
}

impl<V: Version> Draft<V> {
    /// Room for `limit` bits.
    pub(super) fn new(limit: usize) -> Self {
        let buffer = Buffer::with_size(limit.div_ceil(8));
        Self { buffer, bits: 0, limit, error: None, version: PhantomData }
    }

    /// One that holds nothing because of `error`.
    pub(super) fn impossible(error: CodecError) -> Self {
        Self { error: Some(error), ..Self::new(0) }
    }

    pub(super) fn write(&mut self, write: impl FnOnce(&mut Writer<'_, V>) -> Result<(), CodecError>) {
        if self.error.is_some() {
            return;
        }
        let mut writer = Writer::resume(self.buffer.bytes_mut(), self.bits, self.limit);
        let written = writer.all_or_nothing(write);
        self.bits = writer.written_bits();
        self.error = written.err();
    }

    pub(super) const fn written_bits(&self) -> usize {
        self.bits
    }

    pub(super) const fn unwritten_bits(&self) -> usize {
        self.limit.saturating_sub(self.bits)
    }

    /// What is written, whether or not something is missing.
    pub(super) fn written(&self) -> Payload<'_> {
        Payload::with_bits(self.buffer.bytes(), self.bits)
    }

    pub(super) fn payload(&self) -> Result<Payload<'_>, CodecError> {
        self.error.map_or_else(|| Ok(self.written()), Err)
    }
}
