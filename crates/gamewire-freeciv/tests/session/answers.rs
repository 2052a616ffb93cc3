//! A client that gets handmade packets from a server: pings, silence, and an end in the middle of a packet.

use core::time::Duration;

use gamewire_freeciv::delta::Value;
use gamewire_freeciv::session::client::{Client, CloseReason, Event, Incoming, Phase};
use gamewire_freeciv::session::server::{CloseReason as ServerReason, Event as ServerEvent};
use gamewire_machine::{Instant, Machine};
use gamewire_sim::StreamConditions;

use super::support::{
    FIRST, Hand, START, STREAM, call, client, connected, end, events, finish, names, run, seconds, server,
    table, text,
};

/// Returns a client that has joined, and the server's side.
fn joined() -> (Client, Hand) {
    let mut alice = connected(client("alice"));
    let mut server = Hand::of_server();
    alice.handle_bytes(START, STREAM, &server.accept());
    let mut out = Vec::new();
    alice.poll_stream(START, &mut out);
    server.hear(&out);
    server.splitter.use_wide_types();
    (alice, server)
}

#[test]
fn a_ping_is_answered_immediately_and_counts_as_a_request() {
    let (mut alice, mut server) = joined();
    let ping = server.say("CONN_PING", &[]);
    alice.handle_bytes(START, STREAM, &ping);
    let mut out = Vec::new();
    assert!(alice.poll_stream(START, &mut out).is_some());
    assert_eq!(names(&server.hear(&out)), ["CONN_PONG"]);
    assert_eq!(alice.chat("hello").unwrap().get(), 3);
}

#[test]
fn heartbeats_are_sent_if_configured() {
    let mut config = client("alice");
    config.heartbeat = Some(seconds(14));
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    call(&mut table, config);
    run(&mut table, seconds(60), finish);
    assert_eq!(table.host().clients(), [FIRST]);
    // The requests are the join request, four heartbeats, and three answers to pings.
    assert_eq!(table.caller_mut(0).unwrap().chat("x").unwrap().get(), 9);
}

#[test]
fn a_silent_server_times_out_and_a_pinging_one_does_not() {
    let (mut alice, mut server) = joined();
    let at = |seconds: u64| Instant::from_micros(seconds * 1_000_000);
    let ping = server.say("CONN_PING", &[]);
    alice.handle_bytes(at(80), STREAM, &ping);
    alice.handle_timeout(at(169));
    assert_eq!(alice.phase(), Some(Phase::Playing));
    alice.handle_timeout(at(170));
    assert_eq!(end(&events(&mut alice)), Some(CloseReason::IdleTimeout { after: seconds(90) }));
    assert!(alice.poll_timeout().is_none());
}

#[test]
fn both_stay_for_as_long_as_pings_are_answered() {
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    call(&mut table, client("alice"));
    run(&mut table, seconds(600), finish);
    assert_eq!(table.client(0).unwrap().phase(), Some(Phase::Playing));
    assert_eq!(table.client(0).unwrap().pending_requests(), 0);
}

#[test]
fn an_end_in_the_middle_of_a_chunk_is_reported() {
    let (mut alice, mut server) = joined();
    server.writer.freeze();
    for number in 0..100 {
        server.say("CHAT_MSG", &[("message", text(&format!("line {number}")))]);
    }
    let mut chunk = Vec::new();
    server.writer.thaw(&mut chunk);
    alice.handle_bytes(START, STREAM, &chunk[..chunk.len() / 2]);
    alice.handle_close(START, STREAM);
    let reason = end(&events(&mut alice)).unwrap();
    assert_eq!(reason.to_string(), "the connection ended in the middle of a packet while playing");
}

#[test]
fn only_a_recent_message_is_quoted_as_the_last_one() {
    for (later, reported) in [(1, Some("bye".to_owned())), (10, None)] {
        let (mut alice, mut server) = joined();
        let chat = server.say("CHAT_MSG", &[("message", text("bye"))]);
        alice.handle_bytes(START, STREAM, &chat);
        alice.handle_close(START + Duration::from_secs(later), STREAM);
        let Some(CloseReason::Ended { last_message: last_words, .. }) = end(&events(&mut alice)) else {
            panic!()
        };
        assert_eq!(last_words, reported);
    }
}

#[test]
fn a_second_join_reply_is_unexpected() {
    let (mut alice, mut server) = joined();
    let again = server.accept();
    alice.handle_bytes(START, STREAM, &again);
    let error = end(&events(&mut alice)).unwrap();
    assert_eq!(error.to_string(), "unexpected PACKET_SERVER_JOIN_REPLY while playing");
}

#[test]
fn packets_are_lent_in_order_with_the_events() {
    let mut alice = connected(client("alice"));
    let mut server = Hand::of_server();
    let mut stream = server.accept();
    stream.extend(server.say("NEW_YEAR", &[("year32", Value::Int(1066))]));
    let mut reported = Vec::new();
    alice
        .handle_bytes_with(START, &stream, |incoming| {
            reported.push(match incoming {
                Incoming::Packet(packet) => format!("{} {}", packet.name(), packet.int("year32")),
                Incoming::Event(Event::Joined(joined)) => format!("joined {}", joined.connection),
                other => format!("{other:?}"),
            });
        })
        .unwrap();
    assert_eq!(reported, ["PACKET_SERVER_JOIN_REPLY 0", "joined 1", "PACKET_NEW_YEAR 1066"]);
    assert!(alice.poll_event().is_none());
}

#[test]
fn a_desync_names_the_packet() {
    let (mut alice, mut server) = joined();
    let mut chat = server.say("CHAT_MSG", &[("message", text("hello"))]);
    let last = chat.len() - 1;
    chat[last] = b'!';
    alice.handle_bytes(START, STREAM, &chat);
    let error = end(&events(&mut alice)).unwrap();
    assert!(error.to_string().starts_with("PACKET_CHAT_MSG.message"), "{error}");
    assert!(alice.handle_bytes_with(START, b"more", |_| {}).is_err());
}

#[test]
fn a_server_reports_why_a_client_is_disconnected() {
    let reason_of = |bytes: Vec<u8>| {
        let mut table = table(server(), StreamConditions::PERFECT, 1);
        call(&mut table, client("alice"));
        run(&mut table, seconds(1), finish);
        let now = table.now();
        table.host_mut().handle_bytes(now, STREAM, &bytes);
        let mut reported = Vec::new();
        run(&mut table, seconds(1), |_, event| reported.push(event));
        match reported.as_slice() {
            [ServerEvent::Closed { client: FIRST, reason }] => reason.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert!(matches!(reason_of(vec![0, 1]), ServerReason::Frame(_)));
    assert!(matches!(reason_of(vec![0, 4, 0, 88]), ServerReason::Packet(_)));
    assert_eq!(
        reason_of(vec![0, 6, 0, 7, 1, 0]),
        ServerReason::Unexpected("PACKET_AUTHENTICATION_REPLY".to_owned())
    );
}
