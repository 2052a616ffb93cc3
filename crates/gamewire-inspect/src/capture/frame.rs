//! Captured frames.

use std::fmt;

/// The link layer of a frame, by its number in the tcpdump.org registry of link types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinkType(pub u16);

impl LinkType {
    /// BSD loopback: the address family as 32 bits in the byte order of the capturing machine.
    pub const NULL: Self = Self(0);
    /// Ethernet, with or without VLAN tags.
    pub const ETHERNET: Self = Self(1);
    /// A bare IP packet, with the number of OpenBSD and some drivers.
    pub const RAW_BSD: Self = Self(12);
    /// A bare IP packet.
    pub const RAW: Self = Self(101);
    /// OpenBSD loopback: the address family as 32 bits in network byte order.
    pub const LOOP: Self = Self(108);
    /// Linux cooked capture, version 1 (the `any` device).
    pub const LINUX_SLL: Self = Self(113);
    /// A bare IPv4 packet.
    pub const IPV4: Self = Self(228);
    /// A bare IPv6 packet.
    pub const IPV6: Self = Self(229);
    /// Linux cooked capture, version 2.
    pub const LINUX_SLL2: Self = Self(276);
}

impl fmt::Display for LinkType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match *self {
            Self::NULL => "BSD loopback",
            Self::ETHERNET => "Ethernet",
            Self::RAW | Self::RAW_BSD => "raw IP",
            Self::LOOP => "OpenBSD loopback",
            Self::LINUX_SLL => "Linux cooked v1",
            Self::IPV4 => "raw IPv4",
            Self::IPV6 => "raw IPv6",
            Self::LINUX_SLL2 => "Linux cooked v2",
            Self(number) => return write!(f, "link type {number}"),
        };
        f.write_str(name)
    }
}

/// Name of the pcapng interface with packets that were not on the wire. They repeat the state of conversations that
/// began before the file: handshakes and the bases of deltas.
pub const STATE_INTERFACE: &str = "gamewire-state";

/// A captured frame. The bytes belong to the reader's buffer and are valid until its next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Number of the frame, counted from 1.
    pub number: u64,
    /// Nanoseconds since 1970-01-01 00:00 UTC; negative before it. Saturates at the limits of the type. A pcapng simple
    /// packet block has no time: its frame gets the time of the frame before it.
    pub time: i64,
    /// Link layer at the start of `data`.
    pub link: LinkType,
    /// Index of the interface in its pcapng section; 0 in pcap.
    pub interface: u32,
    /// True for a frame of the interface [`STATE_INTERFACE`]: it was not on the wire.
    pub is_state: bool,
    /// The captured bytes.
    pub data: &'a [u8],
    /// Length of the frame on the wire, in bytes; larger than `data` if the snap length cut the frame.
    pub original_len: u32,
}

impl Frame<'_> {
    /// Returns whether the snap length cut this frame.
    pub fn is_cut(&self) -> bool {
        usize::try_from(self.original_len).is_ok_and(|original| original > self.data.len())
    }
}
