//! The client's side: answers of every kind, timeouts, and closing.

use super::support::{
    DIALECTS, START, after, client, connecting, gate, hex, online, sent, server, token_at, waiting,
};
use crate::Dialect;
use crate::handshake::{ConnectOutcome, Connecting, Offer, SeededRng, TokenlessPolicy};
use crate::link::{CloseReason, Outbox, PacketError};

fn receive(connecting: &mut Connecting, datagram: &[u8]) -> Result<ConnectOutcome, PacketError> {
    let step = connecting.receive(START, datagram);
    assert!(sent(&mut connecting.transmits).is_empty(), "no answer to {datagram:02x?}");
    step
}

#[test]
fn a_server_without_tokens_gets_a_plain_connection() {
    for offer in [Offer::Any06, Dialect::V06.into()] {
        let (mut connecting, _) = connecting(offer);
        let (link, answers) = online(&mut connecting, &[0x10, 0, 0, 2]);
        assert_eq!((link.dialect(), answers), (Dialect::V06, vec![vec![0x10, 0, 0, 3]]), "{offer:?}");
        assert!(connecting.is_finished());
    }
}

#[test]
fn a_keepalive_of_plain_0_6_replaces_a_lost_connect_accept() {
    for offer in [Offer::Any06, Dialect::V06.into()] {
        let (mut connecting, _) = connecting(offer);
        let (link, answers) = online(&mut connecting, &[0x10, 0, 0, 0]);
        assert_eq!((link.dialect(), answers), (Dialect::V06, vec![vec![0x10, 0, 0, 3]]), "{offer:?}");
    }
}

