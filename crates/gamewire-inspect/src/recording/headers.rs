//! The headers of packets that nobody captured: IP with UDP or TCP, with the right checksums.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use etherparse::{IpHeaders, PacketBuilder, PacketBuilderStep};

/// Hops that a packet has before it, as most systems begin.
const TIME_TO_LIVE: u8 = 64;

/// The payload is longer than its header can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

/// Replaces `packet` by the IP packet of a UDP datagram.
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

/// What a segment of TCP says beside its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) sequence: u32,
    /// The next byte that is expected of the other side; nothing in the first segment of all.
    pub(super) acknowledged: Option<u32>,
    pub(super) is_first: bool,
    pub(super) is_last: bool,
}

/// Replaces `packet` by the IP packet of a segment of TCP.
pub(super) fn tcp(
    source: SocketAddr,
    destination: SocketAddr,
    segment: Segment,
    payload: &[u8],
    packet: &mut Vec<u8>,
) -> Result<(), TooLong> {
    /// As large as can be said without options.
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

/// The IP header of either version; an IPv4 address beside an IPv6 one is mapped into it.
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
