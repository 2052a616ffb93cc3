//! Clients over WebSockets.

use core::time::Duration;

use gamewire_machine::{Instant, Machine as _, StreamOutput};
use gamewire_websocket::{AllowedOrigins, Opcode, Target, append_frame};

use super::support::{Harness, V20, V21, WIRES, Wire, at, bytes, host, message, stream};
use crate::client::{Client, ClientConfig};
use crate::server::ServerConfig;
use crate::websocket::WebSocketConfig;
use crate::{ClientId, Endpoint, Format, Message, MessageSendMode};

const REQUEST: &str = "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

fn config() -> ServerConfig {
    ServerConfig { websocket: Some(WebSocketConfig::default()), ..ServerConfig::new(4) }
}

/// Returns packets as a client sends them.
fn frames(packets: &[&str]) -> Vec<u8> {
    let mut frames = Vec::new();
    for packet in packets {
        append_frame(Opcode::Binary, &bytes(packet), Some([1, 2, 3, 4]), &mut frames);
    }
    frames
}

/// Returns a packet as the server sends it.
fn sent(packet: &str) -> (u64, String) {
    let mut frame = Vec::new();
    append_frame(Opcode::Binary, &bytes(packet), None, &mut frame);
    (1, super::support::hex(&frame))
}

const CLOSE: &str = "88 02 03 e8";

/// Returns a server with an open WebSocket.
fn opened(config: ServerConfig) -> Harness {
    let mut harness = Harness::with(config);
    harness.open(1);
    harness.receive_bytes(1, REQUEST.as_bytes());
    let outputs = harness.stream_outputs();
    assert!(
        matches!(outputs.as_slice(), [(1, response)] if response.starts_with("48 54 54 50 2f 31 2e 31 20 31 30 31"))
    );
    harness
}

/// Returns a server with one client over a WebSocket.
fn connected(wire: &Wire) -> Harness {
    let mut harness = opened(config());
    harness.receive_bytes(1, &frames(&[wire.connect, wire.welcome, wire.ack]));
    harness.stream_outputs();
    harness.drain();
    harness
}

#[test]
fn a_client_of_either_format_connects_over_a_websocket() {
    for wire in WIRES {
        let mut harness = opened(config());
        assert_eq!(harness.server.half_open_count(), 1);
        for (packet, answer) in
            [(wire.connect, wire.welcome), (wire.welcome, wire.ack), (wire.heartbeat, wire.reply)]
        {
            harness.receive_bytes(1, &frames(&[packet]));
            assert_eq!(harness.stream_outputs(), [sent(answer)]);
        }
        assert_eq!(harness.poll_events(), [format!("1 came with {}", wire.format)]);
        assert!(harness.server.is_websocket(Endpoint::Tcp(stream(1))));
        assert_eq!((harness.server.client_count(), harness.server.half_open_count()), (1, 0));
    }
}

#[test]
fn clients_over_websocket_tcp_and_udp_share_a_room() {
    let mut harness = connected(&V21);
    harness.connect(2, &V21);
    assert_eq!(harness.stream_outputs(), [sent(V21.came)]);
    harness.open(3);
    harness.receive_bytes(3, &[V20.frame(V20.connect), V20.frame("08 01 00 03 00")].concat());
    harness.drain();
    harness.stream_outputs();
    assert_eq!(harness.server.client_count(), 3);
    assert!(!harness.server.is_websocket(Endpoint::Tcp(stream(3))));
    harness.server.send_to_all(&message(MessageSendMode::Unreliable, 11)).all_sent().unwrap();
    let outputs = harness.stream_outputs();
    assert_eq!(outputs[0], sent(V21.unreliable));
    assert_eq!(outputs[1], (3, super::support::hex(&V20.frame(V20.unreliable))));
    assert_eq!(harness.sent_to(2)[0], V21.unreliable);
}

