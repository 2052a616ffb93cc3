use gamewire_wire::{CodecError, Found, Reader, Result, Span, Trace, Writer};

use crate::shared::warning;

/// The bits that a game reads from the fifth byte of an integer. The games differ in the bits above the 32nd.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FifthByte {
    /// Teeworlds 0.6 and 0.7 read seven bits. The fifth is the sign bit.
    #[default]
    Teeworlds = 0x7f,
    /// DDNet reads the four bits that fit.
    DdNet = 0x0f,
}

impl FifthByte {
    /// Returns the mask of the bits to read.
    const fn mask(self) -> u8 {
        self as u8
    }
}

/// A reader of the fields of a message.
#[derive(Clone, Copy, Debug)]
pub struct Unpacker<'a> {
    /// The bytes of the message.
    pub reader: Reader<'a>,
    fifth_byte: FifthByte,
}

impl<'a> Unpacker<'a> {
    /// Creates an unpacker of the unread bytes of `reader`.
    #[inline]
    pub const fn new(reader: Reader<'a>, fifth_byte: FifthByte) -> Self {
        Self { reader, fifth_byte }
    }

    /// Reads a packed integer of one to five bytes.
    ///
    /// Byte 0 is `extend sign data*6`, and the others are `extend data*7`, low groups first. A negative number is
    /// stored inverted. Overlong forms and bits above the 32nd are read as the game reads them, and cause warnings.
    ///
    /// # Errors
    /// [`CodecError`] if the data end within the integer.
    #[inline(always)]
    pub fn int<T: Trace>(&mut self, expected: &'static str, trace: &mut T) -> Result<i32> {
        let start = self.reader;
        let fifth_byte = self.fifth_byte;
        let Some(value) = self.reader.parse(|bytes| unpack(bytes, fifth_byte)) else {
            self.reader.take_rest();
            return Err(CodecError::new(self.reader.offset(), expected, Found::End));
        };
        if trace.wants_details() {
            self.trace_warnings(start.offset(), trace);
        }
        Ok(value)
    }

    /// Reports the warnings of the integer from `start` to the cursor.
    fn trace_warnings<T: Trace>(&self, start: usize, trace: &mut T) {
        let bytes = self.reader.source().get(start..self.reader.offset()).unwrap_or_default();
        match bytes {
            [_, .., 0] => trace.warning(self.span_since(start), &warning::OVERLONG_INT),
            [_, _, _, _, last] if last & 0xf0 != 0 => {
                trace.warning(self.span_since(start), &warning::PADDED_INT);
            }
            _ => {}
        }
    }

    /// Returns how the fifth byte of integers is read.
    pub const fn fifth_byte(&self) -> FifthByte {
        self.fifth_byte
    }

    /// Returns the span of the bytes from `start` up to the cursor.
    #[inline]
    pub fn span_since(&self, start: usize) -> Span {
        self.reader.span_since(start)
    }
}

/// Returns the integer at the start of `bytes` and the bytes after it, or `None` if the data end within the integer.
#[inline(always)]
fn unpack(bytes: &[u8], fifth_byte: FifthByte) -> Option<(i32, &[u8])> {
    // Combines a byte with its extend bit and the groups above it.
    let below = |byte: u8, above: i32| above.wrapping_shl(7).wrapping_add(byte.into()).wrapping_sub(0x80);
    let (first, above, rest) = match *bytes {
        // Most fields are one byte and not negative.
        [byte @ 0..=0x3f, ref rest @ ..] => return Some((byte.into(), rest)),
        [byte @ 0..=0x7f, ref rest @ ..] => return Some((!i32::from(byte & 0x3f), rest)),
        [a, b @ 0..=0x7f, ref rest @ ..] => (a, b.into(), rest),
        [a, b, c @ 0..=0x7f, ref rest @ ..] => (a, below(b, c.into()), rest),
        [a, b, c, d @ 0..=0x7f, ref rest @ ..] => (a, below(b, below(c, d.into())), rest),
        [a, b, c, d, e, ref rest @ ..] => {
            let last = i32::from(e & fifth_byte.mask());
            (a, below(b, below(c, below(d, last))), rest)
        }
        _ => return None,
    };
    let sign = i32::from(first) << 25 >> 31;
    Some(((above << 6 | i32::from(first & 0x3f)) ^ sign, rest))
}

