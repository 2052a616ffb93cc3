//! Datagrams that a server of 0.6.5 does not answer (docs/protocols/teeworlds.md), and others that no server should
//! answer.

use super::support::{
    START, address, admitted, answer, client, connecting, gate, hex, padded, puzzle, refused, sent, token_at,
};
use crate::Dialect;
use crate::handshake::AcceptOutcome;
use crate::handshake::{Acceptor, AcceptorConfig, InfoQuery, SeededRng, TokenlessPolicy};
use crate::link::{Link, LinkInput, Outbox, PacketError, Scratch};

/// Returns an acceptor that only supports 0.6.5.
fn gate_065() -> Acceptor {
    let config = AcceptorConfig { tken: None, v07: None, ..AcceptorConfig::vanilla() };
    Acceptor::new(config, &mut SeededRng::new([2; 32]))
}

fn token(gate: &mut Acceptor) -> u32 {
    let (_, connect) = connecting(Dialect::V065);
    token_at(&answer(gate, START, &connect), 8).0
}

#[test]
fn a_short_connect_without_the_antispoof_handshake() {
    for length in [4, 5, 12, 515] {
        refused(&mut gate_065(), START, client(), &padded("10000001", length));
    }
    // DDNet's CONNECT is too short as well.
    refused(&mut gate_065(), START, client(), &hex("10000001 544b454e ffffffff"));
}

#[test]
fn a_first_packet_with_a_wrong_token_or_none() {
    let mut gate = gate_065();
    let right = token(&mut gate);
    for wrong in [right.wrapping_add(1), 0x1122_3344, right.swap_bytes(), 0, u32::MAX] {
        for packet in ["080001 T 400101 03", "180000 T 00", "180000 T 04"] {
            let packet = hex(&packet.replace('T', &format!("{wrong:08x}")));
            assert_eq!(refused(&mut gate, START, client(), &packet), PacketError::WrongToken);
        }
    }
    let info = hex(&format!("080001 {right:08x} 400101 03"));
    assert_eq!(refused(&mut gate, START, address("10.0.0.2:5001"), &info), PacketError::WrongToken);
    let without = hex("000001 400101 03");
    assert_eq!(refused(&mut gate, START, client(), &without), PacketError::UnknownAddress);
}

#[test]
fn a_token_flag_on_too_short_a_datagram() {
    for length in 0..=6 {
        for flags in ["18", "08", "88"] {
            refused(&mut gate_065(), START, client(), &padded(flags, length));
        }
    }
}

#[test]
fn accept_and_close_without_a_token() {
    for packet in ["10000003", "10000004", "10000004 62796500", "10000000"] {
        refused(&mut gate_065(), START, client(), &hex(packet));
        refused(&mut gate(TokenlessPolicy::Refuse), START, client(), &hex(packet));
    }
}

#[test]
fn token_of_0_7_where_0_7_is_disabled() {
    let (_, ask) = connecting(Dialect::V07);
    refused(&mut gate_065(), START, client(), &ask);
}

#[test]
fn fstd_is_left_to_the_server() {
    let mut out = Outbox::new();
    let question = hex("ffffffffffffffffffff 66737464 05");
    let mut gate = gate_065();
    match gate.receive(START, client(), &question, &mut out) {
        Ok(AcceptOutcome::InfoQuery(InfoQuery::V06 { payload, .. })) => assert_eq!(payload, &question[6..]),
        other => panic!("{other:?}"),
    }
    assert!(out.is_empty());
}

#[test]
fn a_close_with_the_right_token_takes_no_slot() {
    let mut gate = gate_065();
    let close = hex(&format!("180000 {:08x} 04", token(&mut gate)));
    assert_eq!(refused(&mut gate, START, client(), &close), PacketError::UnknownAddress);
}

