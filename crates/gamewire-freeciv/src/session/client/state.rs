use gamewire_machine::{Instant, Wake};

use super::{CloseReason, Phase};
use crate::session::PlayerRole;

/// Number of bytes from the server that count as progress while joining.
const PROGRESS_BYTES: usize = 4096;

/// The state of a session, with the data that is valid in it.
#[derive(Debug)]
pub(super) enum SessionState {
    Joining(Joining),
    /// The application must send a password.
    Authenticating {
        deadline: Instant,
    },
    Playing(Playing),
    Closed(CloseReason),
}

/// The server must answer the join request or a password.
#[derive(Debug)]
pub(super) struct Joining {
    pub(super) deadline: Instant,
    /// Bytes since the last progress.
    bytes: usize,
    /// True if the server has sent its version. This counts as progress only once.
    is_answered: bool,
    /// True if a password was sent.
    pub(super) is_authenticated: bool,
}

impl Joining {
    pub(super) const fn new(deadline: Instant) -> Self {
        Self { deadline, bytes: 0, is_answered: false, is_authenticated: false }
    }

    pub(super) const fn authenticated(deadline: Instant) -> Self {
        Self { deadline, bytes: 0, is_answered: true, is_authenticated: true }
    }

    /// Counts received bytes, and moves the deadline if they are enough for progress.
    pub(super) const fn count_bytes(&mut self, count: usize, deadline: Instant) {
        self.bytes = self.bytes.saturating_add(count);
        if self.bytes >= PROGRESS_BYTES {
            self.bytes = 0;
            self.deadline = deadline;
        }
    }

    pub(super) const fn on_server_info(&mut self, deadline: Instant) {
        if !self.is_answered {
            self.is_answered = true;
            self.deadline = deadline;
        }
    }
}

/// The server has accepted the client.
#[derive(Debug)]
pub(super) struct Playing {
    /// The number of the connection.
    pub(super) connection: i64,
    pub(super) role: PlayerRole,
    /// Time at which the connection times out if the server sends nothing.
    pub(super) idle_at: Instant,
    pub(super) heartbeat_at: Option<Instant>,
}

impl SessionState {
    pub(super) fn wake(&self) -> Option<Wake> {
        match self {
            Self::Joining(joining) => Some(Wake { at: joining.deadline, reason: "login" }),
            Self::Authenticating { deadline } => Some(Wake { at: *deadline, reason: "password" }),
            Self::Playing(playing) => Wake::earliest([
                Some(Wake { at: playing.idle_at, reason: "silence" }),
                playing.heartbeat_at.map(|at| Wake { at, reason: "heartbeat" }),
            ]),
            Self::Closed(_) => None,
        }
    }

    /// Returns the public name of the state, or `None` once it is closed.
    pub(super) const fn phase(&self) -> Option<Phase> {
        match self {
            Self::Joining(_) => Some(Phase::Joining),
            Self::Authenticating { .. } => Some(Phase::Authenticating),
            Self::Playing(_) => Some(Phase::Playing),
            Self::Closed(_) => None,
        }
    }
}
