use core::fmt;

use gamewire_wire::{CodecError, Found};

use super::content::{Content, Drafts};
use super::pool::{self, Pooled};
use super::sendable::no_notify;
use super::{MessageSendMode, max_payload_bits};
use crate::Format;
use crate::shared::payload::Payload;
use crate::shared::version::MAX_PAYLOAD_SIZE;

/// A message to send, or one that came: values in a row, which `add_…` writes and `get_…` reads.
///
/// One that is written here can be sent to peers of both formats. What a format has no form for
/// (numbers of variable length in 2.0, say) or no room for is an error of that format only: it is
/// kept, [`Message::error`] tells it, and sending to such a peer fails with it.
///
/// One that came is read as its sender wrote it, and can be sent on as it is. To a peer of its own
/// format it then goes bit by bit. To one of the other format its bytes go as they are: values
/// that stand differently there (bools, lengths above 127, numbers of variable length) do not
/// survive that, and must be read and written again.
///
/// It does not tell bits of padding from values: of a message that came in 2.1, the last 7 bits
/// may be padding.
#[derive(Clone)]
pub struct Message(Pooled);

impl Message {
    /// An empty message with an id: `Message.Create(sendMode, id)`. A notify message has no id;
    /// it is left out for one.
    #[must_use]
    pub fn create(mode: MessageSendMode, id: impl Into<u16>) -> Self {
        Self::create_with_max(mode, id, MAX_PAYLOAD_SIZE)
    }

    /// An empty message with an id for peers that agreed on another largest payload than
    /// 1225 bytes: `Message.MaxPayloadSize`.
    #[must_use]
    pub fn create_with_max(mode: MessageSendMode, id: impl Into<u16>, max_payload_size: usize) -> Self {
        let id = (mode != MessageSendMode::Notify).then(|| id.into());
        Self::written(mode, id, max_payload_size)
    }

    /// An empty notify message, which has no id: `Message.Create(MessageSendMode.Notify)`.
    #[must_use]
    pub fn create_notify() -> Self {
        Self::create_notify_with_max(MAX_PAYLOAD_SIZE)
    }

    /// An empty notify message for peers that agreed on another largest payload than 1225 bytes.
    #[must_use]
    pub fn create_notify_with_max(max_payload_size: usize) -> Self {
        Self::written(MessageSendMode::Notify, None, max_payload_size)
    }

    /// Empty user data of a handshake, rejection or disconnection: `Message.Create()`.
    #[must_use]
    pub fn create_data() -> Self {
        Self::create_data_with_max(MAX_PAYLOAD_SIZE)
    }

    /// Empty user data for peers that agreed on another largest payload than 1225 bytes.
    #[must_use]
    pub fn create_data_with_max(max_payload_size: usize) -> Self {
        Self::written(MessageSendMode::Unreliable, None, max_payload_size)
    }

    fn written(mode: MessageSendMode, id: Option<u16>, max_payload_size: usize) -> Self {
        let limit = |format| max_payload_bits(format, mode, id, max_payload_size);
        let mut content = Pooled::take();
        let Content { drafts, .. } = &mut *content;
        match mode {
            MessageSendMode::Notify => drafts.v20.reset_with_error(no_notify()),
            _ => drafts.v20.begin(limit(Format::V20)),
        }
        drafts.v21.begin(limit(Format::V21));
        Self::new(content, mode, id, None)
    }

    /// A message that came from a peer of `format`; `id` is `None` for notify messages and user
    /// data.
    #[inline(always)]
    #[must_use]
    pub fn received(format: Format, mode: MessageSendMode, id: Option<u16>, payload: &Payload<'_>) -> Self {
        let mut content = Pooled::take();
        content.received.begin(payload);
        Self::new(content, mode, id, Some(format))
    }

    #[inline]
    fn new(mut content: Pooled, mode: MessageSendMode, id: Option<u16>, came_in: Option<Format>) -> Self {
        (content.mode, content.id, content.received_format, content.read) = (mode, id, came_in, 0);
        Self(content)
    }

    /// Frees the buffers that this thread keeps for messages to come: `Message.TrimPool()`.
    pub fn trim_pool() {
        pool::trim();
    }

