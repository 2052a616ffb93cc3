//! The client's side of the handshake that 0.6.5 and DDNet use for clients without tokens.
//!
//! The server sends three empty snapshots that have a number as their tick. The client returns the number in an input,
//! as the tick of the acknowledged snapshot. The server also sends MAP_CHANGE and CON_READY, because old clients ignore
//! snapshots without them. After the input the server has a connection, and the login starts with another MAP_CHANGE.

use core::time::Duration;

use gamewire_machine::{Instant, Wake};

use crate::Dialect;
use crate::shared::version::SnapshotMessage;

/// Number of snapshots. Old clients send their first input after the third.
const SNAPSHOTS: u8 = 3;
/// Interval at which the input is repeated. It is not vital, so the link does not resend it.
const INTERVAL: Duration = Duration::from_millis(100);

/// The state of the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Antispoof {
    /// The number of snapshots before ENTERGAME. It stays 0 if the server does not use the handshake.
    Counting(u8),
    /// The client repeats the input until the login starts again.
    Answering { tick: i32, next_at: Instant },
    /// The login has started again, or the game was entered.
    Done,
}

impl Antispoof {
    /// Handles a snapshot before the game was entered. Returns `false` if it is not part of the handshake.
    pub(super) fn on_snapshot(
        &mut self,
        snapshot: &SnapshotMessage<'_>,
        dialect: Dialect,
        now: Instant,
    ) -> bool {
        let SnapshotMessage::Empty(snapshot) = snapshot else { return false };
        *self = match *self {
            _ if dialect != Dialect::V06 || snapshot.tick <= 0 => return false,
            Self::Done => return false,
            Self::Counting(count) if count.saturating_add(1) < SNAPSHOTS => {
                Self::Counting(count.saturating_add(1))
            }
            // The server answers a repeated CONNECT with another number if it has changed its secret.
            Self::Counting(_) | Self::Answering { .. } => {
                Self::Answering { tick: snapshot.tick, next_at: now }
            }
        };
        true
    }

    /// Handles MAP_CHANGE, which ends the handshake after the input was sent.
    pub(super) fn on_map_change(&mut self) {
        if let Self::Answering { .. } = self {
            *self = Self::Done;
        }
    }

    /// Returns whether the map is the placeholder of the handshake. Another MAP_CHANGE follows.
    pub(super) const fn has_placeholder_map(&self) -> bool {
        matches!(self, Self::Answering { .. })
    }

    /// Returns when the next input is due.
    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        match self {
            Self::Answering { next_at, .. } => Some(Wake { at: *next_at, reason: "antispoof input" }),
            Self::Counting(_) | Self::Done => None,
        }
    }

    /// Returns the tick that the next input must acknowledge, if the input is due at `now`, and schedules the next one.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<i32> {
        match self {
            Self::Answering { tick, next_at } if now >= *next_at => {
                *next_at = now + INTERVAL;
                Some(*tick)
            }
            _ => None,
        }
    }
}
