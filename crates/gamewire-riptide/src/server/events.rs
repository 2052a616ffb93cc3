use std::collections::VecDeque;

use super::Event;
use crate::ClientId;
use crate::message::Message;

/// What waits for the application, oldest first. Nearly all of it are messages, so that only they
/// stand in the queue itself, and what is larger and rare beside it.
#[derive(Debug, Default)]
pub(super) struct Events {
    queue: VecDeque<Entry>,
    others: VecDeque<Event>,
}

#[derive(Debug)]
enum Entry {
    Message {
        client: ClientId,
        message: Message,
    },
    /// The oldest of the others.
    Other,
}

impl Events {
    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// A client has sent a message.
    #[inline]
    pub(super) fn push_message(&mut self, client: ClientId, message: Message) {
        self.queue.push_back(Entry::Message { client, message });
    }

    /// Something else happened.
    pub(super) fn push_other(&mut self, event: Event) {
        self.queue.push_back(Entry::Other);
        self.others.push_back(event);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Event> {
        match self.queue.pop_front()? {
            Entry::Message { client, message } => Some(Event::MessageReceived { client, message }),
            Entry::Other => self.others.pop_front(),
        }
    }

    /// The memory that is held, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let others = self.others.capacity().saturating_mul(size_of::<Event>());
        self.queue.capacity().saturating_mul(size_of::<Entry>()).saturating_add(others)
    }
}
