use super::MessageSendMode;
use super::draft::Draft;
use super::received::ReceivedBits;
use crate::Format;
use crate::versions::{V20, V21};

/// Content of a message.
pub(super) struct Content {
    pub(super) mode: MessageSendMode,
    pub(super) id: Option<u16>,
    /// Number of read bits.
    pub(super) read: usize,
    /// Format of the peer that sent it, if its values are in `received`. `None` if it is written here and
    /// its values are in `drafts`. The unused one of the two holds leftovers of another message.
    pub(super) received_format: Option<Format>,
    pub(super) received: ReceivedBits,
    pub(super) drafts: Drafts,
}

/// The values of a message in both formats.
#[derive(Clone, Default)]
pub(super) struct Drafts {
    pub(super) v20: Draft<V20>,
    pub(super) v21: Draft<V21>,
}

impl Content {
    /// Returns the size in bytes of the largest buffer in use.
    #[inline]
    pub(super) fn max_buffer_bytes(&self) -> usize {
        match self.received_format {
            Some(_) => self.received.capacity(),
            None => self.drafts.v20.capacity().max(self.drafts.v21.capacity()),
        }
    }
}

/// Clones only the buffers in use.
impl Clone for Content {
    fn clone(&self) -> Self {
        let (received, drafts) = match self.received_format {
            Some(_) => (self.received.clone(), Drafts::default()),
            None => (ReceivedBits::default(), self.drafts.clone()),
        };
        Self { received, drafts, ..*self }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self {
            mode: MessageSendMode::Unreliable,
            id: None,
            read: 0,
            received_format: None,
            received: ReceivedBits::default(),
            drafts: Drafts::default(),
        }
    }
}
