use super::MessageSendMode;
use super::draft::Draft;
use super::received::ReceivedBits;
use crate::Format;
use crate::v20::V20;
use crate::v21::V21;

/// All that a message is.
pub(super) struct Content {
    pub(super) mode: MessageSendMode,
    pub(super) id: Option<u16>,
    /// Bits that are read.
    pub(super) read: usize,
    /// The format of the peer that it came from, with its values in `received`; without, it is written
    /// here, with its values in `drafts`. What stands in the other one is left of another message.
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
    /// The size of its largest buffer, in bytes, of those that it has used.
    #[inline]
    pub(super) fn largest(&self) -> usize {
        match self.received_format {
            Some(_) => self.received.room(),
            None => self.drafts.v20.room().max(self.drafts.v21.room()),
        }
    }
}

/// Only of what is its own.
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