/// Writes `value` in its shortest form.
///
/// # Errors
/// [`CodecError`] if the buffer is full.
#[inline]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "masked to 6 or 7 bits")]
pub fn pack_int(value: i32, to: &mut Writer<'_>) -> Result<()> {
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

    fn unpack(bytes: &[u8], fifth: FifthByte) -> (Result<i32>, usize, Vec<String>) {
        let mut record = Record::new();
        let mut unpacker = Unpacker::new(Reader::new(bytes), fifth);
        let value = unpacker.int("an integer", &mut record);
        let warnings = record.nodes().map(|node| node.name().to_owned()).collect();
        (value, unpacker.reader.offset(), warnings)
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
    fn t6_overlong_forms_are_read_with_a_warning() {
        for (bytes, value) in [
            ([0x80, 0x00].as_slice(), 0),
            (&[0xc0, 0x00], -1),
            (&[0x83, 0x00], 3),
            (&[0x80, 0x80, 0x80, 0x80, 0x00], 0),
        ] {
            let (got, used, warnings) = unpack(bytes, FifthByte::Teeworlds);
            assert_eq!((got, used), (Ok(value), bytes.len()));
            assert_eq!(warnings, ["overlong_int"]);
        }
    }

    #[test]
    fn t6_bits_beyond_the_32nd_are_read_as_each_game_reads_them() {
        let bytes = [0x80, 0x80, 0x80, 0x80, 0x10];
        assert_eq!(unpack(&bytes, FifthByte::Teeworlds).0, Ok(i32::MIN));
        assert_eq!(unpack(&bytes, FifthByte::DdNet).0, Ok(0));
        let bytes = [0x80, 0x80, 0x80, 0x80, 0xe1, 0x05];
        for fifth in [FifthByte::Teeworlds, FifthByte::DdNet] {
            let (value, used, warnings) = unpack(&bytes, fifth);
            assert_eq!((value, used), (Ok(1 << 27), 5), "a sixth byte is never read");
            assert_eq!(warnings, ["padded_int"]);
        }
    }

    #[test]
    fn t6_an_integer_cut_anywhere_is_an_error() {
        for length in 0..5 {
            let (value, ..) = unpack(&[0xff; 5][..length], FifthByte::Teeworlds);
            assert_eq!(value.unwrap_err().expected, "an integer");
        }
    }

    /// Unpacks an integer as the games do, in a loop over the bytes.
    #[allow(clippy::arithmetic_side_effects, reason = "a length of at most five")]
    fn unpack_like_the_games(bytes: &[u8], fifth: FifthByte) -> Option<(i32, usize)> {
        let first = *bytes.first()?;
        let mut value = i32::from(first & 0x3f);
        let mut length = 1;
        let mut byte = first;
        while byte & 0x80 != 0 && length < 5 {
            byte = *bytes.get(length)?;
            let mask = if length == 4 { fifth.mask() } else { 0x7f };
            value |= i32::from(byte & mask) << (7 * length - 1);
            length += 1;
        }
        Some((if first & 0x40 != 0 { !value } else { value }, length))
    }

    #[test]
    fn teeint_packs_and_unpacks_the_same_integers() {
        let near = (0..32).flat_map(|bits| (-1..=1).map(move |offset| (1_i32 << bits).wrapping_add(offset)));
        let spread = (i32::MIN..=i32::MAX).step_by(4093);
        for value in near.chain(spread) {
            let ours = pack(value);
            let mut theirs = Vec::new();
            teeint::pack(&mut theirs, value).unwrap();
            assert_eq!(ours, theirs, "{value}");
            assert_eq!(unpack(&theirs, FifthByte::Teeworlds).0, Ok(value));
            assert_eq!(teeint::unpack(&mut ours.as_slice()).unwrap(), value);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_as_the_games_read_them(bytes in proptest::collection::vec(any::<u8>(), 0..8)) {
            for fifth in [FifthByte::Teeworlds, FifthByte::DdNet] {
                let (value, used, _) = unpack(&bytes, fifth);
                let expected = unpack_like_the_games(&bytes, fifth);
                prop_assert_eq!(value.ok(), expected.map(|(value, _)| value));
                prop_assert_eq!(used, expected.map_or(bytes.len(), |(_, length)| length));
            }
        }

        #[test]
        fn every_integer_round_trips(value in any::<i32>()) {
            let bytes = pack(value);
            prop_assert_eq!(unpack(&bytes, FifthByte::Teeworlds), (Ok(value), bytes.len(), vec![]));
            prop_assert_eq!(unpack(&bytes, FifthByte::DdNet).0, Ok(value));
        }
    }
}
