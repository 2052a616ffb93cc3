//! What waits for the application.

use std::collections::VecDeque;

/// Events, oldest first. Nearly all of them are messages, so that these stand in a queue of their own
/// with what is told of each (`M`), and what is larger and rare (`E`) beside it.
#[derive(Debug)]
pub(crate) struct Events<M, E> {
    messages: VecDeque<M>,
    /// Each with the number of the message that it stands before.
    others: VecDeque<(u64, E)>,
    /// The number of the oldest message.
    first: u64,
    /// Bytes of messages of the extension, which are longer than packets, since nothing waited.
    extended_bytes: usize,
    limits: EventLimits,
}

/// How much may wait until no more messages are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventLimits {
    pub(crate) events: usize,
    /// Bytes of messages of the extension among them.
    pub(crate) extended_bytes: usize,
}

impl<M, E> Events<M, E> {
    /// None.
    pub(crate) const fn new(limits: EventLimits) -> Self {
        Self { messages: VecDeque::new(), others: VecDeque::new(), first: 0, extended_bytes: 0, limits }
    }

    /// Whether the application does not take them.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.messages.len().wrapping_add(self.others.len()) >= self.limits.events
            || self.extended_bytes >= self.limits.extended_bytes
    }

    /// A message came.
    #[inline]
    pub(crate) fn push_message(&mut self, message: M) {
        self.messages.push_back(message);
    }

    /// A message of the extension came, of so many bytes.
    pub(crate) fn push_extended(&mut self, message: M, bytes: usize) {
        self.extended_bytes = self.extended_bytes.saturating_add(bytes);
        self.push_message(message);
    }

    /// Something else happened.
    pub(crate) fn push_other(&mut self, event: E) {
        let before = u64::try_from(self.messages.len()).unwrap_or(u64::MAX);
        self.others.push_back((self.first.wrapping_add(before), event));
    }

    /// The oldest, which `event` makes of a message.
    #[inline]
    pub(crate) fn pop(&mut self, event: impl FnOnce(M) -> E) -> Option<E> {
        if self.others.front().is_some_and(|(before, _)| *before == self.first) {
            return self.pop_other();
        }
        let message = self.messages.pop_front()?;
        self.first = self.first.wrapping_add(1);
        self.note_empty();
        Some(event(message))
    }

    #[cold]
    fn pop_other(&mut self) -> Option<E> {
        let (_, event) = self.others.pop_front()?;
        self.note_empty();
        Some(event)
    }

    #[inline]
    fn note_empty(&mut self) {
        if self.messages.is_empty() && self.others.is_empty() {
            self.extended_bytes = 0;
        }
    }

    /// The memory that is held, in bytes.
    pub(crate) fn held_bytes(&self) -> usize {
        let others = self.others.capacity().saturating_mul(size_of::<(u64, E)>());
        self.messages.capacity().saturating_mul(size_of::<M>()).saturating_add(others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: EventLimits = EventLimits { events: 1000, extended_bytes: 100 };

    #[test]
    fn messages_and_all_else_come_out_in_the_order_in_which_they_went_in() {
        let mut events = Events::new(LIMITS);
        let mut popped = Vec::new();
        for round in 0..1000_u32 {
            if round % 7 < 3 {
                events.push_message(round);
            } else {
                events.push_other(round);
            }
            if round % 3 == 0 {
                popped.extend(events.pop(|message| message));
            }
        }
        assert!(popped.len() < 400, "some wait");
        popped.extend(core::iter::from_fn(|| events.pop(|message| message)));
        assert!(popped.into_iter().eq(0..1000));
    }

    #[test]
    fn it_is_full_by_their_number_or_by_the_bytes_of_long_ones_until_nothing_waits() {
        let mut events = Events::new(LIMITS);
        (0..1000).for_each(|number| if number < 999 { events.push_message(0) } else { events.push_other(1) });
        assert!(events.is_full());
        assert_eq!(events.pop(|message| message), Some(0));
        assert!(!events.is_full());
        events.push_extended(2, 60);
        events.push_extended(2, 40);
        while events.pop(|message| message) != Some(1) {}
        assert!(events.is_full());
        assert_eq!(events.pop(|message| message), Some(2));
        assert!(events.is_full(), "one of them waits");
        assert_eq!(events.pop(|message| message), Some(2));
        assert!(!events.is_full());
    }
}
