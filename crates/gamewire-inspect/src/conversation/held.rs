use std::collections::VecDeque;
use std::net::SocketAddr;

use super::key::Key;

/// How many datagrams of conversations that nobody has recognised are kept.
const DATAGRAMS: usize = 256;
/// Longer ones are not kept, in bytes.
const LONGEST: usize = 2048;

/// Where and when bytes went by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PacketContext {
    pub(super) key: Key,
    /// The number of the frame.
    pub(super) frame: u64,
    /// Nanoseconds since 1970.
    pub(super) time: i64,
    pub(super) from: SocketAddr,
    pub(super) to: SocketAddr,
}

/// Datagrams that perhaps begin a conversation, until one shows that they do. When there are too
/// many, the oldest is forgotten.
#[derive(Debug, Default)]
pub(super) struct DeferredDatagrams {
    datagrams: VecDeque<(PacketContext, Box<[u8]>)>,
}

impl DeferredDatagrams {
    pub(super) fn keep(&mut self, passing: PacketContext, data: &[u8]) {
        if data.len() > LONGEST {
            return;
        }
        if self.datagrams.len() >= DATAGRAMS {
            self.datagrams.pop_front();
        }
        self.datagrams.push_back((passing, data.into()));
    }

    /// Gives back those of a conversation, oldest first.
    pub(super) fn take(&mut self, key: Key, mut each: impl FnMut(PacketContext, &[u8])) {
        self.datagrams.retain(|(passing, data)| {
            let is_other = passing.key != key;
            if !is_other {
                each(*passing, data);
            }
            is_other
        });
    }
}
