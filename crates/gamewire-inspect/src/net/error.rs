//! What can be wrong with a packet.

use thiserror::Error;

/// A packet that its receiver would have dropped: a header contradicts itself or the packet around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PacketError {
    /// The packet ends within a header, and no snap length cut it.
    #[error("expected {header}, found only {available} bytes")]
    Short {
        /// The header that does not fit.
        header: &'static str,
        /// The bytes that are there.
        available: usize,
    },
    /// A header field with an impossible value.
    #[error("the fields of {header} contradict each other")]
    Header {
        /// The header.
        header: &'static str,
    },
    /// An IP packet that is neither version 4 nor 6.
    #[error("expected IP version 4 or 6, found {version}")]
    IpVersion {
        /// The version found.
        version: u8,
    },
    /// An IP packet that claims more bytes than the frame has.
    #[error(
        "expected an IP packet of at most the {available} bytes of its frame, found a length of {claimed}"
    )]
    IpLength {
        /// The length in the IP header, with the header.
        claimed: usize,
        /// The bytes in the frame.
        available: usize,
    },
    /// More IPv6 extension headers than any real packet has.
    #[error("expected at most {limit} IPv6 extension headers, found more")]
    TooManyExtensions {
        /// How many are followed.
        limit: usize,
    },
    /// A UDP length shorter than the UDP header, or longer than the IP packet.
    #[error("expected a UDP length of 8 to {available}, found {claimed}")]
    UdpLength {
        /// The length in the UDP header.
        claimed: usize,
        /// The bytes of the IP packet that are left for UDP.
        available: usize,
    },
    /// A fragment that cannot be part of a datagram: not in steps of 8 bytes, or past the largest datagram.
    #[error("expected a fragment within 65535 bytes and in steps of 8, found {len} bytes at {offset}")]
    FragmentPlace {
        /// Where it belongs in the datagram.
        offset: usize,
        /// Its length.
        len: usize,
    },
    /// A fragment that overlaps another with other bytes, or disagrees about the end. The datagram is dropped.
    #[error("a fragment at {offset} contradicts an earlier one of its datagram")]
    FragmentConflict {
        /// Where it belongs in the datagram.
        offset: usize,
    },
}
