//! Messages, acknowledgements and resends between two links.

use super::side::{Side, at, every_dialect, millis};
use crate::Dialect;
use crate::link::{CloseReason, LinkConfig, LinkInput, LinkTokens, OverflowPolicy, SendError};

#[test]
fn messages_arrive_once_and_in_order_when_the_sequence_wraps() {
    for tokens in every_dialect() {
        let (mut one, mut other) = Side::pair(tokens);
        for round in 0..2100_u32 {
            let now = at(round.into());
            let datagram = one.datagram(now, &round.to_le_bytes());
            assert_eq!(other.hear(now, &datagram).unwrap(), [round.to_le_bytes()], "{tokens:?}");
            assert!(other.hear(now, &datagram).unwrap().is_empty(), "a copy is old");
            let answer = other.datagram(now, b"ack");
            assert_eq!(one.hear(now, &answer).unwrap(), [b"ack"]);
        }
        assert_eq!((one.link.sequence, other.link.receive_window.ack), (2100 % 1024, 2100 % 1024));
        assert_eq!((one.link.stats().vital_out, other.link.stats().vital_in), (2100, 2100));
        assert_eq!(other.link.stats().repeated, 2100);
        assert_eq!(one.link.unacked.oldest(), None);
    }
}

#[test]
fn non_vital_messages_have_no_sequence_number_and_are_not_stored() {
    let (mut one, mut other) = Side::pair(LinkTokens::V06);
    one.link_at(at(0)).send(false, b"input").unwrap();
    let datagram = one.flushed(at(0)).remove(0);
    assert_eq!(datagram, b"\x00\x00\x01\x00\x05input");
    let received = other.link.receive(at(0), &datagram, &mut other.scratch).unwrap();
    let LinkInput::Chunks(mut chunks) = received else { panic!("chunks") };
    assert!(!chunks.next().unwrap().vital);
    assert_eq!((one.link.unacked.oldest(), other.link.receive_window.ack), (None, 0));
}

#[test]
fn lost_messages_are_requested_and_resent() {
    for tokens in every_dialect() {
        let (mut one, mut other) = Side::pair(tokens);
        let datagrams = [b"a", b"b", b"c"].map(|message| one.datagram(at(0), message));
        assert_eq!(other.hear(at(10), &datagrams[0]).unwrap(), [b"a"]);
        assert!(other.hear(at(10), &datagrams[2]).unwrap().is_empty());
        assert_eq!(other.link.stats().gaps, 1);
        let request = other.flushed(at(20)).remove(0);
        assert_eq!(other.link.stats().resend_requests_out, 1);
        assert!(one.hear(at(30), &request).unwrap().is_empty());
        let again = one.flushed(at(30));
        assert_eq!(other.hear(at(40), &again[0]).unwrap(), [b"b", b"c"], "{tokens:?}");
        assert!(other.flushed(at(40)).is_empty(), "the request is not repeated");
        assert_eq!((one.link.stats().resend_requests_in, one.link.stats().resent), (1, 2));
    }
}

#[test]
fn non_vital_messages_after_a_gap_are_delivered() {
    let (mut one, mut other) = Side::pair(LinkTokens::V06);
    one.datagram(at(0), b"lost");
    one.send(at(0), b"vital");
    one.link_at(at(0)).send(false, b"free").unwrap();
    let datagram = one.flushed(at(0)).remove(0);
    assert_eq!(other.hear(at(0), &datagram).unwrap(), [b"free"]);
}

#[test]
fn only_the_oldest_message_is_resent_by_the_timer_once_a_second() {
    let mut side = Side::new(LinkTokens::V06);
    side.datagram(at(0), b"a");
    side.datagram(at(600), b"b");
    let sent = side.until(at(2600)).unwrap();
    let resent = |ms: u64| (ms, b"\x00\x00\x01\xc0\x01\x01a".to_vec());
    // The message is queued at 1000 ms and sent 500 ms after the last datagram.
    assert_eq!(sent, [resent(1100), resent(2000)]);
    assert_eq!(side.link.stats().resent, 2);
}

#[test]
fn a_message_that_waits_too_long_is_in_its_packet_twice() {
    let (mut one, mut other) = Side::pair(every_dialect()[2]);
    for message in [1, 2, 3] {
        let datagram = one.datagram(at(0), &[message]);
        other.hear(at(0), &datagram).unwrap();
    }
    let answer = other.datagram(at(1), b"ok");
    one.hear(at(1), &answer).unwrap();
    // Both messages are queued, and a control message postpones the flush. Nothing is sent for 1.1 s.
    one.send(at(2), b"four");
    one.send(at(2), b"five");
    one.link_at(at(900)).send_control(0, &[]);
    one.sent();
    assert!(one.time(at(1100)).unwrap().is_empty());
    let datagram = one.flushed(at(1101)).remove(0);
    let payload = [b"\x40\x04\x04four".as_slice(), b"\x40\x04\x05five", b"\xc0\x04\x04four"].concat();
    assert_eq!(&datagram[..3], [0, 1, 3]);
    assert_eq!(datagram[3..].strip_suffix(&super::side::THEIRS), Some(payload.as_slice()));
    assert_eq!(other.hear(at(1101), &datagram).unwrap(), [b"four", b"five"]);
    assert_eq!(other.link.stats().repeated, 1);
}

