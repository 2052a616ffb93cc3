//! What a packet carries.

use std::net::SocketAddr;

use thiserror::Error;

/// What one captured frame carries, or completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload<'a> {
    /// A UDP datagram.
    Udp(Udp<'a>),
    /// A TCP segment.
    Tcp(Segment<'a>),
    /// Nothing to look at, and why.
    Skipped(SkipReason),
}

/// A UDP datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Udp<'a> {
    /// Who sent it.
    pub source: SocketAddr,
    /// Whom it is for.
    pub destination: SocketAddr,
    /// The payload, as far as it was captured.
    pub data: &'a [u8],
    /// The length of the payload on the wire, in bytes.
    pub wire_len: usize,
    /// The snap length of the capture cut the payload: `data` is shorter than `wire_len`.
    pub cut: bool,
}

/// A TCP segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Who sent it.
    pub source: SocketAddr,
    /// Whom it is for.
    pub destination: SocketAddr,
    /// The sequence number of the first byte, or of the SYN before it.
    pub seq: u32,
    /// The acknowledgement number, if `flags.ack`.
    pub ack: u32,
    /// The control bits.
    pub flags: TcpFlags,
    /// The payload, as far as it was captured.
    pub data: &'a [u8],
    /// The length of the payload on the wire, in bytes.
    pub wire_len: usize,
    /// The snap length of the capture cut the payload: `data` is shorter than `wire_len`.
    pub cut: bool,
}

/// The control bits of a TCP segment that matter for following a connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TcpFlags {
    /// Opens the connection.
    pub syn: bool,
    /// The acknowledgement number is valid.
    pub ack: bool,
    /// The sender has no more data.
    pub fin: bool,
    /// The connection is aborted.
    pub rst: bool,
}

/// Why a frame carries nothing to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// The link type of the capture is not known here.
    UnknownLink,
    /// The frame holds something that is not IP, by its EtherType or address family.
    NotIp {
        /// The EtherType, or the address family on BSD loopback.
        kind: u32,
    },
    /// An address resolution packet.
    Arp,
    /// IP, but neither UDP nor TCP.
    OtherTransport {
        /// The protocol number.
        protocol: u8,
    },
    /// A fragment of a datagram that is not complete.
    FragmentPending,
    /// The snap length cut the packet within its headers, or cut a fragment.
    Cut,
    /// A TCP segment without bytes, or one whose bytes were seen already or have to wait.
    NoNewBytes,
}

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
    FragmentBounds {
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
