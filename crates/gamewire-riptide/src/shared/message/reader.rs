use core::fmt;
use core::marker::PhantomData;

use gamewire_wire::{CodecError, Found, Span};

use super::{Bools, Number, Numbers, Strings, Text, Value};
use crate::shared::bits;
use crate::shared::payload::{self, Payload};
use crate::shared::version::Version;

/// A cursor over the values of a message. It never panics, and fails instead of reading past the
/// end: then it stays where it was.
pub struct Reader<'a, V> {
    source: &'a [u8],
    /// Bits of the source that are read, and where it ends.
    at: usize,
    end: usize,
    /// How many more arrays of arrays may be inside each other.
    depth: u8,
    version: PhantomData<V>,
}

/// How deep arrays may stand in arrays: a type that holds an array of itself would otherwise take
/// as much stack as a peer likes.
const MAX_DEPTH: u8 = 32;

/// A method for each type, as the original's `GetByte` and its like.
macro_rules! numbers {
    ($($(#[doc = $doc:literal])+ $name:ident $number:ty)+) => {$(
        $(#[doc = $doc])+
        ///
        /// # Errors
        /// When fewer bits are left.
        #[inline]
        pub fn $name(&mut self) -> Result<$number, CodecError> {
            self.number()
        }
    )+};
}

impl<'a, V: Version> Reader<'a, V> {
    /// A cursor at the first bit of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self {
            source: bytes,
            at: 0,
            end: bytes.len().saturating_mul(8),
            depth: MAX_DEPTH,
            version: PhantomData,
        }
    }

    /// A cursor at the first bit of `payload`; places count in the packet around it.
    #[must_use]
    pub const fn over(payload: Payload<'a>) -> Self {
        Self {
            source: payload.source(),
            at: payload.start(),
            end: payload.end(),
            depth: MAX_DEPTH,
            version: PhantomData,
        }
    }

    /// The bit of the packet that the cursor is at.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// How many bits are left. In the bit format the last 7 may be padding.
    #[must_use]
    pub const fn unread_bits(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    /// The bits from bit `start` of the packet up to the cursor, as a span.
    #[must_use]
    pub fn span_since(&self, start: usize) -> Span {
        payload::span(start, self.at)
    }

    /// What is left, without moving.
    #[must_use]
    pub fn remaining(&self) -> Payload<'a> {
        Payload::within(self.source, self.at, self.end)
    }

    /// All that is left.
    pub fn rest(&mut self) -> Payload<'a> {
        let rest = self.remaining();
        self.at = self.end;
        rest
    }

    /// The next `count` bits.
    ///
    /// # Errors
    /// When fewer are left.
    #[inline]
    pub fn take(&mut self, count: usize, expected: &'static str) -> Result<Payload<'a>, CodecError> {
        let start = self.at;
        self.advance(count, expected)?;
        Ok(Payload::known(self.source, start, self.at))
    }

    #[inline]
    fn advance(&mut self, count: usize, expected: &'static str) -> Result<(), CodecError> {
        match self.at.checked_add(count) {
            Some(end) if end <= self.end => {
                self.at = end;
                Ok(())
            }
            _ => Err(self.ended(expected)),
        }
    }

    /// At most 64 bits as a number.
    #[inline]
    pub(crate) fn word(&mut self, count: usize, expected: &'static str) -> Result<u64, CodecError> {
        let start = self.at;
        self.advance(count, expected)?;
        Ok(bits::load(self.source, start, count))
    }

    /// A number of fixed width.
    ///
    /// # Errors
    /// When fewer bits are left.
    #[inline]
    pub fn number<N: Number>(&mut self) -> Result<N, CodecError> {
        self.word(N::BITS, N::EXPECTED).map(N::from_bits)
    }

    numbers! {
        /// `GetByte`.
        u8 u8
        /// `GetSByte`.
        i8 i8
        /// `GetUShort`.
        u16 u16
        /// `GetShort`.
        i16 i16
        /// `GetUInt`.
        u32 u32
        /// `GetInt`.
        i32 i32
        /// `GetULong`.
        u64 u64
        /// `GetLong`.
        i64 i64
        /// `GetFloat`.
        f32 f32
        /// `GetDouble`.
        f64 f64
    }

    /// `GetBool`: a bit of the bit format, a byte of the byte format (1 is true, all else false).
    ///
    /// # Errors
    /// At the end of the data.
    #[inline]
    pub fn bool(&mut self) -> Result<bool, CodecError> {
        V::read_bool(self)
    }

    /// The number in front of an array or string. It is what a peer claims and nothing more.
    ///
    /// # Errors
    /// When it has no end or fits no 64 bits.
    #[inline]
    pub fn length(&mut self) -> Result<usize, CodecError> {
        V::read_length(self)
    }

    /// `GetBytes` with the length in front.
    ///
    /// # Errors
    /// When fewer bytes are left than announced.
    pub fn bytes(&mut self) -> Result<Payload<'a>, CodecError> {
        self.all_or_nothing(|from| from.length().and_then(|count| from.bytes_of(count)))
    }

    /// `GetBytes` of a length known beforehand.
    ///
    /// # Errors
    /// When fewer bytes are left.
    pub fn bytes_of(&mut self, count: usize) -> Result<Payload<'a>, CodecError> {
        self.elements(count, u8::BITS as usize)
    }

    /// `GetString`: UTF-8, unless its sender is out of order.
    ///
    /// # Errors
    /// When fewer bytes are left than announced.
    pub fn string(&mut self) -> Result<Text<'a>, CodecError> {
        self.bytes().map(Text::new)
    }

    /// `GetInts` and its like, with the length in front.
    ///
    /// # Errors
    /// When fewer numbers are left than announced.
    pub fn array<N: Number>(&mut self) -> Result<Numbers<'a, N>, CodecError> {
        self.all_or_nothing(|from| from.length().and_then(|count| from.array_of(count)))
    }

    /// `GetInts` and its like, of a length known beforehand.
    ///
    /// # Errors
    /// When fewer numbers are left.
    pub fn array_of<N: Number>(&mut self, count: usize) -> Result<Numbers<'a, N>, CodecError> {
        self.elements(count, N::BITS).map(Numbers::new)
    }

    /// `GetBools` with the length in front.
    ///
    /// # Errors
    /// When fewer values are left than announced.
    pub fn bools(&mut self) -> Result<Bools<'a>, CodecError> {
        self.all_or_nothing(|from| from.length().and_then(|count| from.bools_of(count)))
    }

    /// `GetBools` of a length known beforehand.
    ///
    /// # Errors
    /// When fewer values are left.
    pub fn bools_of(&mut self, count: usize) -> Result<Bools<'a>, CodecError> {
        let start = self.at;
        self.elements(V::bool_bits(count), 1)?;
        Ok(Bools::new(Payload::within(self.source, start, start.saturating_add(count))))
    }

    /// `GetStrings` with the length in front.
    ///
    /// # Errors
    /// When the data end before the last string does.
    pub fn strings(&mut self) -> Result<Strings<'a, V>, CodecError> {
        self.all_or_nothing(|from| from.length().and_then(|count| from.strings_of(count)))
    }

    /// `GetStrings` of a length known beforehand.
    ///
    /// # Errors
    /// When the data end before the last string does.
    pub fn strings_of(&mut self, count: usize) -> Result<Strings<'a, V>, CodecError> {
        let strings = Strings::new(*self, count);
        self.all_or_nothing(|from| (0..count).try_for_each(|_| from.string().map(drop)))?;
        Ok(strings)
    }

    /// `GetSerializable`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn serializable<T: Value>(&mut self) -> Result<T, CodecError> {
        self.all_or_nothing(T::read)
    }

    /// `GetSerializables` with the length in front: hands over one after the other, and says how
    /// many there were. Those that came before an error have been handed over.
    ///
    /// # Errors
    /// When there are more than bits to read them from, or one cannot be read.
    pub fn serializables<T: Value>(&mut self, each: impl FnMut(T)) -> Result<usize, CodecError> {
        self.all_or_nothing(|from| {
            let count = from.length()?;
            from.serializables_of(count, each)?;
            Ok(count)
        })
    }

    /// `GetSerializables` of a length known beforehand.
    ///
    /// # Errors
    /// When there are more than bits to read them from, or one cannot be read.
    pub fn serializables_of<T: Value>(
        &mut self,
        count: usize,
        mut each: impl FnMut(T),
    ) -> Result<(), CodecError> {
        if count > self.unread_bits() {
            return Err(self.ended("as many values as announced"));
        }
        self.all_or_nothing(|from| T::read_array(count, from, &mut each))
    }

    /// `GetSerializables` into places of one's own, as many as there are; those before an error have
    /// been put there.
    ///
    /// # Errors
    /// When there are fewer, or one cannot be read.
    pub fn serializables_into<T: Value>(&mut self, places: &mut [T]) -> Result<(), CodecError> {
        self.all_or_nothing(|from| T::read_into(places, from))
    }

    fn elements(&mut self, count: usize, bits: usize) -> Result<Payload<'a>, CodecError> {
        self.take(count.saturating_mul(bits), "as many values as announced")
    }

    /// What `read` reads, one level deeper.
    pub(crate) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, CodecError>,
    ) -> Result<T, CodecError> {
        let around = self.depth;
        self.depth = around.checked_sub(1).ok_or_else(|| self.too_deep())?;
        let read = read(self);
        self.depth = around;
        read
    }

    #[cold]
    fn too_deep(&self) -> CodecError {
        let found = Found::Bits(self.unread_bits());
        CodecError::new(self.at / 8, "at most 32 arrays inside each other", found)
    }

    pub(crate) fn all_or_nothing<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, CodecError>,
    ) -> Result<T, CodecError> {
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

impl<V> Clone for Reader<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Reader<'_, V> {}

impl<V> fmt::Debug for Reader<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bit {} of {}, {:?}", self.at, self.end, Payload::within(self.source, self.at, self.end))
    }
}
