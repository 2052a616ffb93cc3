use super::table::{CODES, Code, END};

/// The byte after the last code if the bits end on a byte boundary.
///
/// Both ways decode to the same data. The choice exists to send the same bytes as a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TrailingByte {
    /// A zero byte, as in Teeworlds 0.6 and 0.7 and DDNet up to 19.
    #[default]
    ExtraByte,
    /// No byte, as in DDNet from 20 on and libtw2.
    Exact,
}

/// Compresses `input` into the front of `output` and returns the number of bytes written.
///
/// Returns `None` if the result does not fit, or if it would fill `output` completely, as the
/// compressor of the games does.
pub fn compress(input: &[u8], output: &mut [u8], ending: TrailingByte) -> Option<usize> {
    let mut bits = BitWriter { output, at: 0, held: 0, count: 0 };
    let mut triples = input.chunks_exact(3);
    for triple in &mut triples {
        let &[a, b, c] = triple else { return None };
        bits.put(code(a));
        bits.put(code(b));
        bits.put(code(c));
        bits.flush()?;
    }
    for &byte in triples.remainder() {
        bits.put(code(byte));
    }
    bits.flush()?;
    bits.put(CODES[END]);
    bits.flush()?;
    bits.finish(ending)
}

/// Compresses `input` if the result is smaller, as the games do.
///
/// An `output` of the size of `input` is sufficient.
pub fn compress_if_smaller(input: &[u8], output: &mut [u8], ending: TrailingByte) -> Option<usize> {
    compress(input, output, ending).filter(|&length| length < input.len())
}

#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "the table has an entry for every byte")]
fn code(byte: u8) -> Code {
    CODES[byte as usize]
}

struct BitWriter<'a> {
    output: &'a mut [u8],
    at: usize,
    held: u64,
    /// Number of bits in `held`; at most 7 after a flush, so that three codes of 15 bits fit.
    count: u32,
}

impl BitWriter<'_> {
    #[inline(always)]
    #[allow(clippy::arithmetic_side_effects, reason = "at most 7 + 3 * 15 bits are in `held`")]
    fn put(&mut self, code: Code) {
        self.held |= u64::from(code.bits) << self.count;
        self.count += u32::from(code.length);
    }

    /// Moves the complete bytes of `held` to the output.
    #[inline(always)]
    #[allow(clippy::arithmetic_side_effects, reason = "`held` has at most 52 bits, `at` is in the output")]
    fn flush(&mut self) -> Option<()> {
        let whole = (self.count / 8) as usize;
        if let Some(place) = self.output.get_mut(self.at..).and_then(|rest| rest.first_chunk_mut::<8>()) {
            *place = self.held.to_le_bytes();
        } else {
            let bytes = self.held.to_le_bytes();
            self.output.get_mut(self.at..self.at + whole)?.copy_from_slice(bytes.get(..whole)?);
        }
        self.at += whole;
        self.held >>= whole * 8;
        self.count %= 8;
        Some(())
    }

    fn finish(mut self, ending: TrailingByte) -> Option<usize> {
        if self.count > 0 || ending == TrailingByte::ExtraByte {
            *self.output.get_mut(self.at)? = self.held.to_le_bytes()[0];
            self.at = self.at.checked_add(1)?;
        }
        (self.at < self.output.len()).then_some(self.at)
    }
}
