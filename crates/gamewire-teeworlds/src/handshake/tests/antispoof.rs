//! Clients older than 0.6.5, which do not know tokens.

use super::support::{
    START, address, after, capture, client, connecting, gate, hex, online, puzzle as puzzle_gate, refused,
    sent,
};
use crate::Dialect;
use crate::handshake::antispoof;
use crate::handshake::{AcceptOutcome, Acceptor, AcceptorConfig, FirstPacket, SeededRng, TokenlessPolicy};
use crate::link::{Link, LinkInput, Outbox, PacketError, Scratch};
use crate::shared::data::Token;
use crate::shared::packet::{MAX_PAYLOAD, inflate};
use crate::v06;

/// The second session of the capture: the first datagrams of the server, and the datagrams of the client after them.
struct Captured {
    accept: Vec<u8>,
    puzzle: Vec<u8>,
    client: Vec<Vec<u8>>,
    map: Vec<u8>,
}

const PORT: u16 = 58513;
/// The tick of the capture: its server's token without the highest bit.
const TICK: u32 = 0x4cd7_363f;
/// The constant start of every antispoof packet: header, MAP_CHANGE, CON_READY.
const PUZZLE_HEAD: &str = "000005 400c01 05 646d3100 d186d3de01 ad5a 400102 09";

fn captured() -> Captured {
    let all = capture("tw-0.6.5-tokens.pcap");
    let at = all.iter().position(|(source, _)| *source == PORT).unwrap();
    let bytes = |offset: usize| all[at + offset].1.clone();
    Captured {
        accept: bytes(1),
        puzzle: bytes(2),
        client: [3, 4, 5, 6, 7].map(bytes).to_vec(),
        map: bytes(8),
    }
}

/// Sends a request and returns the two datagrams of the answer.
fn ask(gate: &mut Acceptor, millis: u64) -> Option<[Vec<u8>; 2]> {
    let mut out = Outbox::new();
    match gate.receive(after(millis), client(), &hex("10000001"), &mut out) {
        Ok(AcceptOutcome::Answered) => sent(&mut out).try_into().ok(),
        Err(PacketError::RateLimited) => {
            assert!(out.is_empty());
            None
        }
        other => panic!("{other:?}"),
    }
}

/// Returns the tick of an antispoof packet: the packed integer before the last byte.
fn tick(puzzle: &[u8]) -> Vec<u8> {
    let at = puzzle.windows(3).rposition(|bytes| bytes[1..] == [0x07, 0x0d]).unwrap();
    puzzle[at + 3..puzzle.len() - 1].to_vec()
}

fn input(tick: &[u8]) -> Vec<u8> {
    // INPUT with the tick, an intended tick and no input.
    let content = [&[0x21], tick, &[0x01, 0x00]].concat();
    [&[0x00, 0x02, 0x01, 0x00, content.len() as u8], content.as_slice()].concat()
}

