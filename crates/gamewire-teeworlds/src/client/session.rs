use core::mem;
use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Instant;

use super::{Client, CommandError, Event, MapRefusal};
use crate::link::{CloseReason, LinkConfig, SendError};
use crate::model::message::Audience;

/// Configuration of a [`Session`].
#[derive(Clone, Debug)]
pub struct SessionConfig {
    /// Lines of chat to send once the player is in the game.
    pub say: VecDeque<String>,
    /// Password of the remote console. The session logs in once the player is in the game.
    pub rcon_password: Option<String>,
    /// Commands to send once the remote console has accepted the password.
    pub rcon_commands: VecDeque<String>,
    /// Connects again after the connection was lost, and if the server requests it.
    pub reconnects: bool,
    /// Timeout of the server's first answer, for each connection.
    pub answer_timeout: Duration,
}

/// The reason why a [`Session`] ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionEnd {
    /// The player left.
    Left,
    /// The connection was closed, or was never established.
    Closed {
        /// The reason. It is [`CloseReason::UnableToConnect`] if the server did not answer in time.
        reason: CloseReason,
        /// True if the player was in the game.
        was_entered: bool,
    },
    /// The server rejected the password of its remote console.
    RconRefused,
    /// The client cannot use the server's map.
    MapRefused(MapRefusal),
    /// A line of the configuration cannot be sent.
    NotSent {
        /// The line.
        line: String,
        /// The reason.
        error: CommandError,
    },
}

/// Something that a session did and that does not end it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionNotice {
    /// The connection was lost with this end. The session connects again.
    Reconnecting(SessionEnd),
    /// The login to the remote console cannot be sent.
    NoRconLogin(CommandError),
}

/// The session of a player, which commands its [`Client`]: it waits for an answer, sends lines when the server accepts
/// them, logs in to the remote console, and connects again.
///
/// Pass each event of the client to [`Session::handle_event`], and call [`Session::advance`] after that and at
/// [`Session::wake_at`].
#[derive(Debug)]
pub struct Session {
    config: SessionConfig,
    /// The deadline of the server's first answer; `None` after the answer.
    answer_by: Option<Instant>,
    receive_timeout: Duration,
    is_in_game: bool,
    has_entered: bool,
    has_rcon: bool,
    again: Option<Reconnect>,
    /// The reason to report when the session itself has disconnected.
    gave_up: Option<CloseReason>,
    end: Option<SessionEnd>,
}

/// A pending reconnect.
#[derive(Clone, Copy, Debug)]
struct Reconnect {
    at: Instant,
    /// The new port on the server, if it changes.
    port: Option<u16>,
}

impl Session {
    /// Delay before a reconnect. It slows down a server that requests reconnects all the time.
    pub const RECONNECT_DELAY: Duration = Duration::from_secs(2);

    /// Creates the session of a client that starts to connect.
    pub fn new(config: SessionConfig, now: Instant) -> Self {
        Self {
            answer_by: Some(now + config.answer_timeout),
            config,
            receive_timeout: Duration::ZERO,
            is_in_game: false,
            has_entered: false,
            has_rcon: false,
            again: None,
            gave_up: None,
            end: None,
        }
    }

    /// Handles an event of the client. The event of a client that the server did not answer in time gets its reason.
    pub fn handle_event(
        &mut self,
        client: &mut Client,
        event: &mut Event,
        now: Instant,
    ) -> Option<SessionNotice> {
        match event {
            Event::Connected { dialect } => {
                self.answer_by = None;
                self.receive_timeout = LinkConfig::of_games(*dialect).receive_timeout;
            }
            Event::MapRefused(refusal) => self.fail(client, SessionEnd::MapRefused(*refusal)),
            Event::Entered => return self.on_entered(client),
            Event::RconAuth { granted: true } => self.has_rcon = true,
            // The server sends no message for a rejected password, only this text.
            Event::RconLine(line) if !self.has_rcon && line.as_bytes().starts_with(b"Wrong password") => {
                self.fail(client, SessionEnd::RconRefused);
            }
            Event::Reconnect if self.config.reconnects => self.schedule_reconnect(None, now),
            Event::Redirect { port } if self.config.reconnects => self.schedule_reconnect(Some(*port), now),
            Event::Closed(reason) => {
                if let Some(why) = self.gave_up.take() {
                    *reason = why;
                }
                return self.on_closed(reason, now);
            }
            _ => {}
        }
        None
    }

    fn on_entered(&mut self, client: &mut Client) -> Option<SessionNotice> {
        (self.is_in_game, self.has_entered) = (true, true);
        let password = self.config.rcon_password.as_deref()?;
        client.rcon_login(password).err().map(SessionNotice::NoRconLogin)
    }

