//! Captures of real games, replayed to each role. The role must answer with the same bytes. The tokens of our server
//! replace the captured ones.

use super::support::{
    START, admitted, answer, capture, connecting_with, gate, online, replaced, sent, token_at, trust, waiting,
};
use crate::Dialect;
use crate::handshake::{FirstPacket, TokenlessPolicy};
use crate::link::{Link, LinkInput, Scratch};
use crate::shared::data::Token;

const TKEN: &str = "tw-0.6-ddnet-tken.pcap";
const V065: &str = "tw-0.6.5-tokens.pcap";
const V07: &str = "tw-0.7-two-clients.pcap";

/// Returns the datagrams of the session with the client's port. `true` marks a datagram of the client.
fn session(name: &str, port: u16, count: usize) -> Vec<(bool, Vec<u8>)> {
    let all = capture(name);
    let at = all.iter().position(|(source, _)| *source == port).unwrap();
    all[at..].iter().take(count).map(|(source, data)| (*source == port, data.clone())).collect()
}

fn takes_messages(link: &mut Link, datagram: &[u8]) {
    let mut scratch = Scratch::new();
    match link.receive(START, datagram, &mut scratch) {
        Ok(LinkInput::Chunks(chunks)) => assert_ne!(chunks.count(), 0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn both_roles_have_the_bytes_of_ddnets_handshake() {
    let captured = session(TKEN, 4185, 5);
    let [connect, accept_connect, accept, info, map] = [0, 1, 2, 3, 4].map(|at| &captured[at].1);

    let (mut connecting, first) = connecting_with(Dialect::Tken, Token(0));
    assert_eq!(&first, connect);
    let (mut link, answers) = online(&mut connecting, accept_connect);
    assert_eq!(answers, [accept.as_slice()]);
    assert_eq!(link.dialect(), Dialect::Tken);
    link.send(true, &[0]).unwrap();
    link.send(true, &[0]).unwrap();
    takes_messages(&mut link, map);

    let mut gate = gate(TokenlessPolicy::Refuse);
    let given = answer(&mut gate, START, connect);
    let ours = token_at(&given, 8);
    assert_eq!(given, replaced(accept_connect, 0x7899_c2da, ours));
    let (mut link, arrival, answers) = admitted(&mut gate, START, &replaced(accept, 0x7899_c2da, ours));
    assert_eq!((arrival, answers.len()), (FirstPacket::Handshake, 0));
    takes_messages(&mut link, &replaced(info, 0x7899_c2da, ours));
}

#[test]
fn both_roles_have_the_bytes_of_the_handshake_of_0_6_5() {
    let captured = session(V065, 34085, 4);
    let [connect, accept_connect, info, map] = [0, 1, 2, 3].map(|at| &captured[at].1);
    assert_eq!(connect.len(), 516);

    let (mut connecting, first) = connecting_with(Dialect::V065, Token(0x1122_3344));
    assert_eq!(&first, connect);
    let (mut link, answers) = online(&mut connecting, accept_connect);
    assert_eq!((link.dialect(), answers.len()), (Dialect::V065, 0));
    // INFO opens the connection. It is the first message that the link sends.
    let message = &info[10..];
    link.send(true, message).unwrap();
    link.flush();
    assert_eq!(sent(&mut link.transmits), [info.as_slice()]);
    takes_messages(&mut link, map);

    let mut gate = gate(TokenlessPolicy::Refuse);
    let given = answer(&mut gate, START, connect);
    let ours = token_at(&given, 8);
    assert_eq!(given, replaced(accept_connect, 0x9a5b_7677, ours));
    let info = replaced(info, 0x9a5b_7677, ours);
    let (mut link, arrival, answers) = admitted(&mut gate, START, &info);
    assert_eq!((arrival, answers.len()), (FirstPacket::WithMessages, 0));
    takes_messages(&mut link, &info);
    let message = &map[10..];
    link.send(true, message).unwrap();
    link.flush();
    assert_eq!(sent(&mut link.transmits), [replaced(map, 0x9a5b_7677, ours)]);
}

#[test]
fn both_roles_have_the_bytes_of_the_handshake_of_0_7() {
    for (port, theirs, ours) in [(54928, 0x2263_09e8, 0x4abf_d206), (54806, 0x1542_3087, 0x542f_ccc6)] {
        let captured = session(V07, port, 4);
        let [ask, give, connect, accept] = [0, 1, 2, 3].map(|at| &captured[at].1);
        assert_eq!((ask.len(), connect.len()), (520, 520));

        let (mut connecting, first) = connecting_with(Dialect::V07, Token(theirs));
        assert_eq!(&first, ask);
        assert_eq!(waiting(&mut connecting, give), [connect.as_slice()]);
        let (link, answers) = online(&mut connecting, accept);
        assert_eq!((link.dialect(), answers.len()), (Dialect::V07, 0));

        let mut gate = gate(TokenlessPolicy::Refuse);
        let given = answer(&mut gate, START, ask);
        let new = token_at(&given, 8);
        assert_eq!(given, replaced(give, ours, new));
        let (_, arrival, answers) = admitted(&mut gate, START, &replaced(connect, ours, new));
        assert_eq!((arrival, answers), (FirstPacket::Handshake, vec![accept.clone()]));
    }
}

#[test]
fn an_accept_of_0_7_is_repeated_until_messages_arrive_as_in_the_capture() {
    let captured = session(V07, 54806, 5);
    let (ask, connect, again) = (&captured[0].1, &captured[2].1, &captured[4]);
    assert!(!again.0, "the server repeats it");
    let mut gate = gate(TokenlessPolicy::Refuse);
    let new = token_at(&answer(&mut gate, START, ask), 8);
    let (mut link, _, _) = admitted(&mut gate, START, &replaced(connect, 0x542f_ccc6, new));
    for _ in 0..3 {
        let due = link.poll_timeout().unwrap().at;
        link.handle_timeout(due).unwrap();
        assert_eq!(sent(&mut link.transmits), [again.1.as_slice()]);
    }
}

#[test]
fn messages_of_the_first_0_7_session_pass_through_the_connections_of_both_roles() {
    let captured = session(V07, 54928, 6);
    let (mut connecting, _) = connecting_with(Dialect::V07, Token(0x2263_09e8));
    waiting(&mut connecting, &captured[1].1);
    let (mut link, _) = online(&mut connecting, &captured[3].1);
    let info = &captured[4].1;
    link.send(true, &info[10..]).unwrap();
    link.flush();
    assert_eq!(sent(&mut link.transmits), [info.as_slice()]);
    takes_messages(&mut link, &captured[5].1);
}

#[test]
fn both_roles_have_the_bytes_of_the_plain_handshake() {
    let (mut connecting, first) = connecting_with(Dialect::V06, Token(0));
    assert_eq!(first, [0x10, 0, 0, 1]);
    let (link, answers) = online(&mut connecting, &[0x10, 0, 0, 2]);
    assert_eq!((link.dialect(), answers), (Dialect::V06, vec![vec![0x10, 0, 0, 3]]));

    let (link, arrival, answers) = admitted(&mut gate(trust()), START, &[0x10, 0, 0, 1]);
    assert_eq!((link.dialect(), arrival), (Dialect::V06, FirstPacket::Handshake));
    assert_eq!(answers, [[0x10, 0, 0, 2]]);
}
