use super::MessageSendMode;
use super::draft::Draft;
use super::received::Received;
use crate::format::Format;
use crate::v20::V20;
use crate::v21::V21;

/// All that a message is.
#[derive(Clone)]
pub(super) struct Content {
    pub(super) mode: MessageSendMode,
    pub(super) id: Option<u16>,
    /// Bits that are read.
    pub(super) read: usize,
    /// The format of the peer that it came from, with its values in `received`; without, it is written
    /// here, with its values in `drafts`. The other one is none of its own.
    pub(super) came_in: Option<Format>,
    pub(super) received: Received,
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
        match self.came_in {
            Some(_) => self.received.room(),
            None => self.drafts.v20.room().max(self.drafts.v21.room()),
        }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self {
            mode: MessageSendMode::Unreliable,
            id: None,
            read: 0,
            came_in: None,
            received: Received::default(),
            drafts: Drafts::default(),
        }
    }
}
