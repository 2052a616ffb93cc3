use gamewire_wire::{CodecError, Found};

use super::table::{Entry, LOOKUP, LOOKUP_SIZE, root, step, symbol};

/// How many lookups one refill of 56 bits is enough for, with the longest code to spare.
const LOOKUPS_PER_REFILL: usize = 4;

/// Decompresses `input` into the front of `output` and returns how many bytes that gave.
///
/// What follows the end symbol is ignored, as the games do.
///
/// # Errors
/// When the input ends before its end symbol (DDNet's master branch refuses that too; older
/// games read zeros there), or when the output does not hold the result.
#[inline]
pub fn decompress(input: &[u8], output: &mut [u8]) -> Result<usize, CodecError> {
    let mut bits = BitReader { input, at: 0, held: 0, count: 0 };
    let mut written = 0_usize;
    loop {
        bits.refill();
        // Enough bits and room for several lookups: nothing but the table needs a look.
        while bits.count >= 56 {
            let Some(room) = output.get_mut(written..).and_then(|rest| rest.first_chunk_mut::<32>()) else {
                break;
            };
            let before = written;
            written = fast(&mut bits, room, written);
            if written == before {
                break;
            }
            bits.refill();
        }
        // One symbol the careful way: a long code, the end, the last bytes of input or output.
        match bits.symbol()? {
            None => return Ok(written),
            Some(byte) => {
                let place = output.get_mut(written).ok_or_else(|| {
                    CodecError::new(bits.offset(), "no more data than fit a packet", Found::Bytes(written))
                })?;
                *place = byte;
                written = written.saturating_add(1);
            }
        }
    }
}

/// Up to four lookups; stops early at what the table does not hold. Returns the new length.
#[inline(always)]
#[allow(clippy::arithmetic_side_effects, reason = "four lookups give at most 28 bytes and take 44 bits")]
fn fast(bits: &mut BitReader<'_>, room: &mut [u8; 32], written: usize) -> usize {
    let mut given = 0;
    for _ in 0..LOOKUPS_PER_REFILL {
        let entry = lookup(bits.held);
        // `given` is at most 21 here, so the slice always exists.
        if let Some(place) = room.get_mut(given..).and_then(|rest| rest.first_chunk_mut::<8>()) {
            *place = entry.bytes();
        }
        given += entry.count();
        bits.held >>= entry.bits();
        bits.count -= entry.bits();
        if entry.count() == 0 {
            break;
        }
    }
    written + given
}

#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "the index is masked to the length of the table")]
#[allow(clippy::cast_possible_truncation, reason = "masked")]
fn lookup(held: u64) -> Entry {
    LOOKUP[held as usize & (LOOKUP_SIZE - 1)]
}

struct BitReader<'a> {
    input: &'a [u8],
    /// The next byte to load.
    at: usize,
    held: u64,
    /// How many of the held bits are real.
    count: u32,
}

