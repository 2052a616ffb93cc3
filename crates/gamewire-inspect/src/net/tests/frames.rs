//! Builds packets for the tests.

use crate::capture::{Frame, LinkType};
use crate::net::{Decoder, PacketError, Payload, SkipReason, Udp};

pub(crate) const UDP: u8 = 17;
pub(crate) const TCP: u8 = 6;
pub(crate) const DESTINATION_OPTIONS: u8 = 60;
pub(crate) const FRAGMENT: u8 = 44;

/// Returns an extension header of eight bytes of padding, before one of kind `next`.
pub(crate) fn extension(next: u8) -> [u8; 8] {
    [next, 0, 1, 4, 0, 0, 0, 0]
}

pub(crate) fn ethernet(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    [&[2; 6][..], &[4; 6], &ether_type.to_be_bytes(), payload].concat()
}

/// Returns a UDP datagram from port 1000 to port 8303.
pub(crate) fn udp(data: &[u8]) -> Vec<u8> {
    udp_claiming(u16::try_from(data.len() + 8).unwrap(), data)
}

pub(crate) fn udp_claiming(length: u16, data: &[u8]) -> Vec<u8> {
    [&1000_u16.to_be_bytes()[..], &8303_u16.to_be_bytes(), &length.to_be_bytes(), &[0, 0], data].concat()
}

/// Returns a TCP segment from port 1000 to port 5556 with a plain header.
pub(crate) fn tcp(seq: u32, flags: u8, data: &[u8]) -> Vec<u8> {
    let ports = [1000_u16.to_be_bytes(), 5556_u16.to_be_bytes()].concat();
    [&ports[..], &seq.to_be_bytes(), &[0; 4], &[0x50, flags], &[0xff, 0xff, 0, 0, 0, 0], data].concat()
}

/// Returns an IPv4 packet from 10.0.0.1 to 10.0.0.2.
pub(crate) fn ipv4(protocol: u8, payload: &[u8]) -> Vec<u8> {
    ipv4_fragment(protocol, 0, 0, false, payload)
}

/// Returns an IPv4 fragment; `offset` in bytes.
pub(crate) fn ipv4_fragment(protocol: u8, id: u16, offset: u16, more: bool, payload: &[u8]) -> Vec<u8> {
    let total = u16::try_from(payload.len() + 20).unwrap();
    let position = (offset / 8) | (u16::from(more) << 13);
    let mut packet = vec![0x45, 0];
    for field in [total, id, position] {
        packet.extend(field.to_be_bytes());
    }
    packet.extend([64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
    packet.extend(payload);
    packet
}

/// Returns an IPv6 packet from fd00::1 to fd00::2.
pub(crate) fn ipv6(next: u8, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x60, 0, 0, 0];
    packet.extend(u16::try_from(payload.len()).unwrap().to_be_bytes());
    packet.extend([next, 64]);
    for last in [1, 2] {
        packet.extend([0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);
    }
    packet.extend(payload);
    packet
}

/// Returns an IPv6 fragment; `offset` in bytes.
pub(crate) fn ipv6_fragment(next: u8, id: u32, offset: u16, more: bool, payload: &[u8]) -> Vec<u8> {
    let position = (offset | u16::from(more)).to_be_bytes();
    ipv6(FRAGMENT, &[&[next, 0][..], &position, &id.to_be_bytes(), payload].concat())
}

/// Returns a whole frame, captured at time 0.
pub(crate) fn frame(link: LinkType, data: &[u8]) -> Frame<'_> {
    let original_len = u32::try_from(data.len()).unwrap();
    Frame { number: 1, time: 0, link, interface: 0, is_state: false, data, original_len }
}

/// Decodes one raw IP packet.
pub(crate) fn decode<'a>(decoder: &'a mut Decoder, packet: &'a [u8]) -> Result<Payload<'a>, PacketError> {
    decoder.decode(&frame(LinkType::RAW, packet))
}

/// Returns the datagram; panics for another payload.
pub(crate) fn datagram<'a>(payload: Result<Payload<'a>, PacketError>) -> Udp<'a> {
    match payload {
        Ok(Payload::Udp(datagram)) => datagram,
        other => panic!("expected a datagram, got {other:?}"),
    }
}

/// Returns the skip reason; panics for another payload.
pub(crate) fn skipped(payload: Result<Payload<'_>, PacketError>) -> SkipReason {
    match payload {
        Ok(Payload::Skipped(skip)) => skip,
        other => panic!("expected a skipped frame, got {other:?}"),
    }
}

/// Returns packets of every kind by link type.
pub(crate) fn samples() -> Vec<(LinkType, Vec<Vec<u8>>)> {
    let datagram = udp(b"sixteen bytes ok");
    let (first, second) = datagram.split_at(16);
    let raw = vec![
        ipv4(UDP, &datagram),
        ipv4_fragment(UDP, 9, 16, false, second),
        ipv4_fragment(UDP, 9, 0, true, first),
        ipv4(TCP, &tcp(1, 0x02, b"")),
        ipv4(TCP, &tcp(8, 0x18, b"late")),
        ipv4(TCP, &tcp(2, 0x18, b"early!")),
        ipv6(0, &[&extension(DESTINATION_OPTIONS)[..], &extension(UDP), &datagram].concat()),
        ipv6_fragment(UDP, 9, 0, true, first),
        ipv6_fragment(UDP, 9, 16, false, second),
    ];
    let framed = |wrap: &dyn Fn(&[u8]) -> Vec<u8>| raw.iter().map(|packet| wrap(packet)).collect::<Vec<_>>();
    let ether_type = |packet: &[u8]| if packet[0] >> 4 == 4 { [0x08, 0x00] } else { [0x86, 0xdd] };
    let vlan = |packet: &[u8]| ethernet(0x8100, &[&[0, 7][..], &ether_type(packet), packet].concat());
    let sll = |packet: &[u8]| [&[0; 14][..], &ether_type(packet), packet].concat();
    let sll2 = |packet: &[u8]| [&ether_type(packet)[..], &[0; 18], packet].concat();
    let null = |packet: &[u8]| [&2_u32.to_le_bytes()[..], packet].concat();
    vec![
        (LinkType::RAW, raw.clone()),
        (LinkType::ETHERNET, framed(&vlan)),
        (LinkType::LINUX_SLL, framed(&sll)),
        (LinkType::LINUX_SLL2, framed(&sll2)),
        (LinkType::NULL, framed(&null)),
    ]
}