#[test]
fn a_websocket_is_closed_with_a_frame_after_the_last_packet() {
    let mut harness = connected(&V21);
    harness.server.disconnect_client(ClientId(1), None).unwrap();
    assert_eq!(harness.stream_outputs(), [sent(V21.kick), (1, CLOSE.into()), (1, "closed".into())]);

    let mut harness = connected(&V21);
    harness.receive_bytes(1, &frames(&[V21.leave, V21.unreliable]));
    assert_eq!(harness.poll_events(), ["1 left: disconnected"]);
    assert_eq!(harness.stream_outputs(), [(1, CLOSE.into()), (1, "closed".into())]);

    // The client's close frame is answered, and nothing follows.
    let mut harness = connected(&V21);
    harness.server.send(&message(MessageSendMode::Unreliable, 11), ClientId(1)).unwrap();
    let mut close = Vec::new();
    append_frame(Opcode::Close, &[], Some([0; 4]), &mut close);
    harness.receive_bytes(1, &close);
    assert_eq!(harness.poll_events(), ["1 left: the transport failed"]);
    assert_eq!(harness.stream_outputs(), [(1, CLOSE.into()), (1, "closed".into())]);
    assert_eq!(harness.server.websocket_stats().violations, 0);
}

#[test]
fn the_result_does_not_depend_on_how_the_stream_is_split() {
    let packets = [V21.connect_with_data, V21.welcome, V21.ack, V21.unreliable, V21.heartbeat];
    let whole = [REQUEST.as_bytes(), &frames(&packets)].concat();
    let run = |cut: usize, size: usize| {
        let mut harness = Harness::with(config());
        harness.open(1);
        let (first, second) = whole.split_at(cut);
        for part in first.chunks(size).chain(second.chunks(size)) {
            harness.receive_bytes(1, part);
        }
        let mut outputs = harness.stream_outputs();
        outputs.sort();
        (harness.poll_events(), outputs)
    };
    let expected = run(0, 1);
    assert_eq!(expected.0.len(), 2, "{expected:?}");
    for cut in 0..whole.len() {
        assert_eq!(run(cut, usize::MAX), expected, "{cut}");
    }
}

#[test]
fn w1_an_upgrade_is_refused_by_origin_and_unless_it_is_enabled() {
    let evil = REQUEST.replacen("\r\n\r\n", "\r\nOrigin: http://evil.example\r\n\r\n", 1);
    let mut harness = Harness::with(config());
    harness.open(1);
    harness.receive_bytes(1, [evil.as_bytes(), &frames(&[V21.connect])].concat().as_slice());
    let outputs = harness.stream_outputs();
    assert!(
        matches!(outputs.as_slice(), [(1, text), (1, closed)]
        if text.starts_with("48 54 54 50 2f 31 2e 31 20 34 30 33") && closed == "closed"),
        "{outputs:?}"
    );
    assert_eq!(harness.server.websocket_stats().last_refused_origin.as_deref(), Some("http://evil.example"));
    assert_eq!((harness.poll_events().len(), harness.server.half_open_count()), (0, 0));

    let allowed = WebSocketConfig::new(AllowedOrigins::list(["http://evil.example"]));
    let mut harness = Harness::with(ServerConfig { websocket: Some(allowed), ..config() });
    harness.open(1);
    harness.receive_bytes(1, evil.as_bytes());
    assert_eq!(harness.server.websocket_stats().accepted, 1);

    let mut harness = Harness::new(4);
    harness.open(1);
    harness.receive_bytes(1, REQUEST.as_bytes());
    assert_eq!(harness.stream_outputs(), [(1, "closed".into())]);
}

#[test]
fn w1_upgrades_by_the_megabyte_and_slow_ones_are_closed() {
    let mut harness = Harness::with(config());
    harness.open(1);
    harness.receive_bytes(1, b"GET / HTTP/1.1\r\nCookie: ");
    for _ in 0..1000 {
        harness.receive_bytes(1, &[b'a'; 1000]);
    }
    assert!(harness.server.held_bytes() < Harness::with(config()).server.held_bytes() + (20 << 10));
    let outputs = harness.stream_outputs();
    assert!(outputs[0].1.starts_with("48 54 54 50 2f 31 2e 31 20 34 33 31"), "{outputs:?}");
    assert_eq!(outputs[1], (1, "closed".into()));

    // A byte a second of an upgrade, or of a first message, is cut off by the deadline of the connect request.
    for start in [&REQUEST.as_bytes()[..100], REQUEST.as_bytes()] {
        let mut harness = Harness::with(config());
        harness.open(1);
        harness.receive_bytes(1, start);
        harness.stream_outputs();
        for byte in frames(&[V21.unreliable; 20]).iter().take(9) {
            harness.wait(1000);
            harness.receive_bytes(1, &[*byte]);
            assert_eq!(harness.stream_outputs(), []);
        }
        harness.wait(1000);
        assert_eq!(harness.stream_outputs().last().unwrap().1, "closed");
        assert_eq!(harness.server.half_open_count(), 0);
    }
}

