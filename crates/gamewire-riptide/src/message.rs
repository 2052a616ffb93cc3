//! Messages of an application in either format: [`Message`] with a method for each value as in the C#
//! library, [`MessageType`] for types of the application.
//!
//! ```
//! use gamewire_riptide::{Format, Message, MessageSendMode};
//!
//! let mut message = Message::create(MessageSendMode::Unreliable, 11_u16);
//! message.add_int(0x1122_3344).add_bool(true).add_string("Hi");
//! assert_eq!(message.payload(Format::V21)?.to_vec(), [0x44, 0x33, 0x22, 0x11, 0x05, 0x90, 0xd2, 0x00]);
//!
//! assert_eq!(message.get_int()?, 0x1122_3344);
//! assert_eq!((message.get_bool()?, message.get_string()?), (true, "Hi".into()));
//! # Ok::<(), gamewire_wire::CodecError>(())
//! ```

mod add;
mod content;
mod get;
mod handlers;
mod message_type;
mod mode;
mod pool;
mod vector;

pub use crate::shared::message::{Value, VarLong, VarULong};
pub use handlers::{DuplicateHandler, HandlerError, HandlerOutcome, Handlers, IntoOutcome};
pub use message_type::{MessageType, Sendable};
pub use mode::{MessageSendMode, max_payload_bits};
pub use vector::{Quaternion, Vector2, Vector3};

use core::fmt;

use gamewire_wire::{CodecError, Found, Result};

use self::content::{Content, Drafts};
use self::message_type::no_notify;
use self::pool::Pooled;
use crate::Format;
use crate::shared::payload::Payload;
use crate::shared::version::MAX_PAYLOAD_SIZE;

/// Maximum bytes of a message that is sent in parts.
const MAX_MESSAGE_BYTES: usize = 64 << 20;

/// A message to send or a received one: a sequence of values, which `add_…` writes and `get_…` reads.
///
/// A message written here can be sent to peers of both formats. A value that one format does not support (such as
/// variable-length numbers in 2.0) or that exceeds its maximum size is an error of that format only: [`Message::error`]
/// returns it, and sending to such a peer fails with it.
///
/// A received message is read in the format of its sender, and can be forwarded. A peer of the same format receives the
/// same bits. A peer of the other format receives the same bytes: values that it encodes differently (bools, lengths
/// above 127, variable-length numbers) become invalid, and the application must read and write them again.
///
/// A message received in 2.1 does not distinguish padding from values: its last 7 bits may be padding.
#[derive(Clone)]
pub struct Message(Pooled);

impl Message {
    /// Creates an empty message with an id: `Message.Create(sendMode, id)`. Notify messages have no id, so
    /// it is ignored for them.
    pub fn create(mode: MessageSendMode, id: impl Into<u16>) -> Self {
        let id = (mode != MessageSendMode::Notify).then(|| id.into());
        Self::new_draft(mode, id, MAX_PAYLOAD_SIZE)
    }

    /// Creates an empty notify message, which has no id: `Message.Create(MessageSendMode.Notify)`.
    pub fn create_notify() -> Self {
        Self::new_draft(MessageSendMode::Notify, None, MAX_PAYLOAD_SIZE)
    }

    /// Creates empty user data of a handshake, rejection or disconnect: `Message.Create()`.
    pub fn create_data() -> Self {
        Self::new_draft(MessageSendMode::Unreliable, None, MAX_PAYLOAD_SIZE)
    }

    /// Returns an empty message for a maximum payload other than 1225 bytes: `Message.MaxPayloadSize`. The maximum is at
    /// most 64 MiB. Values that were added before are removed.
    #[must_use]
    pub fn with_max_payload_size(self, max_payload_size: usize) -> Self {
        Self::new_draft(self.mode(), self.id(), max_payload_size.min(MAX_MESSAGE_BYTES))
    }

    fn new_draft(mode: MessageSendMode, id: Option<u16>, max_payload_size: usize) -> Self {
        let limit = |format| max_payload_bits(format, mode, id, max_payload_size);
        let mut content = Pooled::get();
        let Content { drafts, .. } = &mut *content;
        match mode {
            MessageSendMode::Notify => drafts.v20.reset_with_error(no_notify()),
            _ => drafts.v20.reset(limit(Format::V20)),
        }
        drafts.v21.reset(limit(Format::V21));
        Self::new(content, mode, id, None)
    }

    /// Creates a message received from a peer of `format`. `id` is `None` for notify messages and user
    /// data.
    #[inline(always)]
    pub fn received(format: Format, mode: MessageSendMode, id: Option<u16>, payload: &Payload<'_>) -> Self {
        let mut content = Pooled::get();
        content.received.set(payload);
        Self::new(content, mode, id, Some(format))
    }

    #[inline]
    fn new(
        mut content: Pooled,
        mode: MessageSendMode,
        id: Option<u16>,
        received_format: Option<Format>,
    ) -> Self {
        (content.mode, content.id, content.received_format, content.read) = (mode, id, received_format, 0);
        Self(content)
    }