impl BitReader<'_> {
    /// Holds at least 56 bits, or all that are left.
    #[inline(always)]
    #[allow(clippy::arithmetic_side_effects, reason = "`count` is below 64, `at` inside the input")]
    fn refill(&mut self) {
        if self.count >= 56 {
            return;
        }
        if let Some(next) = self.input.get(self.at..).and_then(|rest| rest.first_chunk::<8>()) {
            // Bits above `count` may be loaded twice: the same bits, so OR-ing them is harmless.
            self.held |= u64::from_le_bytes(*next) << self.count;
            self.at += ((63 - self.count) / 8) as usize;
            self.count |= 56;
        } else {
            while self.count < 56
                && let Some(&byte) = self.input.get(self.at)
            {
                self.held |= u64::from(byte) << self.count;
                self.at += 1;
                self.count += 8;
            }
        }
    }

    /// One symbol; `None` is the end symbol.
    fn symbol(&mut self) -> Result<Option<u8>, CodecError> {
        let mut node = root();
        loop {
            if self.count == 0 {
                self.refill();
            }
            self.count = self.count.checked_sub(1).ok_or_else(|| {
                CodecError::new(self.input.len(), "the end symbol of compressed data", Found::End)
            })?;
            node = step(node, self.held);
            self.held >>= 1;
            if let Some(symbol) = symbol(node) {
                return Ok(u8::try_from(symbol).ok());
            }
        }
    }

    /// About where in the input the reader stands.
    #[cold]
    fn offset(&self) -> usize {
        self.at.saturating_sub((self.count / 8) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ending, compress, compress_if_smaller};
    use super::*;

    fn round(input: &[u8], ending: Ending) -> Vec<u8> {
        let mut packed = [0; 6000];
        let length = compress(input, &mut packed, ending).unwrap();
        let mut output = [0; 2048];
        let got = decompress(&packed[..length], &mut output).unwrap();
        assert_eq!(&output[..got], input);
        packed[..length].to_vec()
    }

    #[test]
    fn known_vectors_come_out_to_the_byte() {
        let hello = [0xae, 0x95, 0x13, 0x5c, 0x09, 0x57, 0xc2, 0x16, 0xb1, 0x56];
        let hello =
            [hello.as_slice(), &[0xdc, 0xda, 0x22, 0x38, 0xb9, 0x12, 0x9c, 0xa8, 0xb8, 0x01]].concat();
        assert_eq!(round(b"hello world", Ending::Exact), hello);
        assert_eq!(round(b"hello world", Ending::ExtraByte), hello);
        assert_eq!(round(b"", Ending::Exact), [0x8a, 0x1b]);
        assert_eq!(round(&[0], Ending::Exact), [0x15, 0x37]);
        assert_eq!(round(&[0], Ending::ExtraByte), [0x15, 0x37, 0x00]);
        assert_eq!(round(b"A", Ending::Exact), [0xbc, 0x15, 0x37]);
        assert_eq!(round(b"A", Ending::ExtraByte), [0xbc, 0x15, 0x37, 0x00]);
    }

    #[test]
    fn every_length_and_every_byte_survives() {
        let ramp: Vec<u8> = (0..1400_u32).map(|n| (n * n / 3) as u8).collect();
        for length in 0..ramp.len() {
            round(&ramp[..length], Ending::ExtraByte);
        }
        for byte in 0..=255 {
            for count in [1, 2, 3, 7, 8, 9, 31, 33, 1390] {
                round(&vec![byte; count], Ending::Exact);
            }
        }
    }

    #[test]
    fn the_output_never_passes_its_limit() {
        let packed = round(&[0; 100], Ending::Exact);
        let mut exact = [0; 100];
        assert_eq!(decompress(&packed, &mut exact), Ok(100));
        let mut small = [0; 99];
        let error = decompress(&packed, &mut small).unwrap_err();
        assert_eq!(error.found, Found::Bytes(99));
    }

    #[test]
    fn data_without_an_end_symbol_are_refused() {
        let packed = round(b"no end here", Ending::Exact);
        let mut output = [0; 64];
        for length in 0..packed.len() {
            let error = decompress(&packed[..length], &mut output).unwrap_err();
            assert_eq!(error.expected, "the end symbol of compressed data");
        }
    }

    #[test]
    fn what_follows_the_end_symbol_is_ignored() {
        let mut packed = round(b"tail", Ending::Exact);
        packed.extend([0xff; 20]);
        let mut output = [0; 64];
        assert_eq!(decompress(&packed, &mut output), Ok(4));
    }

    #[test]
    fn equal_size_is_not_smaller() {
        let mut output = [0; 64];
        assert_eq!(compress_if_smaller(&[0; 16], &mut output, Ending::Exact), Some(4));
        // "ttt" needs exactly as many bytes as it has.
        let equal = (1..40).find_map(|n| {
            let input = vec![b'0'; n];
            (compress(&input, &mut output, Ending::Exact) == Some(n)).then_some(input)
        });
        if let Some(input) = equal {
            assert_eq!(compress_if_smaller(&input, &mut output, Ending::Exact), None);
        }
    }

    #[test]
    fn a_full_output_buffer_counts_as_too_small() {
        let mut exactly = [0; 2];
        assert_eq!(compress(b"", &mut exactly, Ending::Exact), None);
        let mut one_more = [0; 3];
        assert_eq!(compress(b"", &mut one_more, Ending::Exact), Some(2));
    }
}
