//! The headers of packets that nobody captured: IP and UDP, with the right checksums.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use etherparse::{IpHeaders, PacketBuilder, PacketBuilderStep};

/// Hops that a packet has before it, as most systems begin.
const TIME_TO_LIVE: u8 = 64;

/// The payload of a datagram is longer than UDP can say.
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
