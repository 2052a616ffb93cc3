//! The timers of links.

use super::side::{PEER, Side, at, every_dialect, millis};
use crate::Dialect;
use crate::link::{CloseReason, Link, LinkConfig, LinkInput, LinkTokens};

#[test]
fn queued_messages_are_flushed_half_a_second_after_the_last_datagram() {
    let mut side = Side::new(LinkTokens::V06);
    side.datagram(at(100), b"a");
    side.link_at(at(200)).send(false, b"b").unwrap();
    let wake = side.link.poll_timeout().unwrap();
    assert_eq!((wake.at, wake.reason), (at(600), "flush"));
    assert!(side.time(at(599)).unwrap().is_empty());
    assert_eq!(side.time(at(600)).unwrap(), [b"\x00\x00\x01\x00\x01b"]);
}

#[test]
fn an_idle_link_sends_a_keepalive_every_second() {
    for tokens in every_dialect() {
        let mut side = Side::new(tokens);
        let times = side.until(at(5500)).unwrap().into_iter().map(|(time, _)| time);
        assert_eq!(times.collect::<Vec<_>>(), [1000, 2000, 3000, 4000, 5000], "{tokens:?}");
    }
}

#[test]
fn a_link_that_sends_needs_no_keepalive() {
    let mut side = Side::new(LinkTokens::V06);
    for time in [900, 1800, 2700] {
        assert!(side.until(at(time)).unwrap().is_empty());
        side.link_at(at(time)).send(false, b"input").unwrap();
        assert_eq!(side.flushed(at(time)).len(), 1);
    }
}

#[test]
fn a_silent_peer_times_out_after_the_time_of_each_game() {
    let tokens = every_dialect()[1];
    let mut side = Side::new(tokens);
    assert_eq!(side.until(at(9999)).unwrap().len(), 9);
    assert_eq!(side.time(at(10_000)), Err(CloseReason::Timeout));
    // These bytes were seen from 0.6.5.
    assert_eq!(side.sent(), [b"\x18\x00\x00\x9a\x5b\x76\x77\x04Timeout\0"]);

    let mut side = Side::with(every_dialect()[2], LinkConfig::ddnet(Dialect::Tken));
    assert_eq!(side.until(at(99_999)).unwrap().len(), 99);
    assert_eq!(side.time(at(100_000)), Err(CloseReason::Timeout));
    assert!(side.sent().is_empty(), "DDNet says nothing");
}

#[test]
fn any_packet_of_the_peer_restarts_the_timeout() {
    let (mut one, mut other) = Side::pair(LinkTokens::V06);
    for round in 0..30 {
        let now = at(round * 9000);
        one.until(now).unwrap();
        other.link_at(now).send_control(0, &[]);
        let datagram = other.sent().remove(0);
        let received = one.link.receive(now, &datagram, &mut one.scratch);
        assert!(matches!(received, Ok(LinkInput::KeepAlive)));
    }
}

#[test]
fn an_unacknowledged_message_closes_the_connection() {
    let (mut one, mut other) = Side::pair(LinkTokens::V06);
    one.datagram(at(100), b"lost each time");
    let mut end = None;
    for time in (500..20_000).step_by(500) {
        other.link_at(at(time)).send_control(0, &[]);
        let datagram = other.sent().remove(0);
        one.hear(at(time), &datagram).unwrap();
        if let Err(reason) = one.until(at(time)) {
            end = Some((time, reason));
            break;
        }
    }
    let (time, reason) = end.unwrap();
    assert_eq!((time, &reason), (10_500, &CloseReason::TooWeak { after: millis(10_000) }));
    let sentence = "Too weak connection (not acked for 10 seconds)";
    assert_eq!(reason.to_string(), sentence);
    assert_eq!(one.sent().last().unwrap(), format!("\x10\0\0\x04{sentence}\0").as_bytes());
}

