use core::time::Duration;

use gamewire_machine::Instant;
use gamewire_wire::Writer;

use super::queue::EventQueue;
use super::{ClientConfig, ClientStats, CommandError, Event, MapInfo};
use crate::Dialect;
use crate::link::{Link, Outbox};
use crate::session::message::{ClientMessage, Input};
use crate::shared::snapshot::Receiver;

/// The most bytes of a message of ours: what the games' packers hold.
const MAX_MESSAGE: usize = 2048;
/// The shortest time between two requests to send again: DDNet answers no more than ten a second.
const ASK_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// What a client has from its beginning to its end, whatever the connection.
#[derive(Debug)]
pub(super) struct ClientShared {
    pub(super) config: ClientConfig,
    /// The time when it was last told.
    pub(super) now: Instant,
    /// What the player does.
    pub(super) input: Input,
    pub(super) receiver: Receiver,
    pub(super) out: Outbox,
    pub(super) events: EventQueue,
    pub(super) counts: ClientStats,
    /// Where messages are written.
    message: Box<[u8; MAX_MESSAGE]>,
}

/// A connection, and what belongs to it however far the session has come.
#[derive(Debug)]
pub(super) struct OnlineLink {
    pub(super) link: Link,
    /// What DDNet said of a map that it is about to name.
    pub(super) details: Option<MapInfo>,
    /// Snapshots that came before the game was entered.
    pub(super) early_snapshots: u8,
    /// Something was said and not yet sent.
    is_dirty: bool,
    /// How many gaps there were in what the server said when it was last asked to say it again,
    /// and when that was.
    last_resend_request: (u64, Instant),
}

/// What every stage of a session works with.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub(super) desk: &'a mut ClientShared,
    pub(super) line: &'a mut OnlineLink,
}

impl ClientShared {
    pub(super) fn new(config: ClientConfig, now: Instant) -> Self {
        Self {
            config,
            now,
            input: Input::default(),
            receiver: Receiver::default(),
            out: Outbox::new(),
            events: EventQueue::default(),
            counts: ClientStats::default(),
            message: Box::new([0; MAX_MESSAGE]),
        }
    }
}

impl OnlineLink {
    pub(super) const fn new(link: Link) -> Self {
        Self {
            link,
            details: None,
            early_snapshots: 0,
            is_dirty: false,
            last_resend_request: (0, Instant::ZERO),
        }
    }

    /// Asks for what is missing at once, where the games wait until they have been silent for half
    /// a second: so a download with losses goes on sooner.
    pub(super) fn request_resend(&mut self, now: Instant) {
        let gaps = self.link.stats().gaps;
        let (asked, at) = self.last_resend_request;
        if gaps != asked && now >= at + ASK_AGAIN_AFTER {
            self.last_resend_request = (gaps, now);
            self.is_dirty = true;
        }
    }

    /// Sends what was said since the last time.
    pub(super) fn flush(&mut self, now: Instant, out: &mut Outbox) {
        if core::mem::take(&mut self.is_dirty) {
            self.link.flush(now, out);
        }
    }

    /// Writes a word into `message` and queues it.
    fn send(
        &mut self,
        now: Instant,
        vital: bool,
        word: &ClientMessage<'_>,
        message: &mut [u8; MAX_MESSAGE],
        out: &mut Outbox,
    ) -> Result<(), CommandError> {
        let mut to = Writer::new(message);
        self.link.dialect().encode_client_message(word, &mut to)?;
        self.link.send(now, vital, to.written(), out)?;
        self.is_dirty = true;
        Ok(())
    }
}

impl Context<'_> {
    pub(super) const fn now(&self) -> Instant {
        self.desk.now
    }

    /// The dialect of the connection.
    pub(super) const fn dialect(&self) -> Dialect {
        self.line.link.dialect()
    }

    /// Says a word that the server must hear.
    ///
    /// # Errors
    /// When it has no form in this dialect, or the connection does not take it.
    pub(super) fn send_vital(&mut self, word: &ClientMessage<'_>) -> Result<(), CommandError> {
        self.send(true, word)
    }

    /// Says a word that is of no use when it comes late.
    ///
    /// # Errors
    /// When it has no form in this dialect, or the connection does not take it.
    pub(super) fn send_nonvital(&mut self, word: &ClientMessage<'_>) -> Result<(), CommandError> {
        self.send(false, word)
    }

    /// Tells the application.
    pub(super) fn emit(&mut self, event: Event) {
        self.desk.events.push(event);
    }

    /// Counts what could not be said where nobody is to be told: the connection is too weak for
    /// it, and ends by itself.
    pub(super) const fn count_failure(&mut self, said: Result<(), CommandError>) {
        if said.is_err() {
            self.desk.counts.send_failures = self.desk.counts.send_failures.saturating_add(1);
        }
    }

    /// Says what the login needs.
    pub(super) fn send_login(&mut self, word: &ClientMessage<'_>) {
        let said = self.send_vital(word);
        self.count_failure(said);
    }

    /// Says what the login needs, from the configuration.
    pub(super) fn send_login_from_config(
        &mut self,
        word: impl for<'c> FnOnce(&'c ClientConfig) -> ClientMessage<'c>,
    ) {
        let ClientShared { config, message, now, out, .. } = &mut *self.desk;
        let said = self.line.send(*now, true, &word(config), message, out);
        self.count_failure(said);
    }

    fn send(&mut self, vital: bool, word: &ClientMessage<'_>) -> Result<(), CommandError> {
        let ClientShared { message, now, out, .. } = &mut *self.desk;
        self.line.send(*now, vital, word, message, out)
    }
}
