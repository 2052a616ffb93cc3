//! Datagrams that no game sends. The link drops them, and its state is unchanged.

use gamewire_machine::Instant;
use proptest::prelude::*;

use super::side::{OURS, Side, THEIRS, at, every_dialect};
use crate::Dialect;
use crate::link::{Link, LinkConfig, LinkInput, LinkTokens, PacketError};
use crate::shared::packet::SEQUENCE_SPACE;

/// Returns the complete state of a link.
fn state(link: &Link) -> String {
    format!("{link:?}")
}

/// Returns a link that has sent and received a few messages, and a datagram that it would accept.
fn warm(tokens: LinkTokens, config: LinkConfig) -> (Side, Vec<u8>) {
    let mut one = Side::with(tokens, config);
    let mut other = Side::new(super::side::across(tokens));
    let hello = one.datagram(at(0), b"hello");
    other.hear(at(0), &hello).unwrap();
    let answer = other.datagram(at(5), b"answer");
    one.hear(at(5), &answer).unwrap();
    one.send(at(6), b"queued");
    let next = other.datagram(at(10), b"next");
    (one, next)
}

/// Checks that `datagram` is rejected and changes nothing.
fn dropped(side: &mut Side, now: Instant, datagram: &[u8]) -> Result<PacketError, String> {
    let before = state(&side.link);
    let reject = match side.link.receive(now, datagram, &mut side.scratch) {
        Ok(received) => return Err(format!("taken: {received:?}")),
        Err(reject) => reject,
    };
    if state(&side.link) != before || !side.link.transmits.is_empty() {
        return Err(format!("{reject} changed the link"));
    }
    Ok(reject)
}

#[test]
fn t2_a_wrong_token_is_dropped_in_every_dialect_that_has_one() {
    for tokens in every_dialect().into_iter().skip(1) {
        let (mut side, good) = warm(tokens, LinkConfig::vanilla(tokens.dialect()));
        for token in [OURS, THEIRS] {
            let Some(place) = good.windows(4).position(|bytes| bytes == token) else { continue };
            for wrong in [[0; 4], [0xff; 4], [0x55, 0x66, 0x77, 0x88]] {
                let mut bad = good.clone();
                bad[place..place + 4].copy_from_slice(&wrong);
                assert_eq!(dropped(&mut side, at(20), &bad), Ok(PacketError::WrongToken), "{tokens:?}");
            }
        }
        assert_eq!(side.hear(at(20), &good).unwrap(), [b"next"]);
    }
}

#[test]
fn t2_a_wrong_token_is_found_before_anything_is_decompressed_or_acknowledged() {
    let [_, older, _, seven] = every_dialect();
    for (tokens, flags) in [(older, 0x88), (seven, 0x10)] {
        let (mut side, _) = warm(tokens, LinkConfig::vanilla(tokens.dialect()));
        let garbage = [[flags, 2, 1].as_slice(), &[1; 4], &[0xff; 900]].concat();
        assert_eq!(dropped(&mut side, at(20), &garbage), Ok(PacketError::WrongToken));
    }
}

#[test]
fn t7_chunks_that_do_not_fit_their_packet_drop_all_of_it() {
    let header = |chunks: u8| vec![0, 1, chunks];
    let packets: [(&str, Vec<u8>); 6] = [
        ("a size beyond the end", [header(2), b"\x40\x02\x02ok\x40\x09\x03x".to_vec()].concat()),
        ("255 chunks and no data", header(255)),
        ("fewer chunks than announced", [header(3), b"\x40\x02\x02ok".to_vec()].concat()),
        ("half a chunk header", [header(2), b"\x40\x02\x02ok\x40".to_vec()].concat()),
        ("a vital header of two bytes", [header(1), vec![0x40, 0x00]].concat()),
        ("no packet at all", Vec::new()),
    ];
    for config in [LinkConfig::vanilla(Dialect::V06), LinkConfig::ddnet(Dialect::V06)] {
        let (mut side, _) = warm(LinkTokens::V06, config);
        for (what, datagram) in &packets {
            let result = dropped(&mut side, at(20), datagram);
            assert!(matches!(result, Ok(PacketError::Malformed(_))), "{what}: {result:?}");
        }
        let long = [header(1), vec![0; 1398]].concat();
        assert!(matches!(dropped(&mut side, at(20), &long), Ok(PacketError::Malformed(_))));
        let no_end = [vec![0x80, 1, 1], vec![0; 40]].concat();
        assert!(matches!(dropped(&mut side, at(20), &no_end), Ok(PacketError::Malformed(_))));
        assert!(matches!(dropped(&mut side, at(20), &[0x10, 1, 0]), Ok(PacketError::Malformed(_))));
    }
}

