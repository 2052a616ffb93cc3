//! Headers of the link layer, IP, UDP and TCP.

use std::net::{IpAddr, SocketAddr};

use etherparse::{
    IpAuthHeaderSlice, IpNumber, Ipv4HeaderSlice, Ipv6FragmentHeaderSlice, Ipv6HeaderSlice,
    Ipv6RawExtHeaderSlice, TcpSlice, UdpHeaderSlice, err, ip_number,
};

use super::payload::{PacketError, Payload, Segment, SkipReason, TcpFlags, Udp};
use crate::capture::LinkType;

const IPV4: u16 = 0x0800;
const ARP: u16 = 0x0806;
const IPV6: u16 = 0x86dd;
/// EtherTypes of VLAN tags: 802.1Q, 802.1ad, and the older type for stacked tags.
const VLAN: [u16; 3] = [0x8100, 0x88a8, 0x9100];
/// Maximum number of VLAN tags; real networks use two.
const MAX_VLAN_TAGS: usize = 4;

/// The payload of a frame after its link layer.
pub(super) enum LinkPayload<'a> {
    /// An IP packet, possibly with padding after it.
    Ip(&'a [u8]),
    /// Another payload, which is skipped.
    Other(SkipReason),
}

/// Removes the link layer of a frame.
pub(super) fn strip_link(link: LinkType, data: &[u8]) -> Result<LinkPayload<'_>, PacketError> {
    match link {
        LinkType::ETHERNET => by_ether_type(data, 12, 14, "an Ethernet header"),
        LinkType::LINUX_SLL => by_ether_type(data, 14, 16, "a Linux cooked header"),
        LinkType::LINUX_SLL2 => by_ether_type(data, 0, 20, "a Linux cooked v2 header"),
        LinkType::RAW | LinkType::RAW_BSD | LinkType::IPV4 | LinkType::IPV6 => Ok(LinkPayload::Ip(data)),
        LinkType::NULL | LinkType::LOOP => by_family(data),
        _ => Ok(LinkPayload::Other(SkipReason::UnknownLink)),
    }
}

/// Removes a header of `len` bytes with the EtherType at `at`, and any VLAN tags after it.
fn by_ether_type<'a>(
    data: &'a [u8],
    at: usize,
    len: usize,
    header: &'static str,
) -> Result<LinkPayload<'a>, PacketError> {
    let short = PacketError::Short { header, available: data.len() };
    let mut ether_type = be16(data, at).ok_or(short)?;
    let mut rest = data.get(len..).ok_or(short)?;
    for _ in 0..MAX_VLAN_TAGS {
        if !VLAN.contains(&ether_type) {
            break;
        }
        let short = PacketError::Short { header: "a VLAN tag", available: rest.len() };
        ether_type = be16(rest, 2).ok_or(short)?;
        rest = rest.get(4..).unwrap_or_default();
    }
    Ok(match ether_type {
        IPV4 | IPV6 => LinkPayload::Ip(rest),
        ARP => LinkPayload::Other(SkipReason::Arp),
        other => LinkPayload::Other(SkipReason::NotIp { kind: u32::from(other) }),
    })
}

/// Removes the header of BSD loopback, an address family of 32 bits. Families are small numbers, so their bytes show
/// the byte order. The number of IPv6 differs between systems.
fn by_family(data: &[u8]) -> Result<LinkPayload<'_>, PacketError> {
    let Some((family, rest)) = data.split_first_chunk() else {
        return Err(PacketError::Short { header: "a loopback header", available: data.len() });
    };
    let family = u32::from_be_bytes(*family).min(u32::from_le_bytes(*family));
    Ok(match family {
        2 | 24 | 28 | 30 => LinkPayload::Ip(rest),
        kind => LinkPayload::Other(SkipReason::NotIp { kind }),
    })
}

fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Maximum number of IPv6 extension headers; RFC 8200 defines seven, and most occur once.
const MAX_EXTENSIONS: usize = 16;
const IPV6_HEADER: usize = 40;

