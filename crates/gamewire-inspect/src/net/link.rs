//! Link layers: what is before the IP packet.

use super::error::PacketError;
use super::payload::SkipReason;
use crate::capture::LinkType;

const IPV4: u16 = 0x0800;
const ARP: u16 = 0x0806;
const IPV6: u16 = 0x86dd;
/// 802.1Q, 802.1ad, and the type used for stacked tags before it.
const VLAN: [u16; 3] = [0x8100, 0x88a8, 0x9100];
/// Real networks stack two; more are not followed.
const MAX_VLAN_TAGS: usize = 4;

/// What a frame holds behind its link layer.
pub(super) enum Inner<'a> {
    /// An IP packet, with what may follow it in the frame.
    Ip(&'a [u8]),
    /// Something else.
    Other(SkipReason),
}

/// Takes the link layer off a frame.
#[inline]
pub(super) fn strip(link: LinkType, data: &[u8]) -> Result<Inner<'_>, PacketError> {
    match link {
        LinkType::ETHERNET => by_ether_type(data, 12, 14, "an Ethernet header"),
        LinkType::LINUX_SLL => by_ether_type(data, 14, 16, "a Linux cooked header"),
        LinkType::LINUX_SLL2 => by_ether_type(data, 0, 20, "a Linux cooked v2 header"),
        LinkType::RAW | LinkType::RAW_BSD | LinkType::IPV4 | LinkType::IPV6 => Ok(Inner::Ip(data)),
        LinkType::NULL | LinkType::LOOP => by_family(data),
        _ => Ok(Inner::Other(SkipReason::UnknownLink)),
    }
}

/// A header of `len` bytes with the EtherType at `at`, and any VLAN tags behind it.
#[inline]
fn by_ether_type<'a>(
    data: &'a [u8],
    at: usize,
    len: usize,
    header: &'static str,
) -> Result<Inner<'a>, PacketError> {
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
        IPV4 | IPV6 => Inner::Ip(rest),
        ARP => Inner::Other(SkipReason::Arp),
        other => Inner::Other(SkipReason::NotIp { kind: u32::from(other) }),
    })
}

/// BSD loopback: an address family of 32 bits. Families are small, so the bytes tell the order; the number of
/// IPv6 differs between systems.
fn by_family(data: &[u8]) -> Result<Inner<'_>, PacketError> {
    let Some((family, rest)) = data.split_first_chunk() else {
        return Err(PacketError::Short { header: "a loopback header", available: data.len() });
    };
    let family = u32::from_be_bytes(*family).min(u32::from_le_bytes(*family));
    Ok(match family {
        2 | 24 | 28 | 30 => Inner::Ip(rest),
        kind => Inner::Other(SkipReason::NotIp { kind }),
    })
}

#[inline]
fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
