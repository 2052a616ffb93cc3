//! Invalid and oversized answers.

use gamewire_machine::{Instant, Machine as _};
use proptest::prelude::*;

use super::support::{
    SERVER_TOKEN, address, answers, asked_token, at, browser, config, infos, question, request, sent, server,
    talk, token_reply, turn, wait,
};
use crate::browse::{Browser, InfoFormat, InfoRequest};
use crate::link::PacketError;
use crate::model::info::MAX_CLIENTS;
use crate::shared::data::Token;
use crate::v07::packet::ConnlessHeader;

#[test]
fn t10_an_answer_with_a_wrong_token_is_dropped_and_the_right_one_is_accepted() {
    for format in [InfoFormat::Plain, InfoFormat::Extended] {
        let mut browser = browser(&[format]);
        let asked = question(&mut browser, Instant::ZERO);
        let mut others: Vec<Vec<u8>> = (0..255).map(|_| asked.clone()).collect();
        for (other, step) in others.iter_mut().zip(1_u32..) {
            other[14] = other[14].wrapping_add(step as u8);
        }
        if format == InfoFormat::Extended {
            others.push(asked.clone());
            *others.last_mut().unwrap().get_mut(2).unwrap() ^= 1;
        }
        for other in &others {
            let answer = &answers(&server(3), other)[0];
            assert_eq!(browser.handle_datagram(at(1), address(1), answer), Err(PacketError::WrongToken));
        }
        for answer in answers(&server(3), &asked) {
            browser.handle_datagram(at(2), address(1), &answer).unwrap();
        }
        assert_eq!(infos(turn(&mut browser, at(2)).1).len(), 1);
    }
}

#[test]
fn t2_in_0_7_every_token_must_be_right() {
    let mut browser = browser(&[InfoFormat::V07]);
    let ours = asked_token(&question(&mut browser, Instant::ZERO)).unwrap();
    let mut refused = |datagram: &[u8]| browser.handle_datagram(at(1), address(1), datagram).unwrap_err();
    assert_eq!(refused(&token_reply(Token(ours.0 ^ 1), SERVER_TOKEN)), PacketError::WrongToken);
    assert_eq!(refused(&token_reply(ours, Token::NONE)), PacketError::WrongToken);

    browser.handle_datagram(at(1), address(1), &token_reply(ours, SERVER_TOKEN)).unwrap();
    let asked = question(&mut browser, at(1));
    let Ok(InfoRequest::V07 { answer, token }) = request(&asked) else { panic!() };
    assert_eq!(answer.token, ours);
    for (theirs, token) in [(Token(ours.0 ^ 1), token), (Token::NONE, token), (ours, token ^ 1), (ours, -1)] {
        let answer = ConnlessHeader { token: theirs, ..answer };
        let request = InfoRequest::V07 { answer, token };
        crate::browse::reply(&server(3), &request, |answer| {
            assert_eq!(browser.handle_datagram(at(2), address(1), answer), Err(PacketError::WrongToken));
        });
    }
    assert_eq!(infos(talk_on(&mut browser, &asked)).len(), 1);
}

/// Answers an earlier request, and returns the browser's events.
fn talk_on(browser: &mut Browser, asked: &[u8]) -> Vec<crate::browse::Event> {
    for answer in answers(&server(3), asked) {
        browser.handle_datagram(at(3), address(1), &answer).unwrap();
    }
    turn(browser, at(3)).1
}

#[test]
fn t10_datagrams_of_other_addresses_are_rejected() {
    let mut browser = browser(&[InfoFormat::Plain]);
    let answer = answers(&server(0), &question(&mut browser, Instant::ZERO)).remove(0);
    assert_eq!(browser.handle_datagram(at(1), address(2), &answer), Err(PacketError::UnknownAddress));
    let other_port = std::net::SocketAddr::new(address(1).ip(), 8304);
    assert_eq!(browser.handle_datagram(at(1), other_port, &answer), Err(PacketError::UnknownAddress));
    browser.handle_datagram(at(1), address(1), &answer).unwrap();
    assert_eq!(
        browser.handle_datagram(at(1), address(1), &answer),
        Err(PacketError::UnknownAddress),
        "once only"
    );
}

