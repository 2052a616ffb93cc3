//! The loop of `join` and `serve`, and the socket of a server.

use std::net::SocketAddr;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use gamewire_net::OpenError;

use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::record::Recording;
use crate::stdin;
use crate::url::HostPort;

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

    /// Returns what the user asked for and did not happen yet. A session whose time ends before that fails.
    fn unfinished(&self) -> Option<String> {
        None
    }
}

/// Signals, standard input and the time limit of a session.
pub(crate) struct Controls {
    interrupt: Interrupt,
    /// Opened when the session takes lines: earlier input may be a password.
    input: Option<Receiver<String>>,
    end: Option<Instant>,
    /// What was asked and had not happened when the time ended.
    late: Option<String>,
    is_late: bool,
}

impl Controls {
    /// Starts the time limit.
    pub(crate) fn begin(interrupt: Interrupt, duration: Option<Duration>) -> Self {
        Self { interrupt, input: None, end: duration.and_then(from_now), late: None, is_late: false }
    }

    /// Returns true if the user asked to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }

    /// Returns true if the time has ended.
    pub(crate) const fn is_late(&self) -> bool {
        self.is_late
    }

    /// Returns the outcome of a session that ended with `end`: an error if the time was too short.
    pub(crate) fn outcome(self, end: Result<ExitStatus, Failure>) -> Result<ExitStatus, Failure> {
        end.and_then(|end| self.late.map_or(Ok(end), |missing| Err(Failure::Failed(missing))))
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
            for line in lines.try_iter() {
                match line.trim() {
                    "/quit" => session.leave(),
                    _ => session.line(line)?,
                }
            }
        }
        if !self.is_late && self.end.is_some_and(|end| Instant::now() >= end) {
            self.is_late = true;
            self.late = session.unfinished();
        }
        if self.is_late || self.is_interrupted() {
            session.leave();
        }
        Ok(())
    }
}

/// Opens a server at the first address of `bind` where it can.
pub(crate) fn open_server<D>(
    bind: &HostPort,
    open: impl Fn(SocketAddr) -> Result<D, OpenError>,
) -> Result<D, Failure> {
    let mut failure = None;
    // Not every system has IPv6, or all addresses of a name. The first error is the better one.
    for local in bind.resolve()? {
        match open(local) {
            Ok(driver) => return Ok(driver),
            Err(error) => _ = failure.get_or_insert_with(|| error.to_string()),
        }
    }
    Err(Failure::Failed(failure.unwrap_or_default()))
}
