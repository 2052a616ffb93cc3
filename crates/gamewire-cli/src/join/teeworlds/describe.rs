//! Events of a Teeworlds session in words.

use gamewire_teeworlds::CloseReason;
use gamewire_teeworlds::client::{Event, MapInfo, TextBuf};
use gamewire_teeworlds::session::message::{Audience, ClientId};

use crate::output::{OutputEvent, Value};

impl From<&TextBuf> for Value {
    fn from(text: &TextBuf) -> Self {
        Self::Text(text.to_string().into_bytes())
    }
}

impl From<&Option<TextBuf>> for Value {
    fn from(text: &Option<TextBuf>) -> Self {
        text.as_ref().map_or(Self::None, Self::from)
    }
}

impl From<ClientId> for Value {
    fn from(id: ClientId) -> Self {
        Self::Number(id.0.into())
    }
}

impl From<Option<ClientId>> for Value {
    fn from(id: Option<ClientId>) -> Self {
        id.map_or(Self::None, Self::from)
    }
}

/// Formats a number by its name, if it has one.
fn named(name: Option<&'static str>, number: i32) -> Value {
    name.map_or_else(|| number.into(), Value::Keyword)
}

/// Describes an event; `None` for frequent events.
pub(super) fn to_output(event: &Event) -> Option<OutputEvent> {
    Some(match event {
        Event::Connected { dialect } => {
            OutputEvent::new("connected", [("dialect", Value::Keyword(dialect.name()))])
        }
        Event::MapRefused(refusal) => {
            OutputEvent::new("map_refused", [("reason", refusal.to_string().into())])
        }
        Event::Entered => OutputEvent::new("entered", []),
        Event::Joined { id, name, silent } => OutputEvent::new(
            "joined",
            [("id", (*id).into()), ("name", name.into()), ("silent", Value::Bool(*silent))],
        ),
        Event::Left { id, name, reason } => {
            OutputEvent::new("left", [("id", (*id).into()), ("name", name.into()), ("reason", reason.into())])
        }
        Event::Renamed { id, before, name } => OutputEvent::new(
            "renamed",
            [("id", (*id).into()), ("before", before.into()), ("name", name.into())],
        ),
        Event::Chat { from, audience, name, text } => OutputEvent::new(
            "chat",
            [
                ("from", (*from).into()),
                ("name", name.into()),
                ("audience", Value::Keyword(audience_name(*audience))),
                ("text", text.into()),
            ],
        ),
        Event::Kill { killer, victim, weapon } => OutputEvent::new(
            "kill",
            [("killer", (*killer).into()), ("victim", (*victim).into()), ("weapon", (*weapon).into())],
        ),
        Event::Emoticon { from, emoticon } => OutputEvent::new(
            "emoticon",
            [("from", (*from).into()), ("emoticon", named(emoticon.name(), emoticon.0))],
        ),
        Event::Team { client, team } => {
            OutputEvent::new("team", [("id", (*client).into()), ("team", named(team.name(), team.0))])
        }
        Event::Motd(text) => OutputEvent::new("motd", [("text", text.into())]),
        Event::Broadcast(text) => OutputEvent::new("broadcast", [("text", text.into())]),
        Event::VoteSet { timeout, description, reason } => OutputEvent::new(
            "vote",
            [("seconds", (*timeout).into()), ("description", description.into()), ("reason", reason.into())],
        ),
        Event::VoteStatus { yes, no, total } => OutputEvent::new(
            "vote_status",
            [("yes", (*yes).into()), ("no", (*no).into()), ("total", (*total).into())],
        ),
        Event::RconAuth { granted } => OutputEvent::new("rcon_auth", [("granted", Value::Bool(*granted))]),
        Event::RconLine(line) => OutputEvent::new("rcon_line", [("line", line.into())]),
        Event::Capabilities { version, flags } => {
            OutputEvent::new("capabilities", [("version", (*version).into()), ("flags", (*flags).into())])
        }
        Event::Reconnect => OutputEvent::new("reconnect", []),
        Event::Redirect { port } => OutputEvent::new("redirect", [("port", Value::Number((*port).into()))]),
        Event::Undecodable(error) => OutputEvent::new("decode_error", [("error", error.to_string().into())]),
        Event::Closed(reason) => closed(reason),
        _ => return None,
    })
}

/// Describes a map and its source.
pub(super) fn map(map: &MapInfo, source: &'static str, file: Option<String>) -> OutputEvent {
    OutputEvent::new(
        "map",
        [
            ("name", (&map.name).into()),
            ("size", map.size.into()),
            ("crc", format!("{:08x}", map.crc).into()),
            ("source", Value::Keyword(source)),
            ("file", file.map_or(Value::None, Value::from)),
        ],
    )
}

fn closed(reason: &CloseReason) -> OutputEvent {
    let by = match reason {
        CloseReason::Left => "us",
        CloseReason::PeerClosed { .. } | CloseReason::Refused { .. } => "server",
        _ => "failure",
    };
    OutputEvent::new("closed", [("by", Value::Keyword(by)), ("reason", reason.to_string().into())])
}

const fn audience_name(audience: Audience) -> &'static str {
    match audience {
        Audience::All => "all",
        Audience::Team => "team",
        Audience::Whisper(_) => "whisper",
    }
}
