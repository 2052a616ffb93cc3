//! Counts of the test protocol's messages.

#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

use gamewire_machine::Role;
use gamewire_machine::{ConversationSide, Follow, Instant};
use gamewire_wire::{Layer, Span, Trace as _};

use super::*;
use crate::conversation::{Counter, FrameOutcome, PacketInfo};
use crate::net::SkipReason;
use crate::protocol::test_protocol::TestProtocol;
use crate::render::{self, Palette, write_json};

fn info(conversation: u64, sender: Role) -> PacketInfo {
    let (client, server) = ("10.0.0.1:5000".parse().unwrap(), "10.0.0.2:80".parse().unwrap());
    let (from, to) = if sender == Role::Client { (client, server) } else { (server, client) };
    PacketInfo {
        frame: 1,
        time: i64::try_from(conversation).unwrap() * 1_000_000_000,
        timestamp: 0,
        frame_length: 142,
        transport: gamewire_machine::Transport::Udp,
        conversation,
        recognized: conversation,
        protocol: "toy",
        dialect: Some("toy-1"),
        sender,
        from,
        to,
        length: 100,
    }
}

fn saw(counting: &mut CountingTrace, conversation: u64, sender: Role, data: &[u8]) {
    TestProtocol::default().follow(Instant::ZERO, ConversationSide::First, data, counting);
    counting.count_frame(&FrameOutcome::Datagram(info(conversation, sender)));
}

#[test]
fn messages_and_items_are_counted_by_name_and_sender() {
    let mut counting = CountingTrace::new();
    saw(&mut counting, 1, Role::Client, b"toy\0say hi\nsay ho");
    saw(&mut counting, 1, Role::Server, b"toy\x01say all\nworld 5");
    let totals = counting.totals();
    let expected =
        |name: &str, client, server, bytes| NameTotals { name: name.into(), client, server, bytes };
    assert_eq!(totals.messages, [expected("toy.say", 2, 1, 19), expected("toy.world", 0, 1, 7)]);
    assert_eq!(totals.items, [expected("toy.player", 0, 2, 4)]);
}

#[test]
fn conversations_and_dialects_have_totals() {
    let mut counting = CountingTrace::new();
    saw(&mut counting, 1, Role::Client, b"toy\0say hi");
    saw(&mut counting, 2, Role::Client, b"toy\0odd");
    saw(&mut counting, 2, Role::Server, b"toy\x01bad\nworse");
    counting.count_frame(&FrameOutcome::Unrecognized);
    counting.count_frame(&FrameOutcome::Skipped(SkipReason::Arp));
    let totals = counting.totals();
    assert_eq!(totals.frames.total, 5);
    assert_eq!((totals.frames.datagrams, totals.frames.bytes), (3, 300));
    assert_eq!((totals.frames.unrecognized, totals.frames.skipped), (1, 1));
    let second = &totals.conversations[1];
    assert_eq!((second.errors, second.warnings, second.first), (2, 1, 2_000_000_000));
    assert_eq!(second.from_server, FlowTotals { datagrams: 1, bytes: 100, messages: 2, in_groups: 2 });
    let dialect = &totals.dialects[0];
    assert_eq!((dialect.conversations, dialect.flow.datagrams, dialect.flow.messages), (2, 3, 4));
    assert_eq!((dialect.errors, dialect.warnings), (2, 1));
    assert!(totals.has_errors());
}

#[test]
fn messages_in_groups_are_counted_separately() {
    let mut counting = CountingTrace::new();
    let message = |counting: &mut CountingTrace| {
        counting.enter(Layer::Message, "say", Span::bytes(0, 1));
        counting.exit();
    };
    counting.enter(Layer::Packet, "packet", Span::bytes(0, 1));
    message(&mut counting);
    counting.enter_source("inflated", &[1]);
    message(&mut counting);
    counting.enter(Layer::Group, "chunk", Span::bytes(0, 1));
    message(&mut counting);
    counting.enter_source("inflated", &[1]);
    message(&mut counting);
    counting.count_frame(&FrameOutcome::Datagram(info(1, Role::Client)));
    saw(&mut counting, 1, Role::Server, b"toy\x01say all\nsay more\nsay it");
    let totals = counting.totals();
    assert_eq!((totals.dialects[0].flow.messages, totals.dialects[0].flow.in_groups), (7, 5));
    assert_eq!(totals.conversations[0].from_client.in_groups, 2);
}