    fn on_closed(&mut self, reason: &CloseReason, now: Instant) -> Option<SessionNotice> {
        self.answer_by = None;
        let end = match reason {
            CloseReason::Left => SessionEnd::Left,
            reason => SessionEnd::Closed { reason: reason.clone(), was_entered: self.is_in_game },
        };
        if end != SessionEnd::Left && self.config.reconnects && self.end.is_none() {
            self.schedule_reconnect(None, now);
            return Some(SessionNotice::Reconnecting(end));
        }
        self.end.get_or_insert(end);
        None
    }

    /// Schedules a reconnect. The port of a redirection stays, in any order.
    fn schedule_reconnect(&mut self, port: Option<u16>, now: Instant) {
        let again = self.again.get_or_insert(Reconnect { at: now + Self::RECONNECT_DELAY, port });
        again.port = port.or(again.port);
    }

    /// Sends the lines that the client accepts, gives up a server that does not answer, and connects again.
    pub fn advance(&mut self, client: &mut Client, now: Instant) {
        self.send_lines(client);
        if self.answer_by.take_if(|by| *by <= now).is_some() {
            // A missing answer is like a closed connection.
            self.gave_up = Some(client.connect_failure().unwrap_or(CloseReason::UnableToConnect));
            client.disconnect("");
        }
        if let Some(again) = self.again.take_if(|again| again.at <= now) {
            self.connect_again(client, again.port, now);
        }
    }

    /// Returns the next time at which [`Session::advance`] has work to do.
    pub fn wake_at(&self) -> Option<Instant> {
        self.answer_by.into_iter().chain(self.again.map(|again| again.at)).min()
    }

    fn send_lines(&mut self, client: &mut Client) {
        let SessionConfig { say, rcon_commands, .. } = &mut self.config;
        let mut sent = Ok(());
        if self.is_in_game {
            sent = send_all(say, |line| client.queue_chat(Audience::All, line));
        }
        if self.has_rcon && sent.is_ok() {
            sent = send_all(rcon_commands, |line| client.queue_rcon(line));
        }
        if let Err(end) = sent {
            self.fail(client, end);
        }
    }

    fn connect_again(&mut self, client: &mut Client, port: Option<u16>, now: Instant) {
        self.answer_by = Some(now + self.config.answer_timeout);
        (self.is_in_game, self.has_rcon) = (false, false);
        if client.reconnect(port).is_err() {
            // The connection is closed. Replace it with a new one.
            let mut server = client.server();
            server.set_port(port.unwrap_or_else(|| server.port()));
            *client = Client::connect(server, client.config().clone(), now);
        }
    }

    fn fail(&mut self, client: &mut Client, end: SessionEnd) {
        client.disconnect("");
        self.end.get_or_insert(end);
    }

    /// Leaves the server. The session ends with the client's last event, or now if it waits to connect again.
    pub fn leave(&mut self, client: &mut Client) {
        if client.state() == "closed" && self.again.is_some() {
            self.end.get_or_insert(SessionEnd::Left);
        } else {
            client.disconnect("");
        }
    }

    /// Returns why the session has ended, or `None` if it has not.
    pub const fn end(&self) -> Option<&SessionEnd> {
        self.end.as_ref()
    }

    /// Returns whether the server has not answered yet.
    pub const fn is_waiting_for_answer(&self) -> bool {
        self.answer_by.is_some()
    }

    /// Returns whether the player has been in the game, on this or an earlier connection.
    pub const fn has_entered(&self) -> bool {
        self.has_entered
    }

    /// Returns whether the remote console of the configuration has not accepted the password.
    pub const fn lacks_rcon(&self) -> bool {
        self.config.rcon_password.is_some() && !self.has_rcon
    }

    /// Returns whether all lines of chat of the configuration were passed to the client.
    pub fn has_sent_chat(&self) -> bool {
        self.config.say.is_empty()
    }

    /// Returns the time without a datagram after which the connection counts as lost.
    pub const fn receive_timeout(&self) -> Duration {
        self.receive_timeout
    }

    /// Returns the number of lines and messages that the server does not have yet. Lines of the configuration count
    /// once the player has been in the game.
    pub fn unsent(&self, client: &Client) -> usize {
        let planned = self.config.say.len().saturating_add(self.config.rcon_commands.len());
        let planned = if self.has_entered { planned } else { 0 };
        planned.saturating_add(client.queued_lines()).saturating_add(client.unacked())
    }
}

/// Sends lines from the front until the client accepts no more.
fn send_all(
    lines: &mut VecDeque<String>,
    mut send: impl FnMut(&str) -> Result<(), CommandError>,
) -> Result<(), SessionEnd> {
    while let Some(line) = lines.front_mut() {
        match send(line) {
            Err(CommandError::Send(SendError::Full) | CommandError::NotConnected) => break,
            Err(error) => return Err(SessionEnd::NotSent { line: mem::take(line), error }),
            Ok(()) => _ = lines.pop_front(),
        }
    }
    Ok(())
}
