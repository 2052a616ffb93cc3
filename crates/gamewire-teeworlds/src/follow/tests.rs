//! Handshakes of 0.6. A follower must know their tokens to judge later packets.

use gamewire_machine::record::NodeKind;
use gamewire_machine::{ConversationSide, Follow, Instant, Record};
use gamewire_wire::Value;

use super::Follower;
use crate::Dialect;

/// CONNECT of 0.6.5 with the client's token `abcd`.
fn connect(lead: &[u8; 4], length: usize) -> Vec<u8> {
    let mut datagram = [b"\x10\0\0\x01".as_slice(), lead, b"abcd"].concat();
    datagram.resize(length, 0);
    datagram
}

/// CONNECTACCEPT of 0.6.5, which issues `token`.
fn accept(token: &[u8; 4]) -> Vec<u8> {
    [b"\x18\0\0abcd\x02", token.as_slice()].concat()
}

/// READY in a packet of 0.6.5 with `token`.
fn ready(token: &[u8; 4]) -> Vec<u8> {
    [b"\x08\x04\x01", token.as_slice(), &[0x40, 1, 5, 0x1d]].concat()
}

/// Follows datagrams in turn. Returns the names of the warnings and errors of each.
fn follow(follower: &mut Follower, datagrams: &[(ConversationSide, Vec<u8>)]) -> Vec<Vec<String>> {
    let report = |(from, datagram): &(ConversationSide, Vec<u8>)| {
        let mut record = Record::new();
        follower.follow(Instant::from_micros(0), *from, datagram, &mut record);
        let is_finding = |kind| matches!(kind, NodeKind::Warning(_) | NodeKind::Error);
        record.nodes().filter(|node| is_finding(node.kind())).map(|node| node.name().to_owned()).collect()
    };
    datagrams.iter().map(report).collect()
}

const CLIENT: ConversationSide = ConversationSide::First;
const SERVER: ConversationSide = ConversationSide::Second;

#[test]
fn each_of_two_outstanding_tokens_may_be_the_one_that_the_client_uses() {
    for used in [b"srv1", b"srv2"] {
        let mut follower = Follower::default();
        let connect = connect(&[0; 4], 516);
        let found = follow(
            &mut follower,
            &[
                (CLIENT, connect.clone()),
                (CLIENT, connect),
                (SERVER, accept(b"srv1")),
                (SERVER, accept(b"srv2")),
                (CLIENT, ready(used)),
                (SERVER, ready(used)),
            ],
        );
        assert_eq!(found, vec![Vec::<String>::new(); 6], "{used:?}");
        let found = follow(&mut follower, &[(CLIENT, ready(b"evil"))]);
        assert_eq!(found, [["wrong_token"]]);
    }
}

#[test]
fn the_reply_to_a_repeated_offer_does_not_replace_the_token_in_use() {
    let connect = connect(&[0; 4], 516);
    let found = follow(
        &mut Follower::default(),
        &[
            (CLIENT, connect.clone()),
            (SERVER, accept(b"srv1")),
            (CLIENT, ready(b"srv1")),
            (CLIENT, connect),
            (SERVER, accept(b"srv2")),
            (CLIENT, ready(b"srv1")),
            (SERVER, ready(b"srv1")),
        ],
    );
    assert_eq!(found, vec![Vec::<String>::new(); 7]);
}

#[test]
fn an_offer_to_every_server_of_0_6_becomes_what_the_server_replies() {
    let ready_tken = [b"\x00\x04\x01".as_slice(), &[0x40, 1, 3, 0x1d], b"srv1"].concat();
    let ready_plain = [b"\x00\x04\x01".as_slice(), &[0x40, 1, 3, 0x1d]].concat();
    let replies = [
        (Dialect::Tken, b"\x10\0\0\x02TKENsrv1".to_vec(), ready_tken),
        (Dialect::V065, accept(b"srv1"), ready(b"srv1")),
        (Dialect::V06, vec![0x10, 0, 0, 2], ready_plain),
    ];
    for (dialect, accept, ready) in replies {
        let mut follower = Follower::default();
        let offer = (CLIENT, connect(b"TKEN", 516));
        assert_eq!(follow(&mut follower, &[offer, (SERVER, accept), (CLIENT, ready)]), [[""; 0]; 3]);
        assert_eq!(follower.dialect_kind(), Some(dialect));
    }
}