/// An IP packet, or a fragment of one.
pub(super) struct IpPacket<'a> {
    pub(super) source: IpAddr,
    pub(super) destination: IpAddr,
    /// Protocol of the payload; for a fragment, the protocol of the whole datagram.
    pub(super) protocol: IpNumber,
    /// The part of the payload that is in the frame.
    pub(super) payload: &'a [u8],
    /// Number of payload bytes that the header states and the frame does not contain.
    pub(super) missing: usize,
    pub(super) fragment: Option<FragmentInfo>,
}

/// The fragment fields of an IP header.
#[derive(Clone, Copy)]
pub(super) struct FragmentInfo {
    pub(super) identification: u32,
    /// Offset in bytes.
    pub(super) offset: usize,
    pub(super) more: bool,
}

/// Reads the IP header of either version at the start of `data`, and cuts off bytes after the packet.
pub(super) fn read_ip(data: &[u8]) -> Result<IpPacket<'_>, PacketError> {
    match data.first().map(|first| first >> 4) {
        Some(4) => version_4(data),
        Some(6) => version_6(data),
        Some(version) => Err(PacketError::IpVersion { version }),
        None => Err(PacketError::Short { header: "an IP header", available: 0 }),
    }
}

fn version_4(data: &[u8]) -> Result<IpPacket<'_>, PacketError> {
    const HEADER: &str = "an IPv4 header";
    let header = Ipv4HeaderSlice::from_slice(data).map_err(|error| {
        use etherparse::err::ipv4::HeaderSliceError;
        match error {
            HeaderSliceError::Len(_) => PacketError::Short { header: HEADER, available: data.len() },
            HeaderSliceError::Content(_) => PacketError::Header { header: HEADER },
        }
    })?;
    let header_len = header.slice().len();
    let (packet, missing) = match usize::from(header.total_len()) {
        // With segmentation offload, the network card sets the length.
        0 => (data, 0),
        total if total < header_len => return Err(PacketError::Header { header: HEADER }),
        total => (data.get(..total).unwrap_or(data), total.saturating_sub(data.len())),
    };
    Ok(IpPacket {
        source: header.source_addr().into(),
        destination: header.destination_addr().into(),
        protocol: header.protocol(),
        payload: packet.get(header_len..).unwrap_or_default(),
        missing,
        fragment: header.is_fragmenting_payload().then(|| FragmentInfo {
            identification: u32::from(header.identification()),
            offset: usize::from(header.fragments_offset().byte_offset()),
            more: header.more_fragments(),
        }),
    })
}

fn version_6(data: &[u8]) -> Result<IpPacket<'_>, PacketError> {
    const HEADER: &str = "an IPv6 header";
    let header = Ipv6HeaderSlice::from_slice(data)
        .map_err(|_| PacketError::Short { header: HEADER, available: data.len() })?;
    let rest = data.get(IPV6_HEADER..).unwrap_or_default();
    let (payload, missing) = match usize::from(header.payload_length()) {
        // A jumbogram, or a length that the network card sets.
        0 => (rest, 0),
        length => (rest.get(..length).unwrap_or(rest), length.saturating_sub(rest.len())),
    };
    let (protocol, payload, fragment) = skip_extensions(header.next_header(), payload)?;
    Ok(IpPacket {
        source: header.source_addr().into(),
        destination: header.destination_addr().into(),
        protocol,
        payload,
        missing,
        fragment,
    })
}

/// The payload after the extension headers of IPv6: its protocol, its bytes, and the fragment if it is one.
pub(super) type ExtensionPayload<'a> = (IpNumber, &'a [u8], Option<FragmentInfo>);

