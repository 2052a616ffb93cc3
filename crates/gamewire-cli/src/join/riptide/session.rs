use std::task::Waker;
use std::time::{Duration, Instant};
use std::{io, slice};

use gamewire_machine::Role;
use gamewire_net::blocking::Driver;
use gamewire_riptide::client::{Client, Event};
use gamewire_riptide::layout::MessageLayouts;
use gamewire_riptide::{DisconnectReason, Format, RejectReason, SendError};
use serde::Deserialize;

use super::describe;
use super::summary::{MessageStats, summary};
use crate::controls::{CommandError, Controlled};
use crate::driving::next_event;
use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure, note};
use crate::join::help::MESSAGES_HELP;
use crate::join::options::RiptideOptions;
use crate::json_command::from_json;
use crate::messages;
use crate::output::Output;
use crate::riptide::{MessageArg, MessageFields, UserData, reason_name};

/// The outcome of a session.
pub(super) enum SessionEnd {
    /// The server did not answer. The text is the reason, if it is known.
    Silent(Option<String>),
    Over(Result<ExitStatus, Failure>),
}

/// A session with one address of a server.
pub(super) struct RiptideSession<'a> {
    driver: Driver<Client>,
    plan: &'a Plan,
    output: &'a Output,
    /// The URL of the server.
    server: &'a str,
    /// The deadline of the server's first answer; `None` after the answer.
    answer_by: Option<Instant>,
    is_connected: bool,
    /// Messages of `--send` that were not sent yet.
    to_send: slice::Iter<'a, MessageArg>,
    counts: MessageStats,
    ending: Option<SessionEnd>,
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
        let answer_by = from_now(timeout);
        let counts = MessageStats::default();
        let to_send = plan.send.iter();
        Self { driver, plan, output, server, answer_by, is_connected: false, to_send, counts, ending: None }
    }

    /// Returns the outcome. Prints the summary if the server answered.
    pub(super) fn end(self) -> Result<SessionEnd, Failure> {
        let ending = self.ending.unwrap_or(SessionEnd::Over(Ok(ExitStatus::Success)));
        if !matches!(ending, SessionEnd::Silent(_)) {
            self.output.print_summary(summary(self.driver.machine(), self.driver.stats(), self.counts))?;
        }
        Ok(ending)
    }

    fn format(&self) -> Format {
        self.driver.machine().format()
    }

    fn send(&mut self, message: &MessageArg) -> Result<(), CommandError> {
        let sent = self.driver.machine_mut().send(message);
        sent.map_err(|error| match error {
            SendError::Full => CommandError::Full,
            error => CommandError::Rejected(format!("cannot send the message: {error}")),
        })?;
        self.counts.sent = self.counts.sent.saturating_add(1);
        Ok(())
    }

    /// Sends the messages of `--send` that the connection accepts.
    fn send_planned(&mut self) {
        while self.is_connected
            && let Some(message) = self.to_send.as_slice().first()
        {
            match self.send(message) {
                Err(CommandError::Full) => return,
                Err(CommandError::Rejected(error)) => self.fail(error),
                _ => {}
            }
            self.to_send.next();
        }
    }

    fn handle_event(&mut self, event: Event) -> Result<(), Failure> {
        let is_silent = match event {
            Event::ConnectionFailed { reason: RejectReason::NoConnection, .. } => true,
            // The user or the time limit ended the attempt.
            Event::Disconnected { .. } => !self.is_connected,
            _ => false,
        };
        if is_silent {
            self.ending = Some(SessionEnd::Silent(None));
            return Ok(());
        }
        if let Some(event) = describe::to_output(&event, self.format(), &self.plan.layouts) {
            self.output.emit(&event)?;
        }
        match event {
            Event::Connected { .. } => {
                self.answer_by = None;
                self.is_connected = true;
            }
            Event::MessageReceived { .. } => self.counts.received = self.counts.received.saturating_add(1),
            Event::ConnectionFailed { reason, .. } => {
                self.fail(format!("{} rejected the connection: {reason}", self.server));
            }
            Event::Disconnected { reason: DisconnectReason::Disconnected, .. } => {
                self.ending = Some(SessionEnd::Over(Ok(ExitStatus::Success)));
            }
            Event::Disconnected { reason, exceeded, .. } => {
                let why = exceeded.map_or_else(|| reason_name(&reason), |exceeded| exceeded.to_string());
                self.fail(format!("the connection to {} was closed: {reason} ({why})", self.server));
            }
            _ => {}
        }
        Ok(())
    }

    fn fail(&mut self, sentence: String) {
        self.ending = Some(SessionEnd::Over(Err(Failure::Failed(sentence))));
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
            self.handle_event(event)?;
        }
        self.send_planned();
        if self.answer_by.is_some_and(|by| by <= Instant::now()) && !self.is_over() {
            self.leave();
            self.ending = Some(SessionEnd::Silent(None));
        }
        Ok(())
    }

    fn wake_at(&self) -> Option<Instant> {
        self.answer_by
    }

    fn takes_lines(&self) -> bool {
        self.is_connected && self.to_send.as_slice().is_empty()
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
                let message = MessageArg::parse(&message.to_text(), &self.plan.layouts, Role::Client);
                let message = message
                    .map_err(|error| CommandError::Rejected(format!("{error}; type help for the syntax")))?;
                message.check(self.format()).map_err(CommandError::Rejected)?;
                self.send(&message)?;
            }
        }
        Ok(())
    }

    fn output(&self) -> &Output {
        self.output
    }

    fn unsent(&self) -> usize {
        let client = self.driver.machine();
        let in_flight = if client.is_connected() { client.unacked() } else { 0 };
        self.to_send.len().saturating_add(in_flight)
    }

    fn leave(&mut self) {
        self.driver.machine_mut().disconnect();
    }

    fn is_over(&self) -> bool {
        self.ending.is_some()
    }
}

/// The data and messages to send.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) layouts: MessageLayouts,
    /// Data of the connect request.
    pub(super) data: Option<UserData>,
    /// Messages to send once the connection is established.
    pub(super) send: Vec<MessageArg>,
}

impl Plan {
    pub(super) fn of(options: &RiptideOptions) -> Result<Self, Failure> {
        let layouts = options.messages.as_deref().map(messages::load).transpose()?.unwrap_or_default();
        let data =
            options.connect_data.as_deref().map(|text| UserData::of_option("--connect-data", text, &layouts));
        let send = options.send.iter().map(|text| {
            MessageArg::parse(text, &layouts, Role::Client)
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
