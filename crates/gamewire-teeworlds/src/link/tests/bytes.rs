//! The bytes that links send.

use super::side::{OURS, Side, THEIRS, at, every_dialect};
use crate::Dialect;
use crate::link::{LinkConfig, LinkInput, LinkTokens};
use crate::shared::huffman::TrailingByte;

/// Returns a datagram: header, token of 0.6.5 or 0.7, payload, token of DDNet.
fn framed(tokens: LinkTokens, control: bool, ack: u8, chunks: u8, payload: &[u8]) -> Vec<u8> {
    let flags = match (tokens, control) {
        (LinkTokens::V06 | LinkTokens::Tken(_), true) => 0x10,
        (LinkTokens::V065(_), true) => 0x18,
        (LinkTokens::V065(_), false) => 0x08,
        (LinkTokens::V07 { .. }, true) => 0x04,
        (_, false) => 0x00,
    };
    let (in_header, at_end): (&[u8], &[u8]) = match tokens {
        LinkTokens::V06 => (&[], &[]),
        LinkTokens::Tken(_) => (&[], &THEIRS),
        LinkTokens::V065(_) | LinkTokens::V07 { .. } => (&THEIRS, &[]),
    };
    [&[flags, ack, chunks], in_header, payload, at_end].concat()
}

#[test]
fn a_vital_message_is_after_the_header_of_its_dialect() {
    for tokens in every_dialect() {
        let datagram = Side::new(tokens).datagram(at(0), &[0x1d]);
        assert_eq!(datagram, framed(tokens, false, 0, 1, &[0x40, 0x01, 0x01, 0x1d]), "{tokens:?}");
    }
}

#[test]
fn a_keepalive_acknowledges_received_messages() {
    for tokens in every_dialect() {
        let (mut one, mut other) = Side::pair(tokens);
        let datagram = other.datagram(at(0), b"hello");
        one.hear(at(0), &datagram).unwrap();
        assert_eq!(one.time(at(1000)).unwrap(), [framed(tokens, true, 1, 0, &[0])], "{tokens:?}");
    }
}

#[test]
fn a_close_carries_its_reason_with_a_zero_byte_or_nothing() {
    for tokens in every_dialect() {
        let mut side = Side::new(tokens);
        side.link_at(at(0)).close(Some(b"bye"));
        assert_eq!(side.sent(), [framed(tokens, true, 0, 0, b"\x04bye\0")], "{tokens:?}");
        let mut side = Side::new(tokens);
        side.link_at(at(0)).close(None);
        assert_eq!(side.sent(), [framed(tokens, true, 0, 0, &[4])], "{tokens:?}");
    }
}

#[test]
fn a_close_as_0_6_5_was_seen_to_send_it() {
    let mut side = Side::new(every_dialect()[1]);
    for _ in 0..11 {
        let mut peer = Side::new(every_dialect()[1]);
        peer.link.sequence = side.link.receive_window.ack;
        let datagram = peer.datagram(at(0), &[1]);
        side.hear(at(0), &datagram).unwrap();
    }
    side.link_at(at(0)).close(Some(b"bye"));
    assert_eq!(side.sent(), [b"\x18\x0b\x00\x9a\x5b\x76\x77\x04bye\x00"]);
}

#[test]
fn a_close_is_read_with_and_without_a_reason_and_ends_the_link() {
    for tokens in every_dialect() {
        for (reason, expected) in [(Some(b"a\x01b".as_slice()), Some("a b")), (Some(b""), None), (None, None)]
        {
            let (mut one, mut other) = Side::pair(tokens);
            other.link_at(at(0)).close(reason);
            let datagram = other.sent().remove(0);
            let received = one.link.receive(at(0), &datagram, &mut one.scratch);
            let Ok(LinkInput::Close { reason }) = received else { panic!("{received:?}") };
            assert_eq!(reason.map(|text| text.to_string()).as_deref(), expected, "{tokens:?}");
            assert!(one.link.is_closed() && other.link.is_closed());
            assert_eq!(one.link.poll_timeout(), None);
            assert_eq!(one.time(at(60_000)), Ok(Vec::new()), "nothing is said to who has left");
        }
    }
}

#[test]
fn reasons_are_cut_where_the_games_cut_them() {
    let tokens = LinkTokens::V06;
    for (config, kept) in [(LinkConfig::vanilla(Dialect::V06), 127), (LinkConfig::ddnet(Dialect::V06), 255)] {
        let mut side = Side::with(tokens, config);
        let long = [[0x10, 0, 0, 4].as_slice(), &[b'x'; 600], &[0]].concat();
        let received = side.link.receive(at(0), &long, &mut side.scratch);
        let Ok(LinkInput::Close { reason: Some(reason) }) = received else { panic!("{received:?}") };
        assert_eq!(reason.as_bytes().len(), kept);
        let mut side = Side::with(tokens, config);
        side.link.close(Some(&[b'x'; 600]));
        assert_eq!(side.sent()[0].len(), 4 + kept + 1);
    }
}

