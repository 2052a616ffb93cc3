//! The two formats side by side.

use gamewire_wire::{CodecError, Found, Result};

use crate::Format;
use crate::shared::bits::low_16;
use crate::shared::header::{self, Header};
use crate::shared::message::{Reader, Writer};
use crate::shared::version::Version;

/// Evaluates an expression for the version type of a [`Format`].
macro_rules! by_format {
    ($format:expr, $version:ident => $body:expr) => {
        match $format {
            $crate::Format::V20 => {
                type $version = $crate::versions::V20;
                $body
            }
            $crate::Format::V21 => {
                type $version = $crate::versions::V21;
                $body
            }
        }
    };
}

pub(crate) use by_format;

/// The byte format of 2.0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct V20;

/// The bit format of 2.1.0 to 2.2.1, of all later versions so far, and of the Python port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct V21;

/// Maximum length in the one-byte and in the two-byte form of 2.0.
const MAX_SHORT_LENGTH: u8 = 0x7f;
const MAX_LENGTH: usize = 0x7fff;
/// Flag of the two-byte form.
const LONG_LENGTH: u16 = 0x8000;

impl Version for V20 {
    const NAME: &'static str = "riptide-2.0";
    const FORMAT: Format = Format::V20;
    const HAS_BITS: bool = false;
    const HEADER_BITS: usize = 8;
    const MAX_HEADER_SIZE: usize = 5;
    const HEADERS: &'static [Header] = &header::numbered([
        Header::Unreliable,
        Header::Ack,
        Header::AckExtra,
        Header::Connect,
        Header::Reject,
        Header::Heartbeat,
        Header::Disconnect,
    ]);

    /// Encodes 16 bits.
    #[inline]
    fn encode_id(id: u16) -> (u64, usize) {
        (id.into(), 16)
    }

    #[inline]
    fn decode_id(bits: u64) -> Option<(u16, usize)> {
        Some((low_16(bits), 16))
    }

    /// Reads one byte up to 127, or two bytes up to 32767: most significant byte first, with the highest bit set.
    fn read_length(from: &mut Reader<'_, Self>) -> Result<usize> {
        from.all_or_nothing(|from| match from.u8()? {
            first @ 0..=MAX_SHORT_LENGTH => Ok(first.into()),
            first => Ok(u16::from_be_bytes([first & MAX_SHORT_LENGTH, from.u8()?]).into()),
        })
    }

    fn write_length(to: &mut Writer<'_, Self>, length: usize) -> Result<()> {
        match (u8::try_from(length), u16::try_from(length)) {
            (Ok(short @ 0..=MAX_SHORT_LENGTH), _) => to.u8(short),
            (_, Ok(long)) if length <= MAX_LENGTH => to.u16((long | LONG_LENGTH).swap_bytes()),
            _ => {
                let found = Found::Value(i64::try_from(length).unwrap_or(i64::MAX));
                Err(CodecError::new(to.written_bits() / 8, "at most 32767 elements", found))
            }
        }
    }
}

impl Version for V21 {
    const NAME: &'static str = "riptide-2.1";
    const FORMAT: Format = Format::V21;
    const HAS_BITS: bool = true;
    const HEADER_BITS: usize = 4;
    const MAX_HEADER_SIZE: usize = 6;
    const HEADERS: &'static [Header] = &header::numbered([
        Header::Unreliable,
        Header::Ack,
        Header::Connect,
        Header::Reject,
        Header::Heartbeat,
        Header::Disconnect,
        Header::Notify,
    ]);

    /// Encodes a variable-length number.
    #[inline]
    fn encode_id(id: u16) -> (u64, usize) {
        let id = u64::from(id);
        match id {
            0..0x80 => (id, 8),
            0x80..0x4000 => (id & 0x7f | 0x80 | id >> 7 << 8, 16),
            _ => (id & 0x7f | 0x80 | (id >> 7 & 0x7f | 0x80) << 8 | id >> 14 << 16, 24),
        }
    }

    #[inline]
    fn decode_id(bits: u64) -> Option<(u16, usize)> {
        let (low, high) = (bits & 0xff, bits >> 8 & 0xff);
        match (low < 0x80, high < 0x80) {
            (true, _) => Some((low_16(low), 8)),
            // Larger ids and overlong encodings are rare.
            (false, true) if high > 0 => Some((low_16(low & 0x7f | high << 7), 16)),
            _ => None,
        }
    }

    /// Reads a variable-length number.
    fn read_length(from: &mut Reader<'_, Self>) -> Result<usize> {
        from.var_ulong().map(|length| length.try_into().unwrap_or(usize::MAX))
    }

    fn write_length(to: &mut Writer<'_, Self>, length: usize) -> Result<()> {
        to.var_ulong(u64::try_from(length).unwrap_or(u64::MAX))
    }
}
