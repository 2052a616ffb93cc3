use std::collections::VecDeque;

use crate::Endpoint;

/// What the protocol itself answers, oldest first: acks and replies to heartbeats. None is longer
/// than 8 bytes, so that they are kept as words. Once it has grown it allocates nothing.
#[derive(Debug)]
pub(crate) struct ReplyQueue {
    waiting: VecDeque<Reply>,
    /// How many may wait.
    most: usize,
    dropped: u64,
}

#[derive(Clone, Copy, Debug)]
struct Reply {
    to: Endpoint,
    bytes: [u8; 8],
    length: u8,
}

impl ReplyQueue {
    /// None, of which `limit` bytes may wait, with what they take beside their own.
    pub(crate) const fn with_limit(limit: usize) -> Self {
        Self { waiting: VecDeque::new(), most: limit.div_euclid(size_of::<Reply>()), dropped: 0 }
    }

    /// Takes the first `length` bytes (at most 8) of a word. They are dropped when too much is waiting.
    #[inline(never)]
    pub(crate) fn push(&mut self, to: &Endpoint, word: u64, length: u8) {
        if self.waiting.len() < self.most {
            self.waiting.push_back(Reply { to: *to, bytes: word.to_le_bytes(), length });
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// Lets `take` have the oldest.
    #[inline]
    pub(crate) fn pop_with<R>(&mut self, take: impl FnOnce(Endpoint, &[u8]) -> R) -> Option<R> {
        let Reply { to, bytes, length } = self.waiting.pop_front()?;
        Some(take(to, bytes.get(..length.into()).unwrap_or_default()))
    }

    /// How many were dropped because too much was waiting.
    pub(crate) const fn dropped(&self) -> u64 {
        self.dropped
    }
}
