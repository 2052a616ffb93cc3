//! Answers with the bytes of real servers.

use gamewire_machine::{Instant, Machine as _};

use super::support::{address, at, browser, infos, question, request, server, turn};
use crate::browse::{InfoFormat, InfoRequest, reply};
use crate::model::info::{ClientEntry, MapFile, ServerInfo};
use crate::shared::data::Token;
use crate::v07::packet::ConnlessHeader;

const HEADER: ConnlessHeader = ConnlessHeader { token: Token(2), response_token: Token(1) };

#[test]
fn a_request_of_0_6_has_ten_bytes_ff_four_letters_and_a_token() {
    let question = question(&mut browser(&[InfoFormat::Plain]), Instant::ZERO);
    let (head, token) = question.split_at(14);
    assert_eq!((head, token.len()), ([&[0xff; 10], &b"gie3"[..]].concat().as_slice(), 1));
}

#[test]
fn a_request_in_the_extended_format_has_two_more_bytes_of_token() {
    let question = question(&mut browser(&[InfoFormat::Extended]), Instant::ZERO);
    assert_eq!(
        (&question[..2], &question[4..14], question.len()),
        (&b"xe"[..], &b"\0\0\xff\xff\xff\xffgie3"[..], 15)
    );
    // Seen live: extra token 0x1234 and token 5 return as "1192965".
    let seen = b"xe\x12\x34\0\0\xff\xff\xff\xffgie3\x05";
    assert_eq!(request(seen), Ok(InfoRequest::Extended { token: 1_192_965 }));
    reply(&server(0), &InfoRequest::Extended { token: 1_192_965 }, |answer| {
        assert!(answer.starts_with(&[&[0xff; 10], &b"iext1192965\0"[..]].concat()));
    });
}

#[test]
fn in_0_7_a_token_request_has_520_bytes() {
    let mut browser = browser(&[InfoFormat::V07]);
    let question = question(&mut browser, Instant::ZERO);
    assert_eq!(question.len(), 520);
    assert_eq!(question[..8], [4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5]);
    assert!(question[12..].iter().all(|&byte| byte == 0));

    let ours = &question[8..12];
    let answer = [&[4, 0, 0], ours, &[5, 0x4a, 0xbf, 0xd2, 6]].concat();
    browser.handle_datagram(at(20), address(1), &answer).unwrap();
    let question = super::support::question(&mut browser, at(20));
    let head = [&[0x21, 0x4a, 0xbf, 0xd2, 6], ours, &[0xff; 4], b"gie3"].concat();
    assert!(question.starts_with(&head), "{question:x?}");
}

#[test]
fn an_answer_of_0_7_as_it_was_seen() {
    // DDNet 16.4 in 0.7, to a request with token 54321.
    let body = "ffffffff696e6633b1d006302e37e28694302e362e342c2031362e340067616d657769726500005475746f7269616c00\
                546573744444726163654e6574776f720002010280010380014772c3bcc39f6520e298830067c3a46d650094044000\
                627261696e6c657373207465650000404001736576656e0067c3a46d650094044000";
    let body: Vec<u8> =
        (0..body.len()).step_by(2).map(|at| u8::from_str_radix(&body[at..at + 2], 16).unwrap()).collect();
    let client = |name: &str, clan: &str, country, is_player| ClientEntry {
        name: name.into(),
        clan: clan.into(),
        country,
        score: -1,
        is_player,
        is_bot: false,
    };
    let info = ServerInfo {
        version: "0.7↔0.6.4, 16.4".into(),
        name: "gamewire".into(),
        map: "Tutorial".into(),
        game_type: "TestDDraceNetwor".into(),
        scores_are_times: true,
        skill_level: Some(1),
        num_players: 2,
        max_players: 64,
        num_clients: 3,
        max_clients: 64,
        clients: vec![
            client("Grüße ☃", "gäme", 276, true),
            client("brainless tee", "", -1, false),
            client("seven", "gäme", 276, true),
        ],
        ..ServerInfo::default()
    };
    let request = InfoRequest::V07 { answer: HEADER, token: 54321 };
    let mut answers = Vec::new();
    reply(&info, &request, |answer| answers.push(answer.to_vec()));
    assert_eq!(answers, [[&[0x21, 0, 0, 0, 2, 0, 0, 0, 1][..], &body].concat()]);
}

#[test]
fn an_answer_of_0_6_as_an_independent_packer_writes_it() {
    let mut browser = browser(&[InfoFormat::Plain]);
    let token = question(&mut browser, Instant::ZERO)[14];
    let text = format!(
        "inf3{token}\x000.6.4\0server\0ctf5\0CTF\x001\x002\x0014\x003\x0016\0a\0b\x00276\x00-9999\x001\0"
    );
    let answer = [&[0xff; 10], text.as_bytes()].concat();
    browser.handle_datagram(at(30), address(1), &answer).unwrap();
    let (format, info) = infos(turn(&mut browser, at(30)).1).remove(0);
    let expected = ServerInfo {
        version: "0.6.4".into(),
        name: "server".into(),
        map: "ctf5".into(),
        game_type: "CTF".into(),
        password: true,
        num_players: 2,
        max_players: 14,
        num_clients: 3,
        max_clients: 16,
        clients: vec![ClientEntry {
            name: "a".into(),
            clan: "b".into(),
            country: 276,
            score: -9999,
            is_player: true,
            is_bot: false,
        }],
        ..ServerInfo::default()
    };
    assert_eq!((format, info), (InfoFormat::Plain, expected));
}

#[test]
fn a_negative_crc_is_the_same_32_bits() {
    let mut browser = browser(&[InfoFormat::Extended]);
    let question = question(&mut browser, Instant::ZERO);
    let token = u32::from_be_bytes([0, question[2], question[3], question[14]]);
    let text = format!(
        "iext{token}\x0019.6\0s\0m\0-1834012487\x00511393\0DDraceNetwork\x000\x000\x0060\x000\x0064\0\0"
    );
    let answer = [&[0xff; 10], text.as_bytes()].concat();
    browser.handle_datagram(at(30), address(1), &answer).unwrap();
    let (_, info) = infos(turn(&mut browser, at(30)).1).remove(0);
    assert_eq!(info.map_file, Some(MapFile { crc: 0x92af_30b9, size: 511_393 }));
}
