//! The effect of every message in every state.

use std::fmt::Write as _;

use super::table::{MAP, Table, asking, empty_snapshot, map_change, map_id};
use crate::Dialect;
use crate::model::Skin;
use crate::model::message::{
    Audience, CapabilityFlags, ClientId, GameInfo, MapChunkInfo, MapId, Profile, RaceFinish, RconCommand,
    ServerMessage, ServerSettings,
};
use crate::shared::data::{List, Uuid};
use crate::shared::pack::Text;
use crate::shared::value::{Emoticon, Team};

const STAGES: [&str; 7] =
    ["logging in", "map needed", "downloading", "readying", "greeting", "joining", "playing"];

const OPTIONS: &[Text<'static>] = &[Text::new("text")];
const RACE: RaceFinish = RaceFinish {
    client: ClientId(1),
    time: 5000,
    difference: -100,
    is_personal_record: true,
    is_server_record: false,
};

/// Returns a client in a state.
fn at(stage: &str, dialect: Dialect) -> Table {
    let mut table = Table::connected(asking(dialect));
    for step in 0.. {
        if table.client.state() == stage {
            break;
        }
        match step {
            0 => table.say(&map_change(dialect)),
            1 if stage == "downloading" => table.client.download_map().unwrap(),
            1 => table.client.map_ready().unwrap(),
            2 => table.say(&ServerMessage::ConReady),
            3 => table.say(&ServerMessage::ReadyToEnter),
            4 | 5 => table.say(&empty_snapshot(100 + step)),
            _ => panic!("{stage} is not reached"),
        }
    }
    table.settle();
    table.said();
    table.events();
    table
}

fn words(dialect: Dialect) -> Vec<ServerMessage<'static>> {
    let (client, team, text) = (ClientId(1), Team::RED, Text::new("text"));
    if dialect == Dialect::V07 {
        let profile = Profile { name: text, clan: text, country: -1, skin: Skin::default() };
        return vec![
            ServerMessage::MapData { info: None, data: &MAP[..10] },
            ServerMessage::Team { client, team },
            ServerMessage::ClientInfo { client, local: true, team, profile, silent: false },
            ServerMessage::GameInfo(GameInfo {
                has_teams: true,
                has_flags: false,
                is_survival: false,
                is_race: false,
                score_limit: 5,
                time_limit: 0,
                num_rounds: 0,
                round: 1,
            }),
            ServerMessage::ClientDrop { client, reason: text },
            ServerMessage::SkinChange { client, skin: Skin::default() },
            ServerMessage::ServerSettings(ServerSettings::default()),
            ServerMessage::Checkpoint { difference: -3 },
            ServerMessage::RaceFinish(RACE),
            // Sv_WeaponPickup.
            ServerMessage::Other(b"\x12\x03"),
        ];
    }
    let place = MapChunkInfo { is_last: false, crc: crc32fast::hash(MAP), piece: 0 };
    vec![
        map_change(dialect),
        ServerMessage::MapDetails { map: MapId { sha256: Some([7; 32]), ..map_id(dialect) }, url: None },
        ServerMessage::MapData { info: Some(place), data: &MAP[..10] },
        ServerMessage::ConReady,
        ServerMessage::ReadyToEnter,
        empty_snapshot(200),
        ServerMessage::InputTiming { intended_tick: 5, time_left: 5 },
        ServerMessage::RconAuth { granted: true },
        ServerMessage::RconLine(text),
        ServerMessage::Ping,
        ServerMessage::PingReply,
        ServerMessage::PingEx(Uuid([1; 16])),
        ServerMessage::PongEx(Uuid([1; 16])),
        ServerMessage::WhatIs(Uuid([1; 16])),
        ServerMessage::Capabilities { version: 1, flags: CapabilityFlags::DDNET },
        ServerMessage::Reconnect,
        ServerMessage::Redirect { port: 8304 },
        ServerMessage::Motd(text),
        ServerMessage::Broadcast(text),
        ServerMessage::Chat { from: None, audience: Audience::All, text },
        ServerMessage::Kill { killer: None, victim: client, weapon: 1 },
        ServerMessage::Emoticon { from: client, emoticon: Emoticon::OOP },
        ServerMessage::VoteSet { timeout: 1, description: text, reason: text },
        ServerMessage::VoteStatus { yes: 1, no: 0, total: 2 },
        ServerMessage::VoteClearOptions,
        ServerMessage::VoteOptionAdd(text),
        ServerMessage::VoteOptionListAdd(List::new(OPTIONS)),
        ServerMessage::VoteOptionRemove(text),
        ServerMessage::TuneParams(List::new(&[1000, 200])),
        ServerMessage::Teams(List::new(&[0, 1])),
        ServerMessage::Records { server: 1, player: 2 },
        ServerMessage::MapInfo(text),
        ServerMessage::RaceTime { time: 100, checkpoint: -3, is_finish: false },
        ServerMessage::RaceFinish(RACE),
        ServerMessage::RconCommandAdd(RconCommand { name: text, help: text, params: text }),
        ServerMessage::RconCommandRemove(text),
        ServerMessage::RconType { needs_user: true },
        // Sv_WeaponPickup.
        ServerMessage::Other(b"\x12\x03"),
    ]
}

