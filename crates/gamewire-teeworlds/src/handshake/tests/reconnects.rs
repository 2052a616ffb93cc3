//! Datagrams of an address that has a connection: a client that reconnects, or a spoofed address.

use super::support::{START, token_at, trust, waiting};
use super::support::{admitted, after, answer, client, connecting, connecting_with, gate, hex, online, sent};
use crate::Dialect;
use crate::handshake::{AcceptOutcome, Acceptor, FirstPacket, TokenlessPolicy};
use crate::link::{Link, LinkInput, LinkTokens, Outbox, PacketError, Scratch};
use crate::shared::data::Token;

/// Passes a datagram from the peer of `link` to the link and then to the acceptor.
fn arrive(
    link: &mut Link,
    gate: &mut Acceptor,
    datagram: &[u8],
) -> (Result<Option<Link>, PacketError>, Vec<Vec<u8>>) {
    let (mut out, mut scratch) = (Outbox::new(), Scratch::new());
    match link.receive(after(100), datagram, &mut scratch) {
        Ok(LinkInput::Control { .. }) | Err(_) => {}
        Ok(taken) => panic!("{taken:?}"),
    }
    assert!(!link.is_closed());
    let result = match gate.receive_from_peer(after(100), link, datagram, &mut out) {
        Ok(AcceptOutcome::Answered) => Ok(None),
        Ok(AcceptOutcome::Accepted { mut link, first_packet: FirstPacket::Handshake }) => {
            let answers = sent(&mut link.transmits);
            return (Ok(Some(link)), answers);
        }
        Ok(other) => panic!("{other:?}"),
        Err(reject) => Err(reject),
    };
    assert!(link.transmits.is_empty());
    (result, sent(&mut out))
}

/// Returns a connection of DDNet and its token.
fn tken(gate: &mut Acceptor) -> (Link, Token) {
    let (_, connect) = connecting(Dialect::Tken);
    let token = token_at(&answer(gate, START, &connect), 8);
    (admitted(gate, START, &accept(token)).0, token)
}

fn accept(Token(token): Token) -> Vec<u8> {
    hex(&format!("100000 03 {token:08x}"))
}

/// Returns a connection of 0.7 with a client that has the token `theirs`, and the server's token.
fn seven(gate: &mut Acceptor, theirs: Token) -> (Link, Token) {
    let (mut connecting, ask) = connecting_with(Dialect::V07, theirs);
    let given = answer(gate, START, &ask);
    let connect = waiting(&mut connecting, &given).remove(0);
    let (link, _, answers) = admitted(gate, START, &connect);
    online(&mut connecting, &answers[0]);
    (link, token_at(&given, 8))
}

#[test]
fn t13_close_and_connect_without_the_token_change_nothing() {
    let mut gate = gate(trust());
    let links = [tken(&mut gate).0, seven(&mut gate, Token(7)).0];
    for mut link in links {
        for forged in [
            "100000 04",
            "100000 04 62796500",
            "100000 04 62796500 ffffffff",
            "100000 01",
            "100000 02",
            "100000 03",
            "100000 03 00000001",
            "180000 00000001 04",
            "040000 00000001 04",
            "040000 ffffffff 04",
            "040000 00000001 01 00000007",
            "040000 ffffffff 01 00000007",
            "040000 ffffffff 05 00000007",
        ] {
            let (result, answers) = arrive(&mut link, &mut gate, &hex(forged));
            assert!(result.is_err(), "{forged} {result:?}");
            assert_eq!(answers, [[0; 0]; 0], "{forged}");
        }
    }
}

#[test]
fn t13_a_client_of_ddnet_reconnects_with_the_new_token() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let (mut link, first) = tken(&mut gate);
    let (_, connect) = connecting(Dialect::Tken);
    let (result, answers) = arrive(&mut link, &mut gate, &connect);
    assert!(matches!(result, Ok(None)), "only the token is given: {result:?}");
    assert_eq!(answers[0].len(), connect.len());
    let second = token_at(&answers[0], 8);
    assert_ne!(first, second);

    // Neither a late copy of the first ACCEPT nor a guessed token opens a new connection.
    assert!(arrive(&mut link, &mut gate, &accept(first)).0.is_err());
    let guess = arrive(&mut link, &mut gate, &accept(Token(second.0 ^ 1))).0;
    assert_eq!(guess.unwrap_err(), PacketError::WrongToken);

    let (result, answers) = arrive(&mut link, &mut gate, &accept(second));
    let mut new = result.unwrap().unwrap();
    assert_eq!((new.tokens(), answers.len()), (LinkTokens::Tken(second), 0));
    // The client can reconnect any number of times.
    let (_, answers) = arrive(&mut new, &mut gate, &connect);
    let third = token_at(&answers[0], 8);
    assert_ne!(third, second);
    assert!(arrive(&mut new, &mut gate, &accept(third)).0.unwrap().is_some());
}

#[test]
fn t13_a_client_of_0_7_reconnects_with_its_own_token() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let (mut link, _) = seven(&mut gate, Token(7));
    let (mut anew, ask) = connecting_with(Dialect::V07, Token(8));
    let (result, answers) = arrive(&mut link, &mut gate, &ask);
    assert!(matches!(result, Ok(None)));
    let connect = waiting(&mut anew, &answers[0]).remove(0);
    let (result, answers) = arrive(&mut link, &mut gate, &connect);
    let new = result.unwrap().unwrap();
    assert!(matches!(new.tokens(), LinkTokens::V07 { theirs: Token(8), .. }));
    online(&mut anew, &answers[0]);
}

#[test]
fn t13_a_copy_of_a_connect_opens_no_new_connection() {
    let mut gate = gate(trust());
    let (mut link, ours) = seven(&mut gate, Token(7));
    let copy = hex(&format!("040000 {:08x} 01 00000007", ours.0));
    let (result, answers) = arrive(&mut link, &mut gate, &copy);
    assert!(result.is_err() && answers.is_empty(), "the link repeats ACCEPT anyway");
    let (mut link, ..) = admitted(&mut gate, START, &hex("10000001"));
    let (mut scratch, copy) = (Scratch::new(), hex("10000001"));
    let input = link.receive(after(100), &copy, &mut scratch);
    assert!(matches!(input, Ok(LinkInput::KeepAlive)), "{input:?}");
    assert_eq!(sent(&mut link.transmits), [hex("10000002")], "one answer for each");
}

#[test]
fn a_client_can_reconnect_in_another_dialect() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let (mut link, _) = tken(&mut gate);
    let (mut anew, ask) = connecting_with(Dialect::V07, Token(8));
    let (_, answers) = arrive(&mut link, &mut gate, &ask);
    let connect = waiting(&mut anew, &answers[0]).remove(0);
    let (result, answers) = arrive(&mut link, &mut gate, &connect);
    assert_eq!(result.unwrap().unwrap().dialect(), Dialect::V07);
    assert_eq!(online(&mut anew, &answers[0]).0.dialect(), Dialect::V07);
}

#[test]
fn info_requests_of_a_connected_client_pass() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let (link, _) = tken(&mut gate);
    let question = hex("ffffffffffffffffffff 67696533 05");
    let mut out = Outbox::new();
    let passed = gate.receive_from_peer(START, &link, &question, &mut out);
    assert!(matches!(passed, Ok(AcceptOutcome::InfoQuery(_))));
    assert!(matches!(gate.receive(START, client(), &question, &mut out), Ok(AcceptOutcome::InfoQuery(_))));
}
