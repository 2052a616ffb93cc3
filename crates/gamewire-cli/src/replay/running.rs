use std::time::{Duration, Instant};

use gamewire_machine::Machine;
use gamewire_net::blocking::Driver;
use gamewire_proxy::replay::teeworlds::{Event, PlayerEvent, TeeworldsReplay, TeeworldsReplayPlayer};
use serde_json::json;

use super::command::{Command, HELP};
use crate::controls::{CommandError, Controlled};
use crate::exit_status::{Failure, note};
use crate::output::{Output, OutputEvent, Value, event};
use crate::page::{ServedPage, TappedPage};

/// A replay that the user controls by commands.
pub(super) trait ReplayMachine: Machine {
    fn set_speed(&mut self, speed: f64);
    fn set_paused(&mut self, is_paused: bool);
    fn step(&mut self, time: Duration);
    fn close(&mut self, reason: &str);

    /// Returns whether the replay has ended without a command.
    fn has_ended(&self) -> bool;

    /// Converts an event to its printed form, and counts the event.
    fn describe(event: Self::Event, counts: &mut Counts) -> OutputEvent;
}

/// The connections of a replay.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) viewers: u64,
    pub(super) finished: u64,
}

/// Implements the methods of `ReplayMachine` with the methods of the type.
macro_rules! controls {
    () => {
        fn set_speed(&mut self, speed: f64) {
            Self::set_speed(self, speed);
        }

        fn set_paused(&mut self, is_paused: bool) {
            Self::set_paused(self, is_paused);
        }

        fn step(&mut self, time: Duration) {
            Self::step(self, time);
        }

        fn close(&mut self, reason: &str) {
            Self::close(self, reason);
        }
    };
}

pub(super) use controls;

impl ReplayMachine for TeeworldsReplay {
    controls!();

    fn has_ended(&self) -> bool {
        false
    }

    fn describe(event: Event, counts: &mut Counts) -> OutputEvent {
        match event {
            Event::Connected { viewer, address, dialect } => {
                counts.viewers = counts.viewers.saturating_add(1);
                let from = Value::Escaped(address.to_string());
                event!("connected", viewer: viewer, from: from, dialect: Value::Keyword(dialect.name()))
            }
            Event::Finished { viewer } => {
                counts.finished = counts.finished.saturating_add(1);
                event!("finished", viewer: viewer)
            }
            Event::Closed { viewer, reason } => event!("closed", viewer: viewer, reason: reason),
        }
    }
}

impl ReplayMachine for TeeworldsReplayPlayer {
    controls!();

    fn has_ended(&self) -> bool {
        self.is_closed()
    }

    fn describe(event: PlayerEvent, counts: &mut Counts) -> OutputEvent {
        match event {
            PlayerEvent::Connected { dialect } => {
                counts.viewers = counts.viewers.saturating_add(1);
                event!("player_connected", dialect: Value::Keyword(dialect.name()))
            }
            PlayerEvent::Entered => event!("player_entered",),
            PlayerEvent::Chat { text } => event!("chat", text: text),
            PlayerEvent::Finished => {
                counts.finished = counts.finished.saturating_add(1);
                event!("player_finished",)
            }
            PlayerEvent::Closed { reason } => event!("player_closed", reason: reason),
        }
    }
}

/// A replay on a socket.
pub(super) struct RunningReplay<M: ReplayMachine> {
    host: Driver<M>,
    output: Output,
    begin: Instant,
    counts: Counts,
    is_over: bool,
    page: Option<TappedPage>,
}

impl<M: ReplayMachine> RunningReplay<M> {
    pub(super) fn new(host: Driver<M>, output: Output, page: Option<TappedPage>) -> Self {
        Self { host, output, begin: Instant::now(), counts: Counts::default(), is_over: false, page }
    }

    /// Handles the next event. Returns whether there was one.
    fn handle_event(&mut self, wait: Duration) -> Result<bool, Failure> {
        let Some(event) = self.host.next_event(wait).map_err(Failure::server_socket)? else {
            return Ok(false);
        };
        self.output.emit(&M::describe(event, &mut self.counts))?;
        Ok(true)
    }

    /// Prints the last events and the summary. Returns whether the recording was played to its end.
    pub(super) fn end(mut self) -> Result<bool, Failure> {
        loop {
            match self.handle_event(Duration::ZERO) {
                Ok(true) => {}
                Ok(false) => break,
                // The replay has ended, so its stream is closed.
                Err(_) if self.host.machine().has_ended() => break,
                Err(failure) => return Err(failure),
            }
        }
        let (Counts { viewers, finished }, stats) = (self.counts, self.host.stats());
        let (sent, received) = (stats.sent.datagrams, stats.received.datagrams);
        let datagrams = json!({"sent": sent, "received": received});
        let fields = json!({"viewers": viewers, "finished": finished, "datagrams": datagrams});
        let seconds = self.begin.elapsed().as_secs_f64();
        let text = format!(
            "{seconds:.1} s: {viewers} connections, {finished} to the end; {sent} datagrams sent, {received} received"
        );
        self.output.print_summary(fields, text)?;
        Ok(finished > 0)
    }
}

impl<M: ReplayMachine> Controlled for RunningReplay<M> {
    type Command = Command;

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
        let replay = self.host.machine_mut();
        match command {
            Command::Pause => replay.set_paused(true),
            Command::Play => replay.set_paused(false),
            Command::Step(time) => replay.step(time),
            Command::Speed(speed) => replay.set_speed(speed),
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
        self.is_over || self.host.machine().has_ended()
    }
}
