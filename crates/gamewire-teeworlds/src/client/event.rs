use gamewire_machine::{LogLine, QueuedEvent};
use gamewire_wire::CodecError;

use super::{Announcement, MapInfo, MapRefusal};
use crate::Dialect;
use crate::codec::MessageBuf;
use crate::link::CloseReason;
use crate::model::TextBuf;
use crate::model::message::{Audience, CapabilityFlags, ClientId, RaceFinish};
use crate::shared::value::{Emoticon, Team};

/// An event of a client. Texts contain the bytes that the server sent. Escape them before they are shown.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Event {
    /// The connection is established. The login continues automatically.
    Connected {
        /// The negotiated dialect.
        dialect: Dialect,
    },
    /// The server uses this map. With [`MapPolicy::Ask`](super::MapPolicy::Ask) the login waits for
    /// [`Client::map_ready`](super::Client::map_ready) or [`Client::download_map`](super::Client::download_map). The
    /// event occurs again when the server changes the map. The world is empty then.
    MapNeeded(MapInfo),
    /// A part of the map was received.
    MapProgress {
        /// Bytes received.
        received: usize,
        /// Size of the map in bytes.
        size: usize,
    },
    /// The map is loaded, and the login continues.
    MapLoaded {
        /// The bytes of the map, if the client downloaded it.
        bytes: Option<Vec<u8>>,
    },
    /// The map or a part of it was rejected. [`Client::map_ready`](super::Client::map_ready) continues without it.
    MapRefused(MapRefusal),
    /// The player is in the game: two snapshots were received.
    Entered,
    /// [`Client::world`](super::Client::world) has a new snapshot.
    Snapshot {
        /// The tick of the snapshot.
        tick: i32,
    },
    /// A player joined.
    Joined {
        /// The player.
        id: ClientId,
        /// The name.
        name: TextBuf,
        /// No message should be shown: the player joined before this client, or the server requests silence.
        silent: bool,
    },
    /// A player left.
    Left {
        /// The player.
        id: ClientId,
        /// The name.
        name: TextBuf,
        /// The reason in 0.7. A server of 0.6 sends it as a line of chat.
        reason: Option<TextBuf>,
    },
    /// A player changed its name. In 0.6 it can also be another player that got the same id between two snapshots.
    Renamed {
        /// The player.
        id: ClientId,
        /// The old name.
        before: TextBuf,
        /// The new name.
        name: TextBuf,
    },
    /// A line of chat.
    Chat {
        /// The author; `None` is the server.
        from: Option<ClientId>,
        /// The audience.
        audience: Audience,
        /// The author's name, if it is known.
        name: Option<TextBuf>,
        /// The text.
        text: TextBuf,
    },
    /// A player died.
    Kill {
        /// The killer; `None` for the world.
        killer: Option<ClientId>,
        /// The player that died.
        victim: ClientId,
        /// The weapon, or a negative number for death by the world, by oneself, or by leaving.
        weapon: i32,
    },
    /// A player showed an emoticon.
    Emoticon {
        /// The player.
        from: ClientId,
        /// The emoticon.
        emoticon: Emoticon,
    },
    /// A player changed team (0.7).
    Team {
        /// The player.
        client: ClientId,
        /// The new team.
        team: Team,
    },
    /// The message of the day.
    Motd(TextBuf),
    /// A text for the middle of the screen.
    Broadcast(TextBuf),
    /// A vote began, or ended if the timeout is 0.
    VoteSet {
        /// Seconds left.
        timeout: i32,
        /// The subject.
        description: TextBuf,
        /// The reason.
        reason: TextBuf,
    },
    /// The votes so far.
    VoteStatus {
        /// Votes for yes.
        yes: i32,
        /// Votes for no.
        no: i32,
        /// Players that may vote.
        total: i32,
    },
    /// [`Client::announced`](super::Client::announced) has changed.
    Announced(Announcement),
    /// The time in this client's race (0.6 of DDNet).
    RaceTime {
        /// Hundredths of a second since the start.
        time: i32,
        /// Difference to the best run at the last checkpoint, in hundredths of a second; 0 without a checkpoint.
        checkpoint: i32,
        /// The race is finished.
        is_finish: bool,
    },
    /// The client passed a checkpoint of its race (0.7).
    Checkpoint {
        /// Difference to the best run, in milliseconds.
        difference: i32,
    },
    /// A player finished its race.
    RaceFinish(RaceFinish),
    /// A message without an event type, with its bytes. [`MessageBuf::decode`] returns its fields.
    Message(MessageBuf),
    /// The server granted or revoked access to the remote console.
    RconAuth {
        /// `true` grants access.
        granted: bool,
    },
    /// A line of the remote console's output.
    RconLine(TextBuf),
    /// The abilities of the server (DDNet).
    Capabilities {
        /// Version of the list of flags.
        version: i32,
        /// The flags.
        flags: CapabilityFlags,
    },
    /// The server asks the client to call [`Client::reconnect`](super::Client::reconnect) (DDNet).
    Reconnect,
    /// The server asks the client to call [`Client::reconnect`](super::Client::reconnect) with another port (DDNet).
    Redirect {
        /// The port.
        port: u16,
    },
    /// A message of the server could not be decoded and was dropped. The error is serialized as text, which cannot be
    /// deserialized.
    #[cfg_attr(feature = "serde", serde(skip_deserializing))]
    Undecodable(#[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::text"))] CodecError),
    /// The application did not poll in time, and events were lost. The state of the client is still correct.
    Missed {
        /// Number of lost events.
        count: u64,
    },
    /// The connection was closed or not established. This is the last event, and it occurs once.
    Closed(CloseReason),
}

impl Event {
    /// Returns the log line of the event, if it has one.
    pub(super) fn log_line(&self) -> Option<LogLine> {
        Some(match self {
            Self::Connected { dialect } => {
                LogLine::info(format_args!("connected to a server of {}", dialect.name()))
            }
            Self::MapNeeded(map) => LogLine::info(format_args!("the server plays the map {}", map.name)),
            Self::MapRefused(why) => LogLine::info(format_args!("the map is refused: {why}")),
            Self::Entered => LogLine::info(format_args!("entered the game")),
            Self::Undecodable(error) => LogLine::warning(format_args!("dropped a message: {error}")),
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

    /// Returns whether the queue must keep the event: the session or the application depends on it.
    fn is_essential(&self) -> bool {
        matches!(
            self,
            Self::Connected { .. }
                | Self::MapNeeded(_)
                | Self::MapLoaded { .. }
                | Self::MapRefused(_)
                | Self::Entered
                | Self::Reconnect
                | Self::Redirect { .. }
                | Self::Closed(_)
        )
    }

    fn merge(&mut self, next: Self) -> Result<(), Self> {
        match (self, next) {
            (last @ Self::MapProgress { .. }, next @ Self::MapProgress { .. }) => *last = next,
            (_, next) => return Err(next),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use gamewire_machine::{EventLimits, EventQueue};

    use super::*;

    #[test]
    fn the_progress_of_a_download_is_one_event() {
        let mut queue = EventQueue::new(EventLimits::default());
        (0..100).for_each(|received| queue.push(Event::MapProgress { received, size: 100 }));
        assert_eq!(queue.pop(), Some(Event::MapProgress { received: 99, size: 100 }));
        assert_eq!(queue.pop(), None);
    }
}
