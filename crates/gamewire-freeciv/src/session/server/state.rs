use ::core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::{Instant, Wake};

use crate::session::client::PasswordRequest;
use crate::session::codec::PacketBuf;
use crate::session::{Capabilities, PlayerRole};

/// The state of a client's connection, with the data that is valid in it.
#[derive(Debug)]
pub(super) enum PeerState {
    /// The client must send its join request.
    Joining { deadline: Instant },
    /// The application must accept or reject the client, or request a password.
    Deciding { user: User, deadline: Instant },
    /// The client must send a password.
    Authenticating { user: User, attempts: PasswordAttempts },
    /// The application must check the password.
    Checking { user: User, attempts: PasswordAttempts },
    /// The password was wrong. After a delay, the server requests one again or rejects the client.
    Delaying { user: User, attempts: PasswordAttempts, until: Instant, message: String },
    /// The client has joined.
    Playing(Playing),
}

/// A user who is logging in.
#[derive(Clone, Debug)]
pub(super) struct User {
    pub(super) name: String,
    pub(super) capabilities: Capabilities,
}

/// The wrong passwords of a client, and the deadline for a correct one.
#[derive(Clone, Copy, Debug)]
pub(super) struct PasswordAttempts {
    pub(super) request: PasswordRequest,
    failed: usize,
    pub(super) deadline: Instant,
}

impl PasswordAttempts {
    const MAX_FAILED: usize = 3;
    /// Delay in seconds by the number of failed attempts.
    const DELAYS: [u64; Self::MAX_FAILED + 1] = [1, 1, 2, 3];

    pub(super) const fn new(request: PasswordRequest, deadline: Instant) -> Self {
        Self { request, failed: 0, deadline }
    }

    /// Counts a failed attempt. Returns the delay before the next attempt.
    pub(super) fn count_failure(&mut self) -> Duration {
        self.failed = self.failed.saturating_add(1);
        self.request = match self.request {
            PasswordRequest::Login | PasswordRequest::LoginRetry => PasswordRequest::LoginRetry,
            PasswordRequest::NewUser | PasswordRequest::NewUserRetry => PasswordRequest::NewUserRetry,
        };
        Duration::from_secs(Self::DELAYS.get(self.failed).copied().unwrap_or(3))
    }

    pub(super) const fn are_used_up(&self) -> bool {
        self.failed >= Self::MAX_FAILED
    }
}

/// A client that has joined.
#[derive(Debug)]
pub(super) struct Playing {
    pub(super) user: User,
    pub(super) role: PlayerRole,
    /// True if the client has received the other connections.
    pub(super) is_introduced: bool,
    pub(super) ping: Ping,
    /// Requests that the server has not begun to process.
    pub(super) waiting: VecDeque<Request>,
}

/// A packet from a client that the server must process.
#[derive(Debug)]
pub(super) enum Request {
    /// A packet for the application. It is a copy, because the next packet changes the decoder's baseline.
    Packet(PacketBuf),
    /// A packet that is only counted as a request.
    Counted,
}

/// The pings of one client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ping {
    pub(super) next: Instant,
    /// Time at which the oldest unanswered ping was sent.
    pub(super) since: Option<Instant>,
    /// Round-trip time of the last answered ping.
    pub(super) round_trip: Option<Duration>,
}

impl Ping {
    pub(super) const fn new(next: Instant) -> Self {
        Self { next, since: None, round_trip: None }
    }

    pub(super) fn on_pong(&mut self, now: Instant) {
        self.round_trip = self.since.take().map(|since| now.since(since));
    }

    fn wake(&self, timeout: Duration) -> Option<Wake> {
        Wake::earliest([
            Some(Wake { at: self.next, reason: "ping" }),
            self.since.map(|since| Wake { at: since + timeout, reason: "ping timeout" }),
        ])
    }
}

impl PeerState {
    pub(super) fn wake(&self, ping_timeout: Duration) -> Option<Wake> {
        match self {
            Self::Joining { deadline } => Some(Wake { at: *deadline, reason: "login" }),
            Self::Deciding { deadline, .. } => Some(Wake { at: *deadline, reason: "decision" }),
            Self::Authenticating { attempts, .. } | Self::Checking { attempts, .. } => {
                Some(Wake { at: attempts.deadline, reason: "password" })
            }
            Self::Delaying { until, .. } => Some(Wake { at: *until, reason: "wrong password" }),
            Self::Playing(playing) => playing.ping.wake(ping_timeout),
        }
    }

    /// Returns the user, or `None` before the join request.
    pub(super) const fn user(&self) -> Option<&User> {
        match self {
            Self::Deciding { user, .. }
            | Self::Authenticating { user, .. }
            | Self::Checking { user, .. }
            | Self::Delaying { user, .. }
            | Self::Playing(Playing { user, .. }) => Some(user),
            Self::Joining { .. } => None,
        }
    }
}