fn first_word(debug: &str) -> &str {
    debug.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

/// Returns the effect of a message in a state: the next state, the sent messages, the events.
fn outcome(stage: &str, dialect: Dialect, word: &ServerMessage<'_>) -> String {
    let mut table = at(stage, dialect);
    let before = table.client.stats();
    table.say(word);
    let (after, mut text) = (table.client.stats(), String::new());
    if table.client.state() != stage {
        write!(text, "-> {} ", table.client.state()).unwrap();
    }
    for said in table.said() {
        write!(text, "says {said} ").unwrap();
    }
    for event in table.events() {
        write!(text, "tells {} ", first_word(&format!("{event:?}"))).unwrap();
    }
    if after.unexpected != before.unexpected {
        text.push_str("out of place");
    }
    if after.stray_map_chunks != before.stray_map_chunks {
        text.push_str("stray");
    }
    assert_eq!(after.undecodable, 0);
    if text.is_empty() { "nothing".to_owned() } else { text.trim_end().to_owned() }
}

fn matrix(dialect: Dialect) -> String {
    let mut lines = String::new();
    for word in words(dialect) {
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for stage in STAGES {
            let outcome = outcome(stage, dialect, &word);
            match groups.iter_mut().find(|(known, _)| *known == outcome) {
                Some((_, stages)) => stages.push(stage),
                None => groups.push((outcome, vec![stage])),
            }
        }
        for (outcome, stages) in &groups {
            let stages = if stages.len() == STAGES.len() { "always".to_owned() } else { stages.join(", ") };
            writeln!(lines, "{} | {stages} | {outcome}", first_word(&format!("{word:?}"))).unwrap();
        }
    }
    lines
}

#[test]
fn every_message_in_every_state_of_0_6() {
    assert_eq!(matrix(Dialect::Tken), SIX, "\n{}", matrix(Dialect::Tken));
}

#[test]
fn every_message_of_only_0_7_in_every_state() {
    assert_eq!(matrix(Dialect::V07), SEVEN, "\n{}", matrix(Dialect::V07));
}

const SIX: &str = "\
MapChange | logging in, downloading, readying, greeting, joining, playing | -> map needed tells MapNeeded
MapChange | map needed | tells MapNeeded
MapDetails | always | nothing
MapData | logging in, readying, greeting, joining, playing | out of place
MapData | map needed | stray
MapData | downloading | says RequestMapData tells MapProgress
ConReady | logging in, map needed, downloading, greeting, joining, playing | out of place
ConReady | readying | -> greeting says StartInfo
ReadyToEnter | logging in, map needed, downloading, readying, joining, playing | out of place
ReadyToEnter | greeting | -> joining says EnterGame
Snapshot | logging in, map needed, downloading, readying, greeting | out of place
Snapshot | joining, playing | tells Snapshot
InputTiming | logging in, map needed, downloading, readying, greeting, joining | out of place
InputTiming | playing | nothing
RconAuth | always | tells RconAuth
RconLine | always | tells RconLine
Ping | always | says ~PingReply
PingReply | always | nothing
PingEx | always | says ~PongEx
PongEx | always | nothing
WhatIs | always | says IDontKnow
Capabilities | always | tells Capabilities
Reconnect | always | tells Reconnect
Redirect | always | tells Redirect
Motd | always | tells Motd
Broadcast | always | tells Broadcast
Chat | always | tells Chat
Kill | always | tells Kill
Emoticon | always | tells Emoticon
VoteSet | always | tells VoteSet
VoteStatus | always | tells VoteStatus
VoteClearOptions | always | tells Announced
VoteOptionAdd | always | tells Announced
VoteOptionListAdd | always | tells Announced
VoteOptionRemove | always | tells Announced
TuneParams | always | tells Announced
Teams | always | tells Announced
Records | always | tells Announced
MapInfo | always | tells Announced
RaceTime | always | tells RaceTime
RaceFinish | always | tells RaceFinish
RconCommandAdd | always | tells Announced
RconCommandRemove | always | tells Announced
RconType | always | nothing
Other | always | tells Message
";

const SEVEN: &str = "\
MapData | logging in, readying, greeting, joining, playing | out of place
MapData | map needed | stray
MapData | downloading | tells MapProgress
Team | logging in, map needed, downloading, readying, greeting | out of place
Team | joining, playing | tells Team
ClientInfo | logging in, map needed, downloading, readying, greeting | out of place
ClientInfo | joining, playing | tells Joined
GameInfo | logging in, map needed, downloading, readying, greeting | out of place
GameInfo | joining, playing | nothing
ClientDrop | logging in, map needed, downloading, readying, greeting | out of place
ClientDrop | joining, playing | nothing
SkinChange | logging in, map needed, downloading, readying, greeting | out of place
SkinChange | joining, playing | nothing
ServerSettings | always | tells Announced
Checkpoint | always | tells Checkpoint
RaceFinish | always | tells RaceFinish
Other | always | tells Message
";
