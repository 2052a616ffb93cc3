//! What a version consists of.

use core::fmt;

use gamewire_wire::{CodecError, Trace};

use super::definition::Definition;
use super::header::Header;
use super::message::{Reader, Writer};
use super::packet::Ack;

/// How many bytes the values of a message may take unless both ends agree on another number.
pub const MAX_PAYLOAD_SIZE: usize = 1225;

/// One of the two formats. `V20` and `V21` implement it, mostly by naming; it exists for code
/// that runs over both.
pub trait Version: Copy + fmt::Debug + Default + Eq + Send + Sync + 'static {
    /// Its name, as URLs and conversations have it.
    const NAME: &'static str;
    /// How many bits the header number takes.
    const HEADER_BITS: usize;
    /// Whether a value may have any number of bits.
    const HAS_BITS: bool;
    /// The most bytes that a header takes.
    const MAX_HEADER_SIZE: usize;
    /// The most bytes of a packet unless both ends agree on another number.
    const MAX_SIZE: usize = MAX_PAYLOAD_SIZE.saturating_add(Self::MAX_HEADER_SIZE);
    /// How many bytes stand in front of each packet on TCP.
    const FRAME_PREFIX: usize;
    /// Every packet as data.
    const DEFINITIONS: &'static [&'static Definition];

    /// The header with this number.
    fn header(number: u8) -> Header;

    /// The number of a header; `None` when this version does not have it.
    fn number(header: Header) -> Option<u8>;

    /// The name of a reason to refuse a client.
    fn reject_reason(number: u8) -> Option<&'static str>;

    /// The name of a reason to end a connection.
    fn disconnect_reason(number: u8) -> Option<&'static str>;

    /// Reads an ack behind its header.
    ///
    /// # Errors
    /// When the data end before.
    fn read_ack<'a, T: Trace>(
        header: Header,
        from: &mut Reader<'a, Self>,
        trace: &mut T,
    ) -> Result<Ack<'a>, CodecError>;

    /// The header that an ack has.
    fn ack_header(ack: &Ack<'_>) -> Header;

    /// Writes an ack behind its header.
    ///
    /// # Errors
    /// When there is no room.
    fn write_ack(ack: &Ack<'_>, to: &mut Writer<'_, Self>) -> Result<(), CodecError>;

    /// The header and message id of a reliable message in the lowest bits of a number, with a sequence
    /// id of 0 between them, behind [`Version::HEADER_BITS`], and how many bits they take.
    fn reliable_head(id: u16) -> (u64, usize);

    /// The sequence id and message id of a reliable message, and how many bits stand before its
    /// values, told from the first 64 of the `count` bits of a packet. `None` says nothing.
    fn read_reliable_head(head: u64, count: usize) -> Option<(u16, u16, usize)>;

    /// A whole ack without trailing bits in the lowest bytes of a number, and how many they are.
    fn encode_ack_fast(ack: &Ack<'_>) -> (u64, u8);

    /// An ack, but for its trailing bits, told from the first 64 of the `count` bits of a packet.
    /// `None` says nothing.
    fn read_quick_ack(head: u64, count: usize) -> Option<Ack<'static>>;

    /// Reads a message id: any number of 64 bits. What lies above the lowest 16 does not count.
    ///
    /// # Errors
    /// When the data end before.
    fn read_id(from: &mut Reader<'_, Self>) -> Result<u64, CodecError>;

    /// Writes a message id.
    ///
    /// # Errors
    /// When there is no room.
    fn write_id(id: u16, to: &mut Writer<'_, Self>) -> Result<(), CodecError>;

    /// How many bits a message id takes.
    fn id_bits(id: u16) -> usize;

    /// Reads a bool.
    ///
    /// # Errors
    /// At the end of the data.
    fn read_bool(from: &mut Reader<'_, Self>) -> Result<bool, CodecError>;

    /// Writes a bool.
    ///
    /// # Errors
    /// When there is no room.
    fn write_bool(to: &mut Writer<'_, Self>, value: bool) -> Result<(), CodecError>;

    /// Reads a number of variable length.
    ///
    /// # Errors
    /// When the data end before, it takes more than 64 bits, or the format has none.
    fn read_var_ulong(from: &mut Reader<'_, Self>) -> Result<u64, CodecError>;

    /// Writes a number of variable length.
    ///
    /// # Errors
    /// When there is no room, or the format has none.
    fn write_var_ulong(to: &mut Writer<'_, Self>, value: u64) -> Result<(), CodecError>;

    /// How many bits an array of `count` bools takes.
    fn bool_bits(count: usize) -> usize;

    /// Reads the length of an array.
    ///
    /// # Errors
    /// When the data end before, or it fits no `usize`.
    fn read_length(from: &mut Reader<'_, Self>) -> Result<usize, CodecError>;

    /// Writes the length of an array.
    ///
    /// # Errors
    /// When there is no room, or the length is larger than the format can say.
    fn write_length(to: &mut Writer<'_, Self>, length: usize) -> Result<(), CodecError>;

    /// The number in the prefix of a frame, which has [`Version::FRAME_PREFIX`] bytes.
    fn frame_length(prefix: [u8; 4]) -> i64;

    /// The prefix of a frame of `length` bytes, in the first [`Version::FRAME_PREFIX`] bytes;
    /// `None` when it cannot say so many.
    fn frame_prefix(length: usize) -> Option<[u8; 4]>;
}