#[test]
fn w1_invalid_frames_end_the_client_and_disturb_no_other() {
    let fragment = [0x02, 0x81, 0, 0, 0, 0, 7];
    let mut text = Vec::new();
    append_frame(Opcode::Text, b"hello", Some([1; 4]), &mut text);
    for (attack, code) in [
        (&[0x82, 0x05, 1, 2, 3, 4, 5][..], "03 ea"),
        (&[0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], "03 f1"),
        (&[0x82, 0xfe, 0xff, 0xff, 0, 0, 0, 0], "03 f1"),
        (&text, "03 eb"),
        (&[fragment, fragment].concat(), "03 ea"),
    ] {
        let mut harness = connected(&V21);
        harness.connect(2, &V21);
        harness.drain();
        harness.stream_outputs();
        harness.receive_bytes(1, attack);
        let outputs = harness.stream_outputs();
        assert_eq!(outputs.len(), 2, "{attack:02x?} {outputs:?}");
        assert_eq!(outputs[0], (1, format!("88 02 {code}")), "{attack:02x?}");
        assert_eq!(harness.poll_events(), ["1 left: the transport failed"]);
        assert_eq!((harness.server.client_count(), harness.server.websocket_stats().violations), (1, 1));
    }
}

#[test]
fn w1_fragments_that_never_complete_time_out() {
    let mut harness = connected(&V21);
    harness.receive_bytes(1, &[0x02, 0x81, 0, 0, 0, 0, 7]);
    for _ in 0..7 {
        // Pings are answered, but only messages keep a client connected.
        harness.receive_bytes(1, &[0x89, 0x80, 0, 0, 0, 0]);
        harness.wait(1000);
    }
    assert_eq!(harness.poll_events(), ["1 left: timed out waiting for packets of the peer"]);
    assert_eq!(harness.stream_outputs().last().unwrap().1, "closed");
}

#[test]
fn w1_pings_by_the_thousand_cost_the_client_its_connection() {
    let mut ping = Vec::new();
    append_frame(Opcode::Ping, &[7; 125], Some([1; 4]), &mut ping);
    let before = connected(&V21).server.held_bytes();
    // In one read, in many, and with messages between them without a poll.
    for (bytes, times) in [
        (ping.repeat(10_000), 1),
        (ping.clone(), 10_000),
        ([frames(&[V21.unreliable]), ping.clone()].concat(), 10_000),
    ] {
        let mut harness = connected(&V21);
        for _ in 0..times {
            harness.receive_bytes(1, &bytes);
            assert!(harness.server.held_bytes() < before + (20 << 20));
            if harness.server.client_count() == 0 {
                break;
            }
        }
        assert_eq!(harness.server.client_count(), 0);
        let sent: usize = harness.stream_outputs().iter().map(|(_, output)| output.len() / 3).sum();
        assert!(sent < 20_000, "{sent}");
    }
    // A client that reads the answers may ping between its messages.
    let mut harness = connected(&V21);
    for _ in 0..1_000 {
        harness.receive_bytes(1, &[frames(&[V21.unreliable]), ping.clone()].concat());
        harness.stream_outputs();
        harness.poll_events();
    }
    assert_eq!(harness.server.client_count(), 1);
}

#[test]
fn w1_half_open_websockets_of_an_address_are_limited_like_streams() {
    let mut harness = Harness::with(config());
    for number in 1..=2_000 {
        harness.server.handle_open(harness.now, stream(number), host(1));
        harness.receive_bytes(number, REQUEST.as_bytes());
        harness.stream_outputs();
    }
    assert!(harness.server.half_open_count() <= 64, "{}", harness.server.half_open_count());
}

