//! A run of bits in a packet: undecoded user data, arrays and strings.

use core::fmt;

use gamewire_wire::Span;

use super::bits;

/// A range of bits in a packet, at any position. In the byte format, and if [`Payload::as_bytes`] returns them, they
/// are whole bytes.
///
/// A packet of the bit format does not contain its number of bits: the last 7 bits of a payload that ends with its
/// packet may be padding. Two payloads are equal if their bits are equal.
#[derive(Clone, Copy, Default)]
pub struct Payload<'a> {
    source: &'a [u8],
    start: usize,
    end: usize,
}

impl<'a> Payload<'a> {
    /// A payload without bits.
    pub const EMPTY: Payload<'static> = Payload { source: &[], start: 0, end: 0 };

    /// Creates a payload of all bits of `bytes`.
    #[inline]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { source: bytes, start: 0, end: bytes.len().wrapping_mul(8) }
    }

    /// Creates a payload of the first `count` bits of `bytes`, or of all of them if there are fewer.
    pub fn with_bits(bytes: &'a [u8], count: usize) -> Self {
        let all = Self::new(bytes);
        Self { end: all.end.min(count), ..all }
    }

    /// Creates a payload of all bits of `source` from bit `start` on.
    #[inline]
    pub(crate) fn from_bit(source: &'a [u8], start: usize) -> Self {
        Self::within(source, start, usize::MAX)
    }

    /// Creates a payload of the bits `start..end` of `source`. Spans and offsets count from the start of `source`.
    #[inline]
    pub(crate) fn within(source: &'a [u8], start: usize, end: usize) -> Self {
        let end = end.min(Self::new(source).end);
        Self { source, start: start.min(end), end }
    }

    /// Creates a payload of the bits `start..end` without a check. Reading bits outside of `source` returns
    /// nothing.
    #[inline]
    pub(crate) const fn known(source: &'a [u8], start: usize, end: usize) -> Self {
        Self { source, start, end }
    }

    /// Returns the number of bits.
    pub const fn bit_len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Returns the number of bytes that hold these bits if the first one is bit 0.
    pub const fn byte_len(&self) -> usize {
        self.bit_len().div_ceil(8)
    }

    /// Returns whether there are no bits.
    pub const fn is_empty(&self) -> bool {
        self.bit_len() == 0
    }

    /// Returns the span of these bits in their packet. Bit 0 is the least significant bit of a byte.
    pub fn span(&self) -> Span {
        span(self.start, self.end)
    }

    /// Returns the bytes, without a copy, if these bits are whole bytes of their packet.
    pub fn as_bytes(&self) -> Option<&'a [u8]> {
        let is_whole = self.start.is_multiple_of(8) && self.end.is_multiple_of(8);
        is_whole.then(|| self.source.get(self.start / 8..self.end / 8).unwrap_or_default())
    }

    /// Copies the bits to the front of `to`, the first bit to bit 0, and pads the last byte with zeros. Returns `None`
    /// if `to` has less than [`Payload::byte_len`] bytes; the content of `to` is undefined then.
    #[inline]
    pub fn copy_to<'b>(&self, to: &'b mut [u8]) -> Option<&'b [u8]> {
        let target = to.get_mut(..self.byte_len())?;
        bits::copy_to_front(target, self.source, self.start, self.bit_len());
        Some(target)
    }

    /// Returns the bits as bytes, the first bit in bit 0, the last byte padded with zeros.
    pub fn bytes(&self) -> impl ExactSizeIterator<Item = u8> + use<'a> {
        let Self { source, start, end } = *self;
        (0..self.byte_len()).map(move |byte| {
            let at = start.saturating_add(byte.saturating_mul(8));
            let [low, ..] = bits::load(source, at, end.saturating_sub(at).min(8)).to_le_bytes();
            low
        })
    }

    /// Returns each bit, the first one first.
    pub fn bits(&self) -> impl ExactSizeIterator<Item = bool> + use<'a> {
        let Self { source, start, end } = *self;
        (start..end).map(move |at| bits::load(source, at, 1) == 1)
    }

    /// Returns a copy of [`Payload::bytes`].
    pub fn to_vec(&self) -> Vec<u8> {
        self.bytes().collect()
    }

    /// Returns whether every bit is 0.
    pub fn is_zero(&self) -> bool {
        self.bytes().all(|byte| byte == 0)
    }

    pub(crate) const fn source(&self) -> &'a [u8] {
        self.source
    }

    pub(crate) const fn start(&self) -> usize {
        self.start
    }

    pub(crate) const fn end(&self) -> usize {
        self.end
    }
}

/// Returns the bits `start..end` of a packet as a span. Bit 0 of a byte is its least significant bit.
pub(crate) fn span(start: usize, end: usize) -> Span {
    let count = u32::try_from(end.saturating_sub(start)).unwrap_or(u32::MAX);
    let [first, ..] = start.to_le_bytes();
    Span::bits(start / 8, u32::from(first & 7), count)
}

impl PartialEq for Payload<'_> {
    fn eq(&self, other: &Self) -> bool {
        let count = self.bit_len();
        count == other.bit_len() && bits::same((self.source, self.start), (other.source, other.start), count)
    }
}

impl Eq for Payload<'_> {}

/// Writes the number of bits, then the bytes in hexadecimal.
impl fmt::Debug for Payload<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bits", self.bit_len())?;
        self.bytes()
            .enumerate()
            .try_for_each(|(n, byte)| write!(f, "{}{byte:02x}", if n == 0 { ": " } else { " " }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: [u8; 4] = [0x21, 0x43, 0x65, 0x87];

    #[test]
    fn unaligned_bits_are_shifted_down() {
        let payload = Payload::within(&PACKET, 4, 24);
        assert_eq!((payload.bit_len(), payload.byte_len()), (20, 3));
        assert_eq!(payload.to_vec(), [0x32, 0x54, 0x06]);
        assert_eq!(payload.copy_to(&mut [0xff; 8]), Some([0x32, 0x54, 0x06].as_slice()));
        assert_eq!(payload.copy_to(&mut [0; 2]), None);
        assert_eq!((payload.as_bytes(), payload.span().to_string()), (None, "0.4..3.0".into()));
        assert_eq!(format!("{payload:?}"), "20 bits: 32 54 06");
    }

    #[test]
    fn whole_bytes_are_borrowed() {
        assert_eq!(Payload::within(&PACKET, 8, 24).as_bytes(), Some(&PACKET[1..3]));
        assert_eq!(Payload::EMPTY.as_bytes(), Some([].as_slice()));
    }

    #[test]
    fn payloads_are_equal_at_different_positions() {
        let one = Payload::within(&PACKET, 4, 24);
        assert_eq!(one, Payload::with_bits(&[0x32, 0x54, 0xf6], 20));
        assert_ne!(one, Payload::new(&[0x32, 0x54, 0x06]));
        assert_ne!(one, Payload::with_bits(&[0x32, 0x54, 0x0e], 20));
    }

    #[test]
    fn the_end_is_clamped_to_the_source() {
        assert_eq!(Payload::within(&PACKET, 99, usize::MAX).bit_len(), 0);
        assert_eq!(Payload::with_bits(&PACKET, usize::MAX).bit_len(), 32);
    }
}