    /// Frees the buffers that this thread keeps for later messages: `Message.TrimPool()`.
    pub fn trim_pool() {
        pool::trim();
    }

    /// Returns the send mode: `SendMode`. User data of a handshake counts as unreliable.
    pub fn mode(&self) -> MessageSendMode {
        self.0.mode
    }

    /// Returns the message id; notify messages and user data have none.
    pub fn id(&self) -> Option<u16> {
        self.0.id
    }

    /// Returns the format of the peer that sent it, or `None` if it was written here.
    pub fn format(&self) -> Option<Format> {
        self.0.received_format
    }

    /// Returns the values in a format.
    ///
    /// # Errors
    /// [`CodecError`] if the message has an [error](Message::error) in this format.
    pub fn payload(&self, format: Format) -> Result<Payload<'_>> {
        let Content { received_format, drafts, received, .. } = &*self.0;
        match format {
            _ if received_format.is_some() => received.payload_for(format),
            Format::V20 => drafts.v20.payload(),
            Format::V21 => drafts.v21.payload(),
        }
    }

    /// Returns the error of the first value that `format` does not support or that exceeds its maximum
    /// size. Later values are dropped.
    pub fn error(&self, format: Format) -> Option<CodecError> {
        self.payload(format).err()
    }

    /// Returns the format for reading: the sender's, or 2.1 if the message was written here.
    pub(crate) fn read_format(&self) -> Format {
        self.format().unwrap_or(Format::V21)
    }

    /// Returns all values in the format for reading, also after an error.
    pub(crate) fn values(&self) -> Payload<'_> {
        let Content { received_format, drafts, received, .. } = &*self.0;
        if received_format.is_some() { received.payload() } else { drafts.v21.written() }
    }

    /// Returns the unread values and their format.
    fn unread(&self) -> (Format, Payload<'_>) {
        let values = self.values();
        (self.read_format(), skip(values, self.0.read))
    }

    /// Marks the next `bits` bits as read.
    fn advance(&mut self, bits: usize) {
        self.0.read = self.0.read.saturating_add(bits);
    }

    /// Returns the number of read bits: `ReadBits`. All counts are without the header, in the format for reading (2.1
    /// for a message that was written here).
    pub fn read_bits(&self) -> usize {
        self.0.read
    }

    /// Returns the number of unread bits: `UnreadBits`. The last 7 may be padding.
    pub fn unread_bits(&self) -> usize {
        self.unread().1.bit_len()
    }

    /// Returns the number of bits of its values: `WrittenBits`.
    pub fn written_bits(&self) -> usize {
        self.values().bit_len()
    }

    /// Returns the number of bits that can still be added: `UnwrittenBits`.
    pub fn unwritten_bits(&self) -> usize {
        if self.0.received_format.is_some() { 0 } else { self.0.drafts.v21.unwritten_bits() }
    }

    /// Returns the number of bytes of its values: `BytesInUse`.
    pub fn bytes_in_use(&self) -> usize {
        self.values().byte_len()
    }

    /// Returns the drafts of a message that is written here. Values cannot be added to a received message;
    /// the attempt sets its error.
    fn drafts(&mut self) -> Option<&mut Drafts> {
        let Content { received_format, drafts, received, .. } = &mut *self.0;
        if received_format.is_none() {
            return Some(drafts);
        }
        received.set_error(CodecError::new(0, "a message that was not received", Found::End));
        None
    }

    /// Returns the unread values in a format, to add them to another message.
    fn unread_for(&self, format: Format) -> Result<Payload<'_>> {
        let Content { received_format, drafts, read, .. } = &*self.0;
        if received_format.is_some() {
            return Ok(self.unread().1);
        }
        if format == Format::V20 && *read > 0 {
            let found = Found::Bits(drafts.v20.written_bits());
            return Err(CodecError::new(0, "an unread message", found));
        }
        self.payload(format).map(|all| skip(all, *read))
    }

    /// Returns `count` bits of the values from bit `at` on, in the format for reading.
    fn range(&self, count: usize, at: usize) -> Result<Payload<'_>> {
        let left = skip(self.payload(self.read_format())?, at);
        if left.bit_len() < count {
            return Err(CodecError::new(at / 8, "bits of the other message", Found::Bits(left.bit_len())));
        }
        Ok(Payload::within(left.source(), left.start(), left.start().saturating_add(count)))
    }
}

/// Returns the bits of a payload after the first `count`.
fn skip(payload: Payload<'_>, count: usize) -> Payload<'_> {
    Payload::within(payload.source(), payload.start().saturating_add(count), payload.end())
}

/// Writes the mode, the id and the bits of the values.
impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.mode())?;
        if let Some(id) = self.id() {
            write!(f, " {id}")?;
        }
        write!(f, " ({}), {:?}", self.read_format(), self.values())
    }
}
