use std::collections::VecDeque;

use super::held::PacketContext;

/// How many buffers are kept for use again.
const SPARE: usize = 16;

/// What is to be looked at after the frame at hand, in order.
#[derive(Debug, Default)]
pub(super) struct Queue {
    events: VecDeque<Event>,
    spare: Vec<Vec<u8>>,
}

/// Something that happened in a conversation.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) passing: PacketContext,
    pub(super) what: EventKind,
}

#[derive(Debug)]
pub(super) enum EventKind {
    /// A datagram, or the next bytes of a stream.
    Bytes(Vec<u8>),
    /// A datagram that went by earlier.
    Recalled(Vec<u8>),
    /// The next bytes of a stream are missing.
    Missed(u64),
    /// A connection begins.
    Opened,
}

impl Queue {
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub(super) fn push(&mut self, event: Event) {
        self.events.push_back(event);
    }

    /// Puts events in front of all others, in their order.
    pub(super) fn push_first(&mut self, events: impl DoubleEndedIterator<Item = Event>) {
        events.rev().for_each(|event| self.events.push_front(event));
    }

    /// Puts an event behind those at the front that are recalled.
    pub(super) fn push_after_deferred(&mut self, event: Event) {
        let recalled =
            self.events.iter().take_while(|event| matches!(event.what, EventKind::Recalled(_))).count();
        self.events.insert(recalled, event);
    }

    pub(super) fn pop(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// A copy of `data` in a buffer that was used before, if there is one.
    pub(super) fn copy(&mut self, data: &[u8]) -> Vec<u8> {
        let mut buffer = self.spare.pop().unwrap_or_default();
        buffer.clear();
        buffer.extend_from_slice(data);
        buffer
    }

    /// Takes a buffer back.
    pub(super) fn recycle(&mut self, buffer: Vec<u8>) {
        if self.spare.len() < SPARE {
            self.spare.push(buffer);
        }
    }
}
