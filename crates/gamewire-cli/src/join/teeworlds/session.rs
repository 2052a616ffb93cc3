use std::collections::VecDeque;
use std::time::{Duration, Instant};

use gamewire_net::blocking::Driver;
use gamewire_teeworlds::client::{Client, Event, MapInfo};
use gamewire_teeworlds::model::message::Audience;
use gamewire_teeworlds::{CloseReason, LinkConfig, Offer};

use super::command::Command;
use super::describe;
use super::maps::Maps;
use super::run::other_version;
use super::summary::summary;
use crate::controls::{CommandError, Controlled, from_json};
use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure, warn};
use crate::output::Output;
use crate::url::{Url, UrlProtocol};

/// Minimum interval between chat lines. Servers drop faster chat.
const BETWEEN_LINES: Duration = Duration::from_millis(1050);
/// Maximum number of lines that wait to be sent.
const MAX_WAITING_LINES: usize = 256;
/// Delay before a reconnect. It slows down a server that requests reconnects all the time.
const BEFORE_RECONNECT: Duration = Duration::from_secs(2);

/// The tasks of a session.
pub(super) struct Plan {
    pub(super) say: VecDeque<String>,
    pub(super) rcon: Option<String>,
    pub(super) commands: Vec<String>,
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
    /// Number of lines of `--say` that are not sent yet.
    unsaid: usize,
    last_line_at: Option<Instant>,
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
            unsaid: plan.say.len(),
            plan,
            output,
            maps,
            server,
            receive_timeout: Duration::ZERO,
            has_entered: false,
            was_entered: false,
            may_command: false,
            last_line_at: None,
            again: None,
            gave_up: None,
            end: None,
        }
    }

    /// Prints the summary and returns the outcome.
    pub(super) fn end(self) -> Result<ExitStatus, Failure> {
        let (fields, text) = summary(&self.driver.machine().stats(), self.driver.stats());
        self.output.print_summary(fields, text)?;
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
            Event::RconAuth { granted: true } => self.command(),
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

    fn command(&mut self) {
        self.may_command = true;
        for line in core::mem::take(&mut self.plan.commands) {
            let done = self.driver.machine_mut().rcon(&line);
            report_failure("send the command", done);
        }
    }

    fn say_next(&mut self) {
        let is_time = self.last_line_at.is_none_or(|last| last.elapsed() >= BETWEEN_LINES);
        if !self.has_entered || !is_time {
            return;
        }
        if let Some(line) = self.plan.say.pop_front() {
            self.last_line_at = Some(Instant::now());
            self.unsaid = self.unsaid.saturating_sub(1);
            let done = self.driver.machine_mut().say(Audience::All, &line);
            report_failure("send the chat line", done);
        }
    }

    fn schedule_reconnect(&mut self, port: Option<u16>) {
        if self.again.is_none() {
            self.again = from_now(BEFORE_RECONNECT).map(|at| Reconnect { at, port });
        }
    }

    fn connect_again(&mut self, port: Option<u16>) {
        self.answer_by = from_now(self.plan.timeout);
        self.has_entered = false;
        self.may_command = false;
        let now = self.driver.now();
        let client = self.driver.machine_mut();
        if client.reconnect(port).is_err() {
            // The connection is closed. Replace it by a new one.
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

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        if let Some(event) = self.driver.next_event(wait).map_err(Failure::socket)? {
            self.handle_event(event)?;
        }
        self.say_next();
        if self.answer_by.is_some_and(|by| by <= Instant::now()) {
            self.give_up();
        }
        if let Some(again) = self.again.take_if(|again| again.at <= Instant::now()) {
            self.connect_again(again.port);
        }
        Ok(())
    }

    fn takes_lines(&self) -> bool {
        self.was_entered
    }

    fn parse(&self, line: &str, is_json: bool) -> Result<Command, String> {
        if is_json { from_json(line) } else { Ok(Command::Say { text: line.to_owned() }) }
    }

    fn execute(&mut self, command: Command) -> Result<(), CommandError> {
        match command {
            Command::Leave {} => self.leave(),
            // The line is sent when it is due.
            Command::Say { text } if self.plan.say.len() < MAX_WAITING_LINES => self.plan.say.push_back(text),
            Command::Say { .. } => {
                return Err(CommandError::Rejected(format!("{MAX_WAITING_LINES} lines of chat are waiting")));
            }
            command => command.execute(self.driver.machine_mut()).map_err(CommandError::Rejected)?,
        }
        Ok(())
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
        (self.unsaid > 0).then(|| format!("{} chat lines were not sent to {server} in time", self.unsaid))
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

fn report_failure(what: &str, done: Result<(), impl core::fmt::Display>) {
    if let Err(error) = done {
        warn(format_args!("cannot {what}: {error}"));
    }
}