#[test]
fn t4_a_list_with_too_many_clients_is_truncated() {
    let mut browser = browser(&[InfoFormat::Extended]);
    let asked = question(&mut browser, Instant::ZERO);
    let Ok(InfoRequest::Extended { token }) = request(&asked) else { panic!() };
    let clients = "\0\0\0\0\0\0".repeat(200);
    let mut taken = 0;
    for number in -2..100 {
        let more = [&[0xff; 10], format!("iex+{token}\0{number}\0\0{clients}").as_bytes()].concat();
        assert!(more.len() <= 1400);
        taken += usize::from(browser.handle_datagram(at(1), address(1), &more).is_ok());
    }
    assert_eq!(taken, 1, "one such part is as many clients as there can be");
    let first =
        format!("iext{token}\0v\0n\0m\x001\x001\0g\x000\x0064\x0064\x002000000000\x00128\0\0{clients}");
    browser.handle_datagram(at(1), address(1), &[&[0xff; 10], first.as_bytes()].concat()).unwrap();
    let infos = infos(turn(&mut browser, at(1)).1);
    assert_eq!(infos[0].1.clients.len(), MAX_CLIENTS);
}

#[test]
fn t4_numbers_of_parts_outside_their_range_are_dropped() {
    let mut browser = browser(&[InfoFormat::Extended]);
    let asked = question(&mut browser, Instant::ZERO);
    let Ok(InfoRequest::Extended { token }) = request(&asked) else { panic!() };
    for number in ["0", "-1", "64", "2147483647", "99999999999", "x", ""] {
        let more =
            [&[0xff; 10], format!("iex+{token}\0{number}\0\0a\0b\x001\x002\x001\0\0").as_bytes()].concat();
        assert!(browser.handle_datagram(at(1), address(1), &more).is_err(), "{number}");
    }
}

#[test]
fn t12_names_of_any_bytes_are_kept_as_they_are() {
    let mut info = server(1);
    info.name = b"\x1b[2J\xff\xfe <script>".as_slice().into();
    info.clients[0].name = "\u{202e}\u{200b}".into();
    for format in InfoFormat::ALL {
        let seen = infos(talk(&mut browser(&[format]), address(1), &info, Instant::ZERO)).remove(0).1;
        assert!(seen.name.as_bytes().starts_with(info.name.as_bytes()), "{format}");
        assert_eq!(seen.clients[0].name, info.clients[0].name);
    }
}

#[test]
fn truncated_and_corrupted_answers_do_no_harm() {
    for format in InfoFormat::ALL {
        let mut fresh = browser(&[format]);
        let mut asked = question(&mut fresh, Instant::ZERO);
        let token = asked_token(&asked).map(|ours| token_reply(ours, SERVER_TOKEN));
        if let Some(token) = &token {
            fresh.handle_datagram(at(1), address(1), token).unwrap();
            asked = question(&mut fresh, at(1));
        }
        let answer = answers(&server(20), &asked).remove(0);
        let mut bent: Vec<Vec<u8>> = (0..answer.len()).map(|length| answer[..length].to_vec()).collect();
        bent.extend((0..answer.len() * 8).map(|bit| {
            let mut bent = answer.clone();
            bent[bit / 8] ^= 1 << (bit % 8);
            bent
        }));
        for bent in &bent {
            let mut browser = browser(&[format]);
            sent(&mut browser, Instant::ZERO);
            if let Some(token) = &token {
                browser.handle_datagram(at(1), address(1), token).unwrap();
            }
            let _ = browser.handle_datagram(at(2), address(1), bent);
            wait(&mut browser);
        }
    }
}

proptest! {
    #[test]
    fn t10_random_datagrams_are_survived(data in proptest::collection::vec(any::<u8>(), 0..1500)) {
        let mut browser = Browser::new([address(1)], config(&InfoFormat::ALL), Instant::ZERO);
        sent(&mut browser, Instant::ZERO);
        prop_assert!(browser.handle_datagram(at(1), address(1), &data).is_err());
        let _ = request(&data);
        for head in [&[0xff; 10][..], b"xe\0\0\0\0\xff\xff\xff\xff"] {
            for letters in [b"inf3", b"iext", b"iex+", b"gie3"] {
                let datagram = [head, letters, &data[..data.len().min(1300)]].concat();
                let _ = browser.handle_datagram(at(1), address(1), &datagram);
                let _ = request(&datagram);
            }
        }
    }
}