    /// How it is sent: `SendMode`. User data of a handshake counts as unreliable.
    #[must_use]
    pub fn mode(&self) -> MessageSendMode {
        self.0.mode
    }

    /// What tells its receiver what it is; notify messages and user data have none.
    #[must_use]
    pub fn id(&self) -> Option<u16> {
        self.0.id
    }

    /// The format of the peer that it came from; `None` if it was written here.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.0.received_format
    }

    /// Its values as peers of `format` get them.
    ///
    /// # Errors
    /// The first one of [`Message::error`].
    pub fn payload(&self, format: Format) -> Result<Payload<'_>, CodecError> {
        let Content { received_format: came_in, drafts, received, .. } = &*self.0;
        match format {
            _ if came_in.is_some() => received.payload_for(format),
            Format::V20 => drafts.v20.payload(),
            Format::V21 => drafts.v21.payload(),
        }
    }

    /// Why peers of `format` cannot get it: the first value that the format has no form for or no
    /// room for. Later values are left out.
    #[must_use]
    pub fn error(&self, format: Format) -> Option<CodecError> {
        self.payload(format).err()
    }

    /// The format that values are read in: that of its sender, 2.1 if it was written here.
    pub(super) fn read_format(&self) -> Format {
        self.format().unwrap_or(Format::V21)
    }

    /// All its values in the format that they are read in, whether or not some are missing.
    pub(super) fn values(&self) -> Payload<'_> {
        let Content { received_format: came_in, drafts, received, .. } = &*self.0;
        if came_in.is_some() { received.payload() } else { drafts.v21.written() }
    }

    /// The values that are not read yet, and their format.
    pub(super) fn unread(&self) -> (Format, Payload<'_>) {
        let values = self.values();
        (self.read_format(), skip(values, self.0.read))
    }

    /// So many more bits are read.
    pub(super) fn advance(&mut self, bits: usize) {
        self.0.read = self.0.read.saturating_add(bits);
    }

    /// How many bits are read: `ReadBits`. This and the other counts are those of the format that
    /// values are read in (2.1 for a message that was written here), without the header.
    #[must_use]
    pub fn read_bits(&self) -> usize {
        self.0.read
    }

    /// How many bits are left to read: `UnreadBits`. The last 7 may be padding.
    #[must_use]
    pub fn unread_bits(&self) -> usize {
        self.unread().1.bit_len()
    }

    /// How many bits it holds: `WrittenBits`.
    #[must_use]
    pub fn written_bits(&self) -> usize {
        self.values().bit_len()
    }

    /// How many bits can still be added: `UnwrittenBits`.
    #[must_use]
    pub fn unwritten_bits(&self) -> usize {
        if self.0.received_format.is_some() { 0 } else { self.0.drafts.v21.unwritten_bits() }
    }

    /// How many bytes its values take: `BytesInUse`.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        self.values().byte_len()
    }

    /// The drafts of a message that is written here. One that came takes no more values, and says
    /// so from now on.
    pub(super) fn drafts(&mut self) -> Option<&mut Drafts> {
        let Content { received_format: came_in, drafts, received, .. } = &mut *self.0;
        if came_in.is_none() {
            return Some(drafts);
        }
        received.refuse(CodecError::new(0, "a message that is written here", Found::End));
        None
    }

    /// What another message adds to this one: its values that are not read yet.
    pub(super) fn unread_for(&self, format: Format) -> Result<Payload<'_>, CodecError> {
        let Content { received_format: came_in, drafts, read, .. } = &*self.0;
        if came_in.is_some() {
            return Ok(self.unread().1);
        }
        if format == Format::V20 && *read > 0 {
            let found = Found::Bits(drafts.v20.written_bits());
            return Err(CodecError::new(0, "a message of which nothing is read", found));
        }
        self.payload(format).map(|all| skip(all, *read))
    }
}

/// The bits of a payload behind its first `count`.
fn skip(payload: Payload<'_>, count: usize) -> Payload<'_> {
    Payload::within(payload.source(), payload.start().saturating_add(count), payload.end())
}

/// Its mode, its id, and the bits of its values.
impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.mode())?;
        if let Some(id) = self.id() {
            write!(f, " {id}")?;
        }
        write!(f, " ({}), {:?}", self.read_format(), self.values())
    }
}
