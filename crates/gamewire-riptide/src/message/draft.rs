use core::marker::PhantomData;

use gamewire_wire::CodecError;

use crate::shared::message::Writer;
use crate::shared::payload::Payload;
use crate::shared::version::Version;

/// Buffers have multiples of this many bytes, so that those of both formats have equal sizes.
const STEP: usize = 256;

/// Values of a message in one format, up to the first one that failed.
#[derive(Clone, Default)]
pub(super) struct Draft<V> {
    bytes: Box<[u8]>,
    /// Written bits, and their maximum.
    bits: usize,
    limit: usize,
    error: Option<CodecError>,
    version: PhantomData<V>,
}

impl<V: Version> Draft<V> {
    /// Clears the draft and sets the maximum number of bits.
    pub(super) fn reset(&mut self, limit: usize) {
        ensure(&mut self.bytes, limit.div_ceil(8));
        (self.bits, self.limit, self.error) = (0, limit, None);
    }

    /// Clears the draft and makes it fail with `error`.
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

    /// Returns the size of its buffer in bytes.
    #[inline]
    pub(super) const fn capacity(&self) -> usize {
        self.bytes.len()
    }

    pub(super) const fn written_bits(&self) -> usize {
        self.bits
    }

    pub(super) const fn unwritten_bits(&self) -> usize {
        self.limit.saturating_sub(self.bits)
    }

    /// Returns the written bits, also after an error.
    pub(super) fn written(&self) -> Payload<'_> {
        Payload::with_bits(&self.bytes, self.bits)
    }

    pub(super) fn payload(&self) -> Result<Payload<'_>, CodecError> {
        self.error.map_or_else(|| Ok(self.written()), Err)
    }
}

/// Grows a buffer to at least `size` bytes. Its content may be lost.
#[inline]
pub(super) fn ensure(buffer: &mut Box<[u8]>, size: usize) {
    if buffer.len() < size {
        *buffer = new_buffer(size);
    }
}

#[cold]
fn new_buffer(size: usize) -> Box<[u8]> {
    vec![0; size.next_multiple_of(STEP)].into_boxed_slice()
}
