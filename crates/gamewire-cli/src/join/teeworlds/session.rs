use std::collections::VecDeque;
use std::io;
use std::task::Waker;
use std::time::{Duration, Instant};

use gamewire_net::blocking::Driver;
use gamewire_teeworlds::client::{Client, CommandError as ClientError, Event, MapInfo};
use gamewire_teeworlds::model::message::Audience;
use gamewire_teeworlds::raw::link::SendError;
use gamewire_teeworlds::{CloseReason, LinkConfig, Offer};

use super::command::Command;
use super::describe;
use super::maps::Maps;
use super::other_version;
use super::summary::summary;
use crate::controls::{CommandError, Controlled};
use crate::driving::next_event;
use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure, warn};
use crate::json_command::from_json;
use crate::output::Output;
use crate::url::{Url, UrlProtocol};

/// Delay before a reconnect. It slows down a server that requests reconnects all the time.
const BEFORE_RECONNECT: Duration = Duration::from_secs(2);

/// The tasks of a session.
pub(super) struct Plan {
    pub(super) say: VecDeque<String>,
    pub(super) rcon: Option<String>,
    pub(super) commands: VecDeque<String>,
    pub(super) reconnect: bool,
    /// Timeout of the server's first answer.
    pub(super) timeout: Duration,
}

/// A pending reconnect.
#[derive(Clone, Copy)]
struct Reconnect {
    at: Instant,
    /// The new port on the server, if it changes.
    port: Option<u16>,
}

/// A session with a server.
pub(super) struct TeeworldsSession {
    driver: Driver<Client>,
    plan: Plan,
    pub(super) output: Output,
    maps: Option<Maps>,
    server: String,
    /// The deadline of the server's first answer; `None` after the answer.
    answer_by: Option<Instant>,
    /// The timeout of the connection.
    receive_timeout: Duration,
    has_entered: bool,
    /// True after the first entry, even if the connection is lost later.
    was_entered: bool,
    may_command: bool,
    again: Option<Reconnect>,
    /// The reason to report when the client itself has disconnected.
    gave_up: Option<CloseReason>,
    end: Option<Result<ExitStatus, Failure>>,
}

impl TeeworldsSession {
    pub(super) fn new(
        driver: Driver<Client>,
        plan: Plan,
        output: Output,
        maps: Option<Maps>,
        server: String,
    ) -> Self {
        let answer_by = from_now(plan.timeout);
        Self {
            driver,
            answer_by,
            plan,
            output,
            maps,
            server,
            receive_timeout: Duration::ZERO,
            has_entered: false,
            was_entered: false,
            may_command: false,
            again: None,
            gave_up: None,
            end: None,
        }
    }

    /// Prints the summary and returns the outcome.
    pub(super) fn end(self) -> Result<ExitStatus, Failure> {
        self.output.print_summary(summary(&self.driver.machine().stats(), self.driver.stats()))?;
        self.end.unwrap_or(Ok(ExitStatus::Success))
    }

    fn handle_event(&mut self, mut event: Event) -> Result<(), Failure> {
        if let Event::Closed(reason) = &mut event
            && let Some(why) = self.gave_up.take()
        {
            *reason = why;
        }
        if let Some(event) = describe::to_output(&event) {
            self.output.emit(&event)?;
        }
        match event {
            Event::Connected { dialect } => {
                self.answer_by = None;
                self.receive_timeout = LinkConfig::of_games(dialect).receive_timeout;
            }
            Event::MapNeeded(map) => self.on_map_needed(map)?,
            Event::MapProgress { received, .. } => {
                if let Some(maps) = &self.maps {
                    maps.progress(received);
                }
            }
            Event::MapLoaded { bytes: Some(bytes) } => {
                if let Some((map, file)) =
                    self.maps.as_mut().map(|maps| maps.keep(&bytes)).transpose()?.flatten()
                {
                    self.output.emit(&describe::map(&map, "downloaded", file))?;
                }
            }
            Event::MapRefused(refusal) => {
                self.fail(format!("cannot use the map of {}: {refusal}", self.server))
            }
            Event::Entered => self.entered(),
            Event::Message(message) if self.output.is_json() => {
                self.output.emit(&describe::message(&message))?;
            }
            Event::RconAuth { granted: true } => self.may_command = true,
            Event::RconLine(line) if !self.may_command && line.as_bytes().starts_with(b"Wrong password") => {
                self.fail(format!("{} rejected the password of its remote console", self.server));
            }
            Event::Reconnect if self.plan.reconnect => self.schedule_reconnect(None),
            Event::Redirect { port } if self.plan.reconnect => self.schedule_reconnect(Some(port)),
            Event::Closed(reason) => self.closed(&reason),
            _ => {}
        }
        Ok(())
    }