#[test]
fn g9_an_hour_of_sleep_closes_the_connection_once_without_a_storm() {
    for tokens in every_dialect() {
        let mut side = Side::new(tokens);
        for _ in 0..100 {
            side.send(at(0), &[1; 64]);
        }
        side.flushed(at(0));
        let hour = at(3_600_000);
        assert!(side.time(hour).is_err());
        assert_eq!(side.sent().len(), 1, "only the CLOSE");
        assert_eq!(side.time(hour), Ok(Vec::new()));
        assert_eq!(side.link.poll_timeout(), None);
    }
}

#[test]
fn g9_after_an_hour_of_sleep_a_message_is_resent_once() {
    let config = LinkConfig {
        receive_timeout: millis(u64::MAX),
        unacked_timeout: millis(u64::MAX),
        ..LinkConfig::vanilla(Dialect::V06)
    };
    let mut side = Side::with(LinkTokens::V06, config);
    for _ in 0..100 {
        side.datagram(at(0), &[1; 64]);
    }
    let sent = side.time(at(3_600_000)).unwrap();
    assert_eq!(sent.len(), 1);
    assert_eq!((sent[0][2], side.link.stats().resent), (1, 1));
}

#[test]
fn a_clock_that_goes_back_is_ignored() {
    let (mut one, mut other) = Side::pair(LinkTokens::V06);
    let datagram = other.datagram(at(0), b"a");
    one.hear(at(50_000), &datagram).unwrap();
    // The time of the link stays at 50 s. A KEEPALIVE is due there once.
    assert_eq!(one.time(at(100)), Ok(vec![vec![0x10, 1, 0, 0]]));
    assert_eq!(one.time(at(200)), Ok(Vec::new()));
    assert_eq!(one.flushed(at(50)), Vec::<Vec<u8>>::new());
}

#[test]
fn a_server_repeats_its_accept_until_the_client_sends_messages() {
    let [plain, .., seven] = every_dialect();
    for (tokens, accept) in [(plain, vec![0x10, 0, 0, 2]), (seven, b"\x04\0\0\x9a\x5b\x76\x77\x02".to_vec())]
    {
        let (mut server, mut client) = Side::pair(tokens);
        server.link = server.link.repeating(2, &[]);
        let sent = server.until(at(1600)).unwrap();
        assert_eq!(sent, [500, 1000, 1500].map(|time| (time, accept.clone())), "{tokens:?}");

        client.link_at(at(1600)).send_control(0, &[]);
        let keep_alive = client.sent().remove(0);
        server.hear(at(1600), &keep_alive).unwrap();
        assert_eq!(server.until(at(2000)).unwrap(), [(2000, accept)], "a control packet does not count");

        let info = client.datagram(at(2100), b"info");
        assert_eq!(server.hear(at(2100), &info).unwrap(), [b"info"]);
        let sent = server.until(at(3000)).unwrap();
        assert_eq!(sent.len(), 1, "a keepalive, one second after the last datagram");
        assert_eq!(sent[0].1.last(), Some(&0));
    }
}

#[test]
fn a_client_that_never_sends_messages_times_out() {
    let mut server = Side::new(LinkTokens::V06);
    server.link =
        Link::new(LinkTokens::V06, PEER, LinkConfig::vanilla(Dialect::V06), at(0)).repeating(2, &[]);
    for round in 1..=9 {
        server.hear(at(round * 1000), &[0x10, 0, 0, 0]).unwrap();
    }
    assert_eq!(server.until(at(20_000)), Err(CloseReason::Timeout));
}

#[test]
fn control_messages_restart_the_flush_timer_as_in_the_games() {
    let mut side = Side::new(LinkTokens::V06);
    side.send(at(0), b"a");
    side.link_at(at(400)).send_control(0, &[]);
    side.sent();
    assert_eq!(side.until(at(899)).unwrap(), []);
    assert_eq!(side.until(at(900)).unwrap().len(), 1);
}
