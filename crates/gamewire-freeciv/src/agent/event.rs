use core::fmt;

use gamewire_machine::{LogLine, QueuedEvent};

use super::changes::Changes;
use super::reply::Reply;
use crate::session::PlayerRole;
use crate::session::client::{CloseReason, Joined, PasswordRequest};
use crate::session::codec::PacketBuf;
use crate::world::{Combat, Ending, Message, Page};

/// The number of a command of an agent, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub(super) u64);

impl CommandId {
    /// Returns the number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An event of an agent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A copy of a packet from the server, if
    /// [`ClientConfig::packet_events`](crate::session::client::ClientConfig::packet_events) is set. Packets are
    /// emitted in order. The world may have applied later packets, too.
    Packet(PacketBuf),
    /// The server requests a password. Send it with [`Agent::send_password`](super::Agent::send_password).
    PasswordRequested {
        /// The kind of password.
        request: PasswordRequest,
        /// The server's message.
        message: String,
    },
    /// The server has accepted the agent. It sends the rules next.
    Joined(Box<Joined>),
    /// The connection plays or observes another player, or is detached.
    RoleChanged(PlayerRole),
    /// The server has sent its initial data. Commands are possible from now on, and the world is as it is now, also if
    /// the game was running before. Emitted once.
    Entered,
    /// A message from the server: chat, news or an answer.
    Message(Message),
    /// A page of text from the server, such as its greeting.
    Page(Page),
    /// The changes since the last event of this kind. Emitted before each reply, before each turn and before the end.
    Changed(Changes),
    /// A turn began.
    TurnBegan {
        /// Number of the turn.
        turn: i16,
    },
    /// A phase of the turn began. In the phase mode `all`, a turn has one phase.
    PhaseBegan {
        /// Number of the phase, counted from 0.
        phase: i16,
    },
    /// Two units fought.
    Fought(Combat),
    /// A vote began, changed, was decided or was removed.
    VoteChanged {
        /// Number of the vote.
        vote: u32,
    },
    /// A diplomatic meeting began, changed or ended.
    MeetingChanged {
        /// Number of the other player.
        with: u16,
    },
    /// The reply to a command.
    Reply {
        /// The command.
        command: CommandId,
        /// The reply.
        reply: Reply,
    },
    /// The game has ended for the player. The connection stays open.
    Ended(Ending),
    /// The application polled too late: `count` events were dropped.
    Missed {
        /// Number of dropped events.
        count: u64,
    },
    /// The connection is closed. This is the last event.
    Closed(CloseReason),
}

impl Event {
    /// Returns the log line for the event.
    pub(super) fn log_line(&self) -> Option<LogLine> {
        Some(match self {
            Self::Joined(joined) => LogLine::info(format_args!("joined as connection {}", joined.connection)),
            Self::Entered => LogLine::debug(format_args!("the game can be played")),
            Self::Ended(ending) => LogLine::info(format_args!("{ending}")),
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

    /// The number of replies is bounded by the commands, the number of password requests by the passwords, and the
    /// others occur once. A later turn or change makes an earlier one obsolete.
    fn is_essential(&self) -> bool {
        !matches!(
            self,
            Self::Packet(_)
                | Self::RoleChanged(_)
                | Self::Message(_)
                | Self::Page(_)
                | Self::Changed(_)
                | Self::TurnBegan { .. }
                | Self::PhaseBegan { .. }
                | Self::Fought(_)
                | Self::VoteChanged { .. }
                | Self::MeetingChanged { .. }
                | Self::Missed { .. }
        )
    }

    fn merge(&mut self, next: Self) -> Result<(), Self> {
        match (self, next) {
            (Self::Changed(changes), Self::Changed(more)) => {
                changes.extend(more);
                Ok(())
            }
            (_, next) => Err(next),
        }
    }
}
