use core::time::Duration;

use gamewire_machine::{Clock, EventLimits, EventQueue, Instant, QueuedEvent as _};
use gamewire_wire::Writer;

use super::antispoof::Antispoof;
use super::line_queue::LineQueue;
use super::stall::StallTimer;
use super::{Announced, ClientConfig, ClientStats, CommandError, Event, MapInfo};
use crate::Dialect;
use crate::link::{Link, SendError};
use crate::model::message::{ClientMessage, Input};
use crate::shared::snapshot::Receiver;

/// Size of the buffer for a message. It exceeds a packet, so that the error of a longer message has its length.
pub(super) const MAX_MESSAGE: usize = 8192;
/// Minimum time between two resend requests. DDNet answers at most ten per second.
const RESEND_REQUEST_INTERVAL: Duration = Duration::from_millis(100);

/// Client state that outlives a single connection.
#[derive(Debug)]
pub(super) struct ClientShared {
    pub(super) config: ClientConfig,
    pub(super) clock: Clock,
    /// The current input of the player.
    pub(super) input: Input,
    pub(super) receiver: Receiver,
    pub(super) events: EventQueue<Event>,
    pub(super) stats: ClientStats,
    pub(super) lines: LineQueue,
    /// The announcements of the server.
    pub(super) announced: Announced,
    /// Buffer for the message that is being encoded.
    buffer: Box<[u8; MAX_MESSAGE]>,
}

/// A connection with the state that every login state shares.
#[derive(Debug)]
pub(super) struct OnlineLink {
    pub(super) link: Link,
    /// The details of the next map, which DDNet sends before MAP_CHANGE.
    pub(super) map_details: Option<MapInfo>,
    pub(super) antispoof: Antispoof,
    pub(super) stall: StallTimer,
    /// Messages were queued since the last flush.
    is_dirty: bool,
    /// The number of gaps at the last resend request, and the time of the request.
    last_resend_request: (u64, Instant),
}

/// The parts of a client that the login states use.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub(super) shared: &'a mut ClientShared,
    pub(super) online: &'a mut OnlineLink,
}

impl ClientShared {
    pub(super) fn new(config: ClientConfig, now: Instant) -> Self {
        Self {
            config,
            clock: Clock::new(now),
            input: Input::default(),
            receiver: Receiver::default(),
            events: EventQueue::new(EventLimits::default()),
            stats: ClientStats::default(),
            lines: LineQueue::default(),
            announced: Announced::default(),
            buffer: Box::new([0; MAX_MESSAGE]),
        }
    }

    /// Emits an event. An essential event is dropped and counted if the queue is full of essential events. The queue
    /// would keep it, and the server can cause any number of them.
    pub(super) fn emit(&mut self, event: Event) {
        if event.is_essential() && self.events.is_full_of_essential() {
            self.events.count_missed(1);
        } else {
            self.events.push(event);
        }
    }
}

impl OnlineLink {
    /// `refuses`: a full send buffer is an error of the command, and does not close the connection.
    pub(super) fn new(mut link: Link, refuses: bool) -> Self {
        if refuses {
            link.refuse_overflow();
        }
        Self {
            map_details: None,
            antispoof: Antispoof::Counting(0),
            stall: StallTimer::new(link.now()),
            is_dirty: false,
            last_resend_request: (0, Instant::ZERO),
            link,
        }
    }

    /// Requests missing messages immediately, so that a download with losses is faster. The games only do so when they
    /// have sent nothing for half a second.
    pub(super) fn request_resend(&mut self, now: Instant) {
        let gaps = self.link.stats().gaps;
        let (last_gaps, at) = self.last_resend_request;
        if gaps != last_gaps && now >= at + RESEND_REQUEST_INTERVAL {
            self.last_resend_request = (gaps, now);
            self.is_dirty = true;
        }
    }

    /// Sends the messages that were queued since the last flush.
    pub(super) fn flush(&mut self) {
        if core::mem::take(&mut self.is_dirty) {
            self.link.flush();
        }
    }

