//! Link layers.

use super::frames::{UDP, datagram, ethernet, frame, ipv4, ipv6, skipped, udp};
use crate::capture::LinkType;
use crate::net::{Decoder, PacketError, SkipReason};

#[test]
fn every_link_layer_has_the_same_datagram() {
    let four = ipv4(UDP, &udp(b"data"));
    let six = ipv6(UDP, &udp(b"data"));
    let stacked = [&[0x08, 0x07][..], &[0x81, 0x00, 0, 3, 0x86, 0xdd], &six].concat();
    let cases = [
        (LinkType::ETHERNET, ethernet(0x0800, &four)),
        (LinkType::ETHERNET, ethernet(0x8100, &[&[0x20, 5, 0x08, 0x00][..], &four].concat())),
        (LinkType::ETHERNET, ethernet(0x88a8, &stacked)),
        (LinkType::LINUX_SLL, [&[0; 14][..], &[0x08, 0x00], &four].concat()),
        (LinkType::LINUX_SLL, [&[0; 14][..], &[0x81, 0x00, 0, 3, 0x08, 0x00], &four].concat()),
        (LinkType::LINUX_SLL2, [&[0x86, 0xdd][..], &[0; 18], &six].concat()),
        (LinkType::RAW, four.clone()),
        (LinkType::RAW, six.clone()),
        (LinkType::RAW_BSD, four.clone()),
        (LinkType::IPV4, four.clone()),
        (LinkType::IPV6, six.clone()),
        (LinkType::NULL, [&[2, 0, 0, 0][..], &four].concat()),
        (LinkType::NULL, [&[0, 0, 0, 30][..], &six].concat()),
        (LinkType::LOOP, [&[0, 0, 0, 24][..], &six].concat()),
    ];
    let mut decoder = Decoder::new();
    for (link, bytes) in cases {
        let datagram = datagram(decoder.decode(&frame(link, &bytes)));
        assert_eq!((datagram.data, datagram.cut), (&b"data"[..], false), "{link}");
        assert_eq!((datagram.source.port(), datagram.destination.port()), (1000, 8303));
    }
}

#[test]
fn frames_without_ip_are_skipped_with_their_kind() {
    let mut decoder = Decoder::new();
    let mut skip = |link, bytes: &[u8]| skipped(decoder.decode(&frame(link, bytes)));
    assert_eq!(skip(LinkType::ETHERNET, &ethernet(0x0806, &[0; 28])), SkipReason::Arp);
    assert_eq!(skip(LinkType::ETHERNET, &ethernet(0x88cc, &[0; 28])), SkipReason::NotIp { kind: 0x88cc });
    assert_eq!(skip(LinkType::NULL, &[0, 0, 0, 7, 1]), SkipReason::NotIp { kind: 7 });
    assert_eq!(skip(LinkType(105), &[0; 40]), SkipReason::UnknownLink);
}

#[test]
fn a_frame_shorter_than_its_link_layer_is_an_error_or_cut() {
    let mut decoder = Decoder::new();
    let short = frame(LinkType::ETHERNET, &[0; 13]);
    let error = PacketError::Short { header: "an Ethernet header", available: 13 };
    assert_eq!(decoder.decode(&short), Err(error));
    let cut = crate::capture::Frame { original_len: 60, ..short };
    assert_eq!(skipped(decoder.decode(&cut)), SkipReason::Cut);
}