#[test]
fn a_connect_that_is_too_short_for_a_token_starts_the_handshake_for_older_clients() {
    let mut follower = Follower::detect(&connect(&[0; 4], 515)).unwrap();
    let con_ready = [b"\x00\0\x01".as_slice(), &[0x40, 1, 1, 9]].concat();
    let found = follow(
        &mut follower,
        &[(CLIENT, connect(&[0; 4], 515)), (SERVER, vec![0x10, 0, 0, 2]), (SERVER, con_ready)],
    );
    assert_eq!(found, [[""; 0]; 3]);
    assert_eq!(follower.dialect_kind(), Some(Dialect::V06));
}

#[test]
fn a_refusal_without_the_zero_byte_of_its_reason_is_plain() {
    for connect in [b"\x10\0\0\x01".to_vec(), b"\x10\0\0\x01TKEN\xff\xff\xff\xff".to_vec()] {
        let mut follower = Follower::default();
        let refusal = b"\x10\0\0\x04The server is full".to_vec();
        let found = follow(&mut follower, &[(CLIENT, connect), (SERVER, refusal)]);
        assert_eq!(found, [vec![], vec!["unterminated_string".to_owned()]]);
        assert_eq!(follower.dialect_kind(), Some(Dialect::V06));
    }
}

#[test]
fn a_packet_without_the_token_of_its_session_is_whole_and_has_no_effect() {
    let tken = [
        (CLIENT, b"\x10\0\0\x01TKEN\xff\xff\xff\xff".to_vec()),
        (SERVER, b"\x10\0\0\x02TKENsrv1".to_vec()),
        (CLIENT, b"\x10\0\0\x03srv1".to_vec()),
        (SERVER, b"\x10\0\0\0srv1".to_vec()),
    ];
    let v065 = [
        (CLIENT, connect(&[0; 4], 516)),
        (SERVER, accept(b"srv1")),
        (CLIENT, ready(b"srv1")),
        (SERVER, ready(b"srv1")),
    ];
    for (dialect, session) in [(Dialect::Tken, tken), (Dialect::V065, v065)] {
        let mut follower = Follower::default();
        assert_eq!(follow(&mut follower, &session), [[""; 0]; 4], "{dialect:?}");
        let close = b"\x10\0\0\x04This server is full\0".as_slice();
        for (from, datagram) in
            [(SERVER, close), (CLIENT, b"\x10\0\0\x04".as_slice()), (SERVER, b"\x10\0\0\0")]
        {
            assert_eq!(follow(&mut follower, &[(from, datagram.to_vec())]), [["wrong_token"]], "{dialect:?}");
        }
        let mut record = Record::new();
        follower.follow(Instant::from_micros(0), SERVER, close, &mut record);
        let reason = record.nodes().find(|node| node.name() == "reason").and_then(|node| node.value());
        assert_eq!(reason, Some(Value::Text(b"This server is full")), "{dialect:?}");
        assert_eq!(follower.dialect_kind(), Some(dialect));
    }
}

#[test]
fn a_close_without_a_token_may_answer_a_new_connect() {
    let mut follower = Follower::default();
    let connect = (CLIENT, b"\x10\0\0\x01TKEN\xff\xff\xff\xff".to_vec());
    let session = [
        connect.clone(),
        (SERVER, b"\x10\0\0\x02TKENsrv1".to_vec()),
        (CLIENT, b"\x10\0\0\x03srv1".to_vec()),
        connect,
        (SERVER, b"\x10\0\0\x04full\0".to_vec()),
    ];
    assert_eq!(follow(&mut follower, &session), [[""; 0]; 5]);
}
