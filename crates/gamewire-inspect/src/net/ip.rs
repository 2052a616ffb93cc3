//! IP headers: who, whom, and what is inside.

use std::net::IpAddr;

use etherparse::{
    IpAuthHeaderSlice, IpNumber, Ipv4HeaderSlice, Ipv6FragmentHeaderSlice, Ipv6HeaderSlice,
    Ipv6RawExtHeaderSlice, ip_number,
};

use super::error::PacketError;

/// RFC 8200 names seven, each once but one.
const MAX_EXTENSIONS: usize = 16;
const IPV6_HEADER: usize = 40;

/// An IP packet, or a fragment of one.
pub(super) struct IpPacket<'a> {
    pub(super) source: IpAddr,
    pub(super) destination: IpAddr,
    /// What the payload is; in a fragment, what the whole starts with.
    pub(super) protocol: IpNumber,
    /// The payload, as far as it is in the frame.
    pub(super) payload: &'a [u8],
    /// The bytes of the payload that the header promises and the frame does not hold.
    pub(super) missing: usize,
    pub(super) fragment: Option<FragmentPlace>,
}

/// Where a fragment belongs.
#[derive(Clone, Copy)]
pub(super) struct FragmentPlace {
    pub(super) identification: u32,
    /// In bytes.
    pub(super) offset: usize,
    pub(super) more: bool,
}

/// Reads the IP header that `data` begins with, of either version, and cuts off what follows the packet.
#[inline]
pub(super) fn read(data: &[u8]) -> Result<IpPacket<'_>, PacketError> {
    match data.first().map(|first| first >> 4) {
        Some(4) => version_4(data),
        Some(6) => version_6(data),
        Some(version) => Err(PacketError::IpVersion { version }),
        None => Err(PacketError::Short { header: "an IP header", available: 0 }),
    }
}

#[inline]
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
        // Segmentation offload leaves the length to the network card.
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
        fragment: header.is_fragmenting_payload().then(|| FragmentPlace {
            identification: u32::from(header.identification()),
            offset: usize::from(header.fragments_offset().byte_offset()),
            more: header.more_fragments(),
        }),
    })
}

#[inline]
fn version_6(data: &[u8]) -> Result<IpPacket<'_>, PacketError> {
    const HEADER: &str = "an IPv6 header";
    let header = Ipv6HeaderSlice::from_slice(data)
        .map_err(|_| PacketError::Short { header: HEADER, available: data.len() })?;
    let rest = data.get(IPV6_HEADER..).unwrap_or_default();
    let (payload, missing) = match usize::from(header.payload_length()) {
        // A jumbogram, or a length left to the network card.
        0 => (rest, 0),
        length => (rest.get(..length).unwrap_or(rest), length.saturating_sub(rest.len())),
    };
    let inner = skip_extensions(header.next_header(), payload)?;
    Ok(IpPacket {
        source: header.source_addr().into(),
        destination: header.destination_addr().into(),
        protocol: inner.protocol,
        payload: inner.payload,
        missing,
        fragment: inner.fragment,
    })
}

/// What follows the extension headers of IPv6.
pub(super) struct Inner<'a> {
    pub(super) protocol: IpNumber,
    pub(super) payload: &'a [u8],
    pub(super) fragment: Option<FragmentPlace>,
}

/// Walks over extension headers, from one of kind `protocol`, up to the payload or to a fragment header: what
/// follows that can only be read once the datagram is whole.
#[inline]
pub(super) fn skip_extensions(mut protocol: IpNumber, mut payload: &[u8]) -> Result<Inner<'_>, PacketError> {
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
                    let fragment = Some(FragmentPlace {
                        identification: header.identification(),
                        offset: usize::from(header.fragment_offset().byte_offset()),
                        more: header.more_fragments(),
                    });
                    let payload = payload.get(header.slice().len()..).unwrap_or_default();
                    return Ok(Inner { protocol: header.next_header(), payload, fragment });
                }
                (header.next_header(), header.slice().len())
            }
            _ => return Ok(Inner { protocol, payload, fragment: None }),
        };
        protocol = next;
        payload = payload.get(len..).unwrap_or_default();
    }
    Err(PacketError::TooManyExtensions { limit: MAX_EXTENSIONS })
}
