//! The loop of `join` and `serve`, and the socket of a server.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use gamewire_net::OpenError;

use crate::duration::from_now;
use crate::exit_status::Failure;
use crate::interrupt::Interrupt;
use crate::record::Recording;
use crate::stdin;

/// Maximum wait for an event before other work is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A client or server that runs until it ends.
pub(crate) trait Session {
    /// Waits at most `wait` for the next event, handles it, and does what is due.
    fn poll(&mut self, wait: Duration) -> Result<(), Failure>;

    /// Returns whether lines of standard input can be handled.
    fn takes_lines(&self) -> bool;

    /// Handles a line of standard input.
    fn line(&mut self, line: String) -> Result<(), Failure>;

    /// Disconnects; the end follows.
    fn leave(&mut self);

    fn is_over(&self) -> bool;
}

/// Signals, standard input and the time limit of a session.
pub(crate) struct Controls {
    interrupt: Interrupt,
    /// Opened when the session takes lines: earlier input may be a password.
    input: Option<Receiver<String>>,
    end: Option<Instant>,
}

impl Controls {
    /// Starts the time limit.
    pub(crate) fn begin(interrupt: Interrupt, duration: Option<Duration>) -> Self {
        Self { interrupt, input: None, end: duration.and_then(from_now) }
    }

    /// Returns true if it is time to leave.
    pub(crate) fn is_over(&self) -> bool {
        self.interrupt.is_set() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Runs a session to its end.
    pub(crate) fn run(&mut self, session: &mut impl Session, recording: &Recording) -> Result<(), Failure> {
        while !session.is_over() {
            // On any error, such as a closed pipe, the session still disconnects.
            self.step(session).inspect_err(|_| session.leave())?;
            recording.check();
        }
        recording.finish();
        Ok(())
    }

    fn step(&mut self, session: &mut impl Session) -> Result<(), Failure> {
        session.poll(POLL_INTERVAL)?;
        if session.takes_lines() {
            let lines = self.input.get_or_insert_with(stdin::lines);
            lines.try_iter().try_for_each(|line| session.line(line))?;
        }
        if self.is_over() {
            session.leave();
        }
        Ok(())
    }
}

/// Opens a server at `bind`, or at `port` of every address.
pub(crate) fn open_server<D>(
    bind: Option<SocketAddr>,
    port: u16,
    open: impl Fn(SocketAddr) -> Result<D, OpenError>,
) -> Result<D, Failure> {
    let driver = match bind {
        Some(local) => open(local),
        // Not every system has IPv6. If it has, its error is the better one.
        None => open((Ipv6Addr::UNSPECIFIED, port).into())
            .or_else(|error| open((Ipv4Addr::UNSPECIFIED, port).into()).map_err(|_| error)),
    };
    driver.map_err(|error| Failure::Failed(error.to_string()))
}
