//! IP, UDP and TCP headers.

use super::frames::{
    DESTINATION_OPTIONS, TCP, UDP, datagram, decode, ethernet, extension, frame, ipv4, ipv4_fragment, ipv6,
    skipped, tcp, udp, udp_claiming,
};
use crate::capture::{Frame, LinkType};
use crate::net::{Decoder, PacketError, Payload, SkipReason, TcpFlags};

#[test]
fn ethernet_padding_is_not_part_of_the_datagram() {
    let mut bytes = ethernet(0x0800, &ipv4(UDP, &udp(b"ab")));
    bytes.resize(60, 0);
    let mut decoder = Decoder::new();
    assert_eq!(datagram(decoder.decode(&frame(LinkType::ETHERNET, &bytes))).data, b"ab");
}

#[test]
fn ipv4_options_and_ipv6_extension_headers_are_skipped() {
    let mut with_options = ipv4(UDP, &[&[1; 8][..], &udp(b"data")].concat());
    with_options[0] = 0x47;
    let extensions = [
        &extension(43)[..],
        &extension(44),
        &[51, 0, 0, 0, 0, 0, 0, 9],
        &[DESTINATION_OPTIONS, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        &extension(UDP),
        &udp(b"data"),
    ];
    let mut decoder = Decoder::new();
    for packet in [with_options, ipv6(0, &extensions.concat())] {
        assert_eq!(datagram(decode(&mut decoder, &packet)).data, b"data");
    }
}

#[test]
fn an_endless_chain_of_extension_headers_is_an_error() {
    let packet = ipv6(DESTINATION_OPTIONS, &extension(DESTINATION_OPTIONS).repeat(1000));
    let error = decode(&mut Decoder::new(), &packet).unwrap_err();
    assert_eq!(error, PacketError::TooManyExtensions { limit: 16 });
}

#[test]
fn a_possible_udp_length_is_used() {
    let mut decoder = Decoder::new();
    let shorter = ipv4(UDP, &udp_claiming(10, b"data"));
    assert_eq!(datagram(decode(&mut decoder, &shorter)).data, b"da");
    let none = ipv4(UDP, &udp_claiming(0, b"data"));
    assert_eq!(datagram(decode(&mut decoder, &none)).data, b"data");
    for claimed in [1, 7, 13, 0xffff] {
        let packet = ipv4(UDP, &udp_claiming(claimed, b"data"));
        let error = PacketError::UdpLength { claimed: usize::from(claimed), available: 12 };
        assert_eq!(decode(&mut decoder, &packet), Err(error));
    }
}

#[test]
fn a_packet_cut_by_the_snap_length_has_its_length_on_the_wire() {
    let packet = ipv4(UDP, &udp(&[7; 100]));
    let mut decoder = Decoder::new();
    for len in 28..packet.len() {
        let frame = Frame { original_len: 128, ..frame(LinkType::RAW, &packet[..len]) };
        let datagram = datagram(decoder.decode(&frame));
        assert_eq!((datagram.data.len(), datagram.wire_len, datagram.cut), (len - 28, 100, true));
    }
    for len in 0..28 {
        let frame = Frame { original_len: 128, ..frame(LinkType::RAW, &packet[..len]) };
        assert_eq!(skipped(decoder.decode(&frame)), SkipReason::Cut, "{len} bytes");
    }
    let fragment = ipv4_fragment(UDP, 1, 0, true, &[0; 64]);
    let frame = Frame { original_len: 84, ..frame(LinkType::RAW, &fragment[..60]) };
    assert_eq!(skipped(decoder.decode(&frame)), SkipReason::Cut);
}

#[test]
fn a_packet_longer_than_its_frame_is_an_error() {
    let packet = ipv4(UDP, &udp(&[7; 100]));
    let error = PacketError::IpLength { claimed: 108, available: 80 };
    assert_eq!(decode(&mut Decoder::new(), &packet[..100]), Err(error));
}

#[test]
fn without_an_ip_length_the_packet_is_the_whole_frame() {
    let mut four = ipv4(UDP, &udp(b"data"));
    four[2..4].fill(0);
    let mut six = ipv6(UDP, &udp(b"data"));
    six[4..6].fill(0);
    for packet in [four, six] {
        assert_eq!(datagram(decode(&mut Decoder::new(), &packet)).data, b"data");
    }
}

#[test]
fn impossible_headers_are_errors() {
    let mut decoder = Decoder::new();
    let mut wrong = |packet: &[u8]| decode(&mut decoder, packet).unwrap_err();
    assert_eq!(wrong(&[0x50; 40]), PacketError::IpVersion { version: 5 });
    assert_eq!(wrong(&[]), PacketError::Short { header: "an IP header", available: 0 });
    assert_eq!(wrong(&[0x60; 39]), PacketError::Short { header: "an IPv6 header", available: 39 });
    let mut tiny_header = ipv4(UDP, &udp(b""));
    tiny_header[0] = 0x44;
    assert_eq!(wrong(&tiny_header), PacketError::Header { header: "an IPv4 header" });
    assert_eq!(wrong(&ipv4(UDP, &[0; 7])), PacketError::Short { header: "a UDP header", available: 7 });
    let mut segment = tcp(1, 0, b"");
    segment[12] = 0x40;
    assert_eq!(wrong(&ipv4(TCP, &segment)), PacketError::Header { header: "a TCP header" });
    segment[12] = 0xf0;
    assert_eq!(wrong(&ipv4(TCP, &segment)), PacketError::Short { header: "a TCP header", available: 20 });
}

#[test]
fn a_segment_has_its_sequence_number_flags_and_data() {
    let packet = ipv4(TCP, &tcp(0xffff_fff0, 0x13, b"data"));
    let mut decoder = Decoder::new();
    let Ok(Payload::Tcp(segment)) = decode(&mut decoder, &packet) else { panic!("a segment") };
    assert_eq!((segment.seq, segment.data, segment.wire_len), (0xffff_fff0, &b"data"[..], 4));
    assert_eq!(segment.flags, TcpFlags { syn: true, ack: true, fin: true, rst: false });
    assert_eq!(segment.destination.to_string(), "10.0.0.2:5556");
}

#[test]
fn other_transports_are_skipped_with_their_number() {
    let skip = skipped(decode(&mut Decoder::new(), &ipv4(1, &[8; 16])));
    assert_eq!(skip, SkipReason::OtherTransport { protocol: 1 });
}
