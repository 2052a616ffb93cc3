use core::fmt;

use gamewire_inspect::conversation::PacketInfo;
use gamewire_inspect::render::DisplayValue;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_machine::{Record, Role};
use gamewire_wire::{Layer, Value};

/// Maximum characters of a reason. A longer reason is cut.
const MAX_REASON: usize = 200;

/// Progress of a conversation, derived from its messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// Only packets outside of a connection were seen.
    #[default]
    Browsing,
    /// The client requests a connection.
    Connecting,
    /// The connection is open, and the client is not in the game yet.
    Joining,
    /// The client downloads the map. The numbers are the bytes sent so far, and the size of the map.
    Map(u64, u64),
    /// The client plays.
    Playing,
    /// Number of the turn of a Freeciv game.
    Turn(i64),
    /// The server rejected the client for this reason.
    Refused(String),
    /// The connection was closed for this reason.
    Closed(String),
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |f: &mut fmt::Formatter<'_>, word: &str, reason: &str| match reason {
            "" => f.write_str(word),
            reason => write!(f, "{word}: {reason}"),
        };
        match self {
            Self::Browsing => f.write_str("browsing"),
            Self::Connecting => f.write_str("connecting"),
            Self::Joining => f.write_str("joining"),
            Self::Map(sent, all) => {
                write!(f, "map {} %", sent.saturating_mul(100).checked_div(*all).unwrap_or(0).min(100))
            }
            Self::Playing => f.write_str("playing"),
            Self::Turn(turn) => write!(f, "turn {turn}"),
            Self::Refused(reason) => with(f, "refused", reason),
            Self::Closed(reason) => with(f, "closed", reason),
        }
    }
}

impl Progress {
    /// Returns whether the connection was rejected or closed.
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Closed(_))
    }

    /// Updates the progress with a packet.
    pub(super) fn packet(&mut self, info: &PacketInfo, record: &Record) {
        let is_message = |node: &NodeRef<'_>| node.kind() == NodeKind::Group(Layer::Message);
        for message in record.nodes().filter(is_message) {
            let next = match info.protocol {
                "teeworlds" => self.teeworlds(message),
                "riptide" => self.riptide(info.sender, message),
                _ => self.freeciv(message),
            };
            if let Some(next) = next {
                *self = next;
            }
        }
    }

    fn teeworlds(&self, message: NodeRef<'_>) -> Option<Self> {
        Some(match message.name() {
            "token" | "connect" if !matches!(self, Self::Playing) => Self::Connecting,
            "connect_accept" | "accept" | "con_ready" | "enter_game" => Self::Joining,
            "map_change" => Self::Map(0, natural(message, "size")),
            "map_data" => match self {
                Self::Map(sent, all) => {
                    Self::Map(sent.saturating_add(length(message, "data")).min(*all), *all)
                }
                _ => return None,
            },
            "snap" | "snap_single" | "snap_empty" => match self {
                Self::Playing => return None,
                _ => Self::Playing,
            },
            "close" => Self::Closed(text(message, "reason")),
            _ => return None,
        })
    }

    fn riptide(&self, sender: Role, message: NodeRef<'_>) -> Option<Self> {
        Some(match message.name() {
            "connect" | "pending" if sender == Role::Client => Self::Connecting,
            "welcome" => Self::Playing,
            "reject" => Self::Refused(text(message, "reason")),
            "disconnect" => Self::Closed(text(message, "reason")),
            "leave" => Self::Closed("the client left".into()),
            _ if matches!(self, Self::Browsing) => Self::Playing,
            _ => return None,
        })
    }

    fn freeciv(&self, message: NodeRef<'_>) -> Option<Self> {
        Some(match message.name() {
            "server_join_req" => Self::Connecting,
            "server_join_reply" => match text(message, "you_can_join").as_str() {
                "false" => Self::Refused(text(message, "message")),
                _ => Self::Joining,
            },
            "server_shutdown" => Self::Closed("the server has shut down".into()),
            "new_year" | "game_info" => {
                let turn = message.child("turn").and_then(integer)?;
                if turn > 0 { Self::Turn(turn) } else { return None }
            }
            _ => return None,
        })
    }
}

/// Returns the value of an integer field.
pub(super) fn integer(field: NodeRef<'_>) -> Option<i64> {
    match field.value()? {
        Value::Int(value) | Value::Named { value, .. } => Some(value),
        Value::Uint(value) | Value::Hex { value, .. } => i64::try_from(value).ok(),
        _ => None,
    }
}

fn natural(message: NodeRef<'_>, name: &str) -> u64 {
    let field = message.child(name).and_then(integer);
    field.and_then(|value| u64::try_from(value).ok()).unwrap_or(0)
}

fn length(message: NodeRef<'_>, name: &str) -> u64 {
    match message.child(name).and_then(|field| field.value()) {
        Some(Value::Bytes(bytes)) => u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        _ => 0,
    }
}

/// Returns a text field, escaped and without quotes. Returns an empty text if there is no such field.
fn text(message: NodeRef<'_>, name: &str) -> String {
    let value = message.child(name).and_then(|field| field.value());
    let text = value.map(|value| DisplayValue(value).to_string()).unwrap_or_default();
    text.trim_matches('"').chars().take(MAX_REASON).collect()
}
