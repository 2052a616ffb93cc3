use core::time::Duration;

use super::table::{DIALECTS, Table, empty_snapshot};
use crate::Dialect;
use crate::client::{CommandError, Event};
use crate::model::message::{Audience, ClientId, ClientMessage, Profile, ServerMessage};
use crate::model::{Input, Skin};
use crate::shared::data::Uuid;
use crate::shared::pack::Text;
use crate::shared::system::SnapEmpty;
use crate::shared::value::{Emoticon, Team};
use crate::shared::version::SnapshotMessage;

#[test]
fn an_input_that_does_not_change_is_sent_ten_times_a_second() {
    let mut table = Table::playing(Dialect::V07);
    table.pass(Duration::from_secs(1));
    let inputs = table.said().iter().filter(|word| *word == "~Input").count();
    assert!((9..=11).contains(&inputs), "{inputs}");
}

#[test]
fn an_input_that_changes_is_sent_once_a_tick() {
    let mut table = Table::playing(Dialect::V06);
    for step in 0..400 {
        table.client.set_input(Input { target_x: step, ..Input::default() });
        table.pass(Duration::from_micros(2500));
    }
    let inputs = table.said().iter().filter(|word| *word == "~Input").count();
    assert!((48..=52).contains(&inputs), "{inputs}");
}

#[test]
fn an_input_is_sent_at_the_next_tick() {
    let mut table = Table::playing(Dialect::V06);
    table.pass(Duration::from_millis(50));
    table.said();
    table.client.set_input(Input { direction: -1, ..Input::default() });
    table.pass(Duration::from_millis(21));
    let said = table.said_in_full();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("direction: -1"), "{said:?}");
}

#[test]
fn snapshots_are_acknowledged_and_a_missing_base_is_reported_immediately() {
    let mut table = Table::playing(Dialect::Tken);
    table.say(&empty_snapshot(104));
    table.pass(Duration::from_millis(120));
    assert!(table.said_in_full().last().unwrap().contains("ack_snapshot: 104"));
    table.say(&ServerMessage::Snapshot(SnapshotMessage::Empty(SnapEmpty { tick: 108, delta: 2 })));
    table.pass(Duration::from_millis(21));
    assert!(table.said_in_full().last().unwrap().contains("ack_snapshot: -1"));
    assert_eq!(table.client.stats().snapshots.missing_base, 1);
}

#[test]
fn in_0_7_an_input_has_the_age_of_the_snapshot() {
    let mut table = Table::playing(Dialect::V07);
    table.say(&empty_snapshot(104));
    table.pass(Duration::from_millis(250));
    let said = table.said_in_full();
    assert!(!said.iter().any(|word| word.contains("ping_correction: 0 ")), "{said:?}");
}

#[test]
fn pings_and_uuids_are_answered_immediately() {
    let mut table = Table::playing(Dialect::Tken);
    table.say(&ServerMessage::Ping);
    table.say(&ServerMessage::PingEx(Uuid([7; 16])));
    table.say(&ServerMessage::WhatIs(Uuid::from_number(0xf621_a5a1_f585_3775_8e73_41be_ee79_f2b2)));
    table.say(&ServerMessage::WhatIs(Uuid([7; 16])));
    let said = table.said_in_full();
    assert_eq!(said[0], "PingReply");
    assert!(said[1].starts_with("PongEx") && said[1].contains("0707"), "{said:?}");
    assert!(said[2].starts_with("ItIs"), "{said:?}");
    assert!(said[3].starts_with("IDontKnow"), "{said:?}");
}

#[test]
fn commands_are_sent_as_vital_in_one_datagram() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        table.datagrams = 0;
        let client = &mut table.client;
        client.say(Audience::All, "hello").unwrap();
        client.say(Audience::Team, "hello").unwrap();
        client.vote(1).unwrap();
        client.call_vote("kick", "3", "idle").unwrap();
        client.emoticon(Emoticon::HEARTS).unwrap();
        client.kill().unwrap();
        client.set_team(Team::SPECTATORS).unwrap();
        client.spectate(None).unwrap();
        client.rcon_login("secret").unwrap();
        client.rcon("status").unwrap();
        table.settle();
        let expected = "Say Say Vote CallVote Emoticon Kill SetTeam Spectate RconAuth RconCmd";
        assert_eq!(table.said().join(" "), expected, "{dialect:?}");
        assert_eq!(table.datagrams, 1, "{dialect:?}");
    }
}

#[test]
fn a_message_that_the_dialect_does_not_have_is_an_error() {
    let name = Text::new("bert");
    let profile = Profile { name, clan: Text::new(""), country: -1, skin: Skin::default() };
    let mut six = Table::playing(Dialect::V06);
    six.client.change_info(profile).unwrap();
    let whisper = six.client.say(Audience::Whisper(Some(ClientId(1))), "psst");
    assert!(matches!(whisper, Err(CommandError::Encode(_))), "{whisper:?}");
    six.settle();
    assert_eq!(six.said(), ["ChangeInfo"]);

    let mut seven = Table::playing(Dialect::V07);
    assert!(seven.client.say(Audience::All, "a\0b").is_err());
    assert!(seven.client.say(Audience::All, &"a".repeat(3000)).is_err());
    seven.settle();
    assert!(seven.said().is_empty());
}