#[test]
fn a_resend_request_has_seven_bytes() {
    let tokens = every_dialect()[3];
    let (mut one, mut other) = Side::pair(tokens);
    let datagrams = [1, 2, 3].map(|message| other.datagram(at(0), &[message]));
    one.hear(at(0), &datagrams[0]).unwrap();
    assert_eq!(one.hear(at(10), &datagrams[2]).unwrap(), Vec::<Vec<u8>>::new());
    let sent = one.until(at(999)).unwrap();
    assert_eq!(sent, [(500, [&[0x08, 0x01, 0x00], THEIRS.as_slice()].concat())]);

    let (mut one, mut other) = Side::pair(every_dialect()[1]);
    let datagrams = [1, 2, 3].map(|message| other.datagram(at(0), &[message]));
    one.hear(at(0), &datagrams[0]).unwrap();
    one.hear(at(10), &datagrams[2]).unwrap();
    assert_eq!(one.flushed(at(20)), [[&[0x48, 0x01, 0x00], THEIRS.as_slice()].concat()]);
}

#[test]
fn compression_is_used_when_it_makes_the_payload_smaller_and_covers_ddnets_token() {
    for tokens in every_dialect() {
        let (mut one, mut other) = Side::pair(tokens);
        let datagram = one.datagram(at(0), &[0; 200]);
        let bit = if matches!(tokens, LinkTokens::V07 { .. }) { 0x10 } else { 0x80 };
        assert_eq!(datagram[0] & bit, bit, "{tokens:?}");
        assert!(datagram.len() < 60);
        assert!(!datagram.ends_with(&THEIRS) && !datagram.ends_with(&OURS));
        assert_eq!(other.hear(at(0), &datagram).unwrap(), [[0; 200]]);
    }
}

#[test]
fn the_endings_of_compressed_payloads_differ_by_one_zero_byte() {
    let tokens = LinkTokens::V06;
    let both = |length: usize| {
        let message = vec![0; length];
        let old = Side::new(tokens).datagram(at(0), &message);
        let new = Side::with(tokens, LinkConfig::ddnet(Dialect::V06)).datagram(at(0), &message);
        (old, new)
    };
    let differ = (60..100).map(both).filter(|(old, new)| old != new).collect::<Vec<_>>();
    // These are the payloads that end on a byte boundary.
    assert!((1..20).contains(&differ.len()), "{} of 40", differ.len());
    assert!(differ.iter().all(|(old, new)| old.strip_suffix(&[0]) == Some(new.as_slice())));
}

#[test]
fn packets_are_filled_as_much_as_by_each_game() {
    // The payload buffer minus the reserve, and the size of the packet header.
    let longest = [(1394 - 5, 3), (1390 - 5, 7), (1397 - 7, 3), (1391 - 3, 7)];
    for (tokens, (limit, header)) in every_dialect().into_iter().zip(longest) {
        let mut side = Side::new(tokens);
        let fill = |length: usize| (0..length).map(|i| (i * 89 % 251) as u8 | 0x80).collect::<Vec<_>>();
        side.send(at(0), &fill(1000));
        side.send(at(0), &fill(limit - 1003));
        assert_eq!(side.sent(), Vec::<Vec<u8>>::new(), "{tokens:?}: it still fits");
        let trailer = if matches!(tokens, LinkTokens::Tken(_)) { 4 } else { 0 };
        assert_eq!(side.flushed(at(0))[0].len(), header + limit + 3 + trailer, "{tokens:?}");
        side.send(at(0), &fill(1000));
        side.send(at(0), &fill(limit - 1002));
        assert_eq!(side.sent().len(), 1, "{tokens:?}: the first left to make room");
    }
}

#[test]
fn ddnet_16_fills_less_of_a_packet_than_later_ones_and_ends_compression_with_the_extra_byte() {
    let tokens = every_dialect()[2];
    // Returns the bytes of all chunks that fit before a message of one byte no longer does, and the bytes of the packet
    // without header and trailer.
    let fill = |config: LinkConfig| {
        let mut side = Side::with(tokens, config);
        let message = |length: usize| (0..length).map(|i| (i * 89 % 251) as u8 | 0x80).collect::<Vec<_>>();
        side.send(at(0), &message(1000));
        let mut length = 1003;
        while side.link.transmits.is_empty() {
            side.send(at(0), &message(1));
            length += 4;
        }
        (length - 4, side.sent()[0].len() - 3 - 4)
    };
    let room = |limit: usize| (limit - 1 - 1003) / 4 * 4 + 1003 + 4;
    let new = LinkConfig::ddnet(Dialect::Tken);
    let old = LinkConfig::ddnet_16(Dialect::Tken);
    assert_eq!(fill(new), (room(1397 - 7), room(1397 - 7)));
    assert_eq!(fill(old), (room(1394 - 9), room(1394 - 9)));
    assert_eq!((old.ending, old.strict_packets), (TrailingByte::ExtraByte, false));
    assert_eq!(old.receive_timeout, new.receive_timeout);
}