#[test]
fn t7_packets_without_chunks_and_invalid_control_packets_are_rejected_as_by_ddnet() {
    let tokens = LinkTokens::V06;
    let odd: [&[u8]; 3] = [&[0, 1, 0], &[0x10, 1, 1, 0], &[0x90, 1, 0, 0x15, 0x37]];
    for datagram in odd {
        let (mut strict, _) = warm(tokens, LinkConfig::ddnet(Dialect::V06));
        let result = dropped(&mut strict, at(20), datagram);
        assert!(matches!(result, Ok(PacketError::Unexpected(_))), "{result:?}");
        let (mut vanilla, _) = warm(tokens, LinkConfig::vanilla(Dialect::V06));
        assert!(vanilla.hear(at(20), datagram).unwrap().is_empty());
    }
    let (mut strict, _) = warm(tokens, LinkConfig::ddnet(Dialect::V06));
    assert!(strict.hear(at(20), &[0x40, 1, 0]).unwrap().is_empty(), "a resend request needs no chunks");
}

#[test]
fn t8_acknowledgements_of_what_was_never_sent_are_dropped() {
    for tokens in every_dialect() {
        let (mut side, good) = warm(tokens, LinkConfig::vanilla(tokens.dialect()));
        for ack in [0, 3, 500, 1023_u16] {
            let mut bad = good.clone();
            bad[0] = bad[0] & 0xfc | ack.to_be_bytes()[0];
            bad[1] = ack.to_be_bytes()[1];
            assert_eq!(dropped(&mut side, at(20), &bad), Ok(PacketError::AckOutsideWindow), "{tokens:?}");
        }
    }
}

#[test]
fn t8_each_sequence_number_is_accepted_once_and_only_in_order() {
    let mut side = Side::new(LinkTokens::V06);
    let chunk = |sequence: u16| {
        let [high, low] = sequence.to_be_bytes();
        vec![0, 0, 1, 0x40, high << 6 | (low & 0xc0) >> 2 | 1, low, 0x1d]
    };
    let mut taken = 0;
    for start in [1, 700, 1023, 0, 1, 2, 500] {
        for sequence in (0..SEQUENCE_SPACE).map(|number| (number + start) % SEQUENCE_SPACE) {
            let before = side.link.receive_window.ack;
            let new = side.hear(at(0), &chunk(sequence)).unwrap().len();
            assert_eq!(new == 1, sequence == (before + 1) % SEQUENCE_SPACE);
            taken += new;
        }
    }
    assert_eq!(side.link.stats().vital_in, taken as u64);
}

#[test]
fn t8_resend_requests_are_answered_once_per_round_trip() {
    let (mut one, mut other) = Side::pair(LinkTokens::V06);
    let hello = one.datagram(at(0), b"hello");
    other.hear(at(100), &hello).unwrap();
    let answer = other.datagram(at(100), b"ok");
    one.hear(at(200), &answer).unwrap();
    for _ in 0..100 {
        one.send(at(200), &[3; 64]);
    }
    one.flushed(at(200));
    let request = [0x40, 1, 0];
    let mut resent = Vec::new();
    for micros in (200_000..800_000).step_by(100) {
        let now = Instant::from_micros(micros);
        one.hear(now, &request).unwrap();
        one.flushed(now);
        if resent.last() != Some(&one.link.stats().resent) {
            resent.push(one.link.stats().resent);
        }
    }
    // 6000 requests within three round trips of 200 ms.
    assert_eq!(resent, [100, 200, 300]);
    assert_eq!(one.link.stats().resend_requests_in, 6000);
    assert!(one.link.held_bytes() < 34 * 1024);
}

#[test]
fn t8_an_early_resend_request_is_answered_later() {
    let (mut one, _) = Side::pair(LinkTokens::V06);
    one.datagram(at(0), b"lost");
    let request = [0x40, 0, 0];
    one.hear(at(10), &request).unwrap();
    assert_eq!(one.flushed(at(10)).len(), 1);
    one.hear(at(20), &request).unwrap();
    assert_eq!(one.flushed(at(20)), Vec::<Vec<u8>>::new());
    let wake = one.link.poll_timeout().unwrap();
    assert_eq!((wake.at, wake.reason), (at(110), "resend request"));
    one.time(at(110)).unwrap();
    assert_eq!(one.flushed(at(110)), [b"\x00\x00\x01\xc0\x04\x01lost"]);
}

