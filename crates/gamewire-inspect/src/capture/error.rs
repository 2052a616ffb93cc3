//! Errors in a capture file.

use std::io;

use thiserror::Error;

/// Damage in a capture file, with its offset, the expected value and the value found.
#[derive(Debug, Error)]
#[error("at byte {offset}: {damage}")]
pub struct CaptureError {
    /// Offset of the damaged header, record or block in the input, in bytes.
    pub offset: u64,
    /// The expected and the actual content.
    #[source]
    pub damage: Damage,
}

/// The kinds of damage. Valid frames may follow all of them except [`Damage::Io`], [`Damage::NotACapture`] and
/// [`Damage::Version`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Damage {
    /// The input could not be read.
    #[error("cannot read the input: {0}")]
    Io(#[source] io::Error),
    /// The first bytes do not belong to a known capture format.
    #[error(
        "expected the magic number of pcap or pcapng, found {}{}",
        pairs(*first),
        if first.starts_with(&[0x1f, 0x8b]) { " (gzip: unpack the file first)" } else { "" }
    )]
    NotACapture {
        /// The first bytes of the input.
        first: [u8; 4],
    },
    /// An unsupported version of the format.
    #[error("expected {format} version {known}, found {major}.{minor}")]
    Version {
        /// Name of the format.
        format: &'static str,
        /// The supported version.
        known: &'static str,
        /// The major version found.
        major: u16,
        /// The minor version found.
        minor: u16,
    },
    /// The input ends in the middle of a header, record or block.
    #[error("the file is truncated: expected {needed} bytes of {what}, found {available}")]
    Truncated {
        /// The incomplete header, record or block.
        what: &'static str,
        /// Its size in bytes, or the part of the size that is known.
        needed: u64,
        /// Number of bytes left in the input.
        available: u64,
    },
    /// A pcap record header with impossible lengths.
    #[error("expected a record of 1 to {limit} bytes, found one of {captured} (on the wire {original})")]
    RecordLength {
        /// The captured length in the header.
        captured: u32,
        /// The original length in the header.
        original: u32,
        /// Maximum length of a record.
        limit: u32,
    },
    /// A pcap record with unusual lengths or an unusual time. No record begins after it, but other records begin within
    /// it.
    #[error("expected a record after the record of {captured} bytes (on the wire {original}), found none")]
    RecordAlone {
        /// The captured length in the header.
        captured: u32,
        /// The original length in the header.
        original: u32,
    },
    /// An impossible pcapng block length.
    #[error("expected a block length of 12 to {limit} and a multiple of 4, found {length}")]
    BlockLength {
        /// The length found.
        length: u32,
        /// Maximum length of a block.
        limit: u32,
    },
    /// The length at the end of a pcapng block differs from the one in its header.
    #[error("expected the block to end with its length {leading}, found {trailing}")]
    TrailingLength {
        /// The length in the block's header.
        leading: u32,
        /// The length at the block's end.
        trailing: u32,
    },
    /// A pcapng section header without its byte order magic.
    #[error("expected the byte order magic 1a:2b:3c:4d in either order, found {}", pairs(*found))]
    ByteOrderMagic {
        /// The bytes found instead.
        found: [u8; 4],
    },
    /// A pcapng block too short for its own fixed fields.
    #[error("expected at least {needed} bytes in {block}, found {found}")]
    BlockTooShort {
        /// Kind of block.
        block: &'static str,
        /// Size of its fixed fields in bytes.
        needed: usize,
        /// Size of its body in bytes.
        found: usize,
    },
    /// A captured length larger than its pcapng block.
    #[error("expected at most {available} captured bytes in the block, found a length of {captured}")]
    PacketLength {
        /// The captured length in the block.
        captured: u32,
        /// Number of bytes that the block has for the packet.
        available: usize,
    },
    /// A packet of an interface that no valid block before it describes.
    #[error("expected one of the {known} interfaces described so far, found interface {interface}")]
    UnknownInterface {
        /// Index of the interface.
        interface: u32,
        /// Number of interfaces that the section has described.
        known: usize,
    },
    /// More interfaces in one section than the reader keeps.
    #[error("expected at most {limit} interfaces in a section, found more")]
    TooManyInterfaces {
        /// Maximum number of interfaces.
        limit: usize,
    },
    /// An option that is longer than its block. The interface keeps the options before it.
    #[error("expected option {code} to fit in {available} bytes, found a length of {length}")]
    OptionLength {
        /// Code of the option.
        code: u16,
        /// The length in the option.
        length: usize,
        /// Number of bytes left in the block.
        available: usize,
    },
}

/// Formats bytes in the notation of filters and hex dumps: `0a:0b:0c:0d`.
fn pairs(bytes: [u8; 4]) -> String {
    bytes.map(|byte| format!("{byte:02x}")).join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_formatted_as_pairs_of_digits() {
        let shown = Damage::NotACapture { first: [0x1f, 0x8b, 8, 0] }.to_string();
        let expected =
            "expected the magic number of pcap or pcapng, found 1f:8b:08:00 (gzip: unpack the file first)";
        assert_eq!(shown, expected);
        let shown = Damage::ByteOrderMagic { found: [0, 1, 2, 0xff] }.to_string();
        assert_eq!(shown, "expected the byte order magic 1a:2b:3c:4d in either order, found 00:01:02:ff");
    }
}
