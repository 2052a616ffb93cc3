use core::fmt;
use core::ops::Range;

/// A range of bits in one source of bytes, such as a datagram or its inflated payload.
///
/// Positions are bits from the start of byte 0, so header flags and whole fields have the same type. The first bit of a
/// byte is its most significant one, or its least significant one in formats that write that bit first. Positions
/// saturate at 512 MiB, which exceeds any datagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Creates the span of the bytes `start..end`.
    #[inline]
    pub const fn bytes(start: usize, end: usize) -> Self {
        Self { start: to_bits(start), end: to_bits(end) }
    }

    /// Creates the span of `count` bits from bit `first` of byte `byte`.
    #[inline]
    pub const fn bits(byte: usize, first: u32, count: u32) -> Self {
        let start = to_bits(byte).saturating_add(first);
        Self { start, end: start.saturating_add(count) }
    }

    /// Returns the position of the first bit, counted from the start of the source.
    #[must_use]
    pub const fn start_bit(self) -> u32 {
        self.start
    }

    /// Returns the position after the last bit.
    #[must_use]
    pub const fn end_bit(self) -> u32 {
        self.end
    }

    /// Returns whether the span starts and ends at byte boundaries.
    #[must_use]
    pub const fn is_whole_bytes(self) -> bool {
        self.start.is_multiple_of(8) && self.end.is_multiple_of(8)
    }

    /// Returns the range of the bytes that contain at least one bit of the span.
    #[must_use]
    pub const fn byte_range(self) -> Range<usize> {
        (self.start / 8) as usize..self.end.div_ceil(8) as usize
    }

    /// Returns the smallest span that contains both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "saturated to the range before the cast")]
const fn to_bits(byte: usize) -> u32 {
    let limit = (u32::MAX / 8) as usize;
    (if byte > limit { limit } else { byte } as u32).saturating_mul(8)
}

/// Writes whole bytes as `3..7`, and bits as `0.2..1.0` (byte, then bit in it).
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = (self.start, self.end);
        if self.is_whole_bytes() {
            write!(f, "{}..{}", start / 8, end / 8)
        } else {
            write!(f, "{}.{}..{}.{}", start / 8, start % 8, end / 8, end % 8)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_bytes_and_bits() {
        assert_eq!(Span::bytes(3, 7).to_string(), "3..7");
        assert_eq!(Span::bits(0, 2, 4).to_string(), "0.2..0.6");
        assert_eq!(Span::bits(0, 6, 10).to_string(), "0.6..2.0");
    }

    #[test]
    fn byte_range_contains_every_bit() {
        assert_eq!(Span::bits(1, 6, 10).byte_range(), 1..3);
        assert_eq!(Span::bytes(2, 2).byte_range(), 2..2);
    }

    #[test]
    fn saturates_instead_of_wrapping() {
        assert_eq!(Span::bytes(usize::MAX, usize::MAX), Span::bytes(1 << 40, 1 << 40));
    }
}
