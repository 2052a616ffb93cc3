//! Requests and their answers.

use gamewire_freeciv::delta::Value;
use gamewire_freeciv::frame::CompressionLevel;
use gamewire_freeciv::session::RequestId;
use gamewire_freeciv::session::client::{Event, Phase, SendError};
use gamewire_freeciv::session::server::{Event as ServerEvent, Server};
use gamewire_machine::Machine;
use gamewire_sim::StreamConditions;

use super::support::{
    FIRST, Hand, START, STREAM, call, client, connected, finish, run, seconds, server, table, text,
};

/// Echoes each line.
fn echo(server: &mut Server, event: ServerEvent) {
    if let ServerEvent::Packet { client, packet, .. } = &event {
        let line = packet.text("message");
        server.send_fields(*client, "PACKET_CHAT_MSG", &[("message", text(&line))]).unwrap();
    }
    finish(server, event);
}

#[test]
fn answers_are_between_the_start_and_end_of_their_request() {
    for compression in [None, Some(CompressionLevel::DEFAULT)] {
        let mut config = client("alice");
        config.compression = compression;
        let mut table = table(server(), StreamConditions::PERFECT, 1);
        call(&mut table, config);
        run(&mut table, seconds(1), finish);
        table.take_events(0);
        let lines = ["one", "two", "three"];
        let sent = lines.map(|line| table.caller_mut(0).unwrap().chat(line).unwrap());
        run(&mut table, seconds(1), echo);
        let reported: Vec<String> = table
            .take_events(0)
            .iter()
            .filter_map(|event| match event {
                Event::Started(request) => Some(format!("<{request}")),
                Event::Finished(request) => Some(format!("{request}>")),
                Event::Packet(packet) if packet.name() == "PACKET_CHAT_MSG" => Some(packet.text("message")),
                _ => None,
            })
            .collect();
        assert_eq!(sent.map(RequestId::get), [2, 3, 4]);
        assert_eq!(reported, ["<2", "one", "2>", "<3", "two", "3>", "<4", "three", "4>"]);
    }
}

#[test]
fn one_request_of_a_client_is_processed_at_a_time() {
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    call(&mut table, client("alice"));
    run(&mut table, seconds(1), finish);
    for line in ["one", "two"] {
        table.caller_mut(0).unwrap().chat(line).unwrap();
    }
    let mut reported = Vec::new();
    run(&mut table, seconds(1), |_, event| reported.push(event));
    assert_eq!(reported.len(), 1, "{reported:?}");
    table.host_mut().finish_request(FIRST).unwrap();
    run(&mut table, seconds(1), |_, event| reported.push(event));
    assert_eq!(reported.len(), 2, "{reported:?}");
    table.host_mut().finish_request(FIRST).unwrap();
    assert!(table.host_mut().finish_request(FIRST).is_err());
}

#[test]
fn after_request_65535_comes_request_2_on_both_sides() {
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    call(&mut table, client("alice"));
    run(&mut table, seconds(1), finish);
    let (mut last, mut served) = (0, 0);
    for _ in 0..70 {
        for _ in 0..1_000 {
            last = table.caller_mut(0).unwrap().chat("x").unwrap().get();
        }
        table.run_for(seconds(1)).unwrap();
        while table.client(0).unwrap().pending_requests() > 0 || served != last {
            for event in table.take_host_events() {
                if let ServerEvent::Packet { request, .. } = &event {
                    served = request.get();
                }
                finish(table.host_mut(), event);
            }
            table.run_for(core::time::Duration::ZERO).unwrap();
        }
        table.take_events(0);
    }
    // The client sent 70,001 packets and 3 answers to pings: the numbers 1 to 65,535, then 2, and 4,468 more.
    assert_eq!((last, served), (4_470, 4_470));
}

#[test]
fn nothing_is_sent_before_the_reply_is_read() {
    let mut alice = connected(client("alice"));
    assert_eq!(alice.chat("too early"), Err(SendError::NotJoined));
    let mut server = Hand::of_server();
    let reply = server.accept();
    alice.handle_bytes(START, STREAM, &reply);
    assert_eq!(alice.chat("now").unwrap().get(), 2);
    let mut out = Vec::new();
    alice.poll_stream(START, &mut out);
    // The join request has a one-byte type, and the chat packet a two-byte type.
    let request = usize::from(u16::from_be_bytes([out[0], out[1]]));
    assert_eq!((out[2], &out[request + 2..request + 4]), (4, &[0, 26][..]));
    alice.close();
    assert_eq!(alice.chat("too late"), Err(SendError::Closed));
}

#[test]
fn an_unsendable_packet_is_an_error_and_only_a_long_one_closes() {
    let mut alice = connected(client("alice"));
    let reply = Hand::of_server().accept();
    alice.handle_bytes(START, STREAM, &reply);
    assert!(matches!(alice.send_fields("PACKET_NONE", &[]), Err(SendError::Unknown(_))));
    assert!(matches!(alice.send_fields("PACKET_TILE_INFO", &[]), Err(SendError::Packet(_))));
    assert!(matches!(
        alice.send_fields("PACKET_CHAT_MSG_REQ", &[("message", Value::Int(1))]),
        Err(SendError::Packet(_))
    ));
    assert_eq!(alice.phase(), Some(Phase::Playing));
    let orders = [("orders", text(&"o".repeat(5_000)))];
    assert!(matches!(alice.send_fields("PACKET_UNIT_ORDERS", &orders), Err(SendError::Long(_))));
    assert_eq!(alice.phase(), None);
    while let Some(event) = alice.poll_event() {
        assert!(!matches!(event, Event::Finished(_)));
    }
}

#[test]
fn with_compression_packets_of_one_poll_are_one_chunk() {
    let mut config = client("alice");
    config.compression = Some(CompressionLevel::DEFAULT);
    let mut alice = connected(config);
    let mut out = Vec::new();
    alice.poll_stream(START, &mut out);
    out.clear();
    let reply = Hand::of_server().accept();
    alice.handle_bytes(START, STREAM, &reply);
    for number in 0..100 {
        alice.chat(&format!("line number {number}")).unwrap();
    }
    alice.poll_stream(START, &mut out);
    let length = usize::from(u16::from_be_bytes([out[0], out[1]]));
    assert_eq!(length - 16_385, out.len(), "one chunk");
    assert!(out.len() < 600, "{}", out.len());
}

#[test]
fn frozen_packets_leave_together() {
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    call(&mut table, client("alice"));
    run(&mut table, seconds(1), finish);
    table.take_events(0);
    table.host_mut().freeze(FIRST).unwrap();
    table.host_mut().send_fields(FIRST, "PACKET_CHAT_MSG", &[("message", text("later"))]).unwrap();
    run(&mut table, seconds(1), finish);
    assert!(table.take_events(0).is_empty());
    table.host_mut().thaw(FIRST).unwrap();
    run(&mut table, seconds(1), finish);
    assert_eq!(table.take_events(0).len(), 1);
}
