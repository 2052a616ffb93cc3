use core::fmt;
use core::marker::PhantomData;

use gamewire_wire::{CodecError, Found, Result};

use super::Number;
use super::number::for_each_number;
use crate::shared::bits;
use crate::shared::payload::Payload;
use crate::shared::version::Version;

/// Expected value in the error of a full buffer.
pub(crate) const ROOM: &str = "room in the message";

/// A writer for one packet in a buffer: a header, then the values of a message.
///
/// # Errors
/// A write fails if fewer bits are free than the value takes, or if the format cannot encode it. A failed write leaves
/// the buffer unchanged. The byte format (2.0) has neither single bits nor variable-length numbers, and its maximum
/// length is 32767.
pub struct Writer<'b, V> {
    buffer: &'b mut [u8],
    /// Number of written bits, and their maximum.
    at: usize,
    end: usize,
    version: PhantomData<V>,
}

/// Defines a method for each type, like the C# library's `AddByte`.
macro_rules! numbers {
    ($($name:literal $number:ident,)+) => {$(
        #[doc = concat!("`Add", $name, "`.")]
        ///
        /// # Errors
        /// If fewer bits are free.
        #[inline]
        pub fn $number(&mut self, value: $number) -> Result<()> {
            self.number(value)
        }
    )+};
}

impl<'b, V: Version> Writer<'b, V> {
    /// Creates a writer into `buffer`, of at most [`Version::MAX_SIZE`] bytes.
    pub fn new(buffer: &'b mut [u8]) -> Self {
        Self::with_max_size(buffer, V::MAX_SIZE)
    }

    /// Creates a writer into `buffer`, of at most `max_size` bytes, for two ends with a different maximum.
    pub fn with_max_size(buffer: &'b mut [u8], max_size: usize) -> Self {
        let (buffer, _) = buffer.split_at_mut(buffer.len().min(max_size));
        let end = buffer.len().saturating_mul(8);
        Self { buffer, at: 0, end, version: PhantomData }
    }

    /// Resumes writing into a buffer that holds `at` of at most `end` bits.
    pub(crate) fn resume(buffer: &'b mut [u8], at: usize, end: usize) -> Self {
        let end = end.min(buffer.len().saturating_mul(8));
        Self { buffer, at: at.min(end), end, version: PhantomData }
    }

    /// Returns the number of written bits.
    pub const fn written_bits(&self) -> usize {
        self.at
    }

    /// Returns the number of bits that can still be written.
    pub const fn unwritten_bits(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    /// Returns the written bytes, the last one padded with zeros.
    pub fn written(&self) -> &[u8] {
        self.buffer.get(..self.at.div_ceil(8)).unwrap_or_default()
    }

    /// Writes the lowest `count` bits, at most 64.
    #[inline]
    pub(crate) fn word(&mut self, count: usize, value: u64) -> Result<()> {
        let start = self.advance(count)?;
        bits::put(self.buffer, start, count, value);
        Ok(())
    }

    /// Advances by `count` bits and returns their start.
    #[inline]
    fn advance(&mut self, count: usize) -> Result<usize> {
        let start = self.at;
        match start.checked_add(count) {
            Some(end) if end <= self.end => {
                self.at = end;
                Ok(start)
            }
            _ => Err(self.full()),
        }
    }

    /// `AddMessage`: all bits of a payload, at any position.
    #[inline]
    pub fn payload(&mut self, payload: &Payload<'_>) -> Result<()> {
        let count = payload.bit_len();
        let start = self.advance(count)?;
        bits::copy(self.buffer, start, payload.source(), payload.start(), count);
        Ok(())
    }

    /// Writes a number of fixed width.
    #[inline]
    pub fn number<N: Number>(&mut self, value: N) -> Result<()> {
        self.word(N::BITS, value.to_bits())
    }

    for_each_number! { numbers }

    /// `AddBool`: a bit of the bit format, a byte of the byte format.
    #[inline]
    pub fn bool(&mut self, value: bool) -> Result<()> {
        self.word(V::BOOL_BITS, value.into())
    }

    /// Writes the length prefix of an array or string.
    #[inline]
    pub fn length(&mut self, length: usize) -> Result<()> {
        V::write_length(self, length)
    }

    /// `AddBytes` with a length prefix.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.with_length(bytes.len(), |to| to.bytes_without_length(bytes))
    }

