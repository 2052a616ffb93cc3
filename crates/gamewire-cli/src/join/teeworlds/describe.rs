//! Output of the events of a Teeworlds client.

use gamewire_teeworlds::CloseReason;
use gamewire_teeworlds::MessageBuf;
use gamewire_teeworlds::client::{Event, MapInfo};
use gamewire_teeworlds::model::TextBuf;
use gamewire_teeworlds::model::message::{Audience, ClientId};

use crate::output::{OutputEvent, Value, event};

impl From<&TextBuf> for Value {
    fn from(text: &TextBuf) -> Self {
        Self::Text(text.to_string().into_bytes())
    }
}

impl From<ClientId> for Value {
    fn from(id: ClientId) -> Self {
        Self::Number(id.0.into())
    }
}

/// Describes an event; `None` for frequent events.
pub(super) fn to_output(event: &Event) -> Option<OutputEvent> {
    Some(match event {
        Event::Connected { dialect } => event!("connected", dialect: dialect.name()),
        Event::MapRefused(refusal) => event!("map_refused", reason: refusal.to_string()),
        Event::Entered => event!("entered"),
        Event::Joined { id, name, silent } => {
            event!("joined", id: *id, name: name, silent: *silent)
        }
        Event::Left { id, name, reason } => event!("left", id: *id, name: name, reason: reason.as_ref()),
        Event::Renamed { id, before, name } => {
            event!("renamed", id: *id, before: before, name: name)
        }
        Event::Chat { from, audience, name, text } => {
            let audience = match audience {
                Audience::All => "all",
                Audience::Team => "team",
                Audience::Whisper(_) => "whisper",
            };
            event!("chat", from: *from, name: name.as_ref(), audience: audience, text: text)
        }
        Event::Kill { killer, victim, weapon } => {
            event!("kill", killer: *killer, victim: *victim, weapon: *weapon)
        }
        Event::Emoticon { from, emoticon } => {
            event!("emoticon", from: *from, emoticon: named(emoticon.name(), emoticon.0))
        }
        Event::Team { client, team } => event!("team", id: *client, team: named(team.name(), team.0)),
        Event::Motd(text) => event!("motd", text: text),
        Event::Broadcast(text) => event!("broadcast", text: text),
        Event::VoteSet { timeout, description, reason } => {
            event!("vote", seconds: *timeout, description: description, reason: reason)
        }
        Event::VoteStatus { yes, no, total } => event!("vote_status", yes: *yes, no: *no, total: *total),
        Event::RaceTime { time, checkpoint, is_finish } => {
            event!("race_time", hundredths: *time, checkpoint: *checkpoint, finish: *is_finish)
        }
        Event::Checkpoint { difference } => event!("checkpoint", difference: *difference),
        Event::RaceFinish(race) => event!(
            "race_finish",
            id: race.client,
            time: race.time,
            difference: race.difference,
            personal_record: race.is_personal_record,
            server_record: race.is_server_record
        ),
        Event::RconAuth { granted } => event!("rcon_auth", granted: *granted),
        Event::RconLine(line) => event!("rcon_line", line: line),
        Event::Capabilities { version, flags } => {
            event!("capabilities", version: *version, flags: flags.0)
        }
        Event::Reconnect => event!("reconnect"),
        Event::Redirect { port } => event!("redirect", port: *port),
        Event::Undecodable(error) => event!("decode_error", error: error.to_string()),
        Event::Closed(reason) => {
            let by = match reason {
                CloseReason::Left => "us",
                CloseReason::PeerClosed { .. } | CloseReason::Refused { .. } => "server",
                _ => "failure",
            };
            event!("closed", by: by, reason: reason.to_string())
        }
        _ => return None,
    })
}

/// Describes a message that no other event describes, so that programs can decode it.
pub(super) fn message(message: &MessageBuf) -> OutputEvent {
    let content = message.content.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    event!("message", vital: message.vital, content: content)
}

/// Returns the name of a number, or the number if it has no name.
fn named(name: Option<&'static str>, number: i32) -> Value {
    name.map_or_else(|| number.into(), Value::Keyword)
}

/// Describes a map and its source.
pub(super) fn map(map: &MapInfo, source: &'static str, file: String) -> OutputEvent {
    let crc = format!("{:08x}", map.crc);
    event!("map", name: &map.name, size: map.size, crc: crc, source: source, file: file)
}
