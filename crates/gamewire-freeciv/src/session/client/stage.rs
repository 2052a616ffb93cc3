use gamewire_machine::{Instant, Wake};

use super::{CloseReason, Phase};
use crate::session::PlayerRole;

/// Where a connection stands, with what is known only there.
#[derive(Debug)]
pub(super) enum SessionState {
    Joining(Joining),
    Authenticating(Authenticating),
    Playing(Playing),
    Closed(Closed),
}

/// The server is to answer the join request, or a password.
#[derive(Debug)]
pub(super) struct Joining {
    pub(super) deadline: Instant,
    /// Bytes since the last progress.
    pub(super) bytes: usize,
    /// Whether the server has told its version, which is progress once.
    pub(super) is_answered: bool,
    /// Whether a password was sent.
    pub(super) is_authenticated: bool,
}

/// The application is to give a password.
#[derive(Debug)]
pub(super) struct Authenticating {
    pub(super) deadline: Instant,
}

/// The server has let the client in.
#[derive(Debug)]
pub(super) struct Playing {
    /// The number of the connection.
    pub(super) connection: i64,
    pub(super) role: PlayerRole,
    pub(super) silent_at: Instant,
    pub(super) heartbeat_at: Option<Instant>,
}

/// It is over.
#[derive(Debug)]
pub(super) struct Closed {
    pub(super) reason: CloseReason,
    /// Whether the application was told.
    pub(super) is_told: bool,
}

impl SessionState {
    pub(super) fn wake(&self) -> Option<Wake> {
        match self {
            Self::Joining(joining) => Some(Wake { at: joining.deadline, reason: "login" }),
            Self::Authenticating(waiting) => Some(Wake { at: waiting.deadline, reason: "password" }),
            Self::Playing(playing) => {
                let silence = Wake { at: playing.silent_at, reason: "silence" };
                match playing.heartbeat_at {
                    Some(at) if at < silence.at => Some(Wake { at, reason: "heartbeat" }),
                    _ => Some(silence),
                }
            }
            Self::Closed(_) => None,
        }
    }

    /// What the application calls it.
    pub(super) const fn phase(&self) -> Option<Phase> {
        match self {
            Self::Joining(_) => Some(Phase::Joining),
            Self::Authenticating(_) => Some(Phase::Authenticating),
            Self::Playing(_) => Some(Phase::Playing),
            Self::Closed(_) => None,
        }
    }
}
