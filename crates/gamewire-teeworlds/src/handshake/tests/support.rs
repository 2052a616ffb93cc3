//! Helpers of the handshake tests.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use gamewire_machine::Instant;

use crate::Dialect;
use crate::handshake::{
    AcceptOutcome, Acceptor, AcceptorConfig, ConnectOutcome, Connecting, FirstPacket, Offer, SeededRng,
    TokenlessPolicy,
};
use crate::link::{Link, LinkConfig, Outbox, PacketError};
use crate::shared::data::Token;

pub(super) const START: Instant = Instant::from_micros(1_000_000_000);
pub(super) const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::Tken, Dialect::V065, Dialect::V07];

pub(super) fn address(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

pub(super) fn server() -> SocketAddr {
    address("10.0.0.1:8303")
}

pub(super) fn client() -> SocketAddr {
    address("10.0.0.2:5000")
}

pub(super) fn after(millis: u64) -> Instant {
    START + Duration::from_millis(millis)
}

/// Decodes hexadecimal digits and ignores spaces.
pub(super) fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| u8::try_from(pair[0] << 4 | pair[1]).unwrap()).collect()
}

/// Returns `head` padded with zeros to `length` bytes.
pub(super) fn padded(head: &str, length: usize) -> Vec<u8> {
    let mut bytes = hex(head);
    bytes.resize(length, 0);
    bytes
}

/// Takes all datagrams, in order.
pub(super) fn sent(out: &mut Outbox) -> Vec<Vec<u8>> {
    let mut buffer = Vec::new();
    core::iter::from_fn(|| out.pop(&mut buffer).map(|_| buffer.clone())).collect()
}

/// Replaces every `old` in `bytes` by `new`.
pub(super) fn replaced(bytes: &[u8], old: u32, new: Token) -> Vec<u8> {
    let (old, mut bytes) = (old.to_be_bytes(), bytes.to_vec());
    for at in 0..bytes.len().saturating_sub(3) {
        if bytes[at..at + 4] == old {
            bytes[at..at + 4].copy_from_slice(&new.0.to_be_bytes());
        }
    }
    bytes
}

/// Returns an acceptor for every dialect that has tokens, with a policy for clients without tokens.
pub(super) fn gate(plain: TokenlessPolicy) -> Acceptor {
    Acceptor::new(
        AcceptorConfig { tokenless: plain, ..AcceptorConfig::vanilla() },
        &mut SeededRng::new([9; 32]),
    )
}

pub(super) fn trust() -> TokenlessPolicy {
    TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06))
}

pub(super) fn puzzle() -> TokenlessPolicy {
    TokenlessPolicy::Antispoof(LinkConfig::vanilla(Dialect::V06))
}

/// Passes `datagram` of the client to an acceptor that must answer without a connection. Returns the answer.
pub(super) fn answer(gate: &mut Acceptor, now: Instant, datagram: &[u8]) -> Vec<u8> {
    let mut out = Outbox::new();
    let admission = gate.receive(now, client(), datagram, &mut out);
    assert!(matches!(admission, Ok(AcceptOutcome::Answered)), "{admission:?}");
    let mut answers = sent(&mut out);
    assert_eq!(answers.len(), 1);
    answers.remove(0)
}

/// Passes `datagram` of the client to an acceptor that must accept it. Returns the connection and the answers.
pub(super) fn admitted(
    gate: &mut Acceptor,
    now: Instant,
    datagram: &[u8],
) -> (Link, FirstPacket, Vec<Vec<u8>>) {
    let mut out = Outbox::new();
    match gate.receive(now, client(), datagram, &mut out) {
        Ok(AcceptOutcome::Accepted { mut link, first_packet }) => {
            let answers = [sent(&mut out), sent(&mut link.transmits)].concat();
            (link, first_packet, answers)
        }
        other => panic!("{other:?}"),
    }
}

/// Passes `datagram` from `from` to an acceptor that must reject it. Returns the error.
pub(super) fn refused(gate: &mut Acceptor, now: Instant, from: SocketAddr, datagram: &[u8]) -> PacketError {
    let mut out = Outbox::new();
    let admission = gate.receive(now, from, datagram, &mut out);
    assert_eq!(sent(&mut out), [[0; 0]; 0], "{datagram:02x?}");
    admission.expect_err("no admission")
}

/// Returns the token at offset `at` of a datagram.
pub(super) fn token_at(datagram: &[u8], at: usize) -> Token {
    Token(u32::from_be_bytes(datagram[at..at + 4].try_into().unwrap()))
}

/// Returns a client that offers `offer` with the token 11223344, and its first datagram.
pub(super) fn connecting(offer: impl Into<Offer>) -> (Connecting, Vec<u8>) {
    connecting_with(offer, Token(0x1122_3344))
}

pub(super) fn connecting_with(offer: impl Into<Offer>, ours: Token) -> (Connecting, Vec<u8>) {
    let config = LinkConfig::vanilla(Dialect::V06);
    let mut connecting = Connecting::with_token(offer.into(), server(), Some(config), ours, START);
    let mut first = sent(&mut connecting.transmits);
    assert_eq!(first.len(), 1);
    (connecting, first.remove(0))
}

/// Passes `datagram` of the server to a client that must be online after it. Returns the link and the datagrams that it
/// sends.
pub(super) fn online(connecting: &mut Connecting, datagram: &[u8]) -> (Link, Vec<Vec<u8>>) {
    match connecting.receive(START, datagram) {
        Ok(ConnectOutcome::Online(mut link)) => {
            let answers = sent(&mut link.transmits);
            (link, answers)
        }
        other => panic!("{other:?}"),
    }
}

/// Passes `datagram` of the server to a client that must continue to wait. Returns the datagrams that the client sends.
pub(super) fn waiting(connecting: &mut Connecting, datagram: &[u8]) -> Vec<Vec<u8>> {
    let outcome = connecting.receive(START, datagram);
    assert!(matches!(outcome, Ok(ConnectOutcome::Waiting)), "{outcome:?}");
    sent(&mut connecting.transmits)
}

/// Returns the UDP payloads of a capture over Ethernet and IPv4 with their source ports.
pub(super) fn capture(name: &str) -> Vec<(u16, Vec<u8>)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/teeworlds/captures").join(name);
    let file = std::fs::read(path).unwrap();
    let mut rest = &file[24..];
    let mut datagrams = Vec::new();
    while let [_, _, _, _, _, _, _, _, l0, l1, l2, l3, _, _, _, _, frames @ ..] = rest {
        let (frame, next) = frames.split_at(u32::from_le_bytes([*l0, *l1, *l2, *l3]) as usize);
        let udp = &frame[14 + 20..];
        datagrams.push((u16::from_be_bytes([udp[0], udp[1]]), udp[8..].to_vec()));
        rest = next;
    }
    datagrams
}
