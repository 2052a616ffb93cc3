//! Generated headers for recorded packets: IP with UDP or TCP, with valid checksums.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use etherparse::{IpHeaders, Ipv4Header, PacketBuilder, PacketBuilderStep, UdpHeader, ip_number};

/// The initial time to live on most systems.
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
    let addresses = (source.ip().to_canonical(), destination.ip().to_canonical());
    let (IpAddr::V4(from), IpAddr::V4(to)) = addresses else {
        let builder = ip(source.ip(), destination.ip()).udp(source.port(), destination.port());
        return builder.write(packet, payload).map_err(|_| TooLong);
    };
    // Build the headers without the builder, which costs twice as much.
    let length = u16::try_from(UdpHeader::LEN.saturating_add(payload.len())).map_err(|_| TooLong)?;
    let mut ip = Ipv4Header::new(length, TIME_TO_LIVE, ip_number::UDP, from.octets(), to.octets())
        .map_err(|_| TooLong)?;
    ip.header_checksum = ip.calc_header_checksum();
    let udp = UdpHeader::with_ipv4_checksum(source.port(), destination.port(), &ip, payload)
        .map_err(|_| TooLong)?;
    packet.extend_from_slice(&ip.to_bytes());
    packet.extend_from_slice(&udp.to_bytes());
    packet.extend_from_slice(payload);
    Ok(())
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

/// Starts a packet with the IP header of either version. If only one address is IPv4, it is mapped to IPv6.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_equal_those_of_the_builder() {
        let (source, destination) =
            ("10.0.0.1:40000".parse().unwrap(), "[::ffff:192.0.2.7]:8303".parse().unwrap());
        for payload in [&b""[..], b"odd", &[0xff; 1400]] {
            let (mut packet, mut built) = (Vec::new(), Vec::new());
            assert_eq!(udp(source, destination, payload, &mut packet), Ok(()));
            ip(source.ip(), destination.ip()).udp(40_000, 8303).write(&mut built, payload).unwrap();
            assert_eq!(packet, built);
        }
        assert_eq!(udp(source, destination, &[0; 65_508], &mut Vec::new()), Err(TooLong));
    }
}
