//! Attacks F9 and F11 on both roles.

use core::time::Duration;

use gamewire_freeciv::delta::Value;
use gamewire_freeciv::session::client::{Client, ClientConfig, CloseReason, Event, Incoming, Phase};
use gamewire_freeciv::session::server::{
    CloseReason as ServerReason, Event as ServerEvent, Server, ServerConfig,
};
use gamewire_machine::{ConversationSide, EventLimits, Instant, Machine, StreamId, StreamOutput};
use gamewire_sim::StreamConditions;

use super::support::{
    FIRST, Hand, START, STREAM as CLIENT_STREAM, call, client, connected, end, events, finish, names, run,
    seconds, server, show_world, table, text,
};

const STREAM: StreamId = StreamId::new(7);

fn address() -> std::net::SocketAddr {
    ([192, 0, 2, 9], 4000).into()
}

/// Passes bytes from one stream to a server. Returns its answer, and whether it closed the stream.
fn hear(server: &mut Server, now: Instant, bytes: &[u8]) -> (Vec<u8>, bool) {
    server.handle_bytes(now, STREAM, bytes);
    written(server, now)
}

fn written(server: &mut Server, now: Instant) -> (Vec<u8>, bool) {
    let (mut out, mut is_closed) = (Vec::new(), false);
    while let Some(output) = server.poll_stream(now, &mut out) {
        is_closed |= matches!(output, StreamOutput::Close(STREAM));
    }
    (out, is_closed)
}

fn with_stream(config: ServerConfig) -> Server {
    let mut server = Server::new(config, START).unwrap();
    server.handle_open(START, STREAM, address());
    server
}

#[test]
fn f9_capabilities_of_512_bytes_are_accepted_by_both_roles() {
    let longest = format!("{:x<511}", format!("{} ", ClientConfig::CAPABILITIES_3_0));
    let mut config = client("alice");
    config.capabilities = longest.clone();
    let mut table = table(ServerConfig { capabilities: longest, ..server() }, StreamConditions::PERFECT, 1);
    call(&mut table, config);
    run(&mut table, seconds(1), finish);
    assert_eq!(table.client(0).unwrap().phase(), Some(Phase::Playing));
}

#[test]
fn f9_ten_thousand_capabilities_are_rejected_before_they_are_parsed() {
    let many = "+x ".repeat(10_000);
    assert!(Server::new(ServerConfig { capabilities: many.clone(), ..server() }, START).is_err());
    let mut config = client("alice");
    config.capabilities = many;
    assert!(Client::new(config, START).is_err());
    // A text on the wire without a NUL in its first 512 bytes is invalid.
    let mut request = b"\0\0\x04alice\0".to_vec();
    request.extend(b"+x ".repeat(1_000));
    let length = request.len() as u16;
    request[..2].copy_from_slice(&length.to_be_bytes());
    let mut server = with_stream(server());
    let (out, is_closed) = hear(&mut server, START, &request);
    assert!(out.is_empty() && is_closed);
    assert!(server.poll_event().is_none(), "no client was announced");
}

#[test]
fn f9_an_unknown_mandatory_capability_is_rejected_without_the_server_version() {
    let mut server = with_stream(server());
    let mut alice = Hand::of_client();
    let request = alice.ask("alice", "+Freeciv-3.0-network +x");
    let (out, is_closed) = hear(&mut server, START, &request);
    let heard = alice.hear(&out);
    assert_eq!(names(&heard), ["PROCESSING_STARTED", "SERVER_JOIN_REPLY", "PROCESSING_FINISHED"]);
    assert_eq!(heard[1].text("message"), "the other side requires the capability x, which we lack");
    assert_eq!((heard[1].flag("you_can_join"), heard[1].int("conn_id")), (false, -1));
    assert!(is_closed && server.poll_event().is_none());
}

