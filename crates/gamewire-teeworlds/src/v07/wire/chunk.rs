//! The chunk header of 0.7 (docs/protocols/teeworlds.md, "Chunk header").
//!
//! ```text
//! byte 0   F F size 11..6             resend, vital
//! byte 1   sequence 9..8, size 5..0
//! byte 2   sequence 7..0              vital chunks only
//! ```

use gamewire_wire::{CodecError, Found, Reader, Span, Trace, Value, Writer};

use crate::shared::oddity;
use crate::shared::packet::{Chunk, ChunkHeader};

const RESEND: u8 = 0x80;
const VITAL: u8 = 0x40;
/// The largest size that the header can say; payloads allow less.
pub const MAX_SIZE: usize = 4095;

/// Reads the next chunk of a payload and tells its header.
///
/// # Errors
/// When the payload ends inside it.
#[inline]
pub fn read<'a, T: Trace>(from: &mut Reader<'a>, trace: &mut T) -> Result<Chunk<'a>, CodecError> {
    read_parts(from, trace).map_err(|error| error.in_packet("chunk"))
}

#[inline]
fn read_parts<'a, T: Trace>(from: &mut Reader<'a>, trace: &mut T) -> Result<Chunk<'a>, CodecError> {
    let at = from.offset();
    let [first, second] = from.array("a chunk header of 2 bytes")?;
    let (resend, vital) = (first & RESEND != 0, first & VITAL != 0);
    let size = usize::from(first & 0x3f) << 6 | usize::from(second & 0x3f);
    trace.field("chunk_resend", Span::bits(at, 0, 1), Value::Bool(resend));
    trace.field("vital", Span::bits(at, 1, 1), Value::Bool(vital));
    trace.field(
        "size",
        Span::bytes(at, at.saturating_add(2)),
        Value::Int(i64::from(u16::try_from(size).unwrap_or(0))),
    );
    let mut sequence = None;
    if vital {
        let third = from.u8("the third byte of a vital chunk header")?;
        let number = u16::from(second & 0xc0) << 2 | u16::from(third);
        let span = Span::bytes(at.saturating_add(1), at.saturating_add(3));
        trace.field("sequence", span, Value::Int(number.into()));
        sequence = Some(number);
    } else if second & 0xc0 != 0 {
        trace.oddity(Span::bits(at.saturating_add(1), 0, 2), &oddity::UNUSED_BITS);
    }
    let content = from.sub(size, "as many bytes as the chunk's size")?;
    Ok(Chunk { header: ChunkHeader { resend, sequence }, content })
}

/// Writes the header of a chunk of `size` bytes.
///
/// # Errors
/// When the size is over [`MAX_SIZE`], or the buffer is full.
#[allow(clippy::cast_possible_truncation, reason = "each part is cut to its bits on purpose")]
pub fn write(header: &ChunkHeader, size: usize, to: &mut Writer<'_>) -> Result<(), CodecError> {
    if size > MAX_SIZE {
        return Err(CodecError::new(to.len(), "a chunk of at most 4095 bytes", Found::Bytes(size)));
    }
    let resend = if header.resend { RESEND } else { 0 };
    let (vital, sequence) = header.sequence.map_or((0, 0), |sequence| (VITAL, sequence & 0x3ff));
    to.bytes(&[resend | vital | (size >> 6) as u8, (sequence >> 2 & 0xc0) as u8 | (size & 0x3f) as u8])?;
    if header.sequence.is_some() { to.u8((sequence & 0xff) as u8) } else { Ok(()) }
}
