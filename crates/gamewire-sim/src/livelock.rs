use core::error::Error;
use core::fmt;
use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::Instant;

/// An error: machines kept each other busy while virtual time hardly passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Livelock {
    /// The time at which the simulator gave up.
    pub at: Instant,
    /// The machine that was driven last.
    pub who: SocketAddr,
    /// The reason of its timer, if a timer is due. Otherwise the machines exchanged datagrams without end.
    pub why: Option<&'static str>,
}

impl fmt::Display for Livelock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, who, why } = self;
        let seconds = at.since(Instant::ZERO).as_secs_f64();
        match why {
            Some(why) => write!(f, "at {seconds:.6} s {who} sets a timer that is always due: {why}"),
            None => write!(f, "at {seconds:.6} s the exchange of datagrams has no end, last at {who}"),
        }
    }
}

impl Error for Livelock {}

/// Maximum number of rounds in a virtual second. More rounds count as a livelock.
const MAX_ROUNDS: u32 = 200_000;
const SECOND: Duration = Duration::from_secs(1);

/// The number of rounds within the current virtual second.
#[derive(Default)]
pub(crate) struct RoundCounter {
    since: Instant,
    rounds: u32,
}

impl RoundCounter {
    /// Counts a round, and returns whether there are too many.
    pub(crate) fn exceeds(&mut self, now: Instant) -> bool {
        if now.since(self.since) >= SECOND {
            *self = Self { since: now, rounds: 0 };
        }
        self.rounds = self.rounds.saturating_add(1);
        self.rounds > MAX_ROUNDS
    }
}
