//! What a packet carries.

use std::net::SocketAddr;

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
