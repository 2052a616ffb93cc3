use core::marker::PhantomData;

use gamewire_wire::CodecError;

use super::pool::ensure;
use crate::shared::message::Writer;
use crate::shared::payload::Payload;
use crate::shared::version::Version;

/// The values of a message in one of the formats, up to the first one that it cannot hold.
#[derive(Clone, Default)]
pub(super) struct Draft<V> {
    bytes: Box<[u8]>,
    /// Bits that are written, and how many there may be.
    bits: usize,
    limit: usize,
    error: Option<CodecError>,
    version: PhantomData<V>,
}

impl<V: Version> Draft<V> {
    /// Begins anew, with room for `limit` bits.
    pub(super) fn begin(&mut self, limit: usize) {
        ensure(&mut self.bytes, limit.div_ceil(8));
        (self.bits, self.limit, self.error) = (0, limit, None);
    }

    /// Begins anew, and can hold nothing because of `error`.
    pub(super) fn reset_with_error(&mut self, error: CodecError) {
        (self.bits, self.limit, self.error) = (0, 0, Some(error));
    }

    pub(super) fn write(&mut self, write: impl FnOnce(&mut Writer<'_, V>) -> Result<(), CodecError>) {
        if self.error.is_some() {
            return;
        }
        let mut writer = Writer::resume(&mut self.bytes, self.bits, self.limit);
        let written = writer.all_or_nothing(write);
        self.bits = writer.written_bits();
        self.error = written.err();
    }

    /// The size of its buffer, in bytes.
    #[inline]
    pub(super) const fn room(&self) -> usize {
        self.bytes.len()
    }

    pub(super) const fn written_bits(&self) -> usize {
        self.bits
    }

    pub(super) const fn unwritten_bits(&self) -> usize {
        self.limit.saturating_sub(self.bits)
    }

    /// What is written, whether or not something is missing.
    pub(super) fn written(&self) -> Payload<'_> {
        Payload::with_bits(&self.bytes, self.bits)
    }

    pub(super) fn payload(&self) -> Result<Payload<'_>, CodecError> {
        self.error.map_or_else(|| Ok(self.written()), Err)
    }
}
