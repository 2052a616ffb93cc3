use gamewire_machine::{LogLine, QueuedEvent};

use super::pending_orders::OrderId;
use crate::session::PlayerRole;
use crate::session::client::{CloseReason, Joined, PasswordRequest};
use crate::session::codec::PacketBuf;

/// An event of a player.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Event {
    /// A copy of a packet from the server, if
    /// [`ClientConfig::packet_events`](crate::session::client::ClientConfig::packet_events) is set. Packets are
    /// emitted in order. The world may have applied later packets, too.
    Packet(PacketBuf),
    /// The server requests a password. Send it with [`Player::send_password`](super::Player::send_password).
    PasswordRequested {
        /// The kind of password.
        request: PasswordRequest,
        /// The server's message.
        message: String,
    },
    /// The server has accepted the player. It sends the rulesets next.
    Joined(Box<Joined>),
    /// The server has sent its initial data. Orders are possible from now on.
    Ready,
    /// The connection plays or observes another player, or is detached.
    RoleChanged(PlayerRole),
    /// The server has processed an order. Its reply is available from
    /// [`Player::take_reply`](super::Player::take_reply).
    OrderFinished(OrderId),
    /// Packets have arrived, and the world may have changed. This event is never emitted twice in a row.
    Updated,
    /// The application polled too late: `count` events were dropped.
    Missed {
        /// Number of dropped events.
        count: u64,
    },
    /// The connection is closed. This is the last event.
    Closed(
        #[cfg_attr(feature = "serde", serde(serialize_with = "crate::codec::serialize_text"))] CloseReason,
    ),
}

impl Event {
    /// Returns the log line for the event.
    pub(super) fn log_line(&self) -> Option<LogLine> {
        Some(match self {
            Self::Joined(joined) => LogLine::info(format_args!("joined as connection {}", joined.connection)),
            Self::Ready => LogLine::debug(format_args!("the game can be played")),
            Self::Missed { count } => LogLine::missed(*count),
            Self::Closed(reason) => LogLine::info(format_args!("the connection is closed: {reason}")),
            _ => return None,
        })
    }
}

impl QueuedEvent for Event {
    fn missed(count: u64) -> Self {
        Self::Missed { count }
    }

    /// Orders and password requests depend on the application, so it bounds the number of their events.
    fn is_essential(&self) -> bool {
        !matches!(self, Self::Packet(_) | Self::RoleChanged(_) | Self::Updated | Self::Missed { .. })
    }

    fn merge(&mut self, next: Self) -> Result<(), Self> {
        match (self, next) {
            (Self::Updated, Self::Updated) => Ok(()),
            (_, next) => Err(next),
        }
    }
}
