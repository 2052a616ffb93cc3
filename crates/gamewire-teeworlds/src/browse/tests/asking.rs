//! The queries of a browser and their timers.

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Machine as _};

use super::support::{
    SECOND, SERVER_TOKEN, address, answers, asked_token, at, browser, config, infos, question, sent, server,
    talk, token_reply, turn, wait,
};
use crate::browse::{Browser, BrowserConfig, Event, InfoFormat};
use crate::link::PacketError;

#[test]
fn a_server_is_queried_and_answers_in_every_format() {
    let mut browser = browser(&InfoFormat::ALL);
    let mut infos = infos(talk(&mut browser, address(1), &server(5), Instant::ZERO));
    infos.sort_by_key(|(format, _)| *format);
    assert_eq!(infos.iter().map(|(format, _)| *format).collect::<Vec<_>>(), InfoFormat::ALL);
    for (format, info) in infos {
        let suffix = if format == InfoFormat::Plain { " [5/128]" } else { "" };
        assert_eq!(info.name.as_bytes(), [server(5).name.as_bytes(), suffix.as_bytes()].concat(), "{format}");
        assert_eq!(info.clients, server(5).clients, "{format}");
        assert_eq!((info.num_players, info.num_clients, info.password), (3, 5, true), "{format}");
        assert_eq!(info.map_file, if format == InfoFormat::Extended { server(5).map_file } else { None });
        assert_eq!(info.skill_level, (format == InfoFormat::V07).then_some(1));
    }
    assert_eq!(browser.poll_timeout(), None);
}

#[test]
fn the_round_trip_is_measured_from_the_last_request() {
    let mut browser = browser(&[InfoFormat::Plain]);
    sent(&mut browser, Instant::ZERO);
    let question = question(&mut browser, at(500));
    browser.handle_datagram(at(530), address(1), &answers(&server(0), &question)[0]).unwrap();
    let Event::Answer { round_trip, .. } = &turn(&mut browser, at(530)).1[0] else { panic!() };
    assert_eq!(*round_trip, Duration::from_millis(30));
}

#[test]
fn a_query_is_repeated_every_half_second_until_its_timeout() {
    let mut browser = browser(&[InfoFormat::Plain]);
    let first = question(&mut browser, Instant::ZERO);
    for half_seconds in 1..6 {
        assert_eq!(browser.poll_timeout().unwrap().at, at(half_seconds * 500));
        assert_eq!(question(&mut browser, at(half_seconds * 500)), first, "the token stays");
    }
    let (sent, events) = turn(&mut browser, at(3000));
    assert_eq!(sent, []);
    assert_eq!(events, [Event::NoAnswer { address: address(1), format: InfoFormat::Plain }, Event::Finished]);
    assert_eq!((browser.poll_timeout(), browser.left()), (None, 0));
}

#[test]
fn a_token_request_of_0_7_is_repeated_every_two_seconds() {
    let mut browser = browser(&[InfoFormat::V07]);
    let first = question(&mut browser, Instant::ZERO);
    assert_eq!(browser.poll_timeout().unwrap().at, at(2000));
    assert_eq!(question(&mut browser, at(2000)), first);
}

#[test]
fn g9_after_a_suspend_a_query_times_out_once_without_a_storm() {
    let mut browser = browser(&InfoFormat::ALL);
    sent(&mut browser, Instant::ZERO);
    let (sent, events) = turn(&mut browser, Instant::ZERO + 3600 * SECOND);
    assert_eq!((sent.len(), events.len()), (0, 4));
    assert_eq!(events[3], Event::Finished);
}

#[test]
fn a_late_browser_repeats_a_query_once() {
    let mut browser = browser(&[InfoFormat::Plain]);
    sent(&mut browser, Instant::ZERO);
    assert_eq!(sent(&mut browser, at(2600)).len(), 1);
    assert_eq!(browser.poll_timeout().unwrap().at, at(3000));
}

#[test]
fn an_expired_token_of_0_7_is_requested_again() {
    let config = BrowserConfig { timeout: 60 * SECOND, ..config(&[InfoFormat::V07]) };
    let mut browser = Browser::new([address(1)], config, Instant::ZERO);
    let ours = asked_token(&question(&mut browser, Instant::ZERO)).unwrap();
    browser.handle_datagram(Instant::ZERO, address(1), &token_reply(ours, SERVER_TOKEN)).unwrap();
    let asked = question(&mut browser, Instant::ZERO);
    assert_eq!(question(&mut browser, at(15_900)), asked);
    assert_eq!(asked_token(&question(&mut browser, at(16_400))), Some(ours));
}

#[test]
fn the_number_of_concurrent_queries_is_limited() {
    let config = BrowserConfig { max_concurrent: 4, ..config(&[InfoFormat::Plain]) };
    let addresses: Vec<SocketAddr> = (1..=10).chain(1..=10).map(address).collect();
    let mut browser = Browser::new(addresses, config, Instant::ZERO);
    let (first, _) = turn(&mut browser, Instant::ZERO);
    assert_eq!(first.iter().map(|(to, _)| *to).collect::<Vec<_>>(), [1, 2, 3, 4].map(address));
    assert_eq!(browser.left(), 10);

    for (from, question) in &first {
        browser.handle_datagram(at(10), *from, &answers(&server(0), question)[0]).unwrap();
    }
    assert_eq!(sent(&mut browser, at(10)).len(), 0, "earlier events come first");
    let (next, _) = turn(&mut browser, at(11));
    assert_eq!(next.iter().map(|(to, _)| *to).collect::<Vec<_>>(), [5, 6, 7, 8].map(address));

    let events = wait(&mut browser);
    assert_eq!(events.len(), 6 + 1, "six others are silent");
    assert_eq!(events.last(), Some(&Event::Finished));
}

#[test]
fn a_browser_without_addresses_finishes_immediately() {
    let mut browser = Browser::new([], config(&InfoFormat::ALL), Instant::ZERO);
    assert_eq!((browser.poll_event(), browser.poll_event()), (Some(Event::Finished), None));
    let mut browser = Browser::new([address(1)], config(&[]), Instant::ZERO);
    assert_eq!((browser.poll_event(), browser.poll_event()), (Some(Event::Finished), None));
}

#[test]
fn the_same_seed_sends_the_same_tokens_and_another_seed_others() {
    let all = |seed| {
        let config = BrowserConfig { seed, ..config(&InfoFormat::ALL) };
        sent(&mut Browser::new([address(1)], config, Instant::ZERO), Instant::ZERO)
    };
    assert_eq!(all([1; 32]), all([1; 32]));
    assert_ne!(all([1; 32]), all([2; 32]));
}

#[test]
fn an_answer_in_another_format_is_dropped() {
    let mut browser = browser(&[InfoFormat::Extended]);
    let asked = question(&mut browser, Instant::ZERO);
    // A server of Teeworlds 0.6 reads the extended request as a plain one.
    let plain = [&[0xff; 10][..], b"gie3", &asked[14..]].concat();
    let answer = &answers(&server(0), &plain)[0];
    let error = PacketError::Unexpected("not an answer to a query");
    assert_eq!(browser.handle_datagram(at(1), address(1), answer), Err(error));
}
