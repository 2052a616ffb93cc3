//! Generated headers for recorded packets: IP with UDP or TCP, with valid checksums.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use etherparse::{IpNumber, Ipv4Header, Ipv6Header, TcpHeader, UdpHeader, ip_number};

/// The initial time to live on most systems.
const TIME_TO_LIVE: u8 = 64;

/// The payload is longer than the header's length field allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

/// The IP header of either version. If only one address is IPv4, it is mapped to IPv6.
enum Ip {
    V4(Ipv4Header),
    V6(Ipv6Header),
}

impl Ip {
    /// Returns the header of a packet with `length` bytes after it.
    fn new(source: IpAddr, destination: IpAddr, protocol: IpNumber, length: usize) -> Result<Self, TooLong> {
        let length = u16::try_from(length).map_err(|_| TooLong)?;
        match (source.to_canonical(), destination.to_canonical()) {
            (IpAddr::V4(from), IpAddr::V4(to)) => {
                let mut ip = Ipv4Header::new(length, TIME_TO_LIVE, protocol, from.octets(), to.octets())
                    .map_err(|_| TooLong)?;
                ip.header_checksum = ip.calc_header_checksum();
                Ok(Self::V4(ip))
            }
            (from, to) => Ok(Self::V6(Ipv6Header {
                payload_length: length,
                next_header: protocol,
                hop_limit: TIME_TO_LIVE,
                source: as_v6(from).octets(),
                destination: as_v6(to).octets(),
                ..Ipv6Header::default()
            })),
        }
    }

    fn append_to(&self, header: &mut Vec<u8>) {
        match self {
            Self::V4(ip) => header.extend_from_slice(&ip.to_bytes()),
            Self::V6(ip) => header.extend_from_slice(&ip.to_bytes()),
        }
    }
}

/// Replaces `header` with the headers of a UDP datagram.
pub(super) fn udp(
    source: SocketAddr,
    destination: SocketAddr,
    payload: &[u8],
    header: &mut Vec<u8>,
) -> Result<(), TooLong> {
    let length = UdpHeader::LEN.saturating_add(payload.len());
    let ip = Ip::new(source.ip(), destination.ip(), ip_number::UDP, length)?;
    let udp = match &ip {
        Ip::V4(ip) => UdpHeader::with_ipv4_checksum(source.port(), destination.port(), ip, payload),
        Ip::V6(ip) => UdpHeader::with_ipv6_checksum(source.port(), destination.port(), ip, payload),
    };
    header.clear();
    ip.append_to(header);
    header.extend_from_slice(&udp.map_err(|_| TooLong)?.to_bytes());
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

/// Replaces `header` with the headers of a TCP segment.
pub(super) fn tcp(
    source: SocketAddr,
    destination: SocketAddr,
    segment: Segment,
    payload: &[u8],
    header: &mut Vec<u8>,
) -> Result<(), TooLong> {
    /// The largest window without options.
    const WINDOW: u16 = u16::MAX;
    let mut tcp = TcpHeader::new(source.port(), destination.port(), segment.sequence, WINDOW);
    (tcp.syn, tcp.fin, tcp.psh) = (segment.is_first, segment.is_last, !payload.is_empty());
    (tcp.ack, tcp.acknowledgment_number) =
        (segment.acknowledged.is_some(), segment.acknowledged.unwrap_or_default());
    let length = tcp.header_len().saturating_add(payload.len());
    let ip = Ip::new(source.ip(), destination.ip(), ip_number::TCP, length)?;
    let checksum = match &ip {
        Ip::V4(ip) => tcp.calc_checksum_ipv4(ip, payload),
        Ip::V6(ip) => tcp.calc_checksum_ipv6(ip, payload),
    };
    tcp.checksum = checksum.map_err(|_| TooLong)?;
    header.clear();
    ip.append_to(header);
    header.extend_from_slice(&tcp.to_bytes());
    Ok(())
}

fn as_v6(address: IpAddr) -> Ipv6Addr {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    }
}

#[cfg(test)]
mod tests {
    use etherparse::PacketBuilder;

    use super::*;

    #[test]
    fn headers_equal_those_of_the_builder() {
        let (source, destination) =
            ("10.0.0.1:40000".parse().unwrap(), "[::ffff:192.0.2.7]:8303".parse().unwrap());
        let (of_v6, to_v6) = ("[fd00::1]:40000".parse().unwrap(), "[fd00::2]:8303".parse().unwrap());
        let first = Segment { sequence: 7, acknowledged: None, is_first: true, is_last: false };
        let last = Segment { acknowledged: Some(9), is_first: false, is_last: true, ..first };
        for payload in [&b""[..], b"odd", &[0xff; 1400]] {
            let v4 = || PacketBuilder::ipv4([10, 0, 0, 1], [192, 0, 2, 7], TIME_TO_LIVE);
            let octets = |last| Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, last).octets();
            let v6 = || PacketBuilder::ipv6(octets(1), octets(2), TIME_TO_LIVE);
            let (mut header, mut built) = (Vec::new(), Vec::new());
            let check = |header: &[u8], built: &mut Vec<u8>| {
                assert_eq!([header, payload].concat(), *built);
                built.clear();
            };
            udp(source, destination, payload, &mut header).unwrap();
            v4().udp(40_000, 8303).write(&mut built, payload).unwrap();
            check(&header, &mut built);
            udp(of_v6, to_v6, payload, &mut header).unwrap();
            v6().udp(40_000, 8303).write(&mut built, payload).unwrap();
            check(&header, &mut built);
            let pushed = |step: etherparse::PacketBuilderStep<TcpHeader>| {
                if payload.is_empty() { step } else { step.psh() }
            };
            tcp(source, destination, first, payload, &mut header).unwrap();
            pushed(v4().tcp(40_000, 8303, 7, u16::MAX).syn()).write(&mut built, payload).unwrap();
            check(&header, &mut built);
            tcp(of_v6, to_v6, last, payload, &mut header).unwrap();
            pushed(v6().tcp(40_000, 8303, 7, u16::MAX).ack(9).fin()).write(&mut built, payload).unwrap();
            check(&header, &mut built);
        }
        assert_eq!(udp(source, destination, &[0; 65_508], &mut Vec::new()), Err(TooLong));
    }
}
