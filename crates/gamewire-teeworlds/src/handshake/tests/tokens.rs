//! The acceptor accepts only the token that it issued.

use super::support::{
    START, address, admitted, after, answer, client, connecting, gate, hex, padded, refused, token_at,
};
use crate::Dialect;
use crate::handshake::{Acceptor, FirstPacket, TokenlessPolicy};
use crate::link::PacketError;
use crate::shared::data::Token;

/// Sends a request in `dialect` and returns the token of the answer.
fn token_of(gate: &mut Acceptor, dialect: Dialect, millis: u64) -> Token {
    let (_, first) = connecting(dialect);
    token_at(&answer(gate, after(millis), &first), 8)
}

/// Returns the datagram that establishes the connection of a client with `token`.
fn enter(dialect: Dialect, Token(token): Token) -> Vec<u8> {
    match dialect {
        Dialect::V06 => hex("10000001"),
        Dialect::Tken => hex(&format!("100000 03 {token:08x}")),
        Dialect::V065 => hex(&format!("080001 {token:08x} 4001 01 03")),
        Dialect::V07 => hex(&format!("040000 {token:08x} 01 11223344")),
    }
}

const WITH_TOKENS: [(Dialect, u64); 3] = [(Dialect::Tken, 16), (Dialect::V065, 10), (Dialect::V07, 16)];

#[test]
fn t2_wrong_and_expired_tokens_and_those_of_other_hosts_are_dropped_and_counted() {
    for (dialect, period) in WITH_TOKENS {
        let mut gate = gate(TokenlessPolicy::Refuse);
        let token = token_of(&mut gate, dialect, 0);
        let right = enter(dialect, token);
        let wrong = [
            Token(token.0.wrapping_add(1)),
            Token(token.0.swap_bytes()),
            Token(0x1122_3344),
            Token(0),
            Token::NONE,
        ];
        for token in wrong {
            let why = refused(&mut gate, START, client(), &enter(dialect, token));
            assert_eq!(why, PacketError::WrongToken, "{dialect:?} {token:?}");
        }
        let other_host = address("10.0.0.3:5000");
        assert_eq!(refused(&mut gate, START, other_host, &right), PacketError::WrongToken);
        assert_eq!(refused(&mut gate, after(period * 2000), client(), &right), PacketError::WrongToken);
        assert_eq!(gate.stats().wrong_token, 7);
        assert_eq!(gate.stats().accepted, 0);
        admitted(&mut gate, START, &right);
    }
}

#[test]
fn t2_tokens_of_the_current_and_the_previous_period_are_accepted() {
    for (dialect, period) in WITH_TOKENS {
        let mut gate = gate(TokenlessPolicy::Refuse);
        // Periods are counted from time zero. The next one begins at `next`.
        let start = START.as_micros() / 1000;
        let next = (start / (period * 1000) + 1) * period * 1000 - start;
        let token = token_of(&mut gate, dialect, next);
        let right = enter(dialect, token);
        for millis in [0, period * 1000 - 1, period * 1000, period * 2000 - 1] {
            admitted(&mut gate, after(next + millis), &right);
        }
        let late = after(next + period * 2000);
        assert_eq!(refused(&mut gate, late, client(), &right), PacketError::WrongToken, "{dialect:?}");
    }
}

#[test]
fn t2_tokens_depend_on_the_port_only_in_0_6_5() {
    let other_port = address("10.0.0.2:5001");
    for (dialect, _) in WITH_TOKENS {
        let mut gate = gate(TokenlessPolicy::Refuse);
        let right = enter(dialect, token_of(&mut gate, dialect, 0));
        let mut out = crate::link::Outbox::new();
        let is_accepted = gate.receive(START, other_port, &right, &mut out).is_ok();
        assert_eq!(is_accepted, dialect != Dialect::V065, "{dialect:?}");
    }
}

