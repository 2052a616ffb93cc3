//! Descriptions of events for programs, which serde prints.

use core::fmt::Write as _;

use serde::Serialize;

use super::Event;
use crate::link::CloseReason;
use crate::model::message::Audience;

/// An event as serde prints it, with its name in the field `event`. The lines of `gamewire join`
/// on a Teeworlds server have the same names and fields. `snapshot`, `map_needed`, `map_progress` and `map_loaded` have no
/// line there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the documentation of the events says what the fields are")]
pub enum EventView {
    Connected { dialect: &'static str },
    MapNeeded { name: String, crc: u32, size: i32 },
    MapProgress { received: usize, size: usize },
    MapLoaded {},
    MapRefused { reason: String },
    Entered {},
    Snapshot { tick: i32 },
    Joined { id: u8, name: String, silent: bool },
    Left { id: u8, name: String, reason: Option<String> },
    Renamed { id: u8, before: String, name: String },
    Chat { from: Option<u8>, name: Option<String>, audience: &'static str, text: String },
    Kill { killer: Option<u8>, victim: u8, weapon: i32 },
    Emoticon { from: u8, emoticon: NameOrNumber },
    Team { id: u8, team: NameOrNumber },
    Motd { text: String },
    Broadcast { text: String },
    Vote { seconds: i32, description: String, reason: String },
    VoteStatus { yes: i32, no: i32, total: i32 },
    RaceTime { hundredths: i32, checkpoint: i32, finish: bool },
    Checkpoint { difference: i32 },
    RaceFinish { id: u8, time: i32, difference: i32, personal_record: bool, server_record: bool },
    Message { vital: bool, content: String },
    RconAuth { granted: bool },
    RconLine { line: String },
    Capabilities { version: i32, flags: i32 },
    Reconnect {},
    Redirect { port: u16 },
    DecodeError { error: String },
    Closed { by: &'static str, reason: String },
}

/// The name of a number, or the number if it has no name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum NameOrNumber {
    /// The name.
    Name(&'static str),
    /// The number.
    Number(i32),
}

impl EventView {
    /// Describes an event. Returns `None` for an event that only announces new data, which a getter of the client
    /// returns.
    pub fn new(event: &Event) -> Option<Self> {
        Some(match event {
            Event::Connected { dialect } => Self::Connected { dialect: dialect.name() },
            Event::MapNeeded(map) => {
                Self::MapNeeded { name: map.name.to_string(), crc: map.crc, size: map.size }
            }
            Event::MapProgress { received, size } => Self::MapProgress { received: *received, size: *size },
            Event::MapLoaded { .. } => Self::MapLoaded {},
            Event::MapRefused(refusal) => Self::MapRefused { reason: refusal.to_string() },
            Event::Entered => Self::Entered {},
            Event::Snapshot { tick } => Self::Snapshot { tick: *tick },
            Event::Joined { id, name, silent } => {
                Self::Joined { id: id.0, name: name.to_string(), silent: *silent }
            }
            Event::Left { id, name, reason } => Self::Left {
                id: id.0,
                name: name.to_string(),
                reason: reason.as_ref().map(ToString::to_string),
            },
            Event::Renamed { id, before, name } => {
                Self::Renamed { id: id.0, before: before.to_string(), name: name.to_string() }
            }
            Event::Chat { from, audience, name, text } => Self::Chat {
                from: from.map(|id| id.0),
                name: name.as_ref().map(ToString::to_string),
                audience: match audience {
                    Audience::All => "all",
                    Audience::Team => "team",
                    Audience::Whisper(_) => "whisper",
                },
                text: text.to_string(),
            },
            Event::Kill { killer, victim, weapon } => {
                Self::Kill { killer: killer.map(|id| id.0), victim: victim.0, weapon: *weapon }
            }
            Event::Emoticon { from, emoticon } => {
                Self::Emoticon { from: from.0, emoticon: NameOrNumber::new(emoticon.name(), emoticon.0) }
            }
            Event::Team { client, team } => {
                Self::Team { id: client.0, team: NameOrNumber::new(team.name(), team.0) }
            }
            Event::Motd(text) => Self::Motd { text: text.to_string() },
            Event::Broadcast(text) => Self::Broadcast { text: text.to_string() },
            Event::VoteSet { timeout, description, reason } => Self::Vote {
                seconds: *timeout,
                description: description.to_string(),
                reason: reason.to_string(),
            },
            Event::VoteStatus { yes, no, total } => Self::VoteStatus { yes: *yes, no: *no, total: *total },
            Event::RaceTime { time, checkpoint, is_finish } => {
                Self::RaceTime { hundredths: *time, checkpoint: *checkpoint, finish: *is_finish }
            }
            Event::Checkpoint { difference } => Self::Checkpoint { difference: *difference },
            Event::RaceFinish(race) => Self::RaceFinish {
                id: race.client.0,
                time: race.time,
                difference: race.difference,
                personal_record: race.is_personal_record,
                server_record: race.is_server_record,
            },
            Event::Message(message) => {
                Self::Message { vital: message.vital, content: digits(&message.content) }
            }
            Event::RconAuth { granted } => Self::RconAuth { granted: *granted },
            Event::RconLine(line) => Self::RconLine { line: line.to_string() },
            Event::Capabilities { version, flags } => {
                Self::Capabilities { version: *version, flags: flags.0 }
            }
            Event::Reconnect => Self::Reconnect {},
            Event::Redirect { port } => Self::Redirect { port: *port },
            Event::Undecodable(error) => Self::DecodeError { error: error.to_string() },
            Event::Closed(reason) => Self::Closed {
                by: match reason {
                    CloseReason::Left => "us",
                    CloseReason::PeerClosed { .. } | CloseReason::Refused { .. } => "server",
                    _ => "failure",
                },
                reason: reason.to_string(),
            },
            _ => return None,
        })
    }
}

impl NameOrNumber {
    fn new(name: Option<&'static str>, number: i32) -> Self {
        name.map_or(Self::Number(number), Self::Name)
    }
}

/// Returns bytes as hexadecimal digits.
fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::TextBuf;
    use crate::model::message::ClientId;
    use crate::shared::value::Team;

    #[test]
    fn an_event_has_its_name_and_the_fields_of_the_command() {
        let view = |event: &Event| serde_json::to_value(EventView::new(event).unwrap()).unwrap();
        let text = |text: &str| {
            let mut buffer = TextBuf::default();
            buffer.set(text.bytes());
            buffer
        };
        let chat = Event::Chat { from: None, audience: Audience::All, name: None, text: text("hello") };
        assert_eq!(
            view(&chat),
            json!({"event": "chat", "from": null, "name": null, "audience": "all", "text": "hello"})
        );
        let team = |team| view(&Event::Team { client: ClientId(3), team })["team"].clone();
        assert_eq!((team(Team::BLUE), team(Team(9))), (json!("blue"), json!(9)));
        assert_eq!(view(&Event::Entered), json!({"event": "entered"}));
        assert_eq!(digits(&[0, 0xab]), "00ab");
    }
}
