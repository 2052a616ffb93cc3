use std::io;
use std::task::Waker;
use std::time::Duration;

use gamewire_proxy::relay::{Control, ControlError};

use super::command::{Command, Direction, HELP};
use super::describe::{described_client, stats};
use super::live_rules::LiveRules;
use super::relay_end::RelayEnd;
use super::sink::Shared;
use crate::controls::{CommandError, Controlled};
use crate::exit_status::{Failure, note};
use crate::fleet::Fleet;
use crate::impairment::LinkConditions;
use crate::output::{Output, Value, event};
use crate::page::ServedPage;

/// A proxy that runs on separate threads, and its commands.
pub(super) struct RunningProxy<'p> {
    pub(super) control: Control,
    pub(super) shared: Shared,
    pub(super) output: Output,
    /// The end of the relay's thread.
    pub(super) end: RelayEnd,
    pub(super) links: LinkConditions,
    pub(super) page: Option<ServedPage>,
    pub(super) rules: LiveRules<'p>,
    /// Publishes the traffic until it is dropped.
    pub(super) _fleet: Option<Fleet>,
}

impl Controlled for RunningProxy<'_> {
    type Command = Command;

    fn waker(&mut self) -> io::Result<Waker> {
        Ok(self.end.waker())
    }

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        std::thread::park_timeout(wait);
        self.rules.read_again_on_request(&self.output)?;
        self.shared.lock().failure.take().map_or(Ok(()), Err)
    }

    fn takes_lines(&self) -> bool {
        true
    }

    fn parse(&self, line: &str, is_json: bool) -> Result<Command, String> {
        Command::parse(line, is_json)
    }

    fn execute(&mut self, command: Command) -> Result<(), CommandError> {
        match command {
            Command::Help => note(HELP),
            Command::Clients => {
                let clients = self.shared.lock().clients.clone();
                for (client, (address, transport)) in clients {
                    self.output.emit(&described_client("client", client, address, transport))?;
                }
            }
            Command::Link(direction, conditions) => {
                for to in direction.sides() {
                    self.control.set_conditions(*to, conditions).map_err(rejected)?;
                    self.links.set(*to, conditions);
                }
                self.show_links();
                self.output.emit(&link_changed(direction))?;
            }
            Command::Close(client) => {
                if !self.shared.lock().clients.contains_key(&client) {
                    let error = format!("there is no client {client}; type clients for a list");
                    return Err(CommandError::Rejected(error));
                }
                self.control.close(client).map_err(rejected)?;
            }
            Command::Stats => {
                let not_shown = self.shared.lock().not_shown;
                self.output.emit(&stats(&self.control.stats(), not_shown))?;
            }
            Command::Stop => self.leave(),
        }
        Ok(())
    }

    fn page(&self) -> Option<&ServedPage> {
        self.page.as_ref()
    }

    fn output(&self) -> &Output {
        &self.output
    }

    fn leave(&mut self) {
        // If this fails, the relay has already stopped, or the next call stops it.
        let _: Result<(), ControlError> = self.control.stop();
    }

    fn is_over(&self) -> bool {
        self.end.is_reached()
    }
}

impl RunningProxy<'_> {
    pub(super) fn show_links(&self) {
        if let Some(served) = &self.page {
            served.page.set_program_state(self.links.json());
        }
    }
}

fn rejected(error: ControlError) -> CommandError {
    CommandError::Rejected(error.to_string())
}

fn link_changed(direction: Direction) -> crate::output::OutputEvent {
    event!("link_changed", direction: Value::Keyword(direction.name()))
}
