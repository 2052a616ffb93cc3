use std::collections::VecDeque;

use super::packet::{Key, PacketContext};

/// Maximum number of spare buffers.
const MAX_SPARE: usize = 16;

/// The events that wait to be followed, in order.
#[derive(Debug, Default)]
pub(super) struct Queue {
    pub(super) events: VecDeque<Event>,
    spare: Vec<Vec<u8>>,
}

/// An event in a conversation.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) context: PacketContext,
    pub(super) kind: EventKind,
}

#[derive(Debug)]
pub(super) enum EventKind {
    /// A datagram, or the next bytes of a stream.
    Bytes(Vec<u8>),
    /// A datagram of an earlier frame.
    Deferred(Vec<u8>),
    /// A number of bytes of a stream is missing.
    Gap(u64),
    /// A connection begins.
    Opened,
}

impl Queue {
    /// Inserts events before all others, in their order.
    pub(super) fn push_first(&mut self, events: impl DoubleEndedIterator<Item = Event>) {
        events.rev().for_each(|event| self.events.push_front(event));
    }

    /// Inserts an event after the deferred ones at the front.
    pub(super) fn push_after_deferred(&mut self, event: Event) {
        let deferred =
            self.events.iter().take_while(|event| matches!(event.kind, EventKind::Deferred(_))).count();
        self.events.insert(deferred, event);
    }

    /// Returns a copy of `data`, in a spare buffer if there is one.
    pub(super) fn copy(&mut self, data: &[u8]) -> Vec<u8> {
        let mut buffer = self.spare.pop().unwrap_or_default();
        buffer.clear();
        buffer.extend_from_slice(data);
        buffer
    }

    /// Keeps a buffer for reuse.
    pub(super) fn recycle(&mut self, buffer: Vec<u8>) {
        if self.spare.len() < MAX_SPARE {
            self.spare.push(buffer);
        }
    }
}

/// Maximum number of datagrams of unrecognized conversations.
const MAX_DATAGRAMS: usize = 256;
/// Maximum length of such a datagram, in bytes.
const MAX_LENGTH: usize = 2048;

/// Datagrams that may begin a conversation, kept until a later datagram shows that they do. The oldest
/// is dropped when there are too many.
#[derive(Debug, Default)]
pub(super) struct DeferredDatagrams {
    datagrams: VecDeque<(PacketContext, Box<[u8]>)>,
}

impl DeferredDatagrams {
    pub(super) fn keep(&mut self, context: PacketContext, data: &[u8]) {
        if data.len() > MAX_LENGTH {
            return;
        }
        if self.datagrams.len() >= MAX_DATAGRAMS {
            self.datagrams.pop_front();
        }
        self.datagrams.push_back((context, data.into()));
    }

    /// Returns the datagrams of a conversation, oldest first.
    pub(super) fn of(&self, key: Key) -> impl Iterator<Item = (PacketContext, &[u8])> {
        let datagrams = self.datagrams.iter().filter(move |(context, _)| context.key == key);
        datagrams.map(|(context, data)| (*context, &**data))
    }

    /// Returns whether there is a datagram of the last `age` nanoseconds before `time`.
    pub(super) fn has_any_since(&self, time: i64, age: i64) -> bool {
        let newest = self.datagrams.iter().map(|(context, _)| context.time).max();
        newest.is_some_and(|newest| time.saturating_sub(newest) <= age)
    }

    /// Removes the datagrams of a conversation and passes them to `each`, oldest first.
    pub(super) fn take(&mut self, key: Key, mut each: impl FnMut(PacketContext, &[u8])) {
        self.datagrams.retain(|(context, data)| {
            let is_other = context.key != key;
            if !is_other {
                each(*context, data);
            }
            is_other
        });
    }
}