#[test]
fn f9_packets_pipelined_across_the_switch_are_read_with_the_right_width() {
    // The stream arrives in one piece, and then split at each byte.
    let mut alice = Hand::of_client();
    let mut stream = alice.ask("alice", ClientConfig::CAPABILITIES_3_0);
    alice.writer.use_wide_types();
    stream.extend(alice.say("CHAT_MSG_REQ", &[("message", text("one"))]));
    stream.extend(alice.say("UNIT_ORDERS", &[("orders", text("two"))]));
    for cut in 0..stream.len() {
        let mut server = with_stream(server());
        let (first, second) = stream.split_at(cut);
        let mut reported = Vec::new();
        for piece in [first, second] {
            server.handle_bytes(START, STREAM, piece);
            while let Some(event) = server.poll_event() {
                if let ServerEvent::Packet { packet, .. } = &event {
                    reported.push(packet.name().to_owned());
                }
                finish(&mut server, event);
            }
        }
        assert_eq!(reported, ["PACKET_CHAT_MSG_REQ", "PACKET_UNIT_ORDERS"], "cut at {cut}");
    }
}

#[test]
fn f9_a_client_handles_the_switch_in_the_middle_of_a_chunk() {
    let mut server = Hand::of_server();
    server.writer.freeze();
    server.say("PROCESSING_STARTED", &[]);
    server.accept();
    for tile in 0..50 {
        server.say("TILE_INFO", &[("tile", Value::Int(tile)), ("owner", Value::Int(1))]);
    }
    let mut chunk = Vec::new();
    server.writer.thaw(&mut chunk);
    assert!(chunk[0] >= 0x40, "it is a chunk");
    for size in [1, 7, chunk.len()] {
        let mut alice = connected(client("alice"));
        let mut tiles = 0;
        for piece in chunk.chunks(size) {
            alice
                .handle_bytes_with(START, piece, |incoming| {
                    tiles += usize::from(matches!(incoming, Incoming::Packet(_)));
                })
                .unwrap();
        }
        assert_eq!(tiles, 52, "reads of {size}");
    }
}

#[test]
fn f9_a_long_type_before_the_reply_is_unexpected() {
    let mut server = with_stream(server());
    // CHAT_MSG_REQ with a two-byte type, which is read as a one-byte type: type 0, which only servers send.
    let (_, is_closed) = hear(&mut server, START, &[0, 8, 0, 26, 1, b'h', b'i', 0]);
    assert!(is_closed);
}

#[test]
fn f11_a_client_that_never_answers_a_ping_times_out() {
    let mut server = with_stream(server());
    let mut alice = Hand::of_client();
    let request = alice.ask("alice", ClientConfig::CAPABILITIES_3_0);
    hear(&mut server, START, &request);
    while let Some(event) = server.poll_event() {
        finish(&mut server, event);
    }
    let mut pings = 0;
    let mut at;
    let gone = loop {
        at = server.poll_timeout().unwrap().at;
        server.handle_timeout(at);
        let (out, is_closed) = written(&mut server, at);
        pings += names(&alice.hear(&out)).iter().filter(|name| *name == "CONN_PING").count();
        if is_closed {
            break server.poll_event();
        }
    };
    assert_eq!(at, START + seconds(80), "pinged after 20 s, cut 60 s later");
    assert_eq!(pings, 3);
    let Some(ServerEvent::Closed { reason, .. }) = gone else { panic!("{gone:?}") };
    assert_eq!(reason, ServerReason::PingTimeout { after: seconds(60) });
    assert!(server.poll_timeout().is_none());
}

#[test]
fn f11_a_ping_reaches_a_client_whose_request_takes_long() {
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    call(&mut table, client("alice"));
    run(&mut table, seconds(1), finish);
    table.caller_mut(0).unwrap().chat("think!").unwrap();
    // The server never finishes the request.
    run(&mut table, seconds(200), |_, _| {});
    assert_eq!(table.client(0).unwrap().phase(), Some(Phase::Playing));
    assert_eq!(table.host().clients(), [FIRST]);
}

#[test]
fn f11_a_client_that_never_reads_is_disconnected_when_its_queue_is_full() {
    let mut server = with_stream(ServerConfig { max_send_queue_bytes: 100_000, ..server() });
    let mut alice = Hand::of_client();
    let request = alice.ask("alice", ClientConfig::CAPABILITIES_3_0);
    server.handle_bytes(START, STREAM, &request);
    let Some(ServerEvent::Joined { client, .. }) = server.poll_event() else { panic!() };
    server.finish_request(client).unwrap();
    let mut sent = 0;
    let mut say = |number| {
        let line = format!("{number:x>1000}");
        server.send_fields(client, "PACKET_CHAT_MSG", &[("message", text(&line))]).is_ok()
    };
    while say(sent) {
        sent += 1;
        assert!(sent < 1_000);
    }
    assert!((99..=101).contains(&sent), "{sent}");
    let Some(ServerEvent::Closed { reason, .. }) = server.poll_event() else { panic!() };
    assert_eq!(reason, ServerReason::SendQueue { limit: 100_000 });
}