    fn on_map_needed(&mut self, map: MapInfo) -> Result<(), Failure> {
        let Some(maps) = &mut self.maps else { return Ok(()) };
        let done = match maps.find(&map)? {
            Some(file) => {
                self.output.emit(&describe::map(&map, "cached", file))?;
                self.driver.machine_mut().map_ready()
            }
            None => {
                maps.begin(map);
                self.driver.machine_mut().download_map()
            }
        };
        // The request fails only if the connection is closed.
        done.or(Ok(()))
    }

    fn entered(&mut self) {
        self.has_entered = true;
        self.was_entered = true;
        if let Some(password) = self.plan.rcon.clone() {
            let done = self.driver.machine_mut().rcon_login(&password);
            report_failure("log in to the remote console", done);
        }
    }

    /// Sends the lines of `--say` and `--command` that the queue accepts.
    fn send_planned(&mut self) {
        let client = self.driver.machine_mut();
        let (say, commands) = (&mut self.plan.say, &mut self.plan.commands);
        let sent = (if self.has_entered {
            send_all(say, |line| client.queue_chat(Audience::All, line))
        } else {
            Ok(())
        })
        .and_then(|()| {
            if self.may_command { send_all(commands, |line| client.queue_rcon(line)) } else { Ok(()) }
        });
        if let Err(error) = sent {
            self.fail(error);
        }
    }

    fn schedule_reconnect(&mut self, port: Option<u16>) {
        self.again = with_port(self.again, port);
    }

    fn connect_again(&mut self, port: Option<u16>) {
        self.answer_by = from_now(self.plan.timeout);
        self.has_entered = false;
        self.may_command = false;
        let now = self.driver.now();
        let client = self.driver.machine_mut();
        if client.reconnect(port).is_err() {
            // The connection is closed. Replace it with a new one.
            let mut server = client.server();
            server.set_port(port.unwrap_or_else(|| server.port()));
            *client = Client::connect(server, client.config().clone(), now);
        }
    }

    /// Treats a missing answer like a closed connection.
    fn give_up(&mut self) {
        self.answer_by = None;
        let failure = self.driver.machine().connect_failure();
        self.gave_up = Some(failure.unwrap_or(CloseReason::UnableToConnect));
        self.driver.machine_mut().disconnect("");
    }

    fn closed(&mut self, reason: &CloseReason) {
        self.answer_by = None;
        match sentence(reason, &self.server, self.has_entered, self.receive_timeout) {
            None => self.end = Some(Ok(ExitStatus::Success)),
            Some(sentence) if self.plan.reconnect && self.end.is_none() => {
                warn(sentence);
                self.schedule_reconnect(None);
            }
            Some(_) if *reason == CloseReason::UnableToConnect => self.fail(self.silence()),
            Some(sentence) => self.fail(sentence),
        }
    }

    /// Returns the error message for a server that does not answer.
    fn silence(&self) -> String {
        let (server, client) = (&self.server, self.driver.machine());
        match other_version(client.server(), client.config().offer) {
            Some(other) => {
                format!("no answer from {server}, which does not support this dialect: use {other}")
            }
            None => {
                sentence(&CloseReason::UnableToConnect, server, false, Duration::ZERO).unwrap_or_default()
            }
        }
    }

    /// Disconnects, and ends the session with this error.
    fn fail(&mut self, sentence: String) {
        self.driver.machine_mut().disconnect("");
        if self.end.is_none() {
            self.end = Some(Err(Failure::Failed(sentence)));
        }
    }
}

impl Controlled for TeeworldsSession {
    type Command = Command;

