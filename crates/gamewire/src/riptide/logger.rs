use core::fmt;
use std::time::Instant;

use gamewire_machine::{LogLevel, LogLine};

type Callback = Box<dyn FnMut(&str) + Send>;

/// Callbacks for the log of a client or server, one for each level (`RiptideLogger`).
///
/// Debug and info have connections that begin, fail and end; warning has lost events; error has failures of handlers.
/// Each line is one line of text without control characters. The feature `tracing` logs the same, and the sockets.
///
/// ```
/// use gamewire::riptide::{Logger, Server};
///
/// let print = |line: &str| println!("{line}");
/// let mut server = Server::start(0, 10)?;
/// server.set_logger(Logger::new(|_| (), print, print, |line| eprintln!("{line}"), false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Logger {
    debug: Callback,
    info: Callback,
    warning: Callback,
    error: Callback,
    /// `None` for lines without a time.
    start: Option<Instant>,
}

impl Logger {
    /// Creates a logger from a callback for each level (`RiptideLogger.Initialize`). With `include_timestamps`, lines begin
    /// with the seconds since this call, as in `[12.345] connected as client 1`.
    pub fn new(
        debug: impl FnMut(&str) + Send + 'static,
        info: impl FnMut(&str) + Send + 'static,
        warning: impl FnMut(&str) + Send + 'static,
        error: impl FnMut(&str) + Send + 'static,
        include_timestamps: bool,
    ) -> Self {
        Self {
            debug: Box::new(debug),
            info: Box::new(info),
            warning: Box::new(warning),
            error: Box::new(error),
            start: include_timestamps.then(Instant::now),
        }
    }

    pub(super) fn log(&mut self, line: &LogLine) {
        let text = self.line(&line.text);
        match line.level {
            LogLevel::Debug => (self.debug)(&text),
            LogLevel::Info => (self.info)(&text),
            LogLevel::Warning => (self.warning)(&text),
        }
    }

    pub(super) fn error(&mut self, failure: &impl fmt::Display) {
        // A log line escapes the text of a peer.
        let text = self.line(&LogLine::warning(format_args!("{failure}")).text);
        (self.error)(&text);
    }

    fn line(&self, text: &str) -> String {
        match self.start {
            Some(start) => format!("[{:.3}] {text}", start.elapsed().as_secs_f64()),
            None => text.to_owned(),
        }
    }
}

impl fmt::Debug for Logger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Logger").field("start", &self.start).finish_non_exhaustive()
    }
}
