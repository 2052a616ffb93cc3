use std::io;
use std::task::Waker;
use std::time::{Duration, Instant};

use gamewire_net::blocking::Driver;
use gamewire_teeworlds::client::{
    Client, Command, CommandError as ClientError, Event, MapInfo, Session, SessionConfig, SessionEnd,
    SessionNotice,
};
use gamewire_teeworlds::raw::link::SendError;
use gamewire_teeworlds::{CloseReason, Offer};

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

/// A session with a server.
pub(super) struct TeeworldsSession {
    driver: Driver<Client>,
    session: Session,
    pub(super) output: Output,
    maps: Option<Maps>,
    server: String,
}

impl TeeworldsSession {
    pub(super) fn new(
        driver: Driver<Client>,
        config: SessionConfig,
        output: Output,
        maps: Option<Maps>,
        server: String,
    ) -> Self {
        let session = Session::new(config, driver.now());
        Self { driver, session, output, maps, server }
    }

    /// Prints the summary and returns the outcome.
    pub(super) fn end(self) -> Result<ExitStatus, Failure> {
        let failure = self.session.end().and_then(|end| match end {
            SessionEnd::Closed { reason: CloseReason::UnableToConnect, .. } => Some(self.silence()),
            end => self.sentence(end),
        });
        self.output.print_summary(summary(&self.driver.machine().stats(), self.driver.stats()))?;
        failure.map_or(Ok(ExitStatus::Success), |failure| Err(Failure::Failed(failure)))
    }

    fn handle_event(&mut self, mut event: Event) -> Result<(), Failure> {
        let now = self.driver.now();
        let notice = self.session.handle_event(self.driver.machine_mut(), &mut event, now);
        if let Some(event) = describe::to_output(&event) {
            self.output.emit(&event)?;
        }
        match notice {
            Some(SessionNotice::Reconnecting(end)) => warn(self.sentence(&end).unwrap_or_default()),
            Some(SessionNotice::NoRconLogin(error)) => {
                warn(format_args!("cannot log in to the remote console: {error}"));
            }
            _ => {}
        }
        match event {
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
            Event::Message(message) if self.output.is_json() => {
                self.output.emit(&describe::message(&message))?;
            }
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

    /// Returns the error message for a server that does not answer.
    fn silence(&self) -> String {
        let (server, client) = (&self.server, self.driver.machine());
        match other_version(client.server(), client.config().offer) {
            Some(other) => {
                format!("no answer from {server}, which does not support this dialect: use {other}")
            }
            None => no_answer(server),
        }
    }

    /// Returns the error message for the end of a session; `None` if the player left.
    fn sentence(&self, end: &SessionEnd) -> Option<String> {
        let server = &self.server;
        Some(match end {
            SessionEnd::Left => return None,
            SessionEnd::Closed { reason, was_entered } => {
                closed(reason, server, *was_entered, self.session.receive_timeout())
            }
            SessionEnd::RconRefused => format!("{server} rejected the password of its remote console"),
            SessionEnd::MapRefused(refusal) => format!("cannot use the map of {server}: {refusal}"),
            SessionEnd::NotSent { line, error } => format!("cannot send {:?}: {error}", shortened(line)),
            other => format!("the session with {server} ended: {other:?}"),
        })
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
        let now = self.driver.now();
        self.session.advance(self.driver.machine_mut(), now);
        Ok(())
    }

    fn wake_at(&self) -> Option<Instant> {
        self.session.wake_at().and_then(|at| from_now(at.since(self.driver.now())))
    }

    fn takes_lines(&self) -> bool {
        self.session.has_entered() && self.session.has_sent_chat()
    }

    fn parse(&self, line: &str, is_json: bool) -> Result<Command, String> {
        if is_json { from_json(line) } else { Ok(Command::Say { text: line.to_owned() }) }
    }

    fn execute(&mut self, command: Command) -> Result<(), CommandError> {
        if matches!(command, Command::Leave {}) {
            return Err(CommandError::Leave);
        }
        self.driver.machine_mut().execute(&command).map_err(|error| match error {
            ClientError::Send(SendError::Full) => CommandError::Full,
            error => CommandError::Rejected(error.to_string()),
        })
    }

    fn unsent(&self) -> usize {
        self.session.unsent(self.driver.machine())
    }

    fn output(&self) -> &Output {
        &self.output
    }

    fn leave(&mut self) {
        self.session.leave(self.driver.machine_mut());
    }

    fn is_over(&self) -> bool {
        self.session.end().is_some()
    }

    fn unfinished(&self) -> Option<String> {
        let server = &self.server;
        if !self.session.has_entered() {
            return Some(if self.session.is_waiting_for_answer() {
                self.silence()
            } else {
                format!("the player did not enter {server} in time")
            });
        }
        let late = || format!("no login to the remote console of {server} in time");
        self.session.lacks_rcon().then(late)
    }
}

/// Returns the error message for a closed connection.
fn closed(reason: &CloseReason, server: &str, was_entered: bool, timeout: Duration) -> String {
    let quoted = |reason: &str| match reason {
        "" => "no reason given".to_owned(),
        reason => format!("`{}`", gamewire_inspect::render::Escaped(reason.as_bytes())),
    };
    match reason {
        CloseReason::Refused { reason } => format!("{server} rejected the connection: {}", quoted(reason)),
        CloseReason::PeerClosed { reason } if was_entered => {
            format!("{server} disconnected the player: {}", quoted(reason))
        }
        CloseReason::PeerClosed { reason } => format!("{server} rejected the connection: {}", quoted(reason)),
        CloseReason::UnableToConnect => no_answer(server),
        CloseReason::OtherDialect { dialect } => {
            let address = server.split_once("://").map_or(server, |(_, address)| address);
            let scheme = Url::scheme_of(UrlProtocol::Teeworlds(Some(Offer::Any06)));
            format!("{server} answers in {}: use {scheme}://{address}", dialect.name())
        }
        CloseReason::Timeout => format!("timed out after {} s waiting for {server}", timeout.as_secs()),
        other => format!("the connection to {server} was lost: {other}"),
    }
}

fn no_answer(server: &str) -> String {
    format!("no answer from {server}: is it running, and does it support this dialect?")
}

/// Returns the start of a line, for an error message.
fn shortened(line: &str) -> String {
    let start: String = line.chars().take(20).collect();
    if start.len() < line.len() { format!("{start}...") } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_the_commands() {
        crate::json_command::check_commands::<Command>(include_str!(
            "../../../../../docs/schema/join-teeworlds.commands.json"
        ));
    }
}
