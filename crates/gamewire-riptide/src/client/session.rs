use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Instant;

use super::{Client, Event};
use crate::message::Sendable;
use crate::{DisconnectReason, ExceededLimit, RejectReason, SendError};

/// The reason why a [`Session`] ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionEnd {
    /// There was no connection, because the server did not answer in time or the client gave up.
    Silent,
    /// The server rejected the connection.
    Rejected(RejectReason),
    /// The client disconnected.
    Left,
    /// The connection was closed.
    Closed {
        /// The reason.
        reason: DisconnectReason,
        /// The limit that the connection exceeded, as in [`Event::Disconnected`].
        exceeded: Option<ExceededLimit>,
    },
    /// A message that was planned cannot be sent.
    NotSent(SendError),
}

/// The session of an application, which commands its [`Client`]: it limits the time until the server's first answer, and
/// sends planned messages when the connection accepts them.
///
/// Pass each event of the client to [`Session::handle_event`], and call [`Session::advance`] after that and at
/// [`Session::wake_at`].
#[derive(Debug)]
pub struct Session<M> {
    /// Planned messages that were not sent yet.
    planned: VecDeque<M>,
    /// The deadline of the server's first answer; `None` after the answer.
    answer_by: Option<Instant>,
    is_connected: bool,
    sent: u64,
    received: u64,
    end: Option<SessionEnd>,
}

impl<M: Sendable> Session<M> {
    /// Creates the session of a client that starts to connect. The server must answer within the timeout.
    pub fn new(planned: VecDeque<M>, answer_timeout: Duration, now: Instant) -> Self {
        let answer_by = Some(now + answer_timeout);
        Self { planned, answer_by, is_connected: false, sent: 0, received: 0, end: None }
    }

    /// Handles an event of the client.
    pub fn handle_event(&mut self, event: &Event) {
        let end = match event {
            Event::Connected { .. } => {
                (self.answer_by, self.is_connected) = (None, true);
                return;
            }
            Event::MessageReceived { .. } => {
                self.received = self.received.saturating_add(1);
                return;
            }
            Event::ConnectionFailed { reason: RejectReason::NoConnection, .. } => SessionEnd::Silent,
            Event::ConnectionFailed { reason, .. } => SessionEnd::Rejected(*reason),
            Event::Disconnected { .. } if !self.is_connected => SessionEnd::Silent,
            Event::Disconnected { reason: DisconnectReason::Disconnected, .. } => SessionEnd::Left,
            Event::Disconnected { reason, exceeded, .. } => {
                SessionEnd::Closed { reason: *reason, exceeded: *exceeded }
            }
            _ => return,
        };
        self.end.get_or_insert(end);
    }

    /// Sends the planned messages that the connection accepts, and gives up if the server did not answer in time.
    pub fn advance(&mut self, client: &mut Client, now: Instant) {
        while self.is_connected
            && self.end.is_none()
            && let Some(message) = self.planned.pop_front()
        {
            match self.send(client, &message) {
                Err(SendError::Full) => {
                    self.planned.push_front(message);
                    break;
                }
                Err(error) => self.end = Some(SessionEnd::NotSent(error)),
                Ok(()) => {}
            }
        }
        if self.answer_by.is_some_and(|by| by <= now) && self.end.is_none() {
            client.disconnect();
            self.end = Some(SessionEnd::Silent);
        }
    }

    /// Sends a message, and counts it.
    ///
    /// # Errors
    /// [`SendError`]; nothing is sent.
    pub fn send(&mut self, client: &mut Client, message: &impl Sendable) -> Result<(), SendError> {
        client.send(message)?;
        self.sent = self.sent.saturating_add(1);
        Ok(())
    }

    /// Returns the next time at which [`Session::advance`] has work to do.
    pub const fn wake_at(&self) -> Option<Instant> {
        self.answer_by
    }

    /// Returns why the session has ended, or `None` if it has not.
    pub const fn end(&self) -> Option<&SessionEnd> {
        self.end.as_ref()
    }

    /// Returns whether the connection was established and all planned messages were sent.
    pub fn has_sent_all(&self) -> bool {
        self.is_connected && self.planned.is_empty()
    }

    /// Returns the number of messages that the client sent.
    pub const fn sent(&self) -> u64 {
        self.sent
    }

    /// Returns the number of messages that the server sent.
    pub const fn received(&self) -> u64 {
        self.received
    }

    /// Returns the number of messages that are planned or that the server has not acknowledged.
    pub fn unsent(&self, client: &Client) -> usize {
        let in_flight = if client.is_connected() { client.unacked() } else { 0 };
        self.planned.len().saturating_add(in_flight)
    }
}
