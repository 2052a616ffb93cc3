use core::error::Error;
use core::fmt;
use std::net::SocketAddr;

use gamewire_machine::Instant;

/// Machines went round and round while virtual time hardly passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Livelock {
    /// The time at which the simulator gave up.
    pub at: Instant,
    /// The last machine that was turned.
    pub who: SocketAddr,
    /// The timer for which it asked to be woken, if it did; else datagrams went round.
    pub why: Option<&'static str>,
}

impl fmt::Display for Livelock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, who, why } = self;
        let seconds = at.since(Instant::ZERO).as_secs_f64();
        match why {
            Some(why) => write!(f, "at {seconds:.6} s {who} asks to be woken again and again: {why}"),
            None => write!(f, "at {seconds:.6} s datagrams go round and round, last at {who}"),
        }
    }
}

impl Error for Livelock {}