/// Skips extension headers up to the payload or a fragment header. `protocol` is the kind of the first one. Headers
/// after a fragment header can be read only in the whole datagram.
pub(super) fn skip_extensions(
    mut protocol: IpNumber,
    mut payload: &[u8],
) -> Result<ExtensionPayload<'_>, PacketError> {
    for _ in 0..MAX_EXTENSIONS {
        let short = PacketError::Short { header: "an IPv6 extension header", available: payload.len() };
        let (next, len) = match protocol {
            ip_number::IPV6_HOP_BY_HOP | ip_number::IPV6_ROUTE | ip_number::IPV6_DEST_OPTIONS => {
                let header = Ipv6RawExtHeaderSlice::from_slice(payload).map_err(|_| short)?;
                (header.next_header(), header.slice().len())
            }
            ip_number::AUTH => {
                let header = IpAuthHeaderSlice::from_slice(payload).map_err(|_| short)?;
                (header.next_header(), header.slice().len())
            }
            ip_number::IPV6_FRAG => {
                let header = Ipv6FragmentHeaderSlice::from_slice(payload).map_err(|_| short)?;
                if header.is_fragmenting_payload() {
                    let fragment = Some(FragmentInfo {
                        identification: header.identification(),
                        offset: usize::from(header.fragment_offset().byte_offset()),
                        more: header.more_fragments(),
                    });
                    let payload = payload.get(header.slice().len()..).unwrap_or_default();
                    return Ok((header.next_header(), payload, fragment));
                }
                (header.next_header(), header.slice().len())
            }
            _ => return Ok((protocol, payload, None)),
        };
        protocol = next;
        payload = payload.get(len..).unwrap_or_default();
    }
    Err(PacketError::TooManyExtensions { limit: MAX_EXTENSIONS })
}

const UDP_HEADER: usize = 8;

impl<'a> IpPacket<'a> {
    /// Reads the transport header of a whole packet.
    pub(super) fn read(self) -> Result<Payload<'a>, PacketError> {
        match self.protocol {
            ip_number::UDP => self.udp(),
            ip_number::TCP => self.tcp(),
            IpNumber(protocol) => Ok(Payload::Skipped(SkipReason::OtherTransport { protocol })),
        }
    }

    fn udp(self) -> Result<Payload<'a>, PacketError> {
        let Ok(header) = UdpHeaderSlice::from_slice(self.payload) else {
            return self.too_short("a UDP header");
        };
        let available = self.payload.len().saturating_add(self.missing);
        let claimed = match usize::from(header.length()) {
            // A jumbogram, or a length that the network card sets.
            0 => available,
            length if (UDP_HEADER..=available).contains(&length) => length,
            claimed => return Err(PacketError::UdpLength { claimed, available }),
        };
        let body = self.payload.get(UDP_HEADER..).unwrap_or_default();
        let wire_len = claimed.saturating_sub(UDP_HEADER);
        let data = body.get(..wire_len).unwrap_or(body);
        Ok(Payload::Udp(Udp {
            source: SocketAddr::new(self.source, header.source_port()),
            destination: SocketAddr::new(self.destination, header.destination_port()),
            data,
            wire_len,
            cut: data.len() < wire_len,
        }))
    }

    fn tcp(self) -> Result<Payload<'a>, PacketError> {
        let header = match TcpSlice::from_slice(self.payload) {
            Ok(header) => header,
            Err(err::tcp::HeaderSliceError::Len(_)) => return self.too_short("a TCP header"),
            Err(err::tcp::HeaderSliceError::Content(_)) => {
                return Err(PacketError::Header { header: "a TCP header" });
            }
        };
        let data = header.payload();
        let flags = TcpFlags { syn: header.syn(), ack: header.ack(), fin: header.fin(), rst: header.rst() };
        Ok(Payload::Tcp(Segment {
            source: SocketAddr::new(self.source, header.source_port()),
            destination: SocketAddr::new(self.destination, header.destination_port()),
            seq: header.sequence_number(),
            ack: header.acknowledgment_number(),
            flags,
            data,
            wire_len: data.len().saturating_add(self.missing),
            cut: self.missing > 0,
        }))
    }

    /// Returns the result for a header that does not fit: cut by the snap length, or an error.
    #[cold]
    fn too_short(&self, header: &'static str) -> Result<Payload<'a>, PacketError> {
        if self.missing > 0 {
            return Ok(Payload::Skipped(SkipReason::Cut));
        }
        Err(PacketError::Short { header, available: self.payload.len() })
    }
}
