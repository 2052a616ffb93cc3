//! Floods of a million datagrams from forged senders.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use super::support::{START, admitted, after, answer, client, connecting, gate, hex, puzzle, token_at};
use crate::Dialect;
use crate::handshake::{
    AcceptOutcome, Acceptor, AcceptorConfig, InfoQuery, Rate, SeededRng, TokenlessPolicy,
};
use crate::link::{Outbox, PacketError};

const MILLION: u32 = 1_000_000;

/// Returns a pseudo-random address.
fn forged(number: u32) -> SocketAddr {
    let mixed = number.wrapping_mul(0x9e37_79b9);
    SocketAddr::from((Ipv4Addr::from(mixed), (mixed >> 7) as u16))
}

/// The result of a flood.
struct Flood {
    received: u64,
    replied: u64,
    /// Growth of the allocated memory in bytes.
    grown: i64,
}

/// Sends `datagram` from a million addresses, with one microsecond between them.
fn flood(gate: &mut Acceptor, datagram: &[u8]) -> Flood {
    let (mut out, mut buffer) = (Outbox::new(), Vec::with_capacity(1400));
    let (mut received, mut replied) = (0, 0);
    // The outbox allocates its memory for the first datagrams.
    out.push(client(), &[0; 1400]);
    while out.pop(&mut buffer).is_some() {}
    let held = gate.held_bytes();
    let info = allocation_counter::measure(|| {
        for number in 0..MILLION {
            let now = START + Duration::from_micros(number.into());
            received += datagram.len() as u64;
            let _ = gate.receive(now, forged(number), datagram, &mut out);
            while out.pop(&mut buffer).is_some() {
                replied += buffer.len() as u64;
            }
        }
    });
    assert_eq!(gate.held_bytes(), held);
    Flood { received, replied, grown: info.bytes_current }
}

fn survives(datagram: &[u8], is_answered: bool) {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let flood = flood(&mut gate, datagram);
    assert!(flood.replied <= flood.received, "{} for {}", flood.replied, flood.received);
    assert_eq!(flood.replied > 0, is_answered);
    assert!(flood.grown <= 4096, "{} bytes", flood.grown);
    assert_eq!(gate.stats().answered, if is_answered { MILLION.into() } else { 0 });
    assert_eq!(gate.stats().accepted, 0);
}

#[test]
fn t1_a_million_forged_connects_of_plain_0_6_use_no_memory_and_get_no_answer() {
    survives(&hex("10000001"), false);
}

#[test]
fn t1_a_million_forged_connects_of_ddnet_use_no_memory_and_are_not_amplified() {
    survives(&connecting(Dialect::Tken).1, true);
}

#[test]
fn t1_a_million_forged_connects_of_0_6_5_use_no_memory_and_are_not_amplified() {
    let (_, connect) = connecting(Dialect::V065);
    survives(&connect, true);
    survives(&connect[..515], false);
}

#[test]
fn t1_a_million_forged_tokens_of_0_7_use_no_memory_and_are_not_amplified() {
    let (_, ask) = connecting(Dialect::V07);
    survives(&ask, true);
    survives(&ask[..518], false);
}

#[test]
fn t1_a_verified_client_is_accepted_during_the_flood() {
    let mut gate = gate(TokenlessPolicy::Refuse);
    let (_, connect) = connecting(Dialect::Tken);
    let token = token_at(&answer(&mut gate, START, &connect), 8);
    flood(&mut gate, &connect);
    admitted(&mut gate, after(1000), &hex(&format!("100000 03 {:08x}", token.0)));
}

#[test]
fn t3_a_million_forged_connects_get_a_shorter_antispoof_answer() {
    let mut gate = gate(puzzle());
    let flood = flood(&mut gate, &hex("10000001"));
    assert!(flood.replied <= flood.received, "{} for {}", flood.replied, flood.received);
    assert!(flood.grown <= 4096);
    assert!(gate.stats().answered <= 5 + u64::from(MILLION) / 20);
    assert_eq!(gate.stats().rate_limited, u64::from(MILLION) - gate.stats().answered);
}

fn browse_gate() -> Acceptor {
    let browse = Rate { burst: 10, interval: Duration::from_millis(250) };
    Acceptor::new(
        AcceptorConfig { info_rate: browse, ..AcceptorConfig::vanilla() },
        &mut SeededRng::new([9; 32]),
    )
}

/// Sends `count` info requests within one second. Returns the number of requests that are passed to the server.
fn browse(gate: &mut Acceptor, from: impl Fn(u32) -> SocketAddr, datagram: &[u8], count: u32) -> u32 {
    let mut out = Outbox::new();
    let mut passed = 0;
    for number in 0..count {
        let now = START + Duration::from_secs(1) * number / count;
        match gate.receive(now, from(number), datagram, &mut out) {
            Ok(AcceptOutcome::InfoQuery(_)) => passed += 1,
            Err(PacketError::RateLimited) => {}
            other => panic!("{other:?}"),
        }
        assert!(out.is_empty());
    }
    passed
}

const GETINFO: [&str; 3] = [
    "ffffffffffffffffffff 67696533 05",
    "786500010000 ffffffff 67696533 05",
    "ffffffffffffffffffff 636f7532",
];

#[test]
fn t4_a_flood_of_info_requests_from_one_prefix_is_limited() {
    for question in GETINFO {
        let mut gate = browse_gate();
        let neighbours = |number: u32| SocketAddr::from(([10, 0, 0, number as u8], number as u16));
        let passed = browse(&mut gate, neighbours, &hex(question), 100_000);
        assert!((13..=14).contains(&passed), "{passed}");
        assert_eq!(gate.stats().rate_limited, u64::from(100_000 - passed));
        // Other addresses are not limited.
        assert_eq!(browse(&mut gate, |_| SocketAddr::from(([10, 0, 1, 1], 1)), &hex(question), 10), 10);
    }
}

#[test]
fn t4_a_million_forged_info_requests_use_no_memory_and_are_limited() {
    let mut gate = browse_gate();
    let held = gate.held_bytes();
    let passed = browse(&mut gate, forged, &hex(GETINFO[0]), MILLION);
    assert_eq!(gate.held_bytes(), held);
    assert!(passed <= 4096 * 14, "{passed}");
}

#[test]
fn t4_verified_info_requests_of_0_7_pass_during_a_flood() {
    let mut gate = browse_gate();
    let (_, ask) = connecting(Dialect::V07);
    let token = token_at(&answer(&mut gate, START, &ask), 8).0;
    let question = |token: u32| hex(&format!("21 {token:08x} 55667788 ffffffff 67696533 05"));
    let mut out = Outbox::new();
    for wrong in [token.wrapping_add(1), 0, u32::MAX, 0x5566_7788] {
        let why = gate.receive(START, client(), &question(wrong), &mut out).unwrap_err();
        assert_eq!(why, PacketError::WrongToken);
    }
    browse(&mut gate, forged, &hex(GETINFO[0]), MILLION);
    let question = question(token);
    match gate.receive(after(1000), client(), &question, &mut out) {
        Ok(AcceptOutcome::InfoQuery(InfoQuery::V07 { answer, payload })) => {
            assert_eq!((answer.token.0, answer.response_token.0), (0x5566_7788, token));
            assert_eq!(payload, &question[9..]);
        }
        other => panic!("{other:?}"),
    }
}
