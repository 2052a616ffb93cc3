use gamewire_machine::Machine;

use super::table::{CLIENT, DIALECTS, SERVER, Table, empty_snapshot};
use crate::Dialect;
use crate::client::Event;
use crate::link::PacketError;
use crate::model::message::{Audience, ClientId, ServerMessage};
use crate::shared::data::Uuid;
use crate::shared::pack::{Sanitize, Text};

#[test]
fn t12_text_of_a_peer_arrives_byte_for_byte() {
    let mut table = Table::playing(Dialect::V06);
    let bytes = b"\x1b[2J\xff\xfe<script>\xe2\x80\xae";
    let text = Text::received(bytes, Sanitize::Lines);
    table.say(&ServerMessage::Chat { from: None, audience: Audience::All, text });
    let events = table.events();
    let [Event::Chat { text, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(text.as_bytes(), bytes);
    assert!(!text.to_string().contains('\x1b'));
    assert!(!format!("{text:?}").contains(|c: char| !c.is_ascii_graphic() && c != ' '));
}

#[test]
fn t12_a_text_without_a_zero_byte_is_dropped_and_counted() {
    let mut table = Table::playing(Dialect::V06);
    // Sv_Motd.
    table.say_bytes(true, &[0x02, b'h', b'i']);
    assert!(matches!(table.events().as_slice(), [Event::Undecodable(_)]));
    assert_eq!((table.client.stats().undecodable, table.client.state()), (1, "playing"));
}

/// Control messages from the server's address without its token, in every form of header.
fn forgeries() -> Vec<Vec<u8>> {
    let mut forged = Vec::new();
    for id in [0, 1, 2, 3, 4, 5, 200] {
        for token in [None, Some([0; 4]), Some([0xff; 4]), Some([0x12, 0x34, 0x56, 0x78])] {
            let plain = [0x10, 0, 0, id];
            let in_front = |first: u8| [&[first, 0, 0][..], &token.unwrap_or([0xff; 4]), &[id]].concat();
            forged.push([&plain[..], &token.unwrap_or_default()[..token.map_or(0, |t| t.len())]].concat());
            forged.push([&plain[..], b"TKEN", &token.unwrap_or_default()].concat());
            forged.push(in_front(0x18));
            forged.push(in_front(0x04));
        }
    }
    forged
}

#[test]
fn t13_control_messages_without_the_token_change_nothing() {
    for dialect in [Dialect::V065, Dialect::Tken, Dialect::V07] {
        let mut table = Table::playing(dialect);
        let before = table.client.stats();
        for forged in forgeries() {
            let rejected = table.client.handle_datagram(table.now, SERVER, &forged);
            assert!(rejected.is_err(), "{dialect:?}: {forged:02x?}");
        }
        assert_eq!(table.client.poll_event(), None, "{dialect:?}");
        assert_eq!((table.client.state(), table.client.stats()), ("playing", before));
        // The session continues.
        table.say(&empty_snapshot(110));
        assert_eq!(table.events(), [Event::Snapshot { tick: 110 }]);
    }
}

#[test]
fn t13_datagrams_of_other_addresses_are_rejected() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        let rejected = table.client.handle_datagram(table.now, CLIENT, &[0x10, 0, 0, 4]);
        assert_eq!(rejected, Err(PacketError::UnknownAddress));
        assert_eq!(table.client.state(), "playing");
    }
}

#[test]
fn a_message_that_must_be_vital_is_dropped_if_it_is_not() {
    let mut table = Table::playing(Dialect::Tken);
    table.say_as(false, &super::table::map_change(Dialect::Tken));
    table.say_as(false, &ServerMessage::Motd(Text::new("hello")));
    assert_eq!((table.events(), table.client.state()), (Vec::new(), "playing"));
    assert_eq!(table.client.stats().unexpected, 2);
}

#[test]
fn unpolled_events_are_bounded() {
    let mut table = Table::playing(Dialect::Tken);
    for _ in 0..3000 {
        table.say(&ServerMessage::RconLine(Text::new("spam")));
        table.say(&ServerMessage::WhatIs(Uuid([1; 16])));
    }
    let events = table.events();
    assert_eq!((events.len(), &events[0]), (1025, &Event::Missed { count: 3000 - 1024 }));
    assert_eq!(table.client.stats().dropped_events, 3000 - 1024);
    assert_eq!(table.client.state(), "playing");
}

#[test]
fn no_message_breaks_the_client_in_any_dialect() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        let mut random = gamewire_sim::random::Random::new(0x2545_f491_4f6c_dd1d);
        for round in 0..20_000_u32 {
            let message = random.bytes(usize::try_from(round % 24).unwrap());
            // An empty chunk cannot be sent. The cleared bit makes the message id a single byte.
            if let Some((first, rest)) = message.split_first() {
                let message = [&[first & 0x7f], rest].concat();
                table.say_bytes(true, &message);
            }
            if round % 64 == 0 {
                table.events();
            }
        }
        assert_ne!(table.client.state(), "closed", "{dialect:?}");
        assert_ne!(table.client.stats().undecodable, 0);
    }
}

#[test]
fn invalid_client_ids_are_ignored() {
    let mut table = Table::playing(Dialect::V06);
    // Sv_Chat: team 0, from client 1000, "x".
    table.say_bytes(true, &[0x06, 0x00, 0xa8, 0x0f, b'x', 0]);
    for event in table.events() {
        assert!(!matches!(event, Event::Chat { from: Some(ClientId(_)), .. }), "{event:?}");
    }
}
