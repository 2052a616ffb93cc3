use gamewire_wire::{CodecError, Found, Result};

use super::table::{
    CODES, END, Entry, LONG, LONG_BITS, LONG_SIZE, LOOKUP, LOOKUP_BITS, LOOKUP_SIZE, LongEntry,
};

/// Number of lookups or long codes that always fit into 56 bits.
const STEPS_PER_REFILL: usize = 3;
/// Output bytes that these steps need: six per step, written eight at a time.
const STEP_OUTPUT_BYTES: usize = 6 * STEPS_PER_REFILL + 2;

/// Decompresses `input` into the front of `output` and returns the number of bytes written.
///
/// Bytes after the end symbol are ignored, as in the games.
///
/// # Errors
/// [`CodecError`] if the input ends before its end symbol, or if the result does not fit `output`. DDNet's master
/// branch also rejects input without an end symbol. Older games read zeros instead.
#[inline]
pub fn decompress(input: &[u8], output: &mut [u8]) -> Result<usize> {
    let mut bits = BitReader { input, at: 0, held: 0, count: 0 };
    let mut written = 0_usize;
    loop {
        bits.refill()?;
        let rest = output.get_mut(written..).unwrap_or_default();
        if let Some(room) = rest.first_chunk_mut::<STEP_OUTPUT_BYTES>() {
            match decode_steps(&mut bits, room) {
                StepOutcome::Wrote(count) => written = written.saturating_add(count),
                StepOutcome::Ended(count) => return bits.check().map(|()| written.saturating_add(count)),
            }
            continue;
        }
        // Near the end of the output, symbols are decoded one by one.
        let symbol = bits.symbol();
        bits.check()?;
        let Some(byte) = symbol else { return Ok(written) };
        let place = rest
            .first_mut()
            .ok_or_else(|| CodecError::new(bits.offset(), "data that fit a packet", Found::Bytes(written)))?;
        *place = byte;
        written = written.saturating_add(1);
    }
}

/// The number of bytes that some steps wrote.
enum StepOutcome {
    /// The steps wrote this many bytes.
    Wrote(usize),
    /// The steps wrote this many bytes and reached the end symbol.
    Ended(usize),
}

/// Decodes three steps. A step is a lookup of up to six symbols, or one long code.
#[inline(always)]
#[allow(clippy::arithmetic_side_effects, reason = "three steps write at most 18 bytes and read 45 bits")]
#[allow(clippy::cast_possible_truncation, reason = "a symbol that is not the end is a byte")]
fn decode_steps(bits: &mut BitReader<'_>, room: &mut [u8; STEP_OUTPUT_BYTES]) -> StepOutcome {
    let mut given = 0;
    for _ in 0..STEPS_PER_REFILL {
        let entry = lookup(bits.held);
        // `given` is at most 12 here, so this always fits.
        let Some(place) = room.get_mut(given..).and_then(|rest| rest.first_chunk_mut::<8>()) else { break };
        if entry.count() > 0 {
            *place = entry.bytes();
            given += entry.count();
            bits.skip(entry.bits());
        } else {
            let code = long(entry, bits.held);
            bits.skip(LOOKUP_BITS + code.bits());
            if usize::from(code.symbol()) == END {
                return StepOutcome::Ended(given);
            }
            place[0] = code.symbol() as u8;
            given += 1;
        }
    }
    StepOutcome::Wrote(given)
}

#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "the index is masked to the length of the table")]
#[allow(clippy::cast_possible_truncation, reason = "masked")]
fn lookup(held: u64) -> Entry {
    LOOKUP[held as usize & (LOOKUP_SIZE - 1)]
}

#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "the index is masked to the length of the table")]
#[allow(clippy::cast_possible_truncation, reason = "masked")]
fn long(entry: Entry, held: u64) -> LongEntry {
    let further = (held >> LOOKUP_BITS) as usize & ((1 << LONG_BITS) - 1);
    LONG[(entry.long() | further) & (LONG_SIZE - 1)]
}

#[allow(clippy::indexing_slicing, reason = "the table has an entry for every byte")]
fn code_length(byte: u8) -> u8 {
    CODES[byte as usize].length
}

struct BitReader<'a> {
    input: &'a [u8],
    /// Index of the next byte to load. After the end of the input, zeros are loaded.
    at: usize,
    held: u64,
    /// Number of valid bits in `held`.
    count: u32,
}

impl BitReader<'_> {
    /// Fills `held` with at least 56 bits.
    ///
    /// # Errors
    /// [`CodecError`] if more bits were read than the input has.
    #[inline(always)]
    #[allow(clippy::arithmetic_side_effects, reason = "`count` is below 64, `at` at most 14 past the input")]
    fn refill(&mut self) -> Result<()> {
        let rest = self.input.get(self.at..).unwrap_or_default();
        // Bits above `count` may be loaded twice. They are the same bits, so OR-ing them is harmless.
        let next = match rest.first_chunk::<8>() {
            Some(next) => u64::from_le_bytes(*next),
            None => {
                self.check()?;
                last_bits(self.input, rest)
            }
        };
        self.held |= next << self.count;
        self.at += ((63 - self.count) / 8) as usize;
        self.count |= 56;
        Ok(())
    }

    /// Checks that no more bits were read than the input has.
    #[inline(always)]
    fn check(&self) -> Result<()> {
        if self.offset() > self.input.len() {
            return Err(CodecError::new(self.input.len(), "the end symbol of compressed data", Found::End));
        }
        Ok(())
    }

    #[inline(always)]
    #[allow(clippy::arithmetic_side_effects, reason = "callers skip only bits that are in `held`")]
    const fn skip(&mut self, bits: u32) {
        self.held >>= bits;
        self.count -= bits;
    }

    /// Decodes one symbol; `None` is the end symbol.
    #[inline(always)]
    fn symbol(&mut self) -> Option<u8> {
        let entry = lookup(self.held);
        let (symbol, bits) = if entry.count() > 0 {
            let [first, ..] = entry.bytes();
            (u16::from(first), u32::from(code_length(first)))
        } else {
            let code = long(entry, self.held);
            (code.symbol(), LOOKUP_BITS.saturating_add(code.bits()))
        };
        self.skip(bits);
        u8::try_from(symbol).ok()
    }

    /// Returns the number of bytes read so far, including a byte that was read in part.
    #[inline(always)]
    const fn offset(&self) -> usize {
        self.at.saturating_sub((self.count / 8) as usize)
    }
}

