use core::error::Error;
use core::fmt;
use std::net::SocketAddr;

use gamewire_machine::Instant;

/// Machines kept each other busy while virtual time hardly passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Livelock {
    /// The time at which the simulator gave up.
    pub at: Instant,
    /// The machine that was driven last.
    pub who: SocketAddr,
    /// The reason of its timer, if it has one; otherwise datagrams went back and forth.
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
