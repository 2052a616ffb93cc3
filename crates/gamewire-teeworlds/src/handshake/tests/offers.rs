//! One CONNECT for any dialect of 0.6.

use super::support::{START, after, client, connecting, hex, online, padded, puzzle, sent, trust};
use crate::Dialect;
use crate::handshake::{
    AcceptOutcome, Acceptor, AcceptorConfig, ConnectOutcome, Offer, SeededRng, TokenlessPolicy,
};
use crate::link::{LinkConfig, LinkTokens, Outbox, PacketError};
use crate::shared::data::Token;

/// Returns the first datagram of an acceptor's answer to the offer.
fn answer_of(config: AcceptorConfig) -> Vec<u8> {
    let mut gate = Acceptor::new(config, &mut SeededRng::new([9; 32]));
    let mut out = Outbox::new();
    match gate.receive(START, client(), &connecting(Offer::Any06).1, &mut out) {
        Ok(AcceptOutcome::Answered) => sent(&mut out).remove(0),
        Ok(AcceptOutcome::Accepted { mut link, .. }) => sent(&mut link.transmits).remove(0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_offer_is_a_connect_of_0_6_5_with_the_mark_of_ddnet() {
    let (_, first) = connecting(Offer::Any06);
    assert_eq!(first, padded("100000 01 544b454e 11223344", 516));
}

#[test]
fn the_answer_of_every_server_shows_its_dialect() {
    for (answer, tokens, replies) in [
        // DDNet 16.4, 19.1 and 20.1.
        ("100000 02 544b454e 6d4a2504", LinkTokens::Tken(Token(0x6d4a_2504)), vec!["100000 03 6d4a2504"]),
        // Teeworlds 0.6.5.
        ("180000 11223344 02 9a5b7677", LinkTokens::V065(Token(0x9a5b_7677)), vec![]),
        // Teeworlds up to 0.6.4.
        ("100000 02", LinkTokens::V06, vec!["100000 03"]),
    ] {
        let (mut connecting, _) = connecting(Offer::Any06);
        let (link, sent) = online(&mut connecting, &hex(answer));
        assert_eq!(link.tokens(), tokens, "{answer}");
        assert_eq!(sent, replies.into_iter().map(hex).collect::<Vec<_>>(), "{answer}");
    }
}

#[test]
fn the_connection_has_the_configuration_of_its_dialect() {
    for (answer, dialect) in
        [("100000 02 544b454e 6d4a2504", Dialect::Tken), ("180000 11223344 02 9a5b7677", Dialect::V065)]
    {
        let rng = &mut SeededRng::new([1; 32]);
        let mut connecting =
            crate::handshake::Connecting::new(Offer::Any06, super::support::server(), None, rng, START);
        let first = sent(&mut connecting.transmits).remove(0);
        let answer = super::support::replaced(&hex(answer), 0x1122_3344, super::support::token_at(&first, 8));
        let (link, _) = online(&mut connecting, &answer);
        assert_eq!(*link.config(), LinkConfig::of_games(dialect));
    }
}

#[test]
fn t2_answers_with_a_wrong_or_no_token_are_dropped() {
    for (answer, error) in [
        ("180000 11223345 02 9a5b7677", PacketError::WrongToken),
        ("180000 544b454e 02 9a5b7677", PacketError::WrongToken),
        ("100000 02 544b454e ffffffff", PacketError::Unexpected("CONNECTACCEPT with the empty token")),
        ("100000 02 544b454e 6d4a", PacketError::Unexpected("CONNECTACCEPT with the empty token")),
    ] {
        let (mut connecting, first) = connecting(Offer::Any06);
        assert_eq!(connecting.receive(START, &hex(answer)).unwrap_err(), error, "{answer}");
        connecting.handle_timeout(after(500)).unwrap();
        assert_eq!(sent(&mut connecting.transmits), [first], "{answer} changed something");
    }
}

#[test]
fn an_acceptor_chooses_ddnet_then_0_6_5_then_no_token() {
    let all = AcceptorConfig::vanilla();
    let without_tken = AcceptorConfig { tken: None, ..all };
    let without_tokens = AcceptorConfig { v065: None, ..without_tken };
    let trusting = AcceptorConfig { tokenless: trust(), ..without_tokens };
    for (config, head, length) in [
        (all, "100000 02 544b454e", 12),
        (AcceptorConfig { tokenless: puzzle(), ..all }, "100000 02 544b454e", 12),
        (without_tken, "180000 11223344 02", 12),
        (AcceptorConfig { tokenless: puzzle(), ..without_tken }, "180000 11223344 02", 12),
        (trusting, "100000 02", 4),
        (AcceptorConfig { tokenless: puzzle(), ..without_tokens }, "100000 02", 4),
    ] {
        let answer = answer_of(config);
        assert!(answer.starts_with(&hex(head)) && answer.len() == length, "{answer:02x?}");
    }
    let mut silent = Acceptor::new(
        AcceptorConfig { tokenless: TokenlessPolicy::Refuse, ..without_tokens },
        &mut SeededRng::new([9; 32]),
    );
    let first = connecting(Offer::Any06).1;
    assert!(silent.receive(START, client(), &first, &mut Outbox::new()).is_err());
}

#[test]
fn both_roles_agree_on_the_dialect() {
    let all = AcceptorConfig { tokenless: trust(), ..AcceptorConfig::vanilla() };
    for (config, dialect) in [
        (all, Dialect::Tken),
        (AcceptorConfig { tken: None, ..all }, Dialect::V065),
        (AcceptorConfig { tken: None, v065: None, ..all }, Dialect::V06),
    ] {
        let (mut connecting, _) = connecting(Offer::Any06);
        match connecting.receive(START, &answer_of(config)) {
            Ok(ConnectOutcome::Online(link)) => assert_eq!(link.dialect(), dialect),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_offer_includes_its_dialects() {
    let included = |offer: Offer| {
        [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07].map(|dialect| offer.includes(dialect))
    };
    assert_eq!(included(Offer::Any06), [true, true, true, false]);
    assert_eq!(included(Dialect::V065.into()), [false, true, false, false]);
}
