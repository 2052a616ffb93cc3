//! Payloads of frames, and errors in their headers.

use std::net::SocketAddr;

use thiserror::Error;

/// The payload of a frame, or the datagram that it completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload<'a> {
    /// A UDP datagram.
    Udp(Udp<'a>),
    /// A TCP segment.
    Tcp(Segment<'a>),
    /// No payload to inspect.
    Skipped(SkipReason),
}

/// A UDP datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Udp<'a> {
    /// Address of the sender.
    pub source: SocketAddr,
    /// Address of the receiver.
    pub destination: SocketAddr,
    /// The captured part of the payload.
    pub data: &'a [u8],
    /// Length of the payload on the wire, in bytes.
    pub wire_len: usize,
    /// True if the snap length cut the payload: `data` is shorter than `wire_len`.
    pub cut: bool,
}

/// A TCP segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Address of the sender.
    pub source: SocketAddr,
    /// Address of the receiver.
    pub destination: SocketAddr,
    /// Sequence number of the first byte, or of the SYN before it.
    pub seq: u32,
    /// Acknowledgment number, if `flags.ack`.
    pub ack: u32,
    /// The control bits.
    pub flags: TcpFlags,
    /// The captured part of the payload.
    pub data: &'a [u8],
    /// Length of the payload on the wire, in bytes.
    pub wire_len: usize,
    /// True if the snap length cut the payload: `data` is shorter than `wire_len`.
    pub cut: bool,
}

/// The control bits of a TCP segment that the reassembly uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TcpFlags {
    /// Opens the connection.
    pub syn: bool,
    /// The acknowledgment number is valid.
    pub ack: bool,
    /// The sender has no more data.
    pub fin: bool,
    /// The connection is aborted.
    pub rst: bool,
}

/// The reason why a frame has no payload to inspect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// The link type is not supported.
    UnknownLink,
    /// The frame does not contain IP, by its EtherType or address family.
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
    /// A fragment of an incomplete datagram.
    FragmentPending,
    /// The snap length cut the headers or a fragment.
    Cut,
    /// A TCP segment without new bytes in order: it has no bytes, or they arrived before or must wait.
    NoNewBytes,
}

/// An invalid packet, which its receiver drops: a header contradicts itself or its packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PacketError {
    /// The packet ends within a header, and the snap length did not cut it.
    #[error("expected {header}, found only {available} bytes")]
    Short {
        /// The header that does not fit.
        header: &'static str,
        /// Number of bytes in the packet.
        available: usize,
    },
    /// A header field with an impossible value.
    #[error("the fields of {header} contradict each other")]
    Header {
        /// The header.
        header: &'static str,
    },
    /// An IP packet that has neither version 4 nor 6.
    #[error("expected IP version 4 or 6, found {version}")]
    IpVersion {
        /// The version found.
        version: u8,
    },
    /// An IP packet that is longer than its frame.
    #[error(
        "expected an IP packet of at most the {available} bytes of its frame, found a length of {claimed}"
    )]
    IpLength {
        /// Length in the IP header, including the header.
        claimed: usize,
        /// Number of bytes in the frame.
        available: usize,
    },
    /// More IPv6 extension headers than real packets have.
    #[error("expected at most {limit} IPv6 extension headers, found more")]
    TooManyExtensions {
        /// Maximum number of extension headers.
        limit: usize,
    },
    /// A UDP length shorter than the UDP header, or longer than the IP packet.
    #[error("expected a UDP length of 8 to {available}, found {claimed}")]
    UdpLength {
        /// Length in the UDP header.
        claimed: usize,
        /// Number of bytes of the IP payload.
        available: usize,
    },
    /// A fragment with an impossible length or offset: not a multiple of 8 bytes, or past the largest datagram.
    #[error("expected a fragment within 65535 bytes and in steps of 8, found {len} bytes at {offset}")]
    FragmentBounds {
        /// Offset in the datagram.
        offset: usize,
        /// Length of the fragment.
        len: usize,
    },
    /// A fragment that overlaps another with different bytes, or has a different end. The datagram is dropped.
    #[error("a fragment at {offset} contradicts an earlier one of its datagram")]
    FragmentConflict {
        /// Offset in the datagram.
        offset: usize,
    },
}
