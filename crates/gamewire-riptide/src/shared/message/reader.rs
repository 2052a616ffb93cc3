use core::fmt;
use core::marker::PhantomData;

use gamewire_wire::{CodecError, Found, Result, Span};

use super::number::for_each_number;
use super::{Number, Numbers, Text};
use crate::shared::bits;
use crate::shared::payload::{self, Payload};
use crate::shared::version::Version;

/// A cursor over the values of a message.
///
/// # Errors
/// A read fails if fewer bits are left than the value takes, or the value is invalid. A failed read does not move the
/// cursor. Reads of single bits and variable-length numbers always fail in the byte format (2.0). In the bit format,
/// reads of single bits fail unless their number is 1 to 64.
#[derive(Clone, Copy)]
pub struct Reader<'a, V> {
    source: &'a [u8],
    /// Position in bits, and the end.
    at: usize,
    end: usize,
    /// Remaining nesting levels of arrays.
    depth: u8,
    version: PhantomData<V>,
}

/// Maximum nesting of arrays, so that a peer cannot exhaust the stack with a type that contains an array of
/// itself.
const MAX_DEPTH: u8 = 32;

/// Defines a method for each type, like the C# library's `GetByte`.
macro_rules! numbers {
    ($($name:literal $number:ident,)+) => {$(
        #[doc = concat!("`Get", $name, "`.")]
        ///
        /// # Errors
        /// If fewer bits are left.
        #[inline]
        pub fn $number(&mut self) -> Result<$number> {
            self.number()
        }
    )+};
}

