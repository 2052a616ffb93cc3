use core::time::Duration;

use gamewire_machine::Instant;
use gamewire_wire::Writer;

use super::antispoof::Antispoof;
use super::stall::StallTimer;
use super::{CommandError, MapInfo};
use crate::link::{Link, SendError};
use crate::model::message::ClientMessage;

/// Size of the buffer for a message. It exceeds a packet, so that the error of a longer message has its length.
pub(super) const MAX_MESSAGE: usize = 8192;
/// Minimum time between two resend requests. DDNet answers at most ten per second.
const RESEND_REQUEST_INTERVAL: Duration = Duration::from_millis(100);

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

impl OnlineLink {
    /// Creates the state of a new connection. If `refuses` is true, a command fails while the send buffer is full;
    /// otherwise a full send buffer closes the connection.
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
    pub(super) fn encode<'b>(
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
    pub(super) fn queue(
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

    /// Sends the content of a chunk.
    ///
    /// # Errors
    /// [`SendError`]. Nothing is sent.
    pub(super) fn send_raw(&mut self, vital: bool, content: &[u8]) -> Result<(), SendError> {
        self.link.send(vital, content)?;
        self.is_dirty = true;
        Ok(())
    }

    /// Resends all unacknowledged messages and requests the server's missing messages, if nothing was delivered for a
    /// while.
    pub(super) fn recover_if_stalled(&mut self, now: Instant) {
        if self.stall.is_due(&self.link, now) {
            self.link.recover();
        }
    }
}
