use core::time::Duration;

use super::table::{DIALECTS, Table, empty_snapshot};
use crate::Dialect;
use crate::client::{CommandError, Event};
use crate::model::message::{Audience, ClientId, Profile, ServerMessage};
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
