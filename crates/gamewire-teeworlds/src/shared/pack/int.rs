use gamewire_wire::{CodecError, Found, Reader, Span, Trace, Writer};

use crate::shared::oddity;

/// How the fifth byte of an integer is read: the games differ in the bits beyond the 32nd.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FifthByte {
    /// Teeworlds 0.6 and 0.7: seven bits, of which the fifth reaches the sign.
    #[default]
    Teeworlds,
    /// DDNet: the four bits that fit.
    DdNet,
}

impl FifthByte {
    const fn mask(self) -> u64 {
        match self {
            Self::Teeworlds => 0x7f,
            Self::DdNet => 0x0f,
        }
    }
}

/// Reads the fields of a message.
#[derive(Clone, Copy, Debug)]
pub struct Unpacker<'a> {
    /// The bytes themselves.
    pub reader: Reader<'a>,
    fifth_byte: FifthByte,
}

impl<'a> Unpacker<'a> {
    /// Reads what `reader` has left.
    #[inline]
    #[must_use]
    pub const fn new(reader: Reader<'a>, fifth_byte: FifthByte) -> Self {
        Self { reader, fifth_byte }
    }

    /// A packed integer of one to five bytes.
    ///
    /// Byte 0 is `extend sign data*6`, the others `extend data*7`, low groups first; a negative
    /// number is stored inverted. Overlong forms and bits beyond the 32nd are read as the game
    /// reads them and told as oddities.
    ///
    /// # Errors
    /// When the data end inside it.
    #[inline(always)]
    pub fn int<T: Trace>(&mut self, expected: &'static str, trace: &mut T) -> Result<i32, CodecError> {
        let start = self.reader.offset();
        match self.next_packed() {
            Some(value) => {
                if trace.is_watching() {
                    self.tell_oddities(start, trace);
                }
                Ok(value)
            }
            None => Err(CodecError::new(self.reader.offset(), expected, Found::End)),
        }
    }

    /// The next integer. `None` where the data end inside it; then nothing is left.
    #[inline(always)]
    fn next_packed(&mut self) -> Option<i32> {
        let rest = self.reader.remaining();
        let (value, length) = match (rest.first_chunk::<8>(), rest.first()) {
            (_, Some(&byte)) if byte & 0x80 == 0 => {
                (i32::from(byte & 0x3f) ^ i32::from(byte >> 6).wrapping_neg(), 1)
            }
            (Some(next), _) => unpack(u64::from_le_bytes(*next), self.fifth_byte.mask()),
            (None, _) => unpack_near_the_end(rest, self.fifth_byte.mask()),
        };
        self.reader.advance(length as usize);
        (length as usize <= rest.len()).then_some(value)
    }

    /// Tells what is odd about the integer from `start` to here.
    fn tell_oddities<T: Trace>(&self, start: usize, trace: &mut T) {
        let bytes = self.reader.source().get(start..self.reader.offset()).unwrap_or_default();
        match bytes {
            [_, .., 0] => trace.oddity(self.span_since(start), &oddity::OVERLONG_INT),
            [_, _, _, _, last] if last & 0xf0 != 0 => {
                trace.oddity(self.span_since(start), &oddity::PADDED_INT);
            }
            _ => {}
        }
    }

    /// How it reads the fifth byte of integers.
    #[must_use]
    pub const fn fifth_byte(&self) -> FifthByte {
        self.fifth_byte
    }

    /// The bytes from `start` up to here.
    #[inline]
    #[must_use]
    pub const fn span_since(&self, start: usize) -> Span {
        self.reader.span_since(start)
    }
}

/// The integer of several bytes that `word` begins with, and how many they are: at most five.
#[inline(never)]
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "cut to 32 bits on purpose")]
#[allow(clippy::arithmetic_side_effects, reason = "bit positions of one word")]
const fn unpack(word: u64, fifth_byte_mask: u64) -> (i32, u32) {
    // The first byte without the extend bit is the last one; the fifth is so anyway.
    let ends = !word & 0x80_80_80_80 | 1 << 39;
    let bits = ends.trailing_zeros() + 1;
    let sign = -((word >> 6 & 1) as i32);
    let word = word & ((1 << bits) - 1);
    let last = word >> 32 & fifth_byte_mask;
    let data =
        word & 0x3f | word >> 2 & 0x7f << 6 | word >> 3 & 0x7f << 13 | word >> 4 & 0x7f << 20 | last << 27;
    (data as i32 ^ sign, bits / 8)
}

