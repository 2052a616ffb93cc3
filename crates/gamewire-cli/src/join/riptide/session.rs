use std::io;
use std::task::Waker;
use std::time::{Duration, Instant};

use gamewire_machine::Role;
use gamewire_net::blocking::Driver;
use gamewire_riptide::client::{
    Client, Command as ClientCommand, Event, ExecuteError, Session, SessionEnd as End,
};
use gamewire_riptide::command::{OutgoingMessage, UserData};
use gamewire_riptide::layout::MessageLayouts;
use gamewire_riptide::{Format, SendError};
use serde::Deserialize;

use super::describe;
use super::summary::summary;
use crate::controls::{CommandError, Controlled};
use crate::driving::next_event;
use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure, note};
use crate::join::help::MESSAGES_HELP;
use crate::join::options::RiptideOptions;
use crate::json_command::from_json;
use crate::messages;
use crate::output::Output;
use crate::riptide::{MessageFields, reason_name, refusal, user_data};

/// The outcome of a session.
pub(super) enum SessionEnd {
    /// The server did not answer. The text is the reason, if it is known.
    Silent(Option<String>),
    Over(Result<ExitStatus, Failure>),
}

/// A session with one address of a server.
pub(super) struct RiptideSession<'a> {
    driver: Driver<Client>,
    session: Session<OutgoingMessage>,
    plan: &'a Plan,
    output: &'a Output,
    /// The URL of the server.
    server: &'a str,
}

impl<'a> RiptideSession<'a> {
    /// Starts a session. The server must answer within the timeout.
    pub(super) fn new(
        driver: Driver<Client>,
        plan: &'a Plan,
        output: &'a Output,
        server: &'a str,
        timeout: Duration,
    ) -> Self {
        let session = Session::new(plan.send.iter().cloned().collect(), timeout, driver.now());
        Self { driver, session, plan, output, server }
    }

    /// Returns the outcome. Prints the summary if the server answered.
    pub(super) fn end(self) -> Result<SessionEnd, Failure> {
        let server = self.server;
        let failure = match self.session.end() {
            Some(End::Silent) => return Ok(SessionEnd::Silent(refusal(self.driver.machine()))),
            None | Some(End::Left) => None,
            Some(End::Rejected(reason)) => Some(format!("{server} rejected the connection: {reason}")),
            Some(End::Closed { reason, exceeded }) => {
                let why = exceeded.map_or_else(|| reason_name(reason), |exceeded| exceeded.to_string());
                Some(format!("the connection to {server} was closed: {reason} ({why})"))
            }
            Some(End::NotSent(error)) => Some(format!("cannot send the message: {error}")),
            Some(other) => Some(format!("the session with {server} ended: {other:?}")),
        };
        self.output.print_summary(summary(self.driver.machine(), self.driver.stats(), &self.session))?;
        let outcome = failure.map_or(Ok(ExitStatus::Success), |failure| Err(Failure::Failed(failure)));
        Ok(SessionEnd::Over(outcome))
    }

    fn format(&self) -> Format {
        self.driver.machine().format()
    }

    fn handle_event(&mut self, event: &Event) -> Result<(), Failure> {
        self.session.handle_event(event);
        if self.session.end() != Some(&End::Silent)
            && let Some(event) = describe::to_output(event, self.format(), &self.plan.layouts)
        {
            self.output.emit(&event)?;
        }
        Ok(())
    }
}

/// A command of standard input.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Command {
    Send { message: MessageFields },
    Leave {},
    Help {},
}

impl Controlled for RiptideSession<'_> {
    type Command = Command;

    fn waker(&mut self) -> io::Result<Waker> {
        self.driver.waker()
    }

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        if let Some(event) = next_event(&mut self.driver, wait).map_err(Failure::socket)? {
            self.handle_event(&event)?;
        }
        let now = self.driver.now();
        self.session.advance(self.driver.machine_mut(), now);
        Ok(())
    }

    fn wake_at(&self) -> Option<Instant> {
        self.session.wake_at().and_then(|at| from_now(at.since(self.driver.now())))
    }

    fn takes_lines(&self) -> bool {
        self.session.has_sent_all()
    }

    fn parse(&self, line: &str, is_json: bool) -> Result<Command, String> {
        if is_json {
            return from_json(line);
        }
        Ok(match line.trim() {
            "help" => Command::Help {},
            "leave" => Command::Leave {},
            text => Command::Send { message: MessageFields::from_text(text) },
        })
    }

    fn execute(&mut self, command: Command) -> Result<(), CommandError> {
        match command {
            Command::Help {} => note(MESSAGES_HELP),
            Command::Leave {} => return Err(CommandError::Leave),
            Command::Send { message } => {
                let message = OutgoingMessage::parse(&message.to_text(), &self.plan.layouts, Role::Client);
                let message = message
                    .map_err(|error| CommandError::Rejected(format!("{error}; type help for the syntax")))?;
                let command = ClientCommand::Send(message);
                self.session.execute(self.driver.machine_mut(), &command).map_err(|error| match error {
                    ExecuteError::NotSent(SendError::Full) => CommandError::Full,
                    error => CommandError::Rejected(error.to_string()),
                })?;
            }
        }
        Ok(())
    }

    fn output(&self) -> &Output {
        self.output
    }

    fn unsent(&self) -> usize {
        self.session.unsent(self.driver.machine())
    }

    fn leave(&mut self) {
        self.driver.machine_mut().disconnect();
    }

    fn is_over(&self) -> bool {
        self.session.end().is_some()
    }
}

/// The data and messages to send.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) layouts: MessageLayouts,
    /// Data of the connect request.
    pub(super) data: Option<UserData>,
    /// Messages to send once the connection is established.
    pub(super) send: Vec<OutgoingMessage>,
}

impl Plan {
    pub(super) fn of(options: &RiptideOptions) -> Result<Self, Failure> {
        let layouts = options.messages.as_deref().map(messages::load).transpose()?.unwrap_or_default();
        let data = options.connect_data.as_deref().map(|text| user_data("--connect-data", text, &layouts));
        let send = options.send.iter().map(|text| {
            OutgoingMessage::parse(text, &layouts, Role::Client)
                .map_err(|error| Failure::Usage(format!("invalid --send: {error}")))
        });
        Ok(Self { data: data.transpose()?, send: send.collect::<Result<_, _>>()?, layouts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_the_commands() {
        crate::json_command::check_commands::<Command>(include_str!(
            "../../../../../docs/schema/join-riptide.commands.json"
        ));
    }
}