    fn waker(&mut self) -> io::Result<Waker> {
        self.driver.waker()
    }

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        if let Some(event) = next_event(&mut self.driver, wait).map_err(Failure::socket)? {
            self.handle_event(event)?;
        }
        self.send_planned();
        if self.answer_by.is_some_and(|by| by <= Instant::now()) {
            self.give_up();
        }
        if let Some(again) = self.again.take_if(|again| again.at <= Instant::now()) {
            self.connect_again(again.port);
        }
        Ok(())
    }

    fn wake_at(&self) -> Option<Instant> {
        self.answer_by.into_iter().chain(self.again.map(|again| again.at)).min()
    }

    fn takes_lines(&self) -> bool {
        self.was_entered && self.plan.say.is_empty()
    }

    fn parse(&self, line: &str, is_json: bool) -> Result<Command, String> {
        if is_json { from_json(line) } else { Ok(Command::Say { text: line.to_owned() }) }
    }

    fn execute(&mut self, command: Command) -> Result<(), CommandError> {
        command.execute(self.driver.machine_mut())
    }

    fn unsent(&self) -> usize {
        let (client, planned) =
            (self.driver.machine(), self.plan.say.len().saturating_add(self.plan.commands.len()));
        let planned = if self.was_entered { planned } else { 0 };
        planned.saturating_add(client.queued_lines()).saturating_add(client.unacked())
    }

    fn output(&self) -> &Output {
        &self.output
    }

    fn leave(&mut self) {
        if self.driver.machine().state() == "closed" && self.again.is_some() {
            self.end = Some(Ok(ExitStatus::Success));
        } else {
            self.driver.machine_mut().disconnect("");
        }
    }

    fn is_over(&self) -> bool {
        self.end.is_some()
    }

    fn unfinished(&self) -> Option<String> {
        let server = &self.server;
        if !self.was_entered {
            return Some(match self.answer_by {
                Some(_) => self.silence(),
                None => format!("the player did not enter {server} in time"),
            });
        }
        if self.plan.rcon.is_some() && !self.may_command {
            return Some(format!("no login to the remote console of {server} in time"));
        }
        None
    }
}

/// Returns the error message for a closed connection; `None` if the client disconnected itself.
fn sentence(reason: &CloseReason, server: &str, has_entered: bool, timeout: Duration) -> Option<String> {
    let quoted = |reason: &str| match reason {
        "" => "no reason given".to_owned(),
        reason => format!("`{}`", gamewire_inspect::render::Escaped(reason.as_bytes())),
    };
    Some(match reason {
        CloseReason::Left => return None,
        CloseReason::Refused { reason } => format!("{server} rejected the connection: {}", quoted(reason)),
        CloseReason::PeerClosed { reason } if has_entered => {
            format!("{server} disconnected the player: {}", quoted(reason))
        }
        CloseReason::PeerClosed { reason } => format!("{server} rejected the connection: {}", quoted(reason)),
        CloseReason::UnableToConnect => {
            format!("no answer from {server}: is it running, and does it support this dialect?")
        }
        CloseReason::OtherDialect { dialect } => {
            let address = server.split_once("://").map_or(server, |(_, address)| address);
            let scheme = Url::scheme_of(UrlProtocol::Teeworlds(Some(Offer::Any06)));
            format!("{server} answers in {}: use {scheme}://{address}", dialect.name())
        }
        CloseReason::Timeout => format!("timed out after {} s waiting for {server}", timeout.as_secs()),
        other => format!("the connection to {server} was lost: {other}"),
    })
}

/// Returns the reconnect after another request for one. The port of a redirection stays, in any order.
fn with_port(pending: Option<Reconnect>, port: Option<u16>) -> Option<Reconnect> {
    match pending {
        Some(Reconnect { at, port: earlier }) => Some(Reconnect { at, port: port.or(earlier) }),
        None => from_now(BEFORE_RECONNECT).map(|at| Reconnect { at, port }),
    }
}

/// Sends lines from the front until the send queue is full.
fn send_all(
    lines: &mut VecDeque<String>,
    mut send: impl FnMut(&str) -> Result<(), ClientError>,
) -> Result<(), String> {
    while let Some(line) = lines.front() {
        match send(line) {
            Err(ClientError::Send(SendError::Full) | ClientError::NotConnected) => break,
            Err(error) => return Err(format!("cannot send {:?}: {error}", shortened(line))),
            Ok(()) => _ = lines.pop_front(),
        }
    }
    Ok(())
}

/// Returns the start of a line, for an error message.
fn shortened(line: &str) -> String {
    let start: String = line.chars().take(20).collect();
    if start.len() < line.len() { format!("{start}...") } else { start }
}

fn report_failure(what: &str, done: Result<(), impl core::fmt::Display>) {
    if let Err(error) = done {
        warn(format_args!("cannot {what}: {error}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirection_sets_the_port_before_and_after_a_reconnect() {
        for requests in [[None, Some(8304), None], [Some(8304), None, None], [Some(8303), None, Some(8304)]] {
            let pending = requests.into_iter().fold(None, with_port);
            assert_eq!(pending.and_then(|again| again.port), Some(8304), "{requests:?}");
        }
        assert_eq!(with_port(None, None).and_then(|again| again.port), None);
    }
}
