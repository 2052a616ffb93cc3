use core::time::Duration;
use std::net::SocketAddr;

use super::InfoFormat;
use crate::model::info::ServerInfo;

/// An event of a browser. There is exactly one `Answer` or `NoAnswer` for every address and format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(clippy::large_enum_variant, reason = "it is matched immediately")]
pub enum Event {
    /// A server answered.
    Answer {
        /// The server.
        address: SocketAddr,
        /// The format of the query and the answer.
        format: InfoFormat,
        /// The server's information. If its list of clients is shorter than its number of clients, the server did not
        /// send the rest, or it was not received.
        info: ServerInfo,
        /// Time from the last query to the answer.
        round_trip: Duration,
    },
    /// The server did not answer in this format.
    NoAnswer {
        /// The address.
        address: SocketAddr,
        /// The format of the query.
        format: InfoFormat,
    },
    /// All addresses are finished. This is the last event.
    Finished,
}

impl Event {
    /// Returns the memory of the event in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let info = match self {
            Self::Answer { info, .. } => info.held_bytes(),
            Self::NoAnswer { .. } | Self::Finished => 0,
        };
        info.saturating_add(size_of::<Self>())
    }
}
