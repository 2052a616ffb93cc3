//! The packet header of 0.6, 0.6.5 and DDNet (docs/protocols/teeworlds.md, "Packet header").
//!
//! ```text
//! byte 0      O R N C T - A A   compression, resend, connless, control, token, unused, ack 9..8
//! byte 1      ack 7..0
//! byte 2      number of chunks
//! T: 4 bytes  token             0.6.5 only
//! ```
//!
//! The chunk header ("Chunk header" there):
//!
//! ```text
//! byte 0   F F size 9..4              resend, vital
//! byte 1   sequence 9..6, size 3..0
//! byte 2   sequence 7..0              vital chunks only; bits 7 and 6 are sent twice
//! ```

use gamewire_wire::{CodecError, Reader, Result, Span, Trace, Value, Writer};

use crate::shared::data::Token;
use crate::shared::packet::{CONNLESS, Header, HeaderBits};
use crate::shared::version::version;
use crate::shared::warning;

version! {
    /// Teeworlds 0.6.
    V06 {
        chunk_low_bits: 4,
        // Every plain type has a fixed size.
        last_fixed_size: u16::MAX,
    }
}

const BITS: HeaderBits = HeaderBits { compression: 0x80, resend: 0x40, control: 0x10 };
const TOKEN: u8 = 0x08;
const UNUSED: u8 = 0x04;

/// A datagram of 0.6, split into header and payload.
pub type Packet<'a> = crate::shared::packet::Packet<'a, ConnlessHeader>;

/// The six bytes before a browsing message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnlessHeader {
    /// Six bytes. Games send `ff` and read only the connless bit.
    Plain([u8; 6]),
    /// `xe`: DDNet's extended header.
    Extended {
        /// Returned in the upper bits of the reply's token.
        extra_token: u16,
        /// For later extensions; zero.
        reserved: [u8; 2],
    },
}

/// Reads the header of `datagram` and reports its fields.
///
/// # Errors
/// [`CodecError`] if the datagram exceeds 1400 bytes or is shorter than its header.
#[inline(always)]
pub fn parse<'a, T: Trace>(datagram: &'a [u8], trace: &mut T) -> Result<Packet<'a>> {
    let in_packet = |error: CodecError| error.in_packet("packet");
    let mut from = HeaderBits::reader(datagram).map_err(in_packet)?;
    let bytes @ [flags, _, _] = from.array("a header of 3 bytes").map_err(in_packet)?;
    trace.field("connless", Span::bits(0, 2, 1), Value::Bool(flags & CONNLESS != 0));
    if flags & CONNLESS != 0 {
        return parse_connless(datagram, trace).map_err(in_packet);
    }
    let mut header = BITS.read(bytes, trace);
    trace.field("token_flag", Span::bits(0, 4, 1), Value::Bool(flags & TOKEN != 0));
    header.trace_counts(trace);
    if flags & UNUSED != 0 {
        trace.warning(Span::bits(0, 5, 1), &warning::UNUSED_BITS);
    }
    if flags & TOKEN != 0 {
        let token = from.be_u32("a token of 4 bytes").map_err(in_packet)?;
        trace.field("token", Span::bytes(3, 7), Value::Hex { value: token.into(), digits: 8 });
        header.token = Some(Token(token));
    }
    Ok(Packet::Connected { header, payload: from })
}

#[inline(never)]
fn parse_connless<'a, T: Trace>(datagram: &'a [u8], trace: &mut T) -> Result<Packet<'a>> {
    let mut payload = Reader::new(datagram);
    let bytes = payload.array::<6>("a connless header of 6 bytes")?;
    let header = match bytes {
        [b'x', b'e', high, low, r0, r1] => {
            let extra_token = u16::from_be_bytes([high, low]);
            let value = Value::Hex { value: extra_token.into(), digits: 4 };
            trace.field("extra_token", Span::bytes(2, 4), value);
            trace.field("reserved", Span::bytes(4, 6), Value::Bytes(&[r0, r1]));
            ConnlessHeader::Extended { extra_token, reserved: [r0, r1] }
        }
        bytes => {
            if bytes != [0xff; 6] {
                trace.warning(Span::bytes(0, 6), &warning::UNUSED_BITS);
            }
            ConnlessHeader::Plain(bytes)
        }
    };
    Ok(Packet::Connless { header, payload })
}

/// Writes the header of a packet of a connection.
///
/// # Errors
/// [`CodecError`] if the buffer is full.
pub fn write(header: &Header, to: &mut Writer<'_>) -> Result<()> {
    BITS.write(header, if header.token.is_some() { TOKEN } else { 0 }, to)?;
    header.token.map_or(Ok(()), |token| to.bytes(&token.0.to_be_bytes()))
}

/// Writes the header of a packet without a connection.
///
/// # Errors
/// [`CodecError`] if the buffer is full.
pub fn write_connless(header: &ConnlessHeader, to: &mut Writer<'_>) -> Result<()> {
    match header {
        ConnlessHeader::Plain(bytes) => to.bytes(bytes),
        ConnlessHeader::Extended { extra_token, reserved: [r0, r1] } => {
            let [high, low] = extra_token.to_be_bytes();
            to.bytes(&[b'x', b'e', high, low, *r0, *r1])
        }
    }
}