fn past_info(gate: &mut Acceptor, now: gamewire_machine::Instant, datagram: &[u8]) -> Link {
    let mut out = Outbox::new();
    match gate.receive(now, client(), datagram, &mut out) {
        Ok(AcceptOutcome::Accepted { link, first_packet: FirstPacket::PastInfo }) => {
            assert!(out.is_empty());
            link
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_antispoof_packet_has_the_bytes_of_the_capture() {
    let captured = captured();
    let mut out = Outbox::new();
    antispoof::send(Token(TICK), client(), &mut out);
    assert_eq!(sent(&mut out), [captured.puzzle]);
    let [accept, puzzle] = ask(&mut gate(puzzle_gate()), 0).unwrap();
    assert_eq!((accept, &puzzle[..22]), (captured.accept, &hex(PUZZLE_HEAD)[..]));
}

#[test]
fn the_compressed_input_of_the_capture_has_the_tick() {
    let packet = v06::packet::parse(&captured().client[4], &mut ()).map(|packet| match packet {
        v06::packet::Packet::Connected { header, payload } => (header, payload.remaining().to_vec()),
        v06::packet::Packet::Connless { .. } => panic!(),
    });
    let (header, payload) = packet.unwrap();
    assert!(header.compressed);
    let mut buffer = [0; MAX_PAYLOAD];
    let payload = inflate(&payload, &mut buffer).unwrap();
    assert_eq!(antispoof::decode_input_token(&header, payload), Some(Token(TICK)));
}

#[test]
fn the_input_of_an_older_client_of_the_capture_is_accepted() {
    let captured = captured();
    let mut gate = gate(puzzle_gate());
    let [_, puzzle] = ask(&mut gate, 0).unwrap();
    // ACCEPT, INFO, READY and the rest are not answered.
    for datagram in &captured.client[..4] {
        refused(&mut gate, after(100), client(), datagram);
    }
    // The captured input is compressed and has another tick, which is wrong here.
    let wrong = &captured.client[4];
    assert_eq!(refused(&mut gate, after(200), client(), wrong), PacketError::WrongToken);
    let mut link = past_info(&mut gate, after(200), &input(&tick(&puzzle)));
    assert_eq!(link.dialect(), Dialect::V06);

    link.send(true, &captured.map[6..]).unwrap();
    link.flush();
    assert_eq!(sent(&mut link.transmits), [captured.map.as_slice()]);
    // The client continues its own numbering: READY with its fourth number is accepted.
    let mut scratch = Scratch::new();
    match link.receive(after(300), &hex("000301 400104 1d"), &mut scratch) {
        Ok(LinkInput::Chunks(chunks)) => assert_eq!(chunks.count(), 1),
        other => panic!("{other:?}"),
    }
    link.send(true, &hex("0200")).unwrap();
    link.send(true, &hex("09")).unwrap();
    link.flush();
    assert_eq!(sent(&mut link.transmits), [hex("000402 400204 0200 400105 09")]);
}

#[test]
fn our_client_receives_the_captured_antispoof_packet_as_messages() {
    let captured = captured();
    let (mut connecting, _) = connecting(Dialect::V06);
    let (mut link, _) = online(&mut connecting, &captured.accept);
    let mut scratch = Scratch::new();
    match link.receive(START, &captured.puzzle, &mut scratch) {
        Ok(LinkInput::Chunks(chunks)) => assert_eq!(chunks.count(), 5),
        other => panic!("{other:?}"),
    }
    // The link acknowledges both vital messages, as the captured client does.
    link.send_control(3, &[]);
    assert_eq!(sent(&mut link.transmits), [captured.client[0].clone()]);
}

#[test]
fn t3_an_antispoof_token_depends_on_the_port_and_expires() {
    let mut gate = gate(puzzle_gate());
    let [_, puzzle] = ask(&mut gate, 0).unwrap();
    let right = input(&tick(&puzzle));
    let other_port = address("10.0.0.2:5001");
    assert_eq!(refused(&mut gate, after(0), other_port, &right), PacketError::WrongToken);
    assert_eq!(refused(&mut gate, after(32_000), client(), &right), PacketError::WrongToken);
    let [mut wrong, before] = [right.clone(), input(&[0x01])];
    wrong[6] ^= 1;
    assert_eq!(refused(&mut gate, after(0), client(), &wrong), PacketError::WrongToken);
    assert_eq!(refused(&mut gate, after(0), client(), &before), PacketError::WrongToken);
    assert_eq!(gate.stats().wrong_token, 4);
    past_info(&mut gate, after(0), &right);
}

#[test]
fn t3_antispoof_packets_are_limited_for_all_addresses_together() {
    let mut gate = gate(puzzle_gate());
    let answered = (0..100).filter(|millis| ask(&mut gate, *millis).is_some()).count();
    assert_eq!(answered, 5 + 5);
    assert_eq!((gate.stats().answered, gate.stats().rate_limited), (10, 90));
    assert!(ask(&mut gate, 20_000).is_some());
}

#[test]
fn t3_older_clients_get_no_answer_by_default() {
    let mut gate = gate(TokenlessPolicy::default());
    let why = refused(&mut gate, START, client(), &hex("10000001"));
    assert_eq!(why, PacketError::Unexpected("CONNECT without a token"));
    assert_eq!(gate.stats().dropped, 1);
}

#[test]
fn a_connect_of_ddnet_counts_as_one_of_an_older_client_with_only_0_6_5() {
    let config = AcceptorConfig { tken: None, tokenless: puzzle_gate(), ..AcceptorConfig::vanilla() };
    let mut gate = Acceptor::new(config, &mut SeededRng::new([1; 32]));
    let (_, connect) = connecting(Dialect::Tken);
    let mut out = Outbox::new();
    gate.receive(START, client(), &connect, &mut out).unwrap();
    let answers = sent(&mut out);
    assert_eq!((answers.len(), &answers[0]), (2, &hex("10000002")));
}
