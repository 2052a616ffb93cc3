use crate::{CodecError, Found, Span};

/// A cursor over a peer's bytes. It never panics.
///
/// Offsets count from the start of the slice that the first reader was created from, also in readers from
/// [`Reader::sub`], so the spans and errors of nested parsers agree.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    /// The bytes that offsets count from.
    source: &'a [u8],
    /// The unread bytes. They are always a subslice of `source`, so their position in it is the offset.
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Creates a reader at the start of `data`.
    #[inline]
    pub const fn new(data: &'a [u8]) -> Self {
        Self { source: data, rest: data }
    }

    /// Creates a reader at the start of `rest`, which must be a subslice of `source`. Offsets count from the start of
    /// `source`.
    #[inline]
    pub const fn within(source: &'a [u8], rest: &'a [u8]) -> Self {
        Self { source, rest }
    }

    /// Returns the byte offset of the cursor in its source.
    #[inline]
    pub fn offset(&self) -> usize {
        self.rest.as_ptr().addr().wrapping_sub(self.source.as_ptr().addr())
    }

    /// Returns the unread bytes without moving the cursor.
    #[inline]
    pub const fn remaining(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the bytes that offsets count from. For a reader from [`Reader::sub`], it includes bytes that the reader
    /// does not read.
    #[inline]
    pub const fn source(&self) -> &'a [u8] {
        self.source
    }

    /// Returns whether all bytes are read.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the span of the bytes from `start` up to the cursor.
    #[inline]
    pub fn span_since(&self, start: usize) -> Span {
        Span::bytes(start, self.offset())
    }

    /// Skips `count` bytes, or all unread bytes if there are fewer.
    #[inline]
    pub fn advance(&mut self, count: usize) {
        match self.rest.get(count..) {
            Some(rest) => self.rest = rest,
            None => _ = self.take_rest(),
        }
    }

    /// Calls `parse` with the unread bytes. It returns a value and the bytes after it, or `None`, which leaves the
    /// cursor unchanged.
    #[inline(always)]
    pub fn parse<T>(&mut self, parse: impl FnOnce(&'a [u8]) -> Option<(T, &'a [u8])>) -> Option<T> {
        let (value, rest) = parse(self.rest)?;
        self.rest = rest;
        Some(value)
    }

    /// Reads one byte. `expected` describes it in the error.
    ///
    /// # Errors
    /// [`CodecError`] at the end of the data.
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

    /// Reads `count` bytes. `expected` describes them in the error.
    ///
    /// # Errors
    /// [`CodecError`] if fewer are left; the cursor does not move.
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

    /// Reads `N` bytes as an array.
    ///
    /// # Errors
    /// [`CodecError`] if fewer are left; the cursor does not move.
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

    /// Reads a big-endian 32-bit number.
    ///
    /// # Errors
    /// [`CodecError`] if fewer than 4 bytes are left; the cursor does not move.
    #[inline]
    pub fn be_u32(&mut self, expected: &'static str) -> Result<u32, CodecError> {
        self.array(expected).map(u32::from_be_bytes)
    }

    /// Reads a big-endian 16-bit number.
    ///
    /// # Errors
    /// [`CodecError`] if fewer than 2 bytes are left; the cursor does not move.
    #[inline]
    pub fn be_u16(&mut self, expected: &'static str) -> Result<u16, CodecError> {
        self.array(expected).map(u16::from_be_bytes)
    }

    /// Reads all unread bytes.
    #[inline]
    pub fn take_rest(&mut self) -> &'a [u8] {
        let (rest, end) = self.rest.split_at(self.rest.len());
        self.rest = end;
        rest
    }

    /// Returns a reader that is confined to the next `count` bytes, and skips them in this reader.
    ///
    /// # Errors
    /// [`CodecError`] if fewer are left; the cursor does not move.
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
        let mut inner = outer.sub(2, "a section").unwrap();
        assert_eq!(inner.offset(), 1);
        assert_eq!(inner.take_rest(), [2, 3]);
        assert_eq!(inner.span_since(1), Span::bytes(1, 3));
        assert!(inner.u8("a byte").is_err());
        assert_eq!(outer.take_rest(), [4, 5]);
    }

    #[test]
    fn a_parser_returns_the_bytes_after_its_value() {
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
