//! What can be wrong with a capture file.

use std::io;

use thiserror::Error;

/// Something wrong in a capture file: where, what was expected, what was there.
#[derive(Debug, Error)]
#[error("at byte {offset}: {damage}")]
pub struct CaptureError {
    /// Where the damaged header, record or block begins, in bytes from the start of the input.
    pub offset: u64,
    /// What was expected there, and what was found instead.
    #[source]
    pub damage: Damage,
}

/// The kinds of damage. All but [`Damage::Io`], [`Damage::NotACapture`] and [`Damage::Version`] may be followed
/// by more good frames.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Damage {
    /// The input could not be read.
    #[error("cannot read the input: {0}")]
    Io(#[source] io::Error),
    /// The first bytes are of no known capture format.
    #[error(
        "expected the magic number of pcap or pcapng, found {}{}",
        pairs(*first),
        if first.starts_with(&[0x1f, 0x8b]) { " (gzip: unpack the file first)" } else { "" }
    )]
    NotACapture {
        /// The bytes in place of the magic number.
        first: [u8; 4],
    },
    /// A format version this reader does not know.
    #[error("expected {format} version {known}, found {major}.{minor}")]
    Version {
        /// The name of the format.
        format: &'static str,
        /// The version that can be read.
        known: &'static str,
        /// The major version found.
        major: u16,
        /// The minor version found.
        minor: u16,
    },
    /// The input ends in the middle of something.
    #[error("the file is truncated: expected {needed} bytes of {what}, found {available}")]
    Truncated {
        /// What was being read.
        what: &'static str,
        /// How many bytes it has, as far as it could be told.
        needed: u64,
        /// How many bytes the input still held.
        available: u64,
    },
    /// A pcap record header whose lengths cannot be true.
    #[error("expected a record of 1 to {limit} bytes, found one of {captured} (on the wire {original})")]
    RecordLength {
        /// The captured length it claims.
        captured: u32,
        /// The original length it claims.
        original: u32,
        /// The longest record the file header allows, or what follows here.
        limit: u32,
    },
    /// A pcap record that is unusual, by its lengths or by its time, and ends where no other begins, while others
    /// begin within it.
    #[error("expected a record after one of {captured} bytes (on the wire {original}), found none")]
    RecordAlone {
        /// The captured length it claims.
        captured: u32,
        /// The original length it claims.
        original: u32,
    },
    /// A pcapng block length that cannot be true.
    #[error("expected a block length of 12 to {limit} and a multiple of 4, found {length}")]
    BlockLength {
        /// The length found.
        length: u32,
        /// The longest block that is read.
        limit: u32,
    },
    /// The length after a pcapng block differs from that before it.
    #[error("expected the block to end with its length {leading}, found {trailing}")]
    TrailingLength {
        /// The length in the block's header.
        leading: u32,
        /// The length at its end.
        trailing: u32,
    },
    /// A pcapng section header without its byte order magic.
    #[error("expected the byte order magic 1a:2b:3c:4d in either order, found {}", pairs(*found))]
    ByteOrderMagic {
        /// The bytes in its place.
        found: [u8; 4],
    },
    /// A pcapng block too short for its own fixed fields.
    #[error("expected at least {needed} bytes in {block}, found {found}")]
    BlockTooShort {
        /// The kind of block.
        block: &'static str,
        /// The size of its fixed fields.
        needed: usize,
        /// The size of its body.
        found: usize,
    },
    /// A captured length larger than the pcapng block around it.
    #[error("expected at most {available} captured bytes in the block, found a length of {captured}")]
    PacketLength {
        /// The captured length claimed.
        captured: u32,
        /// The bytes the block has room for.
        available: usize,
    },
    /// A packet of an interface that was not described before it, or not legibly.
    #[error("expected one of the {known} interfaces described so far, found interface {interface}")]
    UnknownInterface {
        /// The index in the packet.
        interface: u32,
        /// How many interfaces the section has described.
        known: usize,
    },
    /// More interfaces in one section than are kept.
    #[error("expected at most {limit} interfaces in a section, found more")]
    TooManyInterfaces {
        /// How many are kept.
        limit: usize,
    },
    /// An option that is longer than the block around it. Its interface is used as far as it could be read.
    #[error("expected option {code} to fit in {available} bytes, found a length of {length}")]
    OptionLength {
        /// The option's number.
        code: u16,
        /// The length it claims.
        length: usize,
        /// The bytes the block has left.
        available: usize,
    },
}

/// Bytes as filters and dumps write them: `0a:0b:0c:0d`.
fn pairs(bytes: [u8; 4]) -> String {
    bytes.map(|byte| format!("{byte:02x}")).join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_pairs_of_digits() {
        let shown = Damage::NotACapture { first: [0x1f, 0x8b, 8, 0] }.to_string();
        let expected =
            "expected the magic number of pcap or pcapng, found 1f:8b:08:00 (gzip: unpack the file first)";
        assert_eq!(shown, expected);
        let shown = Damage::ByteOrderMagic { found: [0, 1, 2, 0xff] }.to_string();
        assert_eq!(shown, "expected the byte order magic 1a:2b:3c:4d in either order, found 00:01:02:ff");
    }
}
