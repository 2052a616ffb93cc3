//! Generated headers for recorded packets: IP with UDP or TCP, with valid checksums.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use etherparse::{IpHeaders, PacketBuilder, PacketBuilderStep};

/// The time to live that most systems start with.
const TIME_TO_LIVE: u8 = 64;

/// The payload is longer than the header's length field allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

/// Replaces `packet` with the IP packet of a UDP datagram.
pub(super) fn udp(
    source: SocketAddr,
    destination: SocketAddr,
    payload: &[u8],
    packet: &mut Vec<u8>,
) -> Result<(), TooLong> {
    packet.clear();
    let builder = ip(source.ip(), destination.ip()).udp(source.port(), destination.port());
    builder.write(packet, payload).map_err(|_| TooLong)
}

/// The header of a TCP segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) sequence: u32,
    /// The next byte that is expected from the other side; `None` in the first segment of a connection.
    pub(super) acknowledged: Option<u32>,
    pub(super) is_first: bool,
    pub(super) is_last: bool,
}

/// Replaces `packet` with the IP packet of a TCP segment.
pub(super) fn tcp(
    source: SocketAddr,
    destination: SocketAddr,
    segment: Segment,
    payload: &[u8],
    packet: &mut Vec<u8>,
) -> Result<(), TooLong> {
    /// The largest window without options.
    const WINDOW: u16 = u16::MAX;
    packet.clear();
    let mut builder =
        ip(source.ip(), destination.ip()).tcp(source.port(), destination.port(), segment.sequence, WINDOW);
    if segment.is_first {
        builder = builder.syn();
    }
    if let Some(next) = segment.acknowledged {
        builder = builder.ack(next);
    }
    if segment.is_last {
        builder = builder.fin();
    }
    if !payload.is_empty() {
        builder = builder.psh();
    }
    builder.write(packet, payload).map_err(|_| TooLong)
}

/// Writes the IP header of either version; if only one address is IPv4, it is mapped to IPv6.
fn ip(source: IpAddr, destination: IpAddr) -> PacketBuilderStep<IpHeaders> {
    match (source.to_canonical(), destination.to_canonical()) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            PacketBuilder::ipv4(source.octets(), destination.octets(), TIME_TO_LIVE)
        }
        (source, destination) => {
            PacketBuilder::ipv6(as_v6(source).octets(), as_v6(destination).octets(), TIME_TO_LIVE)
        }
    }
}

fn as_v6(address: IpAddr) -> Ipv6Addr {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    }
}
