use std::time::{Duration, Instant};

use gamewire_net::blocking::Driver;
use gamewire_proxy::replay::teeworlds::{Event, TeeworldsReplay};
use serde_json::json;

use super::command::{Command, HELP};
use crate::exit_status::{Failure, note};
use crate::output::{Output, Value, event};
use crate::session::{CommandError, Session};

/// A replay on a socket.
pub(super) struct ReplayServer {
    host: Driver<TeeworldsReplay>,
    output: Output,
    begin: Instant,
    viewers: u64,
    finished: u64,
    is_over: bool,
}

impl ReplayServer {
    pub(super) fn new(host: Driver<TeeworldsReplay>, output: Output) -> Self {
        Self { host, output, begin: Instant::now(), viewers: 0, finished: 0, is_over: false }
    }

    fn next_event(&mut self, wait: Duration) -> Result<Option<Event>, Failure> {
        self.host.next_event(wait).map_err(Failure::server_socket)
    }

    fn handle_event(&mut self, event: Event) -> Result<(), Failure> {
        let event = match event {
            Event::Connected { viewer, address, dialect } => {
                self.viewers = self.viewers.saturating_add(1);
                let from = Value::Escaped(address.to_string());
                event!("connected", viewer: viewer, from: from, dialect: Value::Keyword(dialect.name()))
            }
            Event::Finished { viewer } => {
                self.finished = self.finished.saturating_add(1);
                event!("finished", viewer: viewer)
            }
            Event::Closed { viewer, reason } => event!("closed", viewer: viewer, reason: reason),
        };
        self.output.emit(&event)
    }

    /// Reports the viewers that were disconnected, and prints the summary.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        while let Some(event) = self.next_event(Duration::ZERO)? {
            self.handle_event(event)?;
        }
        let seconds = self.begin.elapsed().as_secs_f64();
        let stats = self.host.stats();
        let (sent, received) = (stats.sent.datagrams, stats.received.datagrams);
        let fields = json!({
            "viewers": self.viewers,
            "finished": self.finished,
            "datagrams": {"sent": sent, "received": received},
        });
        let text = format!(
            "{seconds:.1} s: {} viewers, {} to the end; {sent} datagrams sent, {received} received",
            self.viewers, self.finished
        );
        Ok(self.output.print_summary(fields, text)?)
    }
}

impl Session for ReplayServer {
    type Command = Command;

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        match self.next_event(wait)? {
            Some(event) => self.handle_event(event),
            None => Ok(()),
        }
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

    fn output(&self) -> &Output {
        &self.output
    }

    fn leave(&mut self) {
        self.host.machine_mut().close("The replay was stopped");
        self.is_over = true;
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}
