use std::sync::Arc;

use gamewire_machine::{Clock, EventLimits, EventQueue, Instant, QueuedEvent as _};
use gamewire_tee::game_map::GameMap;

use super::line_queue::LineQueue;
use super::online::{MAX_MESSAGE, OnlineLink};
use super::planned_inputs::PlannedInputs;
use super::{Announced, ClientConfig, ClientStats, CommandError, Event};
use crate::Dialect;
use crate::model::message::{ClientMessage, Input};
use crate::shared::snapshot::Receiver;
use crate::shared::version::SnapshotMessage;

/// Client state that outlives a single connection.
#[derive(Debug)]
pub(super) struct ClientShared {
    pub(super) config: ClientConfig,
    pub(super) clock: Clock,
    /// The current input of the player.
    pub(super) input: Input,
    /// The inputs of future ticks, which replace the current one.
    pub(super) planned: PlannedInputs,
    pub(super) receiver: Receiver,
    pub(super) events: EventQueue<Event>,
    pub(super) stats: ClientStats,
    pub(super) lines: LineQueue,
    /// The announcements of the server.
    pub(super) announced: Announced,
    /// The map, if the application has set it.
    pub(super) map: Option<Arc<GameMap>>,
    /// Buffer for the message that is being encoded.
    buffer: Box<[u8; MAX_MESSAGE]>,
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
            planned: PlannedInputs::default(),
            receiver: Receiver::default(),
            events: EventQueue::new(EventLimits::default()),
            stats: ClientStats::default(),
            lines: LineQueue::default(),
            announced: Announced::default(),
            map: None,
            buffer: Box::new([0; MAX_MESSAGE]),
        }
    }

    /// Returns the input of the player at a tick.
    pub(super) fn input_at(&self, tick: i32) -> Input {
        self.planned.at(tick).unwrap_or(self.input)
    }

    /// Emits an event. If the queue is full of essential events, the event is dropped and counted: the queue itself
    /// never drops an essential event, and the server can cause any number of them.
    pub(super) fn emit(&mut self, event: Event) {
        if event.is_essential() && self.events.is_full_of_essential() {
            self.events.count_missed(1);
        } else {
            self.events.push(event);
        }
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
        Ok(self.online.send_raw(vital, content)?)
    }

    /// Handles a snapshot before the game was entered. Returns `false` if it is not part of the handshake.
    pub(super) fn on_early_snapshot(&mut self, snapshot: &SnapshotMessage<'_>) -> bool {
        let (dialect, now) = (self.dialect(), self.now());
        self.online.antispoof.on_snapshot(snapshot, dialect, now)
    }

    /// Sends the input that returns the number of the antispoof handshake, if it is due.
    pub(super) fn answer_antispoof(&mut self) {
        let now = self.now();
        let Some(ack_snapshot) = self.online.antispoof.take_due(now) else { return };
        // DDNet only looks for the input in the first chunk of a packet.
        self.online.link.flush();
        // The server stores the intended tick as the tick of the last input. It must not be later than the first tick
        // of the game.
        let input = self.shared.input;
        let message = ClientMessage::Input { ack_snapshot, intended_tick: 0, input, ping_correction: 0 };
        let result = self.send_nonvital(&message);
        self.count_failure(result);
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