/// Checks that neither the connection nor the acceptor answers `datagram`.
fn ignored(link: &mut Link, gate: &mut Acceptor, datagram: &[u8]) {
    let (mut out, mut scratch) = (Outbox::new(), Scratch::new());
    let is_taken = match link.receive(START, datagram, &mut scratch) {
        Ok(LinkInput::Chunks(_) | LinkInput::Close { .. }) => true,
        Ok(LinkInput::KeepAlive | LinkInput::Control { .. }) | Err(_) => false,
    };
    assert!(!is_taken && !link.is_closed(), "{datagram:02x?}");
    let admission = gate.receive_from_peer(START, link, datagram, &mut out);
    assert!(admission.is_err(), "{datagram:02x?} {admission:?}");
    assert!(link.transmits.is_empty(), "{datagram:02x?}");
    assert_eq!(sent(&mut out), [[0; 0]; 0], "{datagram:02x?}");
}

#[test]
fn in_a_live_session_wrong_tokens_connects_and_the_unknown() {
    for mut gate in [gate_065(), gate(TokenlessPolicy::Refuse), gate(puzzle())] {
        let right = token(&mut gate);
        let info = hex(&format!("080001 {right:08x} 400101 03"));
        let (mut link, _, _) = admitted(&mut gate, START, &info);
        let mut scratch = Scratch::new();
        link.receive(START, &info, &mut scratch).unwrap();
        let wrong = right.wrapping_add(1);
        let lines = [
            format!("080001 {wrong:08x} 400102 1d"),
            "000001 400102 1d".into(),
            format!("180000 {wrong:08x} 04"),
            "10000004".into(),
            "10000004 62796500".into(),
            "10000001".into(),
            format!("10000001 00000000 11223344 {}", "00".repeat(504)),
            format!("180000 11223344 01 {}", "00".repeat(512)),
            format!("080101 {right:08x} 400102 1d"),
            format!("180000 {right:08x} 09"),
            // The vulnerability of 0.6.5: CONNECTACCEPT without a token, empty or with chunks after it.
            "10000002".into(),
            format!("10000102 002d 00 {}", "00".repeat(31)),
            "100000".into(),
            "10000003".into(),
        ];
        for line in lines {
            ignored(&mut link, &mut gate, &hex(&line));
        }
        // The session continues.
        let ready = hex(&format!("080001 {right:08x} 400102 1d"));
        match link.receive(START, &ready, &mut scratch) {
            Ok(LinkInput::Chunks(chunks)) => assert_eq!(chunks.count(), 1),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn t7_control_packets_without_an_id_or_with_chunks_open_nothing() {
    for packet in ["100000", "10000101", "90000001", "040000ffffffff", "040001 ffffffff 05"] {
        for plain in [TokenlessPolicy::Refuse, puzzle(), super::support::trust()] {
            refused(&mut gate(plain), START, client(), &padded(packet, hex(packet).len()));
        }
    }
    // An earlier CONNECT of the same sender does not change this: the acceptor stores nothing for it.
    let mut gate = gate(puzzle());
    let mut out = Outbox::new();
    gate.receive(START, client(), &hex("10000001"), &mut out).unwrap();
    refused(&mut gate, START, client(), &hex("100000"));
}

#[test]
fn random_datagrams_do_no_harm() {
    let mut entropy = SeededRng::new([6; 32]);
    let mut gates = [gate(TokenlessPolicy::Refuse), gate(puzzle()), gate(super::support::trust())];
    for round in 0_u32..60_000 {
        let noise = [entropy.bytes(), entropy.bytes()].concat();
        let length = usize::from(noise[0]) % 56;
        let mut datagram = noise[1..=length].to_vec();
        // Most values of the first byte are invalid. These are mostly valid.
        if let Some(first) = datagram.first_mut() {
            *first = [0x10, 0x18, 0x04, 0x21, 0xff, 0x00, 0x08, 0x80][round as usize % 8];
        }
        if let Some(chunks) = datagram.get_mut(2).filter(|_| round % 3 == 0) {
            *chunks = 0;
        }
        if round % 16 == 0 {
            datagram.resize(usize::from(noise[40]) * 7, 1);
        }
        for gate in &mut gates {
            let mut out = Outbox::new();
            let plain_answer = gate.receive(START, client(), &datagram, &mut out).is_ok();
            assert!(plain_answer || out.is_empty());
        }
    }
}
