//! Answers with many clients, and their assembly.

use gamewire_machine::{Instant, Machine as _};

use super::support::{
    address, answers, at, browser, infos, question, request, sent, server, talk, turn, wait,
};
use crate::browse::{Event, InfoFormat, InfoRequest, MAX_SHORT_REPLY, reply, short_reply};
use crate::model::info::{MAX_CLIENTS, ServerInfo};
use crate::shared::data::Token;
use crate::v07::packet::ConnlessHeader;

const HEADER: ConnlessHeader = ConnlessHeader { token: Token(2), response_token: Token(1) };

const REQUESTS: [InfoRequest; 3] = [
    InfoRequest::Plain { token: 255 },
    InfoRequest::Extended { token: 0x00ff_ffff },
    InfoRequest::V07 { answer: HEADER, token: i32::MIN },
];

/// Returns the information that a browser decodes from an answer in one format.
fn seen(info: &ServerInfo, format: InfoFormat) -> ServerInfo {
    infos(talk(&mut browser(&[format]), address(1), info, Instant::ZERO)).remove(0).1
}

/// Returns a server whose texts and numbers have the maximum length or more.
fn widest(clients: usize) -> ServerInfo {
    let mut info = server(clients);
    for text in [&mut info.version, &mut info.name, &mut info.hostname, &mut info.map, &mut info.game_type] {
        *text = "☃".repeat(200).into();
    }
    for client in &mut info.clients {
        client.name = "Ü".repeat(20).into();
        client.clan = "Ü".repeat(20).into();
        client.country = i32::MIN;
        client.score = i32::MIN;
    }
    info
}

#[test]
fn no_answer_is_longer_than_a_datagram() {
    for clients in (0..=MAX_CLIENTS).chain([1000]) {
        for request in &REQUESTS {
            let mut count = 0;
            reply(&widest(clients), request, |answer| {
                assert!(answer.len() <= 1400, "{} bytes", answer.len());
                count += 1;
            });
            let is_extended = matches!(request, InfoRequest::Extended { .. });
            assert!(count == 1 || is_extended && (1..=64).contains(&count), "{count} answers");
        }
    }
}

#[test]
fn the_extended_format_lists_every_client() {
    for clients in [0, 1, 16, 17, 63, 64, 65, MAX_CLIENTS] {
        let info = server(clients);
        assert_eq!(seen(&info, InfoFormat::Extended), info, "{clients} clients");
        assert_eq!(seen(&widest(clients), InfoFormat::Extended).clients.len(), clients);
    }
}

#[test]
fn in_0_6_the_name_has_the_count_of_more_than_sixteen_clients() {
    let info = seen(&server(20), InfoFormat::Plain);
    assert_eq!(info.name, "Spaß ☃ server [20/128]");
    assert_eq!((info.num_clients, info.max_clients, info.clients.len()), (15, 16, 15), "one may still join");

    let full = ServerInfo { max_clients: 20, ..server(20) };
    let info = seen(&full, InfoFormat::Plain);
    assert_eq!((info.num_clients, info.max_clients, info.clients.len()), (16, 16, 16));

    let small = ServerInfo { max_clients: 16, max_players: 12, ..server(16) };
    let info = seen(&small, InfoFormat::Plain);
    assert_eq!((info.name, info.max_players), (small.name, 12));
    assert_eq!((info.num_clients, info.max_clients, info.clients), (16, 16, small.clients));
}

#[test]
fn in_0_7_the_count_is_that_of_the_clients_that_fit() {
    let info = seen(&server(30), InfoFormat::V07);
    assert_eq!((info.num_clients, info.clients.len(), info.max_clients), (30, 30, 64));
    assert_eq!(info.name, server(30).name);

    for crowd in [server(MAX_CLIENTS), widest(64)] {
        let info = seen(&crowd, InfoFormat::V07);
        assert_eq!(usize::try_from(info.num_clients), Ok(info.clients.len()));
        assert!(info.clients.len() > 20, "{}", info.clients.len());
        assert!(info.num_players <= info.num_clients && info.max_clients <= 64);
        assert!(info.name.as_bytes().ends_with(format!(" [{}/128]", crowd.clients.len()).as_bytes()));
    }
}

#[test]
fn invalid_counts_are_clamped() {
    let odd =
        ServerInfo { num_players: -5, max_players: i32::MAX, num_clients: -1, max_clients: -1, ..server(3) };
    for format in InfoFormat::ALL {
        let info = seen(&odd, format);
        let numbers = (info.num_players, info.max_players, info.num_clients, info.max_clients);
        assert_eq!(numbers, (0, 3, 3, 3), "{format}");
    }
}