#[test]
fn f11_a_zero_window_ends_with_the_ping_timeout() {
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    call(&mut table, client("alice"));
    run(&mut table, seconds(1), show_world);
    table.stall(0, ConversationSide::Second, seconds(1_000));
    let mut reported = Vec::new();
    run(&mut table, seconds(85), |_, event| reported.push(event));
    assert!(
        matches!(reported.as_slice(), [ServerEvent::Closed { reason: ServerReason::PingTimeout { .. }, .. }]),
        "{reported:?}"
    );
}

#[test]
fn f11_a_slow_loris_has_ten_seconds_in_total() {
    let mut server = with_stream(server());
    let request = Hand::of_client().ask("alice", ClientConfig::CAPABILITIES_3_0);
    let mut is_closed = false;
    for (second, byte) in (0_u64..).zip(&request) {
        let now = START + seconds(second);
        server.handle_timeout(now);
        is_closed |= hear(&mut server, now, &[*byte]).1;
        if is_closed {
            assert_eq!(second, 10);
            break;
        }
    }
    assert!(is_closed);
    assert!(server.poll_event().is_none(), "no client was announced");
    // The server still accepts other clients.
    server.handle_open(START + seconds(11), StreamId::new(8), address());
    assert!(server.poll_timeout().is_some());
}

#[test]
fn f11_the_number_of_half_open_clients_is_bounded() {
    let mut server = Server::new(ServerConfig { max_per_ip: 1_000, ..server() }, START).unwrap();
    for stream in 0..1_000 {
        server.handle_open(START, StreamId::new(stream), address());
        server.handle_bytes(START, StreamId::new(stream), &[0xff, 0xff, 0, 0, 0x0f]);
    }
    let (mut closed, mut out) = (0, Vec::new());
    while let Some(output) = server.poll_stream(START, &mut out) {
        closed += usize::from(matches!(output, StreamOutput::Close(_)));
    }
    assert_eq!((closed, out.len()), (1_000 - 64, 0));
}

#[test]
fn f11_idle_clients_give_way_to_one_that_joins() {
    let mut server = Server::new(server(), START).unwrap();
    let mut count = 0;
    let mut open = |server: &mut Server, from: &str| {
        count += 1;
        server.handle_open(START, StreamId::new(count), from.parse().unwrap());
        StreamId::new(count)
    };
    let join = |server: &mut Server, stream, name: &str| {
        let request = Hand::of_client().ask(name, ClientConfig::CAPABILITIES_3_0);
        server.handle_bytes(START, stream, &request);
        matches!(server.poll_event(), Some(ServerEvent::Joined { .. }))
    };
    for host in 0..1_000 {
        open(&mut server, &format!("[2001:db8::{host:x}]:1"));
    }
    let own = open(&mut server, "[2001:db8::ffff]:1");
    assert!(join(&mut server, own, "alice"), "from the same network");
    for host in 0..200 {
        open(&mut server, &format!("10.0.0.{host}:1"));
    }
    let other = open(&mut server, "192.0.2.1:1");
    assert!(join(&mut server, other, "bob"));
    assert_eq!(server.clients().len(), 2);
}

#[test]
fn f11_a_client_that_is_refused_displaces_no_other() {
    let event_limits = EventLimits { max_events: 1, ..EventLimits::default() };
    let config = ServerConfig { max_clients: 2, event_limits, ..server() };
    let mut server = Server::new(config, START).unwrap();
    let join = |server: &mut Server, stream, name: &str| {
        let request = Hand::of_client().ask(name, ClientConfig::CAPABILITIES_3_0);
        server.handle_bytes(START, stream, &request);
    };
    let [idle, player, refused] = [1, 2, 3].map(StreamId::new);
    server.handle_open(START, idle, address());
    server.handle_open(START, player, address());
    join(&mut server, player, "alice");
    // The application has not polled, so the event queue is full.
    server.handle_open(START, refused, address());
    let (mut closed, mut out) = (Vec::new(), Vec::new());
    while let Some(output) = server.poll_stream(START, &mut out) {
        if let StreamOutput::Close(stream) = output {
            closed.push(stream);
        }
    }
    assert_eq!(closed, [refused]);
    assert!(matches!(server.poll_event(), Some(ServerEvent::Joined { .. })));
    join(&mut server, idle, "bob");
    assert!(
        matches!(server.poll_event(), Some(ServerEvent::Joined { .. })),
        "the idle client is still there"
    );
}