impl<'a, V: Version> Reader<'a, V> {
    /// Creates a cursor at the first bit of `bytes`.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self::over(Payload::new(bytes))
    }

    /// Creates a cursor at the first bit of `payload`. Positions count from the start of its packet.
    pub const fn over(payload: Payload<'a>) -> Self {
        Self {
            source: payload.source(),
            at: payload.start(),
            end: payload.end(),
            depth: MAX_DEPTH,
            version: PhantomData,
        }
    }

    /// Returns the position in the packet, in bits.
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Returns the number of unread bits. In the bit format the last 7 may be padding.
    pub const fn unread_bits(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    /// Returns the span from bit `start` of the packet to the cursor.
    pub fn span_since(&self, start: usize) -> Span {
        payload::span(start, self.at)
    }

    /// Returns the unread bits without moving.
    pub fn remaining(&self) -> Payload<'a> {
        Payload::within(self.source, self.at, self.end)
    }

    /// Reads all remaining bits.
    pub fn rest(&mut self) -> Payload<'a> {
        let rest = self.remaining();
        self.at = self.end;
        rest
    }

    /// Reads the next `count` bits.
    #[inline]
    pub fn take(&mut self, count: usize, expected: &'static str) -> Result<Payload<'a>> {
        let start = self.at;
        self.advance(count, expected)?;
        Ok(Payload::known(self.source, start, self.at))
    }

    #[inline]
    fn advance(&mut self, count: usize, expected: &'static str) -> Result<()> {
        match self.at.checked_add(count) {
            Some(end) if end <= self.end => {
                self.at = end;
                Ok(())
            }
            _ => Err(self.ended(expected)),
        }
    }

    /// Reads at most 64 bits as a number.
    #[inline]
    pub(crate) fn word(&mut self, count: usize, expected: &'static str) -> Result<u64> {
        let start = self.at;
        self.advance(count, expected)?;
        Ok(bits::load(self.source, start, count))
    }

    /// Reads a number of fixed width.
    #[inline]
    pub fn number<N: Number>(&mut self) -> Result<N> {
        self.word(N::BITS, N::EXPECTED).map(N::from_bits)
    }

    for_each_number! { numbers }

    /// `GetBool`: a bit of the bit format, a byte of the byte format (1 is true, every other value is false).
    #[inline]
    pub fn bool(&mut self) -> Result<bool> {
        let expected = if V::HAS_BITS { "a bit" } else { u8::EXPECTED };
        self.word(V::BOOL_BITS, expected).map(|value| value == 1)
    }

    /// Reads the length prefix of an array or string. The caller must check it, because a peer can send any number.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the data end before the length does, or it does not fit into 64
    /// bits.
    #[inline]
    pub fn length(&mut self) -> Result<usize> {
        V::read_length(self)
    }

    /// `GetBytes` with a length prefix.
    pub fn bytes(&mut self) -> Result<Payload<'a>> {
        self.all_or_nothing(|from| from.length().and_then(|count| from.bytes_of(count)))
    }

    /// `GetBytes` of a known length.
    pub fn bytes_of(&mut self, count: usize) -> Result<Payload<'a>> {
        self.elements(count, u8::BITS as usize)
    }

    /// `GetString`: UTF-8, but the bytes are not checked.
    pub fn string(&mut self) -> Result<Text<'a>> {
        self.bytes().map(Text::new)
    }

    /// `GetInts` and similar methods, with a length prefix.
    pub fn array<N: Number>(&mut self) -> Result<Numbers<'a, N>> {
        self.all_or_nothing(|from| from.length().and_then(|count| from.array_of(count)))
    }

    /// `GetInts` and similar methods, with a known length.
    pub fn array_of<N: Number>(&mut self, count: usize) -> Result<Numbers<'a, N>> {
        self.elements(count, N::BITS).map(Numbers::new)
    }

    /// `GetBools` with a length prefix. The values are the [bits](Payload::bits) of the payload.
    pub fn bools(&mut self) -> Result<Payload<'a>> {
        self.all_or_nothing(|from| from.length().and_then(|count| from.bools_of(count)))
    }

    /// `GetBools` of a known length. The values are the [bits](Payload::bits) of the payload.
    pub fn bools_of(&mut self, count: usize) -> Result<Payload<'a>> {
        let start = self.at;
        self.elements(count.checked_next_multiple_of(V::BOOL_BITS).unwrap_or(usize::MAX), 1)?;
        Ok(Payload::within(self.source, start, start.saturating_add(count)))
    }

    /// `GetStrings` with a length prefix.
    pub fn strings(&mut self) -> Result<impl ExactSizeIterator<Item = Text<'a>> + use<'a, V>> {
        self.all_or_nothing(|from| from.length().and_then(|count| from.strings_of(count)))
    }

    /// `GetStrings` of a known length.
    pub fn strings_of(
        &mut self,
        count: usize,
    ) -> Result<impl ExactSizeIterator<Item = Text<'a>> + use<'a, V>> {
        let mut strings = *self;
        self.all_or_nothing(|from| (0..count).try_for_each(|_| from.string().map(drop)))?;
        // All strings were read before, so none fails.
        Ok((0..count).map(move |_| strings.string().unwrap_or_default()))
    }

    fn elements(&mut self, count: usize, bits: usize) -> Result<Payload<'a>> {
        self.take(count.saturating_mul(bits), "as many values as announced")
    }

    /// Reads with `read`, one nesting level deeper.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = self.depth;
        self.depth = outer.checked_sub(1).ok_or_else(|| self.too_deep())?;
        let read = read(self);
        self.depth = outer;
        read
    }

    #[cold]
    fn too_deep(&self) -> CodecError {
        let found = Found::Bits(self.unread_bits());
        CodecError::new(self.at / 8, "arrays nested at most 32 deep", found)
    }

    pub(crate) fn all_or_nothing<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let start = self.at;
        let read = read(self);
        if read.is_err() {
            self.at = start;
        }
        read
    }

    #[cold]
    pub(crate) fn ended(&self, expected: &'static str) -> CodecError {
        let found = match self.unread_bits() {
            0 => Found::End,
            left => Found::Bits(left),
        };
        CodecError::new(self.at / 8, expected, found)
    }
}

impl<'a> Payload<'a> {
    /// Returns a cursor over these bits.
    pub fn reader<V: Version>(&self) -> Reader<'a, V> {
        Reader::over(*self)
    }
}

impl<V> fmt::Debug for Reader<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bit {} of {}, {:?}", self.at, self.end, Payload::within(self.source, self.at, self.end))
    }
}
