//! The differences between the two formats.

use core::fmt;

use gamewire_wire::Result;

use super::header::Header;
use super::message::{Reader, Writer};
use crate::Format;

/// Maximum bytes of a message's values, unless both ends agree on another maximum.
pub const MAX_PAYLOAD_SIZE: usize = 1225;

/// One of the two formats: numbers, acks and frames. `V20` and `V21` implement it.
pub trait Version: Copy + fmt::Debug + Default + Eq + Send + Sync + 'static {
    /// Name in URLs and in traces.
    const NAME: &'static str;
    /// The format as a value.
    const FORMAT: Format;
    /// `true` if values have any number of bits, and acks have a flag. Otherwise values take whole bytes, and the header
    /// announces the additional id of an ack.
    const HAS_BITS: bool;
    /// Bits of the header number.
    const HEADER_BITS: usize;
    /// Maximum bytes of a header with its fields.
    const MAX_HEADER_SIZE: usize;
    /// Maximum bytes of a packet, unless both ends agree on another maximum.
    const MAX_SIZE: usize = MAX_PAYLOAD_SIZE.saturating_add(Self::MAX_HEADER_SIZE);
    /// Headers by number.
    const HEADERS: &'static [Header];
    /// Number of bits of a bool. An array of bools takes one bit per value, and is padded to a multiple of this number.
    const BOOL_BITS: usize = if Self::HAS_BITS { 1 } else { 8 };

    /// Returns the header with this number.
    fn header(number: u8) -> Header {
        Self::HEADERS.get(usize::from(number)).copied().unwrap_or(Header::Unknown(number))
    }

    /// Returns the number of a header, or `None` if this version does not have it.
    fn number(header: Header) -> Option<u8> {
        let number = match header {
            Header::Unknown(number) if Self::header(number) == header => return Some(number),
            _ => Self::HEADERS.iter().position(|known| *known == header)?,
        };
        u8::try_from(number).ok()
    }

    /// Returns the header of a packet, or `None` if it is empty.
    fn packet_header(packet: &[u8]) -> Option<Header> {
        packet.first().map(|first| Self::header(if Self::HEADER_BITS < 8 { first & 0x0f } else { *first }))
    }

    /// Returns an encoded message id and its number of bits.
    fn encode_id(id: u16) -> (u64, usize);

    /// Decodes a message id from the lowest bits of a number, and returns it with its number of bits. Returns `None` for
    /// rare encodings.
    fn decode_id(bits: u64) -> Option<(u16, usize)>;

    /// Reads the length of an array.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the data end before the length does, or it has more than 64 bits.
    fn read_length(from: &mut Reader<'_, Self>) -> Result<usize>;

    /// Writes the length of an array.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the buffer is full or the length exceeds the maximum of the format.
    fn write_length(to: &mut Writer<'_, Self>, length: usize) -> Result<()>;
}