/// As [`unpack`], of fewer than eight bytes; more are taken than there are where they do not hold
/// the whole integer.
#[inline(never)]
fn unpack_near_the_end(bytes: &[u8], fifth_byte_mask: u64) -> (i32, u32) {
    let (mut word, mut shift) = (0, 0_u32);
    for byte in bytes {
        word |= u64::from(*byte).wrapping_shl(shift);
        shift = shift.wrapping_add(8);
        if byte & 0x80 == 0 || shift == 40 {
            return unpack(word, fifth_byte_mask);
        }
    }
    (0, 8)
}

/// Writes `value` in the fewest bytes.
///
/// # Errors
/// When the buffer is full.
#[inline]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut to 6 or 7 bits on purpose")]
pub fn pack_int(value: i32, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let sign = if value < 0 { 0x40 } else { 0 };
    let mut rest = (if value < 0 { !value } else { value }) as u32;
    let mut byte = sign | (rest & 0x3f) as u8;
    rest >>= 6;
    while rest != 0 {
        to.u8(byte | 0x80)?;
        byte = (rest & 0x7f) as u8;
        rest >>= 7;
    }
    to.u8(byte)
}

#[cfg(test)]
mod tests {
    use gamewire_machine::Record;
    use proptest::prelude::*;

    use super::*;

    fn unpack(bytes: &[u8], fifth: FifthByte) -> (Result<i32, CodecError>, usize, Vec<String>) {
        let mut record = Record::new();
        let mut unpacker = Unpacker::new(Reader::new(bytes), fifth);
        let value = unpacker.int("an integer", &mut record);
        let oddities = record.nodes().map(|node| node.name().to_owned()).collect();
        (value, unpacker.reader.offset(), oddities)
    }

    fn pack(value: i32) -> Vec<u8> {
        let mut buffer = [0; 5];
        let mut writer = Writer::new(&mut buffer);
        pack_int(value, &mut writer).unwrap();
        writer.written().to_vec()
    }

    #[test]
    fn known_vectors() {
        for (value, bytes) in [
            (0, [0x00].as_slice()),
            (1, &[0x01]),
            (63, &[0x3f]),
            (64, &[0x80, 0x01]),
            (65, &[0x81, 0x01]),
            (-1, &[0x40]),
            (-64, &[0x7f]),
            (-65, &[0xc0, 0x01]),
            (-66, &[0xc1, 0x01]),
            (8191, &[0xbf, 0x7f]),
            (8192, &[0x80, 0x80, 0x01]),
            (i32::MAX, &[0xbf, 0xff, 0xff, 0xff, 0x0f]),
            (i32::MIN, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
        ] {
            assert_eq!(pack(value), bytes);
            assert_eq!(unpack(bytes, FifthByte::Teeworlds), (Ok(value), bytes.len(), vec![]));
        }
    }

    #[test]
    fn t6_overlong_forms_are_read_and_told() {
        for (bytes, value) in [
            ([0x80, 0x00].as_slice(), 0),
            (&[0xc0, 0x00], -1),
            (&[0x83, 0x00], 3),
            (&[0x80, 0x80, 0x80, 0x80, 0x00], 0),
        ] {
            let (got, used, oddities) = unpack(bytes, FifthByte::Teeworlds);
            assert_eq!((got, used), (Ok(value), bytes.len()));
            assert_eq!(oddities, ["overlong_int"]);
        }
    }

    #[test]
    fn t6_bits_beyond_the_32nd_are_read_as_each_game_reads_them() {
        let bytes = [0x80, 0x80, 0x80, 0x80, 0x10];
        assert_eq!(unpack(&bytes, FifthByte::Teeworlds).0, Ok(i32::MIN));
        assert_eq!(unpack(&bytes, FifthByte::DdNet).0, Ok(0));
        let bytes = [0x80, 0x80, 0x80, 0x80, 0xe1, 0x05];
        for fifth in [FifthByte::Teeworlds, FifthByte::DdNet] {
            let (value, used, oddities) = unpack(&bytes, fifth);
            assert_eq!((value, used), (Ok(1 << 27), 5), "a sixth byte is never read");
            assert_eq!(oddities, ["padded_int"]);
        }
    }

    #[test]
    fn t6_an_integer_cut_anywhere_is_an_error() {
        for length in 0..5 {
            let (value, ..) = unpack(&[0xff; 5][..length], FifthByte::Teeworlds);
            assert_eq!(value.unwrap_err().expected, "an integer");
        }
    }

    proptest! {
        #[test]
        fn every_integer_survives(value in any::<i32>()) {
            let bytes = pack(value);
            prop_assert_eq!(unpack(&bytes, FifthByte::Teeworlds), (Ok(value), bytes.len(), vec![]));
            prop_assert_eq!(unpack(&bytes, FifthByte::DdNet).0, Ok(value));
        }
    }
}
