use core::time::Duration;
use std::net::SocketAddr;

use super::InfoFormat;
use crate::session::info::ServerInfo;

/// What a browser found out. Every address gives exactly one of the first two for every form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A server said what it is.
    Answer {
        /// The server.
        address: SocketAddr,
        /// The form in which it was asked and answered.
        form: InfoFormat,
        /// What it said. If its list is shorter than the number of its clients, the rest did not
        /// arrive or was not told.
        info: ServerInfo,
        /// From the last question to the answer.
        round_trip: Duration,
    },
    /// Nobody answered in this form.
    NoAnswer {
        /// The address.
        address: SocketAddr,
        /// The form in which it was asked.
        form: InfoFormat,
    },
    /// No address is left to be asked. The last event.
    Finished,
}

impl Event {
    /// The memory that it holds, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let info = match self {
            Self::Answer { info, .. } => info.held_bytes(),
            Self::NoAnswer { .. } | Self::Finished => 0,
        };
        info.saturating_add(size_of::<Self>())
    }
}
