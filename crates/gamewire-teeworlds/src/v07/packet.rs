//! The packet header of 0.7 (docs/protocols/teeworlds.md, "Packet header").
//!
//! ```text
//! byte 0      - - N O R C A A   unused, connless, compression, resend, control, ack 9..8
//! byte 1      ack 7..0
//! byte 2      number of chunks
//! 4 bytes     token that the receiver issued
//!
//! connless:   0x21 (connless, version 1), 4 bytes token, 4 bytes token for the reply
//! ```
//!
//! The chunk header ("Chunk header" there):
//!
//! ```text
//! byte 0   F F size 11..6             resend, vital
//! byte 1   sequence 9..8, size 5..0
//! byte 2   sequence 7..0              vital chunks only
//! ```

use gamewire_wire::{CodecError, Found, Reader, Result, Span, Trace, Value, Writer};

use crate::shared::data::Token;
use crate::shared::packet::{CONNLESS, Header, HeaderBits};
use crate::shared::version::version;
use crate::shared::warning;

version! {
    /// Teeworlds 0.7.
    V07 {
        chunk_low_bits: 6,
        // The race objects after this type are sent with their size, because 0.7.0 does not know them
        // (docs/protocols/teeworlds.md, "Snapshots").
        last_fixed_size: 22,
    }
}

const BITS: HeaderBits = HeaderBits { compression: 0x10, resend: 0x08, control: 0x04 };
const UNUSED: u8 = 0xc0;
/// Version of connless packets.
const CONNLESS_VERSION: u8 = 1;

/// A datagram of 0.7, split into header and payload.
pub type Packet<'a> = crate::shared::packet::Packet<'a, ConnlessHeader>;

/// The nine bytes before a browsing message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnlessHeader {
    /// Token that the receiver issued.
    pub token: Token,
    /// Token that the reply must carry.
    pub response_token: Token,
}

/// Reads the header of `datagram` and reports its fields.
///
/// # Errors
/// [`CodecError`] if the datagram exceeds 1400 bytes, is shorter than its header, or is
/// connless with a version other than 1.
#[inline(always)]
pub fn parse<'a, T: Trace>(datagram: &'a [u8], trace: &mut T) -> Result<Packet<'a>> {
    let in_packet = |error: CodecError| error.in_packet("packet");
    let mut from = HeaderBits::reader(datagram).map_err(in_packet)?;
    let flags = from.u8("a header of 7 bytes").map_err(in_packet)?;
    trace.field("connless", Span::bits(0, 2, 1), Value::Bool(flags & CONNLESS != 0));
    if flags & UNUSED != 0 {
        trace.warning(Span::bits(0, 0, 2), &warning::UNUSED_BITS);
    }
    if flags & CONNLESS != 0 {
        return parse_connless(flags, from, trace).map_err(in_packet);
    }
    let [ack, chunks] = from.array("a header of 7 bytes").map_err(in_packet)?;
    let token = Token(from.be_u32("a header of 7 bytes").map_err(in_packet)?);
    let header = Header { token: Some(token), ..BITS.read([flags, ack, chunks], trace) };
    header.trace_counts(trace);
    trace.field("token", Span::bytes(3, 7), Value::Hex { value: token.0.into(), digits: 8 });
    Ok(Packet::Connected { header, payload: from })
}

#[inline(never)]
fn parse_connless<'a, T: Trace>(flags: u8, mut from: Reader<'a>, trace: &mut T) -> Result<Packet<'a>> {
    let version = flags & 0x03;
    trace.field("version", Span::bits(0, 6, 2), Value::Int(version.into()));
    if version != CONNLESS_VERSION {
        return Err(CodecError::new(0, "version 1 of connless packets", Found::Value(version.into())));
    }
    let token = Token(from.be_u32("a connless header of 9 bytes")?);
    let response_token = Token(from.be_u32("a connless header of 9 bytes")?);
    trace.field("token", Span::bytes(1, 5), Value::Hex { value: token.0.into(), digits: 8 });
    trace.field(
        "response_token",
        Span::bytes(5, 9),
        Value::Hex { value: response_token.0.into(), digits: 8 },
    );
    Ok(Packet::Connless { header: ConnlessHeader { token, response_token }, payload: from })
}

/// Writes the header of a packet of a connection. Without a token, [`Token::NONE`] is written.
///
/// # Errors
/// [`CodecError`] if the buffer is full.
pub fn write(header: &Header, to: &mut Writer<'_>) -> Result<()> {
    BITS.write(header, 0, to)?;
    to.bytes(&header.token.unwrap_or(Token::NONE).0.to_be_bytes())
}

/// Writes the header of a packet without a connection.
///
/// # Errors
/// [`CodecError`] if the buffer is full.
pub fn write_connless(header: &ConnlessHeader, to: &mut Writer<'_>) -> Result<()> {
    to.u8(CONNLESS | CONNLESS_VERSION)?;
    to.bytes(&header.token.0.to_be_bytes())?;
    to.bytes(&header.response_token.0.to_be_bytes())
}
