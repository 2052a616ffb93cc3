//! The last message of the handshake. A client repeats it until the server shows that it has a connection.

use super::support::{START, after, client, connecting, gate, hex, online, puzzle, sent, token_at};
use crate::Dialect;
use crate::handshake::{AcceptOutcome, FirstPacket, TokenlessPolicy};
use crate::link::{Link, LinkInput, Outbox, Scratch};

const TKEN_ACCEPTED: &str = "100000 02 544b454e 6d4a2504";

/// Returns a link with an INFO in flight.
fn logging_in(dialect: Dialect, answer: &str) -> Link {
    let (mut link, _) = online(&mut connecting(dialect).0, &hex(answer));
    link.send(true, b"\x03info").unwrap();
    link.flush();
    sent(&mut link.transmits);
    link
}

/// Returns the datagrams that a link sends until a time, each with its time in milliseconds.
fn sent_until(link: &mut Link, millis: u64) -> Vec<(u64, Vec<u8>)> {
    let mut all = Vec::new();
    while let Some(wake) = link.poll_timeout().filter(|wake| wake.at <= after(millis)) {
        link.handle_timeout(wake.at).unwrap();
        let millis = u64::try_from((wake.at - START).as_millis()).unwrap();
        all.extend(sent(&mut link.transmits).into_iter().map(|datagram| (millis, datagram)));
    }
    all
}

#[test]
fn the_accept_of_ddnet_is_repeated_with_all_messages_until_the_server_answers() {
    let mut link = logging_in(Dialect::Tken, TKEN_ACCEPTED);
    // The token follows the message as in every packet of the connection. DDNet before 20 treats an ACCEPT of the usual
    // 8 bytes as a request to restart the session.
    let accept = hex("100000 03 6d4a2504 6d4a2504");
    let info = hex("000001 c00501 03 696e666f 6d4a2504");
    assert_eq!(
        sent_until(&mut link, 1500),
        [(700, accept.clone()), (700, info.clone()), (1400, accept), (1400, info)]
    );
    link.receive(after(1500), &hex("100000 02 544b454e 6d4a2504"), &mut Scratch::new()).unwrap();
    assert_eq!(sent_until(&mut link, 2100).len(), 2, "a repeated CONNECTACCEPT shows no connection");
    link.receive(after(2200), &hex("100000 00 6d4a2504"), &mut Scratch::new()).unwrap();
    let later = sent_until(&mut link, 4000);
    assert!(later.iter().all(|(_, datagram)| datagram[3] != 3), "{later:02x?}");
}

#[test]
fn a_connect_without_tokens_is_repeated_until_the_server_answers() {
    let mut link = logging_in(Dialect::V06, "100000 02");
    let repeated = sent_until(&mut link, 1500);
    let connects: Vec<_> = repeated.iter().filter(|(_, datagram)| *datagram == hex("10000001")).collect();
    assert_eq!(connects.iter().map(|(millis, _)| *millis).collect::<Vec<_>>(), [700, 1400]);
    link.receive(after(1500), &hex("100000 02"), &mut Scratch::new()).unwrap();
    assert_eq!(sent_until(&mut link, 2100).len(), 2, "it shows no connection");
    link.receive(after(2200), &hex("000101 400201 05 00"), &mut Scratch::new()).unwrap();
    assert!(sent_until(&mut link, 4000).iter().all(|(_, datagram)| *datagram != hex("10000001")));
}

#[test]
fn tokens_of_0_6_5_and_0_7_need_no_repetition() {
    let mut link = logging_in(Dialect::V065, "180000 11223344 02 9a5b7677");
    let repeated = sent_until(&mut link, 1600);
    assert!(repeated.iter().all(|(_, datagram)| datagram[0] & 0x10 == 0), "{repeated:02x?}");
}

#[test]
fn a_repeated_accept_opens_a_lost_connection_and_changes_nothing_in_a_living_one() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let (_, connect) = connecting(Dialect::Tken);
    let token = token_at(&super::support::answer(&mut gate, START, &connect), 8).0;
    let accept = hex(&format!("100000 03 {token:08x} {token:08x}"));
    let mut out = Outbox::new();
    let opened = gate.receive(after(700), client(), &accept, &mut out);
    let Ok(AcceptOutcome::Accepted { mut link, first_packet: FirstPacket::Handshake }) = opened else {
        panic!("{opened:?}");
    };
    assert!(matches!(
        link.receive(after(1400), &accept, &mut Scratch::new()),
        Ok(LinkInput::Control { id: 3, .. })
    ));
    gate.receive_from_peer(after(1400), &link, &accept, &mut out).unwrap_err();
}

#[test]
fn a_repeated_connect_gets_the_antispoof_packet_again() {
    let mut gate = gate(puzzle());
    let mut answers = |millis| {
        let mut out = Outbox::new();
        gate.receive(after(millis), client(), &hex("10000001"), &mut out).unwrap();
        sent(&mut out)
    };
    let first = answers(0);
    assert_eq!(first.len(), 2);
    assert_eq!(answers(700), first);
}
