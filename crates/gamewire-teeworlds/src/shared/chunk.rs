//! The chunk headers of both versions: they differ in how many low bits of the size stand in the
//! second byte, and so in how many bits are left there for the sequence number.

use gamewire_wire::{CodecError, Found, Reader, Span, Trace, Value, Writer};

use crate::shared::packet::{Chunk, ChunkHeader};
use crate::shared::warning;

const RESEND: u8 = 0x80;
const VITAL: u8 = 0x40;

/// The bits of the second byte that hold a part of the sequence number.
const fn sequence_mask(low_bits: u32) -> u8 {
    u8::MAX.wrapping_shl(low_bits)
}

/// The largest size that a header with so many low bits can say.
pub(crate) const fn max_size(low_bits: u32) -> usize {
    0x40_usize.wrapping_shl(low_bits).wrapping_sub(1)
}

/// Reads the next chunk of a payload and tells its header.
#[inline]
pub(crate) fn read<'a, const LOW_BITS: u32, T: Trace>(
    from: &mut Reader<'a>,
    trace: &mut T,
) -> Result<Chunk<'a>, CodecError> {
    read_parts::<LOW_BITS, T>(from, trace).map_err(|error| error.in_packet("chunk"))
}

#[inline]
fn read_parts<'a, const LOW_BITS: u32, T: Trace>(
    from: &mut Reader<'a>,
    trace: &mut T,
) -> Result<Chunk<'a>, CodecError> {
    let sequence_mask = const { sequence_mask(LOW_BITS) };
    let at = from.offset();
    let [first, second] = from.array("a chunk header of 2 bytes")?;
    let (resend, vital) = (first & RESEND != 0, first & VITAL != 0);
    let size = u16::from(first & 0x3f) << LOW_BITS | u16::from(second & !sequence_mask);
    trace.field("chunk_resend", Span::bits(at, 0, 1), Value::Bool(resend));
    trace.field("vital", Span::bits(at, 1, 1), Value::Bool(vital));
    trace.field("size", Span::bytes(at, at.saturating_add(2)), Value::Int(size.into()));
    let mut sequence = None;
    if vital {
        // Most chunks of a game that runs are not.
        core::hint::cold_path();
        let third = from.u8("the third byte of a vital chunk header")?;
        let number = u16::from(second & sequence_mask) << 2 | u16::from(third);
        let span = Span::bytes(at.saturating_add(1), at.saturating_add(3));
        trace.field("sequence", span, Value::Int(number.into()));
        // 0.6 sends bits 7 and 6 twice; in 0.7 nothing is left of this mask.
        let twice = sequence_mask << 2;
        if (second & sequence_mask) << 2 != third & twice {
            trace.warning(span, &warning::SEQUENCE_BITS);
        }
        sequence = Some(number);
    } else if second & sequence_mask != 0 {
        let unused = Span::bits(at.saturating_add(1), 0, 8_u32.saturating_sub(LOW_BITS));
        trace.warning(unused, &warning::UNUSED_BITS);
    }
    let content = from.sub(size.into(), "as many bytes as the chunk's size")?;
    Ok(Chunk { header: ChunkHeader { resend, sequence }, content })
}

/// Writes the header of a chunk of `size` bytes; `expected` says how large it may be.
#[allow(clippy::cast_possible_truncation, reason = "each part is cut to its bits on purpose")]
pub(crate) fn write<const LOW_BITS: u32>(
    header: &ChunkHeader,
    size: usize,
    expected: &'static str,
    to: &mut Writer<'_>,
) -> Result<(), CodecError> {
    if size > max_size(LOW_BITS) {
        return Err(CodecError::new(to.len(), expected, Found::Bytes(size)));
    }
    let sequence_mask = const { sequence_mask(LOW_BITS) };
    let resend = if header.resend { RESEND } else { 0 };
    let (vital, sequence) = header.sequence.map_or((0, 0), |sequence| (VITAL, sequence & 0x3ff));
    let sequence_bits = (sequence >> 2) as u8 & sequence_mask;
    to.bytes(&[resend | vital | (size >> LOW_BITS) as u8, sequence_bits | size as u8 & !sequence_mask])?;
    if header.sequence.is_some() { to.u8(sequence as u8) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written<const LOW_BITS: u32>(header: &ChunkHeader, size: usize) -> Vec<u8> {
        let mut buffer = [0; 3];
        let mut to = Writer::new(&mut buffer);
        write::<LOW_BITS>(header, size, "less", &mut to).unwrap();
        to.written().to_vec()
    }

    #[test]
    fn headers_of_the_captures_come_out_to_the_byte() {
        let vital = |sequence| ChunkHeader { resend: false, sequence: Some(sequence) };
        assert_eq!(written::<4>(&vital(1), 12), [0x40, 0x0c, 0x01]);
        assert_eq!(written::<4>(&ChunkHeader { resend: true, ..vital(1) }, 12), [0xc0, 0x0c, 0x01]);
        assert_eq!(written::<6>(&vital(0x0e), 0x4c), [0x41, 0x0c, 0x0e]);
        assert_eq!(written::<4>(&ChunkHeader::default(), 32), [0x02, 0x00]);
    }

    fn survives<const LOW_BITS: u32>(header: ChunkHeader, size: usize) {
        let mut bytes = written::<LOW_BITS>(&header, size);
        let length = bytes.len();
        bytes.resize(length.saturating_add(size), 0);
        let mut from = Reader::new(&bytes);
        let chunk = read::<LOW_BITS, ()>(&mut from, &mut ()).unwrap();
        assert_eq!((chunk.header, chunk.content.remaining().len()), (header, size));
        assert!(from.is_empty());
    }

    proptest! {
        #[test]
        fn every_header_survives_in_both_versions(
            resend: bool,
            sequence in proptest::option::of(0_u16..1024),
            size in 0_usize..1024,
        ) {
            survives::<4>(ChunkHeader { resend, sequence }, size);
            survives::<6>(ChunkHeader { resend, sequence }, size);
            survives::<6>(ChunkHeader { resend, sequence }, size.saturating_mul(4));
        }
    }

    #[test]
    fn a_size_that_the_header_cannot_say_is_refused() {
        let mut buffer = [0; 3];
        let header = ChunkHeader::default();
        let error = write::<4>(&header, 1024, "less", &mut Writer::new(&mut buffer)).unwrap_err();
        assert_eq!(error.found, Found::Bytes(1024));
        assert!(write::<6>(&header, 1024, "less", &mut Writer::new(&mut buffer)).is_ok());
    }
}