/// Returns the bits of `rest`, the last bytes of `input`. `rest` has fewer than eight bytes, and the bits after them
/// are zeros.
#[inline(always)]
#[allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation, reason = "fewer than eight bytes")]
fn last_bits(input: &[u8], rest: &[u8]) -> u64 {
    match input.last_chunk::<8>() {
        Some(last) => {
            let missing_bits = u64::BITS - 8 * rest.len() as u32;
            u64::from_le_bytes(*last).checked_shr(missing_bits).unwrap_or(0)
        }
        None => rest.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TrailingByte, compress, compress_if_smaller};
    use super::*;

    fn round(input: &[u8], ending: TrailingByte) -> Vec<u8> {
        let mut packed = [0; 6000];
        let length = compress(input, &mut packed, ending).unwrap();
        let mut output = [0; 2048];
        let got = decompress(&packed[..length], &mut output).unwrap();
        assert_eq!(&output[..got], input);
        packed[..length].to_vec()
    }

    #[test]
    fn known_vectors_are_compressed_byte_for_byte() {
        let hello = [0xae, 0x95, 0x13, 0x5c, 0x09, 0x57, 0xc2, 0x16, 0xb1, 0x56];
        let hello =
            [hello.as_slice(), &[0xdc, 0xda, 0x22, 0x38, 0xb9, 0x12, 0x9c, 0xa8, 0xb8, 0x01]].concat();
        assert_eq!(round(b"hello world", TrailingByte::Exact), hello);
        assert_eq!(round(b"hello world", TrailingByte::ExtraByte), hello);
        assert_eq!(round(b"", TrailingByte::Exact), [0x8a, 0x1b]);
        assert_eq!(round(&[0], TrailingByte::Exact), [0x15, 0x37]);
        assert_eq!(round(&[0], TrailingByte::ExtraByte), [0x15, 0x37, 0x00]);
        assert_eq!(round(b"A", TrailingByte::Exact), [0xbc, 0x15, 0x37]);
        assert_eq!(round(b"A", TrailingByte::ExtraByte), [0xbc, 0x15, 0x37, 0x00]);
    }

    #[test]
    fn every_length_and_every_byte_round_trips() {
        let ramp: Vec<u8> = (0..1400_u32).map(|n| (n * n / 3) as u8).collect();
        for length in 0..ramp.len() {
            round(&ramp[..length], TrailingByte::ExtraByte);
        }
        for byte in 0..=255 {
            for count in [1, 2, 3, 7, 8, 9, 31, 33, 1390] {
                round(&vec![byte; count], TrailingByte::Exact);
            }
        }
    }

    #[test]
    fn the_output_never_passes_its_limit() {
        let packed = round(&[0; 100], TrailingByte::Exact);
        let mut exact = [0; 100];
        assert_eq!(decompress(&packed, &mut exact), Ok(100));
        let mut small = [0; 99];
        let error = decompress(&packed, &mut small).unwrap_err();
        assert_eq!(error.found, Found::Bytes(99));
    }

    #[test]
    fn data_without_an_end_symbol_is_rejected() {
        let packed = round(b"no end here", TrailingByte::Exact);
        let mut output = [0; 64];
        for length in 0..packed.len() {
            let error = decompress(&packed[..length], &mut output).unwrap_err();
            assert_eq!(error.expected, "the end symbol of compressed data");
        }
    }

    #[test]
    fn bytes_after_the_end_symbol_are_ignored() {
        let mut packed = round(b"tail", TrailingByte::Exact);
        packed.extend([0xff; 20]);
        let mut output = [0; 64];
        assert_eq!(decompress(&packed, &mut output), Ok(4));
    }

    #[test]
    fn equal_size_is_not_smaller() {
        let mut output = [0; 64];
        assert_eq!(compress_if_smaller(&[0; 16], &mut output, TrailingByte::Exact), Some(4));
        let equal = (0..=255)
            .flat_map(|byte| (1..40).map(move |count| vec![byte; count]))
            .find(|input| compress(input, &mut output, TrailingByte::Exact) == Some(input.len()))
            .expect("a byte with a code of seven bits comes to the same size");
        assert_eq!(compress_if_smaller(&equal, &mut output, TrailingByte::Exact), None);
    }

    #[test]
    fn a_full_output_buffer_counts_as_too_small() {
        let mut exactly = [0; 2];
        assert_eq!(compress(b"", &mut exactly, TrailingByte::Exact), None);
        let mut one_more = [0; 3];
        assert_eq!(compress(b"", &mut one_more, TrailingByte::Exact), Some(2));
    }
}
