//! The differences between the two formats.

use core::fmt;

use gamewire_wire::{CodecError, Definition};

use super::header::Header;
use super::message::{Reader, Writer};
use super::reason::{DisconnectReason, RejectReason};

/// Maximum bytes of a message's values, unless both ends agree on another maximum.
pub const MAX_PAYLOAD_SIZE: usize = 1225;

/// One of the two formats: numbers, acks and frames. `V20` and `V21` implement it.
pub trait Version: ValueFormat {
    /// Name in URLs and in traces.
    const NAME: &'static str;
    /// Bits of the header number.
    const HEADER_BITS: usize;
    /// Maximum bytes of a header with its fields.
    const MAX_HEADER_SIZE: usize;
    /// Maximum bytes of a packet, unless both ends agree on another maximum.
    const MAX_SIZE: usize = MAX_PAYLOAD_SIZE.saturating_add(Self::MAX_HEADER_SIZE);
    /// Bytes of the length before each packet on TCP.
    const FRAME_PREFIX: usize;
    /// Headers by number.
    const HEADERS: &'static [Header];
    /// Reasons of a `Reject` by number.
    const REJECT_REASONS: &'static [RejectReason];
    /// Reasons of a `Disconnect` by number.
    const DISCONNECT_REASONS: &'static [DisconnectReason];
    /// Whether a flag announces the additional id of an ack. If not, the header does.
    const ACK_HAS_FLAG: bool;
    /// Definition of the ack.
    const ACK: &'static Definition;

    /// Returns the header with this number.
    #[must_use]
    fn header(number: u8) -> Header {
        Self::HEADERS.get(usize::from(number)).copied().unwrap_or(Header::Unknown(number))
    }

    /// Returns the number of a header, or `None` if this version does not have it.
    #[must_use]
    fn number(header: Header) -> Option<u8> {
        let number = match header {
            Header::Unknown(number) if Self::header(number) == header => return Some(number),
            _ => Self::HEADERS.iter().position(|known| *known == header)?,
        };
        u8::try_from(number).ok()
    }

    /// Returns the number of bits of a message id.
    #[must_use]
    fn id_bits(id: u16) -> usize {
        Self::encode_id(id).1
    }

    /// Returns the number in the prefix of a frame. Only the first [`Version::FRAME_PREFIX`] bytes count.
    fn frame_length(prefix: [u8; 4]) -> i64;

    /// Returns the prefix of a frame of `length` bytes in the first [`Version::FRAME_PREFIX`] bytes, or
    /// `None` if the length is too large.
    fn frame_prefix(length: usize) -> Option<[u8; 4]>;
}

/// How the values of a message are encoded.
pub trait ValueFormat: Copy + fmt::Debug + Default + Eq + Send + Sync + 'static {
    /// Whether a value may have any number of bits.
    const HAS_BITS: bool;

    /// Returns an encoded message id and its number of bits.
    fn encode_id(id: u16) -> (u64, usize);

    /// Decodes a message id from the lowest bits of a number, and returns it with its number of bits.
    /// Returns `None` for rare encodings, which [`ValueFormat::read_id`] decodes.
    fn decode_id(bits: u64) -> Option<(u16, usize)>;

    /// Reads a message id. It may have up to 64 bits on the wire; the lowest 16 count.
    ///
    /// # Errors
    /// If the data end before the id does.
    fn read_id(from: &mut Reader<'_, Self>) -> Result<u64, CodecError>;

    /// Writes a message id.
    ///
    /// # Errors
    /// If the buffer is full.
    fn write_id(id: u16, to: &mut Writer<'_, Self>) -> Result<(), CodecError>;

    /// Reads a bool.
    ///
    /// # Errors
    /// At the end of the data.
    fn read_bool(from: &mut Reader<'_, Self>) -> Result<bool, CodecError>;

    /// Writes a bool.
    ///
    /// # Errors
    /// If the buffer is full.
    fn write_bool(to: &mut Writer<'_, Self>, value: bool) -> Result<(), CodecError>;

    /// Returns the number of bits of an array of `count` bools.
    fn bool_bits(count: usize) -> usize;

    /// Reads a variable-length number.
    ///
    /// # Errors
    /// If the data end before the number does, it takes more than 64 bits, or the format has none.
    fn read_var_ulong(from: &mut Reader<'_, Self>) -> Result<u64, CodecError>;

    /// Writes a variable-length number.
    ///
    /// # Errors
    /// If the buffer is full or the format has none.
    fn write_var_ulong(to: &mut Writer<'_, Self>, value: u64) -> Result<(), CodecError>;

    /// Reads the length of an array.
    ///
    /// # Errors
    /// If the data end before the length does, or it does not fit into `usize`.
    fn read_length(from: &mut Reader<'_, Self>) -> Result<usize, CodecError>;

    /// Writes the length of an array.
    ///
    /// # Errors
    /// If the buffer is full or the length exceeds the maximum of the format.
    fn write_length(to: &mut Writer<'_, Self>, length: usize) -> Result<(), CodecError>;
}
