use crate::{CodecError, Found, Span};

/// A cursor over bytes that a peer sent.
///
/// Offsets count from the start of the slice that the first reader was made from, also in the
/// readers that [`Reader::sub`] splits off, so spans and errors of nested parsers agree.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    /// What offsets count in.
    source: &'a [u8],
    /// What is left: always a part of the source, so that its place there is its offset.
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A cursor at the start of `data`.
    #[inline]
    #[must_use]
    pub const fn new(data: &'a [u8]) -> Self {
        Self { source: data, rest: data }
    }

    /// A cursor at the start of `rest`, a part of `source`, which offsets count in.
    #[inline]
    #[must_use]
    pub const fn within(source: &'a [u8], rest: &'a [u8]) -> Self {
        Self { source, rest }
    }

    /// Byte offset of the cursor in its source.
    #[inline]
    #[must_use]
    pub fn offset(&self) -> usize {
        self.rest.as_ptr().addr().wrapping_sub(self.source.as_ptr().addr())
    }

    /// What is left, without moving.
    #[inline]
    #[must_use]
    pub const fn remaining(&self) -> &'a [u8] {
        self.rest
    }

    /// The bytes that offsets count in: all of them, also around a confined reader.
    #[inline]
    #[must_use]
    pub const fn source(&self) -> &'a [u8] {
        self.source
    }

    /// Whether nothing is left.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The bytes from `start` up to the cursor, as a span.
    #[inline]
    #[must_use]
    pub fn span_since(&self, start: usize) -> Span {
        Span::bytes(start, self.offset())
    }

    /// Moves over `count` bytes, or to the end if that comes first.
    #[inline]
    pub fn advance(&mut self, count: usize) {
        match self.rest.get(count..) {
            Some(rest) => self.rest = rest,
            None => _ = self.take_rest(),
        }
    }

    /// What `parse` makes of the rest; it gives what is left behind that, an end of what it got.
    /// At `None` the cursor stays.
    #[inline(always)]
    pub fn parse<T>(&mut self, parse: impl FnOnce(&'a [u8]) -> Option<(T, &'a [u8])>) -> Option<T> {
        let (value, rest) = parse(self.rest)?;
        self.rest = rest;
        Some(value)
    }

    /// One byte.
    ///
    /// # Errors
    /// At the end of the data.
    #[inline]
    pub fn u8(&mut self, expected: &'static str) -> Result<u8, CodecError> {
        match self.rest {
            [byte, rest @ ..] => {
                self.rest = rest;
                Ok(*byte)
            }
            [] => Err(self.ended(expected)),
        }
    }

    /// `count` bytes.
    ///
    /// # Errors
    /// When fewer are left; the cursor stays.
    #[inline]
    pub fn take(&mut self, count: usize, expected: &'static str) -> Result<&'a [u8], CodecError> {
        match self.rest.split_at_checked(count) {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(bytes)
            }
            None => Err(self.ended(expected)),
        }
    }

    /// `N` bytes as an array.
    ///
    /// # Errors
    /// When fewer are left; the cursor stays.
    #[inline]
    pub fn array<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], CodecError> {
        match self.rest.split_first_chunk::<N>() {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(*bytes)
            }
            None => Err(self.ended(expected)),
        }
    }

    /// A 32-bit number, most significant byte first.
    ///
    /// # Errors
    /// When fewer than 4 bytes are left.
    #[inline]
    pub fn be_u32(&mut self, expected: &'static str) -> Result<u32, CodecError> {
        self.array(expected).map(u32::from_be_bytes)
    }

    /// A 16-bit number, most significant byte first.
    ///
    /// # Errors
    /// When fewer than 2 bytes are left.
    #[inline]
    pub fn be_u16(&mut self, expected: &'static str) -> Result<u16, CodecError> {
        self.array(expected).map(u16::from_be_bytes)
    }

    /// Everything that is left.
    #[inline]
    pub fn take_rest(&mut self) -> &'a [u8] {
        let (rest, end) = self.rest.split_at(self.rest.len());
        self.rest = end;
        rest
    }

    /// A reader confined to the next `count` bytes; this one moves past them.
    ///
    /// # Errors
    /// When fewer are left; the cursor stays.
    #[inline]
    pub fn sub(&mut self, count: usize, expected: &'static str) -> Result<Self, CodecError> {
        Ok(Self { source: self.source, rest: self.take(count, expected)? })
    }

    #[cold]
    fn ended(&self, expected: &'static str) -> CodecError {
        let found = match self.rest.len() {
            0 => Found::End,
            left => Found::Bytes(left),
        };
        CodecError::new(self.offset(), expected, found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_readers_count_offsets_in_the_same_source() {
        let mut outer = Reader::new(&[1, 2, 3, 4, 5]);
        outer.u8("a byte").unwrap();
        let mut inner = outer.sub(2, "a part").unwrap();
        assert_eq!(inner.offset(), 1);
        assert_eq!(inner.take_rest(), [2, 3]);
        assert_eq!(inner.span_since(1), Span::bytes(1, 3));
        assert!(inner.u8("a byte").is_err());
        assert_eq!(outer.take_rest(), [4, 5]);
    }

    #[test]
    fn a_parser_says_what_is_left_behind_it() {
        let mut reader = Reader::new(&[1, 2, 3]);
        assert_eq!(reader.parse(|rest| rest.split_first()), Some(&1));
        assert_eq!(reader.parse(|_| None::<((), &[u8])>), None);
        assert_eq!((reader.offset(), reader.take_rest(), reader.offset()), (1, [2, 3].as_slice(), 3));
    }

    #[test]
    fn a_failed_read_does_not_move() {
        let mut reader = Reader::new(&[1, 2, 3]);
        let error = reader.be_u32("a token").unwrap_err();
        assert_eq!(error, CodecError::new(0, "a token", Found::Bytes(3)));
        assert_eq!(reader.be_u16("a port").unwrap(), 0x0102);
    }

    #[test]
    fn no_length_can_reach_past_the_end() {
        let mut reader = Reader::new(&[9; 4]);
        assert!(reader.take(usize::MAX, "bytes").is_err());
        reader.advance(usize::MAX);
        assert!(reader.is_empty());
        assert_eq!((reader.offset(), reader.take_rest(), reader.offset()), (4, [].as_slice(), 4));
        assert_eq!(reader.u8("a byte").unwrap_err().found, Found::End);
    }
}
