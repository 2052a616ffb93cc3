use core::marker::PhantomData;

use gamewire_wire::{CodecError, Result};

use super::MessageSendMode;
use crate::Format;
use crate::shared::message::{ROOM, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::versions::{V20, V21};

/// Buffers have multiples of this many bytes, so that the buffers of both formats have equal sizes.
const STEP: usize = 256;
/// Maximum bytes of a new buffer. It grows with the values.
const MAX_FIRST_BYTES: usize = 4096;

/// Content of a message.
pub(super) struct Content {
    pub(super) mode: MessageSendMode,
    pub(super) id: Option<u16>,
    /// Number of read bits.
    pub(super) read: usize,
    /// Format of the peer that sent the message; its values are in `received` then. `None` for a message that is
    /// written here; its values are in `drafts` then. The unused field holds leftovers of another message.
    pub(super) received_format: Option<Format>,
    pub(super) received: ReceivedBits,
    pub(super) drafts: Drafts,
}

/// The values of a message in both formats.
#[derive(Clone, Default)]
pub(super) struct Drafts {
    pub(super) v20: Draft<V20>,
    pub(super) v21: Draft<V21>,
}

impl Content {
    /// Returns the size in bytes of the largest buffer in use.
    #[inline]
    pub(super) fn max_buffer_bytes(&self) -> usize {
        match self.received_format {
            Some(_) => self.received.capacity(),
            None => self.drafts.v20.capacity().max(self.drafts.v21.capacity()),
        }
    }
}

/// Clones only the buffers in use.
impl Clone for Content {
    fn clone(&self) -> Self {
        let (received, drafts) = match self.received_format {
            Some(_) => (self.received.clone(), Drafts::default()),
            None => (ReceivedBits::default(), self.drafts.clone()),
        };
        Self { received, drafts, ..*self }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self {
            mode: MessageSendMode::Unreliable,
            id: None,
            read: 0,
            received_format: None,
            received: ReceivedBits::default(),
            drafts: Drafts::default(),
        }
    }
}

/// Values of a message in one format, up to the first one that failed.
#[derive(Clone, Default)]
pub(super) struct Draft<V> {
    bytes: Box<[u8]>,
    /// Number of written bits, and their maximum.
    bits: usize,
    limit: usize,
    error: Option<CodecError>,
    version: PhantomData<V>,
}

impl<V: Version> Draft<V> {
    /// Clears the draft and sets the maximum number of bits.
    pub(super) fn reset(&mut self, limit: usize) {
        ensure(&mut self.bytes, limit.div_ceil(8).min(MAX_FIRST_BYTES));
        (self.bits, self.limit, self.error) = (0, limit, None);
    }

    /// Clears the draft and makes it fail with `error`.
    pub(super) fn reset_with_error(&mut self, error: CodecError) {
        (self.bits, self.limit, self.error) = (0, 0, Some(error));
    }

    pub(super) fn write(&mut self, write: impl Fn(&mut Writer<'_, V>) -> Result<()>) {
        if self.error.is_some() {
            return;
        }
        loop {
            let mut writer = Writer::resume(&mut self.bytes, self.bits, self.limit);
            let written = writer.all_or_nothing(&write);
            self.bits = writer.written_bits();
            self.error = written.err();
            if self.error.is_none_or(|error| error.expected != ROOM) || !self.grow() {
                return;
            }
        }
    }

    /// Doubles the buffer, up to the limit. Returns whether it grew.
    #[cold]
    fn grow(&mut self) -> bool {
        let size = self.bytes.len().saturating_mul(2).min(self.limit.div_ceil(8));
        let can_grow = size > self.bytes.len();
        if can_grow {
            let mut bytes = core::mem::take(&mut self.bytes).into_vec();
            bytes.resize(size.next_multiple_of(STEP), 0);
            self.bytes = bytes.into_boxed_slice();
        }
        can_grow
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

    pub(super) fn payload(&self) -> Result<Payload<'_>> {
        self.error.map_or_else(|| Ok(self.written()), Err)
    }
}

/// Values of a received message: a copy of the bytes of its packet that contain them, unshifted, because
/// readers start at any bit. A zero byte follows, so that the last byte can be padded.
#[derive(Clone, Default)]
pub(super) struct ReceivedBits {
    bytes: Box<[u8]>,
    /// Range of the buffer that contains the values, in bits.
    start: usize,
    end: usize,
    /// Error of sending the message.
    error: Option<CodecError>,
}

impl ReceivedBits {
    /// Replaces the values.
    #[inline(always)]
    pub(super) fn set(&mut self, payload: &Payload<'_>) {
        let first = payload.start() / 8;
        let bytes = payload.source().get(first..payload.end().div_ceil(8)).unwrap_or_default();
        (self.error, self.start) = (None, payload.start() % 8);
        ensure(&mut self.bytes, bytes.len().saturating_add(1));
        self.end = self.start.saturating_add(payload.bit_len());
        if payload.end().is_multiple_of(8) {
            if let Some((target, rest)) = self.bytes.split_at_mut_checked(bytes.len()) {
                target.copy_from_slice(bytes);
                if let Some(next) = rest.first_mut() {
                    *next = 0;
                }
            }
        } else {
            self.set_shifted(payload);
        }
    }

    /// Replaces the values with a payload that ends within a byte.
    fn set_shifted(&mut self, payload: &Payload<'_>) {
        payload.copy_to(&mut self.bytes);
        (self.start, self.end) = (0, payload.bit_len());
    }

    /// Returns the size of its buffer in bytes.
    #[inline]
    pub(super) const fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the received bits, with padding.
    pub(super) fn payload(&self) -> Payload<'_> {
        Payload::known(&self.bytes, self.start, self.end)
    }

    /// Returns the bits to send to a peer of `format`.
    pub(super) fn payload_for(&self, format: Format) -> Result<Payload<'_>> {
        if let Some(error) = self.error {
            return Err(error);
        }
        Ok(match format {
            Format::V21 => self.payload(),
            // The last byte is padded with zeros.
            Format::V20 => {
                let bits = without_padding(self.payload()).bit_len().next_multiple_of(8);
                Payload::within(&self.bytes, self.start, self.start.saturating_add(bits))
            }
        })
    }

    /// Makes sending fail, because a value was added.
    pub(super) const fn set_error(&mut self, error: CodecError) {
        self.error = Some(error);
    }
}

/// Returns `payload` without the bits of an incomplete byte at its end if they are zeros. They are padding
/// for 2.0, which has whole bytes only.
pub(super) fn without_padding(payload: Payload<'_>) -> Payload<'_> {
    let (source, start, end) = (payload.source(), payload.start(), payload.end());
    let whole = end.saturating_sub(payload.bit_len() % 8);
    let is_padding = Payload::within(source, whole, end).is_zero();
    if is_padding { Payload::within(source, start, whole) } else { payload }
}

/// Grows a buffer to at least `size` bytes. Its content may be lost.
#[inline]
fn ensure(buffer: &mut Box<[u8]>, size: usize) {
    if buffer.len() < size {
        *buffer = new_buffer(size);
    }
}

#[cold]
fn new_buffer(size: usize) -> Box<[u8]> {
    vec![0; size.next_multiple_of(STEP)].into_boxed_slice()
}