#[test]
fn t2_a_token_of_one_dialect_is_not_valid_in_another() {
    for (from, _) in WITH_TOKENS {
        for (to, _) in WITH_TOKENS.into_iter().filter(|(to, _)| *to != from) {
            let mut gate = gate(TokenlessPolicy::Refuse);
            let token = token_of(&mut gate, from, 0);
            assert_eq!(refused(&mut gate, START, client(), &enter(to, token)), PacketError::WrongToken);
        }
    }
}

#[test]
fn a_token_of_0_6_5_is_the_same_for_every_connect_and_opens_again_after_a_close() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let token = token_of(&mut gate, Dialect::V065, 0);
    let other_connect = padded("10000001 00000000 55667788", 516);
    assert_eq!(token_at(&answer(&mut gate, START, &other_connect), 8), token);
    admitted(&mut gate, START, &enter(Dialect::V065, token));
    admitted(&mut gate, after(500), &enter(Dialect::V065, token));
}

#[test]
fn any_first_packet_of_0_6_5_with_the_token_takes_a_slot() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let token = token_of(&mut gate, Dialect::V065, 0).0;
    // The reply to a KEEPALIVE is another KEEPALIVE.
    let keep_alive = hex(&format!("180000 {token:08x} 00"));
    let (_, arrival, answers) = admitted(&mut gate, START, &keep_alive);
    assert_eq!((arrival, answers), (FirstPacket::Handshake, vec![keep_alive]));
    // INFO with sequence number 5 requests a resend of all messages from the first one.
    let info = hex(&format!("080001 {token:08x} 4001 05 03"));
    let (mut link, arrival, _) = admitted(&mut gate, START, &info);
    assert_eq!(arrival, FirstPacket::WithMessages);
    let mut scratch = crate::link::Scratch::new();
    link.receive(START, &info, &mut scratch).unwrap();
    link.flush();
    assert_eq!(super::support::sent(&mut link.transmits), [hex(&format!("480000 {token:08x}"))]);
}

#[test]
fn a_connect_of_0_6_5_is_answered_to_the_token_in_its_header_if_there_is_one() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let flagged = padded("180000 aabbccdd 01 00000000 11223344", 520);
    assert_eq!(token_at(&answer(&mut gate, START, &flagged), 3), Token(0xaabb_ccdd));
    // The minimum length does not include the header.
    refused(&mut gate, START, client(), &flagged[..519]);
}

#[test]
fn only_padded_requests_are_answered() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let (_, connect) = connecting(Dialect::V065);
    let (_, ask) = connecting(Dialect::V07);
    refused(&mut gate, START, client(), &connect[..515]);
    answer(&mut gate, START, &connect[..516]);
    answer(&mut gate, START, &padded("10000001 00000000 11223344", 517));
    refused(&mut gate, START, client(), &ask[..7 + 511]);
    answer(&mut gate, START, &ask[..7 + 512]);
    // The length of a CONNECT of 0.7 is not checked, because its reply is always shorter.
    let token = token_of(&mut gate, Dialect::V07, 0);
    admitted(&mut gate, START, &enter(Dialect::V07, token));
}

#[test]
fn a_connection_of_ddnet_whose_accept_was_lost_opens_with_its_first_message() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let token = token_of(&mut gate, Dialect::Tken, 0);
    let info = |ack: u8, sequence: u8| hex(&format!("00{ack:02x}01 4001{sequence:02x} 03 {:08x}", token.0));
    let (link, arrival, _) = admitted(&mut gate, START, &info(0, 1));
    assert_eq!((link.dialect(), arrival), (Dialect::Tken, FirstPacket::WithMessages));
    // Later packets of a client that was just disconnected open no connection.
    assert_eq!(refused(&mut gate, START, client(), &info(0, 2)), PacketError::UnknownAddress);
    assert_eq!(refused(&mut gate, START, client(), &info(1, 1)), PacketError::UnknownAddress);
    let wrong = hex("000001 400101 03 00112233");
    assert_eq!(refused(&mut gate, START, client(), &wrong), PacketError::WrongToken);
}