#[test]
fn the_antispoof_packet_replaces_a_lost_connect_accept() {
    for offer in [Offer::Any06, Dialect::V06.into()] {
        let (mut connecting, _) = connecting(offer);
        match connecting.receive(START, &hex("000001 40 01 01 09")) {
            Ok(ConnectOutcome::OnlineWithMessages(link)) => assert_eq!(link.dialect(), Dialect::V06),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_extra_bytes_of_accept_of_ddnet_in_0_7_are_ignored() {
    let (mut connecting, _) = connecting(Dialect::V07);
    waiting(&mut connecting, &hex("040000 11223344 05 4abfd206"));
    assert_eq!(online(&mut connecting, &hex("040000 11223344 02 06d2bf4a")).0.dialect(), Dialect::V07);
}

#[test]
fn a_keepalive_of_0_7_with_our_token_replaces_a_lost_accept() {
    let (mut connecting, _) = connecting(Dialect::V07);
    waiting(&mut connecting, &hex("040000 11223344 05 4abfd206"));
    assert_eq!(online(&mut connecting, &hex("040000 11223344 00")).0.dialect(), Dialect::V07);
}

#[test]
fn t2_answers_with_another_token_are_dropped() {
    for (offer, datagram) in [
        (Dialect::V065, "180000 11223345 02 9a5b7677"),
        (Dialect::V065, "180000 11223345 04 6e6f00"),
        (Dialect::V07, "040000 11223345 05 4abfd206"),
        (Dialect::V07, "040000 ffffffff 05 4abfd206"),
        (Dialect::V07, "040000 11223345 04 6e6f00"),
        (Dialect::V07, "040000 11223345 02"),
    ] {
        let (mut connecting, _) = connecting(offer);
        assert_eq!(
            receive(&mut connecting, &hex(datagram)).unwrap_err(),
            PacketError::WrongToken,
            "{datagram}"
        );
        assert!(!connecting.is_finished());
    }
}

#[test]
fn a_datagram_that_is_not_an_answer_is_dropped() {
    for (offer, datagram) in [
        (Dialect::V06, ""),
        (Dialect::V06, "10"),
        (Dialect::V06, "100000"),
        (Dialect::V06, "100001 00"),
        (Dialect::V06, "100100 00"),
        (Dialect::V06, "100000 03"),
        (Dialect::V06, "100001 02"),
        (Dialect::V06, "900000 02"),
        (Dialect::V06, "180000 11223344 02"),
        (Dialect::V06, "000101 40 01 01 09"),
        (Dialect::V06, "080001 11223344 40 01 01 09"),
        (Dialect::Tken, "000001 40 01 01 09"),
        (Dialect::V065, "000001 40 01 01 09"),
        (Dialect::V06, "ffffffffffffffffffff 67696533 05"),
        (Dialect::Tken, "100000 02 544b454e ffffffff"),
        (Dialect::Tken, "100000 02"),
        (Dialect::Tken, "100000 00"),
        (Dialect::V065, "100000 02"),
        (Dialect::V065, "100000 00"),
        (Dialect::V065, "180000 11223344 02 9a5b"),
        (Dialect::V065, "180000 1122"),
        (Dialect::V07, "100000 02"),
        (Dialect::V07, "040000 11223344 02"),
        (Dialect::V07, "040000 11223344 00"),
        (Dialect::V07, "040000 11223344 05"),
        (Dialect::V07, "040000 11223344 05 ffffffff"),
        (Dialect::V07, "040000 11223344"),
        (Dialect::V07, "210000000000000000 ffffffff 696e6633"),
    ] {
        let (mut connecting, first) = connecting(offer);
        receive(&mut connecting, &hex(datagram)).expect_err(datagram);
        connecting.handle_timeout(after(500)).unwrap();
        assert_eq!(sent(&mut connecting.transmits), [first], "{datagram} changed something");
    }
}

#[test]
fn a_close_as_the_answer_reports_its_reason() {
    for (offer, datagram, why) in [
        (Dialect::V06, "100000 04 54686973207365727665722069732066756c6c 00", "This server is full"),
        (Dialect::V06, "100000 04", ""),
        (Dialect::V06, "100000 04 61 0a 1b 62 00 63", "a  b"),
        (Dialect::Tken, "100000 04 6e6f 00", "no"),
        (Dialect::Tken, "100000 04 6e6f 00 7899c2da", "no"),
        (Dialect::Tken, "100000 04 7899c2da", ""),
        (Dialect::Tken, "100000 04 54686520736572766572206973 2066756c6c", "The server is full"),
        (Dialect::V06, "100000 04 54686520736572766572206973 2066756c6c", "The server is full"),
        (Dialect::V065, "100000 04 6e6f 00", "no"),
        (Dialect::V065, "180000 11223344 04 6e6f 00", "no"),
        (Dialect::V07, "040000 11223344 04 6e6f 00", "no"),
        (Dialect::V07, "040000 11223344 04 6e6f", "no"),
    ] {
        let (mut connecting, _) = connecting(offer);
        match receive(&mut connecting, &hex(datagram)) {
            Ok(ConnectOutcome::Refused { reason }) => assert_eq!(reason, why, "{datagram}"),
            other => panic!("{other:?}"),
        }
        assert!(connecting.is_finished());
        assert_eq!(receive(&mut connecting, &[0x10, 0, 0, 2]).unwrap_err(), PacketError::Closed);
        assert_eq!(connecting.poll_timeout(), None);
    }
}

#[test]
fn a_long_or_invalid_reason_is_cut_and_shown() {
    let (mut connecting, _) = connecting(Dialect::V06);
    let datagram = [&[0x10, 0, 0, 4], [0xff; 1396].as_slice()].concat();
    match receive(&mut connecting, &datagram) {
        Ok(ConnectOutcome::Refused { reason }) => assert_eq!(reason.chars().count(), 127),
        other => panic!("{other:?}"),
    }
}

#[test]
fn requests_are_repeated_every_half_second_until_the_timeout_and_twice_as_often_in_0_7() {
    for (offer, seconds, requests) in [
        (Offer::Any06, 10, 20),
        (Dialect::V06.into(), 10, 20),
        (Dialect::Tken.into(), 10, 20),
        (Dialect::V065.into(), 10, 20),
        (Dialect::V07.into(), 5, 20),
    ] {
        let (mut connecting, first) = connecting(offer);
        let mut repeated = 0;
        let ended_at = loop {
            let wake = connecting.poll_timeout().unwrap();
            match connecting.handle_timeout(wake.at) {
                Ok(()) => assert!(connecting.poll_timeout().unwrap().at > wake.at),
                Err(reason) => {
                    assert_eq!(reason, CloseReason::UnableToConnect);
                    break wake.at;
                }
            }
            assert_eq!(sent(&mut connecting.transmits), [first.as_slice()]);
            repeated += 1;
        };
        assert_eq!((ended_at, repeated), (after(seconds * 1000), requests - 1), "{offer:?}");
        assert_eq!(connecting.handle_timeout(after(60_000)), Ok(()));
        assert!(connecting.is_finished() && connecting.transmits.is_empty());
    }
}

#[test]
fn an_answer_in_a_dialect_that_was_not_offered_is_the_reason_of_the_failure() {
    for (offer, datagram, dialect) in [
        (Dialect::V065, "100000 02", Dialect::V06),
        (Dialect::V065, "100000 02 544b454e 7899c2da", Dialect::Tken),
        (Dialect::Tken, "100000 02", Dialect::V06),
        (Dialect::V06, "100000 02 544b454e 7899c2da", Dialect::Tken),
    ] {
        let (mut connecting, _) = connecting(offer);
        assert_eq!(connecting.failure(), CloseReason::UnableToConnect);
        receive(&mut connecting, &hex(datagram)).expect_err(datagram);
        let reason = CloseReason::OtherDialect { dialect };
        assert_eq!(connecting.handle_timeout(after(3_600_000)), Err(reason), "{datagram}");
    }
}

#[test]
fn g9_after_an_hour_of_sleep_the_handshake_times_out_once() {
    for offer in DIALECTS {
        let (mut connecting, _) = connecting(offer);
        let hour = after(3_600_000);
        assert_eq!(connecting.handle_timeout(hour), Err(CloseReason::UnableToConnect));
        assert_eq!(connecting.handle_timeout(hour), Ok(()));
        assert!(connecting.transmits.is_empty());
    }
}

#[test]
fn the_close_of_a_handshake_has_the_form_of_its_dialect() {
    for (offer, bytes) in [
        (Dialect::V06, "100000 04 62796500"),
        (Dialect::V065, "100000 04 62796500"),
        (Dialect::Tken, "100000 04 62796500 ffffffff"),
        (Dialect::V07, "040000 ffffffff 04 62796500"),
    ] {
        let (mut connecting, _) = connecting(offer);
        connecting.close(Some(b"bye\0and more"));
        assert_eq!(sent(&mut connecting.transmits), [hex(bytes)], "{offer:?}");
        connecting.close(None);
        assert!(connecting.transmits.is_empty() && connecting.is_finished());
    }
    let (mut connecting, _) = connecting(Dialect::V07);
    waiting(&mut connecting, &hex("040000 11223344 05 4abfd206"));
    connecting.close(None);
    assert_eq!(sent(&mut connecting.transmits), [hex("040000 4abfd206 04")]);
}

#[test]
fn a_long_reason_is_cut() {
    let (mut connecting, _) = connecting(Dialect::V07);
    connecting.close(Some(&[b'a'; 5000]));
    assert_eq!(sent(&mut connecting.transmits)[0].len(), 8 + 127 + 1);
}

#[test]
fn every_handshake_has_another_token() {
    let mut rng = SeededRng::new([1; 32]);
    let mut first = || {
        let mut connecting = Connecting::new(Dialect::V07.into(), server(), None, &mut rng, START);
        token_at(&sent(&mut connecting.transmits)[0], 8)
    };
    assert_ne!(first(), first());
}

#[test]
fn an_acceptor_understands_the_first_datagrams() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    for offer in [Dialect::Tken, Dialect::V065, Dialect::V07] {
        let (connecting, first) = connecting(offer);
        assert_eq!(connecting.server(), server());
        assert!(gate.receive(START, client(), &first, &mut Outbox::new()).is_ok(), "{offer:?}");
    }
}