#[test]
fn the_parts_of_an_extended_answer_may_come_in_any_order() {
    let info = server(MAX_CLIENTS);
    let mut browser = browser(&[InfoFormat::Extended]);
    let mut parts = answers(&info, &question(&mut browser, Instant::ZERO));
    assert!(parts.len() > 2, "{} parts", parts.len());
    parts.reverse();
    for part in &parts {
        browser.handle_datagram(at(10), address(1), part).unwrap();
    }
    assert_eq!(infos(turn(&mut browser, at(10)).1), [(InfoFormat::Extended, info)]);
}

#[test]
fn a_lost_part_is_requested_again() {
    let info = server(MAX_CLIENTS);
    let mut browser = browser(&[InfoFormat::Extended]);
    let parts = answers(&info, &question(&mut browser, Instant::ZERO));
    browser.handle_datagram(at(10), address(1), &parts[0]).unwrap();
    assert_eq!(turn(&mut browser, at(10)), (vec![], vec![]));

    let again = answers(&info, &question(&mut browser, at(500)));
    assert!(browser.handle_datagram(at(510), address(1), &again[0]).is_err(), "that came before");
    for part in &again[1..] {
        browser.handle_datagram(at(510), address(1), part).unwrap();
    }
    assert_eq!(infos(turn(&mut browser, at(510)).1), [(InfoFormat::Extended, info)]);
}

#[test]
fn an_answer_without_clients_is_an_answer() {
    let busy = ServerInfo { num_clients: 20, ..server(0) };
    let mut browser = browser(&[InfoFormat::Extended]);
    let parts = answers(&busy, &question(&mut browser, Instant::ZERO));
    browser.handle_datagram(at(10), address(1), &parts[0]).unwrap();
    assert_eq!(sent(&mut browser, at(500)).len() + sent(&mut browser, at(1000)).len(), 2);
    let before = browser.poll_timeout().unwrap().at;
    assert!(before < at(3000), "{before:?}");
    let events = wait(&mut browser);
    let Event::Answer { info, round_trip, .. } = &events[0] else { panic!("{events:?}") };
    assert_eq!((info.num_clients, info.clients.len(), round_trip.as_millis()), (20, 0, 10));
    assert_eq!(events.len(), 2);
}

/// Returns the short answer to a request of 0.6.
fn short(info: &ServerInfo, request: &InfoRequest) -> Vec<u8> {
    let mut answers = Vec::new();
    short_reply(info, request, |answer| answers.push(answer.to_vec()));
    assert_eq!(answers.len(), 1);
    answers.remove(0)
}

#[test]
fn t4_a_short_answer_has_a_name_and_counts_and_no_clients() {
    let name = "a name that is cut somewhere after this";
    let info = ServerInfo { name: name.into(), ..server(20) };
    for (format, counts, ending) in
        [(InfoFormat::Plain, (0, 16), " [20/128]"), (InfoFormat::Extended, (20, 128), "")]
    {
        let mut browser = browser(&[format]);
        let answer = short(&info, &request(&question(&mut browser, Instant::ZERO)).unwrap());
        assert_eq!(answer.len(), MAX_SHORT_REPLY, "{format}");
        browser.handle_datagram(at(10), address(1), &answer).unwrap();
        let mut events = turn(&mut browser, at(10)).1;
        events.extend(wait(&mut browser));
        let seen = infos(events).remove(0).1;
        let shown = seen.name.to_string();
        let kept = shown.strip_suffix(ending).unwrap();
        assert!(name.starts_with(kept) && kept.len() > 15, "{format}: {shown}");
        assert_eq!(seen.version, "0.6", "{format}");
        let texts = [seen.map, seen.game_type].map(|text| text.to_string());
        assert!(seen.clients.is_empty() && texts == [""; 2], "{format}");
        assert_eq!((seen.num_clients, seen.max_clients), counts, "{format}");
    }
    let small = ServerInfo { name: "small".into(), map: "dm1".into(), game_type: "DM".into(), ..server(3) };
    let answer = short(&small, &InfoRequest::Plain { token: 5 });
    assert!(answer.windows(7).any(|part| part == b"dm1\0DM\0"), "{}", answer.escape_ascii());
}

#[test]
fn t4_no_short_answer_is_longer_than_its_limit() {
    for clients in 0..=MAX_CLIENTS {
        for info in [widest(clients), server(clients), ServerInfo { password: true, ..widest(clients) }] {
            for request in &REQUESTS[..2] {
                let answer = short(&info, request);
                assert!(answer.len() <= MAX_SHORT_REPLY, "{} bytes", answer.len());
            }
        }
    }
}