    /// Encodes a message that fits into a packet.
    ///
    /// # Errors
    /// [`CommandError::Encode`], or [`SendError::TooLong`].
    fn encode<'b>(
        &self,
        message: &ClientMessage<'_>,
        buffer: &'b mut [u8; MAX_MESSAGE],
    ) -> Result<&'b [u8], CommandError> {
        let max = self.link.max_message();
        let mut to = Writer::new(buffer);
        self.link.dialect().encode_client_message(message, &mut to)?;
        let length = to.written().len();
        if length > max {
            Err(SendError::TooLong { length, max }.into())
        } else {
            Ok(buffer.get(..length).unwrap_or_default())
        }
    }

    pub(super) fn send(
        &mut self,
        vital: bool,
        message: &ClientMessage<'_>,
        buffer: &mut [u8; MAX_MESSAGE],
    ) -> Result<(), CommandError> {
        self.queue(vital, message, buffer)?;
        self.is_dirty = true;
        Ok(())
    }

    /// Queues a message without sending it.
    fn queue(
        &mut self,
        vital: bool,
        message: &ClientMessage<'_>,
        buffer: &mut [u8; MAX_MESSAGE],
    ) -> Result<(), CommandError> {
        let content = self.encode(message, buffer)?;
        self.link.send(vital, content)?;
        if vital {
            self.stall.restart(self.link.now());
        }
        Ok(())
    }
}

impl Context<'_> {
    pub(super) const fn now(&self) -> Instant {
        self.shared.clock.now()
    }

    /// Returns the dialect of the connection.
    pub(super) const fn dialect(&self) -> Dialect {
        self.online.link.dialect()
    }

    /// Sends a vital message: it is resent until the server has it.
    ///
    /// # Errors
    /// [`CommandError::Encode`] or [`CommandError::Send`]. Nothing is sent.
    pub(super) fn send_vital(&mut self, message: &ClientMessage<'_>) -> Result<(), CommandError> {
        self.online.send(true, message, &mut self.shared.buffer)
    }

    /// Queues a vital message without sending it.
    ///
    /// # Errors
    /// [`CommandError::Encode`] or [`CommandError::Send`]. Nothing is queued.
    pub(super) fn queue_vital(&mut self, message: &ClientMessage<'_>) -> Result<(), CommandError> {
        self.online.queue(true, message, &mut self.shared.buffer)
    }

    /// Sends a non-vital message: it is not resent when it is lost.
    ///
    /// # Errors
    /// [`CommandError::Encode`] or [`CommandError::Send`]. Nothing is sent.
    pub(super) fn send_nonvital(&mut self, message: &ClientMessage<'_>) -> Result<(), CommandError> {
        self.online.send(false, message, &mut self.shared.buffer)
    }

    /// Sends the content of a chunk.
    ///
    /// # Errors
    /// [`CommandError::Send`]. Nothing is sent.
    pub(super) fn send_raw(&mut self, vital: bool, content: &[u8]) -> Result<(), CommandError> {
        self.online.link.send(vital, content)?;
        self.online.is_dirty = true;
        Ok(())
    }

    /// Checks that a message fits into a packet, and into the dialect.
    pub(super) fn check(&mut self, message: &ClientMessage<'_>) -> Result<(), CommandError> {
        self.online.encode(message, &mut self.shared.buffer).map(drop)
    }

    /// Sends the queued lines that are due.
    pub(super) fn send_lines(&mut self) {
        let ClientShared { lines, buffer, .. } = &mut *self.shared;
        lines.send_due(self.online, buffer);
    }

    /// Emits an event.
    pub(super) fn emit(&mut self, event: Event) {
        self.shared.emit(event);
    }

    /// Counts a failed send if no caller can handle the error. The link has closed itself in this case.
    pub(super) const fn count_failure(&mut self, result: Result<(), CommandError>) {
        if result.is_err() {
            self.shared.stats.send_failures = self.shared.stats.send_failures.saturating_add(1);
        }
    }

    /// Counts a message that is not valid in this state.
    pub(super) const fn count_unexpected(&mut self) {
        self.shared.stats.unexpected = self.shared.stats.unexpected.saturating_add(1);
    }

    /// Sends a message of the login.
    pub(super) fn send_login(&mut self, message: &ClientMessage<'_>) {
        let result = self.send_vital(message);
        self.count_failure(result);
    }

    /// Sends a message of the login that is created from the configuration.
    pub(super) fn send_login_from_config(
        &mut self,
        message: impl for<'c> FnOnce(&'c ClientConfig) -> ClientMessage<'c>,
    ) {
        let ClientShared { config, buffer, .. } = &mut *self.shared;
        let result = self.online.send(true, &message(config), buffer);
        self.count_failure(result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn essential_events_are_bounded_and_their_loss_is_reported() {
        let config = ClientConfig::new(Dialect::Tken, "anna", [1; 32]);
        let mut shared = ClientShared::new(config, Instant::ZERO);
        (0..5000).for_each(|_| shared.emit(Event::Reconnect));
        assert_eq!(shared.events.pop(), Some(Event::Missed { count: 5000 - 1024 }));
        assert_eq!(core::iter::from_fn(|| shared.events.pop()).count(), 1024);
    }
}
