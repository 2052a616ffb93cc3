//! Decodes frames to payloads: headers of the link layer, IP, UDP and TCP.

use std::net::{IpAddr, SocketAddr};

use etherparse::{
    IpAuthHeaderSlice, IpNumber, Ipv4HeaderSlice, Ipv6FragmentHeaderSlice, Ipv6HeaderSlice,
    Ipv6RawExtHeaderSlice, TcpSlice, UdpHeaderSlice, err, ip_number,
};

use super::defrag::{DefragLimits, Defragmenter, FragmentInfo, FragmentKey};
use super::payload::{PacketError, Payload, Segment, SkipReason, TcpFlags, Udp};
use crate::capture::{Frame, LinkType};

const IPV4: u16 = 0x0800;
const ARP: u16 = 0x0806;
const IPV6: u16 = 0x86dd;
/// EtherTypes of VLAN tags: 802.1Q, 802.1ad, and the older type for stacked tags.
const VLAN: [u16; 3] = [0x8100, 0x88a8, 0x9100];
/// Maximum number of VLAN tags; real networks use two.
const MAX_VLAN_TAGS: usize = 4;

/// A decoder for frames. Its only state is the fragments of incomplete datagrams.
#[derive(Debug, Default)]
pub struct Decoder {
    defragmenter: Defragmenter,
}

impl Decoder {
    /// Returns a decoder with the default limits for fragments.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a decoder with other limits for fragments.
    pub fn with_limits(limits: DefragLimits) -> Self {
        Self { defragmenter: Defragmenter::new(limits) }
    }

    /// Returns the payload of `frame`; for the last fragment of a datagram, the whole datagram.
    ///
    /// Bytes after the IP packet and after the UDP length are cut off. If the snap length cut the payload, the
    /// payload has `cut` set; if it cut the headers, the frame is skipped as [`SkipReason::Cut`]. Checksums
    /// are not verified.
    ///
    /// # Errors
    /// [`PacketError`] if a header is damaged or contradicts its packet, so that the receiver would drop it. The
    /// fragments of a contradictory datagram are dropped.
    pub fn decode<'a>(&'a mut self, frame: &Frame<'a>) -> Result<Payload<'a>, PacketError> {
        let ip = match strip_link(frame.link, frame.data) {
            Ok(LinkPayload::Ip(data)) => read_ip(data),
            Ok(LinkPayload::Other(skip)) => return Ok(Payload::Skipped(skip)),
            Err(error) => Err(error),
        };
        let packet = match ip {
            Ok(packet) => packet,
            // The snap length cut off the missing bytes of a truncated frame.
            Err(PacketError::Short { .. }) if frame.is_cut() => return Ok(Payload::Skipped(SkipReason::Cut)),
            Err(error) => return Err(error),
        };
        if packet.missing > 0 && !frame.is_cut() {
            let available = packet.payload.len();
            return Err(PacketError::IpLength {
                claimed: available.saturating_add(packet.missing),
                available,
            });
        }
        match packet.fragment {
            None => packet.read(),
            Some(fragment) => self.fragment(frame.time, packet, fragment),
        }
    }

    #[cold]
    fn fragment<'a>(
        &'a mut self,
        time: i64,
        packet: IpPacket<'a>,
        fragment: FragmentInfo,
    ) -> Result<Payload<'a>, PacketError> {
        if packet.missing > 0 {
            return Ok(Payload::Skipped(SkipReason::Cut));
        }
        let IpPacket { source, destination, protocol, payload, .. } = packet;
        let identification = fragment.identification;
        // RFC 8200 identifies an IPv6 datagram without its protocol, which only the first fragment states reliably.
        let keyed_protocol = if source.is_ipv4() { protocol.0 } else { 0 };
        let key = FragmentKey { source, destination, identification, protocol: keyed_protocol };
        let whole = self.defragmenter.add(time, key, protocol, fragment, payload)?;
        let Some((protocol, payload)) = whole else {
            return Ok(Payload::Skipped(SkipReason::FragmentPending));
        };
        let (protocol, payload, fragment) = skip_extensions(protocol, payload)?;
        if fragment.is_some() {
            return Err(PacketError::Header { header: "a fragment header within a fragment" });
        }
        IpPacket { source, destination, protocol, payload, missing: 0, fragment: None }.read()
    }

    /// Returns the memory used for fragments, in bytes; at most [`DefragLimits::worst_case_bytes`].
    pub fn buffered_bytes(&self) -> usize {
        self.defragmenter.buffered_bytes()
    }
}

/// The payload of a frame after its link layer.
enum LinkPayload<'a> {
    /// An IP packet, possibly with padding after it.
    Ip(&'a [u8]),
    /// Another payload, which is skipped.
    Other(SkipReason),
}

/// Removes the link layer of a frame.
fn strip_link(link: LinkType, data: &[u8]) -> Result<LinkPayload<'_>, PacketError> {
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
struct IpPacket<'a> {
    source: IpAddr,
    destination: IpAddr,
    /// Protocol of the payload; for a fragment, the protocol of the whole datagram.
    protocol: IpNumber,
    /// The part of the payload that is in the frame.
    payload: &'a [u8],
    /// Number of payload bytes that the header states and the frame does not contain.
    missing: usize,
    fragment: Option<FragmentInfo>,
}

/// Reads the IP header of either version at the start of `data`, and cuts off bytes after the packet.
fn read_ip(data: &[u8]) -> Result<IpPacket<'_>, PacketError> {
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
type ExtensionPayload<'a> = (IpNumber, &'a [u8], Option<FragmentInfo>);

/// Skips extension headers up to the payload or a fragment header. `protocol` is the kind of the first one. Headers
/// after a fragment header can be read only in the whole datagram.
fn skip_extensions(mut protocol: IpNumber, mut payload: &[u8]) -> Result<ExtensionPayload<'_>, PacketError> {
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
    fn read(self) -> Result<Payload<'a>, PacketError> {
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