#[test]
fn the_round_trip_is_not_measured_by_resent_messages() {
    let (mut one, mut other) = Side::pair(LinkTokens::V06);
    one.send(at(0), b"waits");
    let datagram = one.flushed(at(300)).remove(0);
    other.hear(at(340), &datagram).unwrap();
    let answer = other.datagram(at(340), b"ack");
    one.hear(at(380), &answer).unwrap();
    assert_eq!(one.link.stats().round_trip, Some(millis(80)));
    one.datagram(at(400), b"lost");
    let (_, again) = one.until(at(1400)).unwrap().remove(0);
    other.hear(at(1400), &again).unwrap();
    let answer = other.datagram(at(1400), b"ack");
    one.hear(at(1400), &answer).unwrap();
    assert_eq!(one.link.stats().round_trip, Some(millis(80)), "unchanged");
}

/// Sends vital messages of 64 bytes until the link rejects one. Returns the number of accepted messages, and the error.
fn fill(side: &mut Side) -> (usize, SendError) {
    for count in 0.. {
        if let Err(error) = side.link.send(true, &[7; 64]) {
            return (count, error);
        }
    }
    panic!("it never ends");
}

#[test]
fn t8_a_full_send_buffer_closes_the_connection_as_in_teeworlds() {
    let mut side = Side::new(LinkTokens::V06);
    assert_eq!(fill(&mut side), (227, SendError::OutOfBuffer));
    let close = b"\x10\x00\x00\x04too weak connection (out of buffer)\0";
    assert_eq!(side.sent().last().unwrap(), close);
    assert!(side.link.held_bytes() <= 2048 + 32 * 1024);
    assert_eq!(side.link_at(at(0)).send(true, b"more"), Err(SendError::Closed));
    let wake = side.link.poll_timeout().unwrap();
    assert_eq!(side.time(wake.at), Err(CloseReason::OutOfBuffer));
    assert_eq!((side.time(wake.at), side.link.poll_timeout()), (Ok(Vec::new()), None), "it is reported once");
}

#[test]
fn t8_a_full_send_buffer_rejects_messages_if_configured() {
    let tokens = LinkTokens::V06;
    let mut side = Side::with(tokens, LinkConfig::ddnet(Dialect::V06));
    assert_eq!(side.link.config().overflow, OverflowPolicy::Refuse);
    let mut peer = Side::new(tokens);
    assert_eq!(fill(&mut side), (227, SendError::Full));
    side.link_at(at(0)).send(false, b"not kept").unwrap();
    for datagram in side.flushed(at(0)) {
        peer.hear(at(0), &datagram).unwrap();
    }
    assert_eq!(peer.link.stats().vital_in, 227);
    let answer = peer.datagram(at(0), b"ack");
    side.hear(at(0), &answer).unwrap();
    assert_eq!(fill(&mut side), (227, SendError::Full));
}

#[test]
fn an_idle_link_holds_less_than_two_kibibytes() {
    for tokens in every_dialect() {
        let (mut one, mut other) = Side::pair(tokens);
        one.link.config.overflow = OverflowPolicy::Refuse;
        assert!(one.link.held_bytes() < 2048, "{tokens:?}: {}", one.link.held_bytes());
        // Traffic adds at most the send buffer to the memory of the link.
        for round in 0..=5000_u32 {
            let now = at(round.into());
            let message = vec![7; 1 + round as usize * 31 % 900];
            if one.link_at(now).send(true, &message).is_ok() && round % 100 != 0 {
                continue;
            }
            for datagram in one.flushed(now) {
                other.hear(now, &datagram).unwrap();
            }
            let answer = other.datagram(now, b"ack");
            one.hear(now, &answer).unwrap();
        }
        assert_eq!(one.link.unacked.oldest(), None);
        assert!(one.link.held_bytes() < 2048 + 32 * 1024, "{tokens:?}: {}", one.link.held_bytes());
    }
}

#[test]
fn a_message_that_does_not_fit_into_a_packet_is_an_error() {
    let expected = [1023, 1023, 1023, 1388];
    for (tokens, max) in every_dialect().into_iter().zip(expected) {
        let (mut one, mut other) = Side::pair(tokens);
        assert_eq!(one.link.max_message(), max);
        let error = SendError::TooLong { length: max + 1, max };
        assert_eq!(one.link.send(true, &vec![1; max + 1]), Err(error));
        let datagram = one.datagram(at(0), &vec![0xfa; max]);
        assert_eq!(other.hear(at(0), &datagram).unwrap(), [vec![0xfa; max]]);
    }
}

#[test]
fn a_packet_has_at_most_255_chunks() {
    let (mut one, mut other) = Side::pair(LinkTokens::V06);
    for _ in 0..300 {
        one.link_at(at(0)).send(false, &[9]).unwrap();
    }
    let datagrams = one.flushed(at(0));
    let counts = datagrams.iter().map(|datagram| other.hear(at(0), datagram).unwrap().len());
    assert_eq!(counts.collect::<Vec<_>>(), [255, 45]);
}

#[test]
fn a_link_can_start_with_any_sequence_number() {
    let mut server = Side::new(LinkTokens::V06);
    server.link = server.link.with_sequence(2);
    let map_change = server.datagram(at(0), b"map");
    assert_eq!(map_change, b"\x00\x00\x01\x40\x03\x03map");
    // READY with sequence 38 and acknowledgement 3.
    assert_eq!(server.hear(at(1), b"\x00\x03\x01\x40\x01\x26\x1d").unwrap(), [[0x1d]]);
    assert_eq!(server.datagram(at(2), b"x")[..3], [0, 38, 1]);
    assert_eq!(server.link.unacked.oldest().unwrap().sequence, 4);
}