#[test]
fn f11_a_server_that_trickles_its_reply_times_out() {
    let mut alice = connected(client("alice"));
    let mut server = Hand::of_server();
    let reply = server.accept();
    for (second, byte) in (0_u64..9).zip(&reply) {
        alice.handle_bytes(START + seconds(second), CLIENT_STREAM, &[*byte]);
    }
    alice.handle_timeout(START + seconds(10));
    let reported: Vec<_> = core::iter::from_fn(|| alice.poll_event()).collect();
    assert_eq!(end(&reported), Some(CloseReason::LoginTimeout { phase: Phase::Joining, after: seconds(10) }));
    assert!(alice.handle_bytes_with(START + seconds(10), &reply[9..], |_| {}).is_err());
}

#[test]
fn f11_endless_pings_without_a_poll_fill_the_send_queue() {
    let mut alice = connected(client("alice"));
    let mut server = Hand::of_server();
    alice.handle_bytes(START, CLIENT_STREAM, &server.accept());
    let pings = server.say("CONN_PING", &[]).repeat(1_000);
    let error = (0..10_000).find_map(|_| alice.handle_bytes_with(START, &pings, |_| {}).err());
    assert_eq!(error, Some(CloseReason::SendQueue { limit: 1 << 20 }));
}

#[test]
fn f11_unpolled_events_are_bounded_and_the_loss_is_reported() {
    let mut alice = connected(client("alice"));
    let mut server = Hand::of_server();
    alice.handle_bytes(START, CLIENT_STREAM, &server.accept());
    let tile = server.say("TILE_INFO", &[("tile", Value::Int(1)), ("owner", Value::Int(2))]).repeat(1_000);
    for _ in 0..100 {
        alice.handle_bytes(START, CLIENT_STREAM, &tile);
    }
    let events = events(&mut alice);
    let limit = alice.config().event_limits.max_events;
    assert_eq!(events.len(), limit + 1);
    assert!(matches!(events[0], Event::Missed { count: 34_466 }), "{:?}", events[0]);
    assert!(matches!(events[1], Event::Joined(_)), "{:?}", events[1]);
}

#[test]
fn f11_a_client_with_too_many_requests_is_disconnected() {
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    call(&mut table, client("alice"));
    run(&mut table, seconds(1), finish);
    for _ in 0..1_100 {
        let _ = table.caller_mut(0).unwrap().chat("now!");
    }
    let mut reported = Vec::new();
    run(&mut table, seconds(1), |_, event| reported.push(event));
    let last = reported.last();
    assert!(
        matches!(last, Some(ServerEvent::Closed { reason: ServerReason::RequestQueue { limit: 1024 }, .. })),
        "{last:?}"
    );
}

#[test]
fn f11_chunks_that_inflate_to_too_many_bytes_in_a_second_close_the_connection() {
    let mut alice = connected(client("alice"));
    let mut server = Hand::of_server();
    alice.handle_bytes(START, CLIENT_STREAM, &server.accept());
    server.writer.freeze();
    for _ in 0..60 {
        server.say("CHAT_MSG", &[("message", text(&"x".repeat(1_500)))]);
        server.say("CHAT_MSG", &[("message", text(&"y".repeat(1_500)))]);
    }
    let mut chunk = Vec::new();
    server.writer.thaw(&mut chunk);
    let mut now = START;
    let mut flood = |alice: &mut Client, pause: Duration, most: usize| {
        (0..most).find_map(|_| {
            now = now + pause;
            alice.handle_bytes_with(now, &chunk, |_| {}).err()
        })
    };
    assert_eq!(flood(&mut alice, Duration::from_millis(20), 400), None, "9 MB in a second");
    assert_eq!(
        flood(&mut alice, Duration::from_millis(1), 400),
        Some(CloseReason::Inflated { limit: 16 << 20 })
    );
}