#[test]
fn errors_and_warnings_are_counted_by_kind() {
    let mut counting = CountingTrace::new();
    saw(&mut counting, 1, Role::Client, b"toy\0bad\nworse\nodd");
    let totals = counting.totals();
    let expected = |name: &str, count| ProblemTotals { name: name.into(), count };
    assert_eq!(totals.errors, [expected("unknown: expected a known verb", 2)]);
    assert_eq!(totals.warnings, [expected("odd_line", 1)]);
}

#[test]
fn frames_that_a_filter_excludes_are_not_counted() {
    let mut counting = CountingTrace::new();
    TestProtocol::default().follow(
        Instant::ZERO,
        ConversationSide::First,
        b"toy\0say hi\nbad\nodd",
        &mut counting,
    );
    let skipped = FrameOutcome::Skipped(SkipReason::Arp);
    counting.filtered_out(&skipped);
    let totals = counting.totals();
    assert_eq!(
        totals,
        CaptureStats { frames: FrameTotals { total: 1, ..Default::default() }, ..Default::default() }
    );
}

#[test]
fn counts_are_swapped_when_client_and_server_were_mistaken() {
    let mut counting = CountingTrace::new();
    let mut mistaken = info(1, Role::Server);
    mistaken.from = "10.0.0.1:5000".parse().unwrap();
    mistaken.to = "10.0.0.2:80".parse().unwrap();
    counting.count_frame(&FrameOutcome::Datagram(mistaken));
    saw(&mut counting, 1, Role::Server, b"toy\x01say ho");
    let conversation = counting.totals().conversations.swap_remove(0);
    assert_eq!(conversation.client, "10.0.0.1:5000".parse().unwrap());
    assert_eq!((conversation.from_client.datagrams, conversation.from_server.datagrams), (1, 1));
}

#[test]
fn conversations_beyond_the_limit_are_counted_together() {
    let mut counting = CountingTrace::new();
    for number in 1..=70_000 {
        saw(&mut counting, number, Role::Client, b"toy\0say hi");
    }
    let totals = counting.totals();
    assert_eq!((totals.conversations.len(), totals.further_conversations), (65_536, 4464));
    assert_eq!(totals.dialects[0].flow.datagrams, 70_000);
    assert_eq!(totals.dialects[0].conversations, 70_000);
}

#[test]
fn merged_conversations_are_numbered_by_their_first_frame_and_limited() {
    let mut shares = [CountingTrace::new(), CountingTrace::new()];
    for frame in 1..=70_000_u64 {
        let counting = &mut shares[usize::from(frame % 2 == 0)];
        TestProtocol::default().follow(Instant::ZERO, ConversationSide::First, b"toy\0odd", counting);
        let in_share = info(frame.div_ceil(2), Role::Client);
        counting.count_frame(&FrameOutcome::Datagram(PacketInfo { recognized: frame, time: 0, ..in_share }));
    }
    let [mut merged, other] = shares;
    merged.merge(other);
    let mut whole = CountingTrace::new();
    for frame in 1..=70_000 {
        TestProtocol::default().follow(Instant::ZERO, ConversationSide::First, b"toy\0odd", &mut whole);
        whole.count_frame(&FrameOutcome::Datagram(PacketInfo { time: 0, ..info(frame, Role::Client) }));
    }
    assert!(merged.totals() == whole.totals(), "70,000 conversations are too many to print");
}

#[test]
fn totals_are_shown_as_tables_and_as_json() {
    let mut counting = CountingTrace::new();
    saw(&mut counting, 1, Role::Client, b"toy\0say hi\nodd");
    counting.take_counters(&[Counter { conversation: 1, name: "worlds", count: 3 }]);
    let mut out = Vec::new();
    render::totals(&mut out, &counting.totals(), &Palette::plain()).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(
        text.contains("\ntoy.say                                     1          0            6\n"),
        "{text}"
    );
    assert!(text.contains("10.0.0.1:5000 → 10.0.0.2:80\n             worlds 3\n"), "{text}");
    assert!(text.ends_with("         1  odd_line\n"), "{text}");

    let mut out = Vec::new();
    write_json(&mut out, &counting.totals()).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(json["conversations"][0]["client"], "10.0.0.1:5000");
    assert_eq!(json["conversations"][0]["counters"]["worlds"], 3);
    assert_eq!(json["messages"][0]["name"], "toy.odd");
}