    /// `AddBytes` without a length prefix.
    pub fn bytes_without_length(&mut self, bytes: &[u8]) -> Result<()> {
        self.payload(&Payload::new(bytes))
    }

    /// `AddString`.
    pub fn string(&mut self, text: &str) -> Result<()> {
        self.bytes(text.as_bytes())
    }

    /// `AddInts` and similar methods, with a length prefix.
    pub fn array<N: Number>(&mut self, numbers: &[N]) -> Result<()> {
        self.with_length(numbers.len(), |to| to.array_without_length(numbers))
    }

    /// `AddInts` and similar methods, without a length prefix.
    pub fn array_without_length<N: Number>(&mut self, numbers: &[N]) -> Result<()> {
        if let Some(bytes) = N::as_bytes(numbers) {
            return self.bytes_without_length(bytes);
        }
        self.all_or_nothing(|to| numbers.iter().try_for_each(|number| to.number(*number)))
    }

    /// `AddBools` with a length prefix.
    pub fn bools(&mut self, values: &[bool]) -> Result<()> {
        self.with_length(values.len(), |to| to.bools_without_length(values))
    }

    /// `AddBools` without a length prefix. The first value is the lowest bit. The byte format pads the last byte.
    pub fn bools_without_length(&mut self, values: &[bool]) -> Result<()> {
        self.all_or_nothing(|to| {
            values.chunks(64).try_for_each(|values| {
                let word = values.iter().rev().fold(0, |word, value| word << 1 | u64::from(*value));
                to.word(values.len().next_multiple_of(V::BOOL_BITS), word)
            })
        })
    }

    /// `AddStrings` with a length prefix.
    pub fn strings<S: AsRef<str>>(&mut self, texts: &[S]) -> Result<()> {
        self.with_length(texts.len(), |to| to.strings_without_length(texts))
    }

    /// `AddStrings` without a length prefix.
    pub fn strings_without_length<S: AsRef<str>>(&mut self, texts: &[S]) -> Result<()> {
        self.all_or_nothing(|to| texts.iter().try_for_each(|text| to.string(text.as_ref())))
    }

    pub(super) fn with_length(
        &mut self,
        length: usize,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.all_or_nothing(|to| to.length(length).and_then(|()| write(to)))
    }

    /// Writes everything that `write` writes, or nothing if it fails.
    pub(crate) fn all_or_nothing(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let start = self.at;
        let written = write(self);
        if written.is_err() {
            self.at = start;
            // Clear the rest of the last byte: it is padding again.
            let used = start % 8;
            if used != 0 {
                let kept = bits::load(self.buffer, start.saturating_sub(used), used);
                bits::put(self.buffer, start.saturating_sub(used), used, kept);
            }
        }
        written
    }

    /// Replaces `count` (at most 64) written bits at bit `at`.
    pub(crate) fn replace(&mut self, at: usize, count: usize, value: u64) -> Result<()> {
        if at.checked_add(count).is_none_or(|end| end > self.at) {
            return Err(CodecError::new(at / 8, "bits that are written", Found::Bits(self.at)));
        }
        bits::replace(self.buffer, at, count, value);
        Ok(())
    }

    #[cold]
    fn full(&self) -> CodecError {
        CodecError::new(self.at / 8, ROOM, Found::Bits(self.unwritten_bits()))
    }
}

impl<V> fmt::Debug for Writer<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bit {} of {}, {:?}", self.at, self.end, Payload::with_bits(self.buffer, self.at))
    }
}
