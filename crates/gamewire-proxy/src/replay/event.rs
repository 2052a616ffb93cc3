use std::net::SocketAddr;

use gamewire_machine::{LogLine, QueuedEvent};

/// An event of a replayed client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerEvent {
    /// The server has accepted the connection.
    Connected {
        /// The dialect; `None` for Freeciv.
        dialect: Option<&'static str>,
    },
    /// The player has received the first snapshot of Teeworlds.
    Entered,
    /// The server sent a line of chat.
    Chat {
        /// The text.
        text: String,
    },
    /// The player has sent all messages of the recording.
    Finished,
    /// Lines of chat were lost, because too many events waited to be polled.
    Missed {
        /// Number of lost events.
        count: u64,
    },
    /// The connection is closed. This is the last event.
    Closed {
        /// The reason.
        reason: String,
    },
}

impl PlayerEvent {
    pub(super) fn log_line(&self) -> Option<LogLine> {
        Some(match self {
            Self::Connected { dialect } => {
                LogLine::info(format_args!("connected in {}", dialect.unwrap_or("Freeciv")))
            }
            Self::Finished => LogLine::info(format_args!("everything was sent")),
            Self::Missed { count } => LogLine::missed(*count),
            Self::Closed { reason } => LogLine::info(format_args!("disconnected: {reason}")),
            Self::Entered | Self::Chat { .. } => return None,
        })
    }
}

impl QueuedEvent for PlayerEvent {
    const MERGES: bool = false;

    fn missed(count: u64) -> Self {
        Self::Missed { count }
    }

    fn is_essential(&self) -> bool {
        !matches!(self, Self::Chat { .. } | Self::Missed { .. })
    }

    fn heap_bytes(&self) -> usize {
        if let Self::Chat { text } = self { text.len() } else { 0 }
    }
}

/// The number of a viewer. In Riptide it is its client id: the recorded one, unless another viewer has it.
pub type ViewerId = u32;

/// An event of a replayed server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewerEvent {
    /// A client has connected.
    Connected {
        /// The viewer.
        viewer: ViewerId,
        /// The viewer's address, if its transport has addresses.
        address: Option<SocketAddr>,
        /// The viewer's dialect.
        dialect: &'static str,
    },
    /// A viewer has received the whole recording.
    Finished {
        /// The viewer.
        viewer: ViewerId,
    },
    /// Events were lost. This does not occur, because every other event is essential, and no viewer is accepted while
    /// the queue is full.
    Missed {
        /// Number of lost events.
        count: u64,
    },
    /// A viewer has disconnected. This is its last event.
    Closed {
        /// The viewer.
        viewer: ViewerId,
        /// The reason.
        reason: String,
    },
}

#[cfg(any(feature = "teeworlds", feature = "riptide"))]
impl ViewerEvent {
    pub(super) fn log_line(&self) -> LogLine {
        match self {
            Self::Connected { viewer, dialect, .. } => {
                LogLine::info(format_args!("viewer {viewer} ({dialect}) connected"))
            }
            Self::Finished { viewer } => {
                LogLine::info(format_args!("viewer {viewer} has received everything"))
            }
            Self::Missed { count } => LogLine::missed(*count),
            Self::Closed { viewer, reason } => {
                LogLine::info(format_args!("viewer {viewer} is disconnected: {reason}"))
            }
        }
    }
}

impl QueuedEvent for ViewerEvent {
    const MERGES: bool = false;

    fn missed(count: u64) -> Self {
        Self::Missed { count }
    }

    fn is_essential(&self) -> bool {
        !matches!(self, Self::Missed { .. })
    }
}