#[test]
fn in_0_7_messages_report_joins_and_leaves() {
    let mut table = Table::playing(Dialect::V07);
    let name = Text::new("bert");
    let profile = Profile { name, clan: Text::new(""), country: -1, skin: Skin::default() };
    let (client, team) = (ClientId(3), Team::RED);
    let joins = |client, local| ServerMessage::ClientInfo { client, local, team, profile, silent: false };
    // The server announces earlier players before the client itself.
    table.say(&joins(ClientId(1), false));
    table.say(&joins(ClientId(2), true));
    table.say(&joins(client, false));
    table.say(&ServerMessage::Chat { from: Some(client), audience: Audience::All, text: Text::new("hi") });
    table.say(&ServerMessage::ClientDrop { client, reason: Text::new("bye") });
    assert_eq!(
        table.events(),
        [
            Event::Joined { id: ClientId(1), name: "bert".into(), silent: true },
            Event::Joined { id: ClientId(2), name: "bert".into(), silent: false },
            Event::Joined { id: client, name: "bert".into(), silent: false },
            Event::Chat {
                from: Some(client),
                audience: Audience::All,
                name: Some("bert".into()),
                text: "hi".into()
            },
            Event::Left { id: client, name: "bert".into(), reason: Some("bye".into()) },
        ]
    );
}

#[test]
fn missing_messages_are_requested_immediately_and_arrive_in_order() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        table.losses = 1;
        table.say(&ServerMessage::Motd(Text::new("one")));
        table.say(&ServerMessage::Motd(Text::new("two")));
        assert_eq!(table.events(), [], "{dialect:?}");
        assert_eq!(table.client.stats().link.resend_requests_out, 1, "{dialect:?}");
        table.pass(Duration::from_millis(1500));
        assert_eq!(table.events(), ["one", "two"].map(|text| Event::Motd(text.into())), "{dialect:?}");
    }
}

#[test]
fn queued_lines_is_sent_at_the_rate_that_the_server_accepts() {
    // DDNet mutes a player after the fourth line in 5 s.
    for (dialect, after_4_s, after_21_s) in [(Dialect::V07, 4, 21), (Dialect::Tken, 4, 7)] {
        let mut table = Table::playing(dialect);
        for line in 0..30 {
            table.client.queue_chat(Audience::All, &line.to_string()).unwrap();
        }
        let said = |table: &mut Table| table.said().iter().filter(|word| *word == "Say").count();
        table.pass(Duration::from_millis(4000));
        let first = said(&mut table);
        table.pass(Duration::from_millis(17_000));
        let all = first + said(&mut table);
        assert_eq!((first, all), (after_4_s, after_21_s), "{dialect:?}");
        assert_eq!(table.client.queued_lines(), 30 - all);
    }
}

#[test]
fn the_queue_of_chat_is_bounded_and_checks_the_length_of_a_line() {
    let mut table = Table::playing(Dialect::V07);
    let long = table.client.queue_chat(Audience::All, &"x".repeat(4096)).unwrap_err();
    assert!(long.to_string().contains("too long: 4100 bytes"), "{long}");
    let refused =
        (0..300).map(|_| table.client.queue_chat(Audience::All, "hi")).filter(Result::is_err).count();
    assert_eq!((refused, table.client.queued_lines()), (300 - 256, 256));
}

#[test]
fn a_full_send_buffer_is_an_error_of_the_command_and_keeps_the_connection() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        let sent = (0..1500).map_while(|_| table.client.rcon("say hello").ok()).count();
        assert!((100..1500).contains(&sent), "{dialect:?}: {sent}");
        assert_eq!(table.client.unacked(), sent);
        table.pass(Duration::from_secs(1));
        assert_eq!((table.client.state(), table.client.unacked()), ("playing", 0), "{dialect:?}");
        assert_eq!(table.client.rcon("say hello"), Ok(()));
    }
}

#[test]
fn a_queued_message_leaves_with_the_next_one_and_a_sent_one_immediately() {
    let mut table = Table::connected(super::table::config(Dialect::V07));
    table.datagrams = 0;
    table.client.queue(&ClientMessage::Vote(1)).unwrap();
    table.client.queue(&ClientMessage::Kill).unwrap();
    table.settle();
    assert_eq!((table.datagrams, table.said()), (0, vec![]));
    table.client.send(&ClientMessage::Emoticon(Emoticon(2))).unwrap();
    table.settle();
    assert_eq!((table.datagrams, table.said().len()), (1, 3));
    // A message that nothing follows leaves after half a second.
    table.client.queue(&ClientMessage::Kill).unwrap();
    table.pass(Duration::from_millis(600));
    assert_eq!(table.said(), ["Kill"]);
    table.client.queue(&ClientMessage::Kill).unwrap();
    table.client.flush();
    table.settle();
    assert_eq!(table.said(), ["Kill"]);
}