/// Moves all bytes between a client and a server. Returns the number of messages that each received.
fn exchange(client: &mut Client, harness: &mut Harness) {
    loop {
        let mut up = Vec::new();
        let written = client.poll_stream(harness.now, &mut up);
        match written {
            Some(StreamOutput::Write(_)) => harness.receive_bytes(1, &up),
            Some(StreamOutput::Close(_)) => harness.server.handle_close(harness.now, stream(1)),
            None => {}
        }
        let mut down = Vec::new();
        let answered = harness.server.poll_stream(harness.now, &mut down);
        match answered {
            Some(StreamOutput::Write(_)) => client.handle_bytes(harness.now, stream(9), &down),
            Some(StreamOutput::Close(_)) => client.handle_close(harness.now, stream(9)),
            None => {}
        }
        if written.is_none() && answered.is_none() {
            return;
        }
    }
}

fn open(format: Format, config: ServerConfig) -> (Client, Harness) {
    let mut harness = Harness::with(config);
    let target = Target::new("localhost");
    let mut client = Client::connect_over_websocket(&ClientConfig::new(format), &target, 1, at(0)).unwrap();
    client.handle_open(at(0), stream(9), host(9));
    client.handle_timeout(at(0));
    harness.open(1);
    exchange(&mut client, &mut harness);
    (client, harness)
}

#[test]
fn our_client_and_server_exchange_messages_of_any_size_over_a_websocket() {
    for format in Format::ALL {
        let (mut client, mut harness) = open(format, config());
        assert!(client.is_connected(), "{:?}", client.websocket_error());
        for size in [0, 100, 1000, 1220] {
            let mut message = Message::create(MessageSendMode::Reliable, 10_u16);
            message.add_bytes(&vec![7; size]);
            client.send(&message).unwrap();
            harness.server.send(&message, ClientId(1)).unwrap();
            exchange(&mut client, &mut harness);
        }
        let to_server = harness.poll_events().iter().filter(|event| event.contains("says")).count();
        let to_client = core::iter::from_fn(|| client.poll_event()).count();
        assert_eq!((to_server, to_client), (4, 5), "one is the event of the connection");
        client.disconnect();
        exchange(&mut client, &mut harness);
        assert_eq!(harness.poll_events(), ["1 left: disconnected"]);
        assert_eq!(harness.server.websocket_stats().violations, 0);
    }
}

#[test]
fn a_client_learns_why_a_websocket_was_refused() {
    let refused = ServerConfig { websocket: None, ..config() };
    let (client, _) = open(Format::V21, refused);
    assert!(client.is_ended() && client.websocket_error().is_none());
    let target = Target::new("localhost");
    let mut client =
        Client::connect_over_websocket(&ClientConfig::default(), &target, 1, Instant::ZERO).unwrap();
    client.handle_open(at(0), stream(9), host(9));
    client.handle_bytes(at(0), stream(9), b"HTTP/1.1 403 Forbidden\r\n\r\n");
    assert_eq!(
        client.websocket_error().unwrap().to_string(),
        "the server refused the WebSocket with HTTP status 403"
    );
    assert!(client.is_ended());
}

#[test]
fn a_client_requests_once_however_long_the_upgrade_takes() {
    let target = Target::new("localhost");
    let mut client =
        Client::connect_over_websocket(&ClientConfig::default(), &target, 1, Instant::ZERO).unwrap();
    client.handle_open(at(0), stream(9), host(9));
    let mut buffer = Vec::new();
    for second in 0..4 {
        client.handle_timeout(at(second * 1000));
        while client.poll_stream(at(second * 1000), &mut buffer).is_some() {}
    }
    assert!(buffer.starts_with(b"GET / HTTP/1.1\r\n") && buffer.ends_with(b"\r\n\r\n"), "only the upgrade");
    let mut harness = Harness::with(config());
    harness.open(1);
    harness.receive_bytes(1, &buffer);
    harness.now = harness.now + Duration::from_millis(3500);
    exchange(&mut client, &mut harness);
    assert!(client.is_connected());
}