#[test]
fn t13_a_spoofed_close_or_connect_without_the_token_is_dropped() {
    for tokens in every_dialect().into_iter().skip(1) {
        let (mut side, _) = warm(tokens, LinkConfig::vanilla(tokens.dialect()));
        let spoofed: [&[u8]; 9] = [
            b"\x10\0\0\x04bye\0",
            b"\x10\x01\0\x01TKEN\xff\xff\xff\xff",
            &[0x10, 1, 0, 1],
            &[0x10, 1, 0, 3],
            b"\x18\x01\0\xff\xff\xff\xff\x04",
            &[&[0x18, 1, 0, 0, 0, 0, 0, 1], [0; 512].as_slice()].concat(),
            b"\x04\x01\0\xff\xff\xff\xff\x04bye\0",
            &[&[4, 1, 0, 0xff, 0xff, 0xff, 0xff, 5], [7; 512].as_slice()].concat(),
            &[0x10, 1, 0, 2],
        ];
        for datagram in spoofed {
            let result = dropped(&mut side, at(20), datagram);
            assert!(result.is_ok(), "{tokens:?}: {result:?}");
        }
        assert!(!side.link.is_closed());
    }
}

#[test]
fn t13_a_connect_with_the_right_token_is_returned_and_changes_no_sequence() {
    let (mut side, good) = warm(LinkTokens::V06, LinkConfig::vanilla(Dialect::V06));
    let received = side.link.receive(at(20), &[0x10, 1, 0, 1, 9], &mut side.scratch);
    assert!(matches!(received, Ok(LinkInput::Control { id: 1, body: [9] })), "{received:?}");
    assert_eq!(side.hear(at(21), &good).unwrap(), [b"next"]);
}

#[test]
fn t13_chunks_of_a_connectaccept_are_never_read() {
    // A server of 0.6.5 answered this datagram without a token. It is a control packet that contains a PING.
    let mut hole = vec![0x10, 0, 1, 2, 0, 0x2d, 0];
    hole.resize(37, b'1');
    let (mut side, _) = warm(every_dialect()[1], LinkConfig::vanilla(Dialect::V065));
    assert_eq!(dropped(&mut side, at(20), &hole), Ok(PacketError::WrongToken));
    let (mut side, _) = warm(LinkTokens::V06, LinkConfig::vanilla(Dialect::V06));
    hole[1] = 1;
    let received = side.link.receive(at(20), &hole, &mut side.scratch);
    assert!(matches!(received, Ok(LinkInput::KeepAlive)), "{received:?}");
    assert!(side.link.transmits.is_empty());
}

#[test]
fn t10_datagrams_of_other_dialects_are_dropped() {
    let (mut side, _) = warm(LinkTokens::V06, LinkConfig::vanilla(Dialect::V06));
    let older = Side::new(every_dialect()[1]).datagram(at(0), b"x");
    assert!(matches!(dropped(&mut side, at(20), &older), Ok(PacketError::Unexpected(_))));
    assert_eq!(
        dropped(&mut side, at(20), b"xe\0\x01\0\0\xff\xff\xff\xffgie3\x05"),
        Ok(PacketError::Connless)
    );
    assert_eq!(dropped(&mut side, at(20), &[0xff; 14]), Ok(PacketError::Connless));
    assert!(matches!(dropped(&mut side, at(20), &[4, 0, 0, 0, 0, 0, 0, 0]), Ok(PacketError::Unexpected(_))));
}

#[test]
fn a_closed_link_receives_and_sends_nothing() {
    let (mut side, good) = warm(LinkTokens::V06, LinkConfig::vanilla(Dialect::V06));
    side.link_at(at(20)).close(None);
    side.sent();
    assert_eq!(dropped(&mut side, at(20), &good), Ok(PacketError::Closed));
    side.link_at(at(21)).close(None);
    side.link_at(at(21)).flush();
    side.link_at(at(21)).send_control(0, &[]);
    assert_eq!(side.sent(), Vec::<Vec<u8>>::new());
}

proptest! {
    #[test]
    fn no_bytes_make_a_link_panic_and_those_it_drops_leave_no_trace(
        dialect in 0_usize..4,
        strict: bool,
        noise: Vec<u8>,
        changes in proptest::collection::vec((0_usize..64, any::<u8>()), 0..6),
    ) {
        let tokens = every_dialect()[dialect];
        let config = if strict { LinkConfig::ddnet } else { LinkConfig::vanilla };
        let (mut side, mut changed) = warm(tokens, config(tokens.dialect()));
        for (place, byte) in changes {
            let place = place % changed.len();
            changed[place] = byte;
        }
        let token = THEIRS.as_slice();
        for datagram in [[&[0, 1, 1], token, &noise].concat(), [&[0, 1, 1], noise.as_slice(), token].concat(), changed] {
            let before = state(&side.link);
            if side.link.receive(at(20), &datagram, &mut side.scratch).is_err() {
                prop_assert_eq!(state(&side.link), before);
            }
            side.link_at(at(20)).flush();
            prop_assert!(side.sent().iter().all(|datagram| datagram.len() <= 1400));
        }
    }
}
