use ::core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::{Instant, Wake};

use crate::session::client::PasswordRequest;
use crate::session::codec::PacketBuf;
use crate::session::{Capabilities, PlayerRole};

/// Where a client stands, with what is known only there.
#[derive(Debug)]
pub(super) enum PeerState {
    /// It is to send its join request.
    Joining { deadline: Instant },
    /// The application is to say whether it is let in.
    Deciding { user: User, deadline: Instant },
    /// It is to answer with a password.
    Authenticating { user: User, tries: PasswordAttempts },
    /// The application is to say whether the password will do.
    Checking { user: User, tries: PasswordAttempts },
    /// It gave a wrong password, and waits to be asked again or turned away.
    Waiting { user: User, tries: PasswordAttempts, until: Instant, message: String },
    /// It was let in.
    Playing(Playing),
    /// The end: what waits is yet to be polled.
    Closed,
}

/// Who wants to be let in.
#[derive(Clone, Debug)]
pub(super) struct User {
    pub(super) name: String,
    pub(super) capabilities: Capabilities,
}

/// A client's tries to find its password.
#[derive(Clone, Copy, Debug)]
pub(super) struct PasswordAttempts {
    pub(super) request: PasswordRequest,
    /// How many were wrong.
    wrong: usize,
    /// When they end.
    pub(super) deadline: Instant,
}

impl PasswordAttempts {
    /// So many wrong ones are enough.
    const MOST: usize = 3;
    /// Seconds to wait after so many wrong ones.
    const WAITS: [u64; Self::MOST + 1] = [1, 1, 2, 3];

    pub(super) const fn new(request: PasswordRequest, deadline: Instant) -> Self {
        Self { request, wrong: 0, deadline }
    }

    /// One was wrong: how long the client is to wait.
    pub(super) fn count_failure(&mut self) -> Duration {
        self.wrong = self.wrong.saturating_add(1);
        self.request = match self.request {
            PasswordRequest::Login | PasswordRequest::LoginRetry => PasswordRequest::LoginRetry,
            PasswordRequest::NewUser | PasswordRequest::NewUserRetry => PasswordRequest::NewUserRetry,
        };
        Duration::from_secs(Self::WAITS.get(self.wrong).copied().unwrap_or(3))
    }

    pub(super) const fn are_over(&self) -> bool {
        self.wrong >= Self::MOST
    }
}

/// A client that was let in.
#[derive(Debug)]
pub(super) struct Playing {
    pub(super) user: User,
    pub(super) role: PlayerRole,
    /// Whether it was told of the other connections.
    pub(super) is_introduced: bool,
    pub(super) ping: Ping,
    /// Requests that wait for their turn.
    pub(super) waiting: VecDeque<Request>,
}

/// A packet of a client that is to be dealt with.
#[derive(Debug)]
pub(super) enum Request {
    /// By the application.
    Packet(PacketBuf),
    /// By nobody: it only counts.
    Counted,
}

/// The pings of one client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ping {
    pub(super) next: Instant,
    /// Since when one is unanswered.
    pub(super) since: Option<Instant>,
    /// How long the last answer took.
    pub(super) took: Option<Duration>,
}

impl Ping {
    pub(super) fn wake(&self, timeout: Duration) -> Wake {
        match self.since.map(|since| since + timeout) {
            Some(at) if at < self.next => Wake { at, reason: "ping timeout" },
            _ => Wake { at: self.next, reason: "ping" },
        }
    }
}

impl PeerState {
    pub(super) fn wake(&self, ping_timeout: Duration) -> Option<Wake> {
        match self {
            Self::Joining { deadline } => Some(Wake { at: *deadline, reason: "login" }),
            Self::Deciding { deadline, .. } => Some(Wake { at: *deadline, reason: "decision" }),
            Self::Authenticating { tries, .. } | Self::Checking { tries, .. } => {
                Some(Wake { at: tries.deadline, reason: "password" })
            }
            Self::Waiting { until, .. } => Some(Wake { at: *until, reason: "wrong password" }),
            Self::Playing(playing) => Some(playing.ping.wake(ping_timeout)),
            Self::Closed => None,
        }
    }

    /// Who it is, once that is known.
    pub(super) const fn user(&self) -> Option<&User> {
        match self {
            Self::Deciding { user, .. }
            | Self::Authenticating { user, .. }
            | Self::Checking { user, .. }
            | Self::Waiting { user, .. }
            | Self::Playing(Playing { user, .. }) => Some(user),
            Self::Joining { .. } | Self::Closed => None,
        }
    }
}
