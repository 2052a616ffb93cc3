use std::io;
use std::task::Waker;
use std::time::Duration;

use gamewire_net::blocking::Driver;
use gamewire_proxy::replay::{PlayerEvent, ReplayMachine, ViewerEvent};
use serde_json::json;

use super::command::{Command, HELP};
use crate::controls::{CommandError, Controlled};
use crate::driving::next_event;
use crate::exit_status::{Failure, note};
use crate::output::{Output, OutputEvent, Summary, Value, event};
use crate::page::{ServedPage, TappedPage};

/// The connections of a replay.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    viewers: u64,
    finished: u64,
}

/// An event of a replay.
pub(super) trait Describe {
    /// Counts the event, and converts it to its printed form.
    fn describe(self, counts: &mut Counts) -> Option<OutputEvent>;
}

impl Describe for ViewerEvent {
    fn describe(self, counts: &mut Counts) -> Option<OutputEvent> {
        Some(match self {
            Self::Connected { viewer, address, dialect } => {
                counts.viewers = counts.viewers.saturating_add(1);
                let from = Value::Escaped(address.map(|address| address.to_string()).unwrap_or_default());
                event!("connected", viewer: viewer, from: from, dialect: dialect)
            }
            Self::Finished { viewer } => {
                counts.finished = counts.finished.saturating_add(1);
                event!("finished", viewer: viewer)
            }
            Self::Closed { viewer, reason } => event!("closed", viewer: viewer, reason: reason),
            Self::Missed { .. } => return None,
        })
    }
}

impl Describe for PlayerEvent {
    fn describe(self, counts: &mut Counts) -> Option<OutputEvent> {
        Some(match self {
            Self::Connected { dialect } => {
                counts.viewers = counts.viewers.saturating_add(1);
                match dialect {
                    Some(dialect) => event!("player_connected", dialect: dialect),
                    None => event!("player_connected"),
                }
            }
            Self::Entered => event!("player_entered"),
            Self::Chat { text } => event!("chat", text: text),
            Self::Finished => {
                counts.finished = counts.finished.saturating_add(1);
                event!("player_finished")
            }
            Self::Closed { reason } => event!("player_closed", reason: reason),
            Self::Missed { count } => {
                note(format_args!("{count} lines of chat were lost"));
                return None;
            }
        })
    }
}

/// A replay on a socket.
pub(super) struct RunningReplay<M: ReplayMachine> {
    host: Driver<M>,
    output: Output,
    counts: Counts,
    is_over: bool,
    page: Option<TappedPage>,
}

impl<M: ReplayMachine<Event: Describe>> RunningReplay<M> {
    pub(super) fn new(host: Driver<M>, output: Output, page: Option<TappedPage>) -> Self {
        Self { host, output, counts: Counts::default(), is_over: false, page }
    }

    /// Handles the next event. Returns whether there was one.
    fn handle_event(&mut self, wait: Duration) -> Result<bool, Failure> {
        let Some(event) = next_event(&mut self.host, wait).map_err(Failure::server_socket)? else {
            return Ok(false);
        };
        if let Some(event) = event.describe(&mut self.counts) {
            self.output.emit(&event)?;
        }
        Ok(true)
    }

    /// Prints the last events and the summary. Returns whether the recording was played to its end.
    pub(super) fn end(mut self) -> Result<bool, Failure> {
        loop {
            match self.handle_event(Duration::ZERO) {
                Ok(true) => {}
                Ok(false) => break,
                // The replay has ended, so its stream is closed.
                Err(_) if self.host.machine().is_closed() => break,
                Err(failure) => return Err(failure),
            }
        }
        let (Counts { viewers, finished }, stats) = (self.counts, self.host.stats());
        let (sent, received) = (stats.sent.datagrams, stats.received.datagrams);
        let datagrams = json!({"sent": sent, "received": received});
        let fields = json!({"viewers": viewers, "finished": finished, "datagrams": datagrams});
        let text = format!(
            "{viewers} connections, {finished} to the end; {sent} datagrams sent, {received} received"
        );
        self.output.print_summary(Summary { fields, text })?;
        Ok(finished > 0)
    }
}

impl<M: ReplayMachine<Event: Describe>> Controlled for RunningReplay<M> {
    type Command = Command;

    fn waker(&mut self) -> io::Result<Waker> {
        self.host.waker()
    }

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        self.handle_event(wait).map(drop)
    }

    fn takes_lines(&self) -> bool {
        true
    }

    fn parse(&self, line: &str, is_json: bool) -> Result<Command, String> {
        Command::parse(line, is_json)
    }

    fn execute(&mut self, command: Command) -> Result<(), CommandError> {
        let playback = self.host.machine_mut().playback_mut();
        match command {
            Command::Pause => playback.set_paused(true),
            Command::Play => playback.set_paused(false),
            Command::Step(time) => playback.step(time),
            Command::Speed(speed) => playback.set_speed(speed),
            Command::Stop => self.leave(),
            Command::Help => note(HELP),
        }
        Ok(())
    }

    fn page(&self) -> Option<&ServedPage> {
        self.page.as_ref().map(TappedPage::served)
    }

    fn output(&self) -> &Output {
        &self.output
    }

    fn leave(&mut self) {
        self.host.machine_mut().close("The replay was stopped");
        self.is_over = true;
    }

    fn is_over(&self) -> bool {
        self.is_over || self.host.machine().is_closed()
    }
}
