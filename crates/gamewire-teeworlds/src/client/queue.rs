//! Events that wait to be polled. A server can cause as many as it likes, so there is a limit.

use std::collections::VecDeque;

use super::Event;

/// How many events may wait. A driver polls them after every datagram, so that only one that
/// does not poll at all meets the limit.
const MOST: usize = 1024;

/// Events in the order in which they happened.
#[derive(Debug, Default)]
pub(super) struct EventQueue {
    waiting: VecDeque<Event>,
    dropped: u64,
    is_over: bool,
}

impl EventQueue {
    /// Puts an event behind the others. When there are too many, the oldest that only tells is
    /// dropped; when all of them ask for something, the oldest. Behind `Closed` comes nothing.
    pub(super) fn push(&mut self, event: Event) {
        if self.is_over {
            return;
        }
        self.is_over = matches!(event, Event::Closed(_));
        if let (Event::MapProgress { .. }, Some(last @ Event::MapProgress { .. })) =
            (&event, self.waiting.back_mut())
        {
            *last = event;
            return;
        }
        if self.waiting.len() >= MOST {
            let first = self.waiting.iter().position(|event| !event.is_essential()).unwrap_or(0);
            self.waiting.remove(first);
            self.dropped = self.dropped.saturating_add(1);
        }
        self.waiting.push_back(event);
    }

    /// The oldest event.
    pub(super) fn pop(&mut self) -> Option<Event> {
        self.waiting.pop_front()
    }

    /// How much memory is held, in bytes, beside text.
    pub(super) fn held_bytes(&self) -> usize {
        self.waiting.capacity().saturating_mul(size_of::<Event>())
    }

    /// How many were dropped because nobody polled.
    pub(super) const fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::CloseReason;

    fn drain(queue: &mut EventQueue) -> Vec<Event> {
        core::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn a_queue_that_nobody_polls_keeps_what_matters_and_the_latest() {
        let mut queue = EventQueue::default();
        queue.push(Event::Snapshot { tick: -1 });
        queue.push(Event::Entered);
        for tick in 0..5000 {
            queue.push(Event::Snapshot { tick });
        }
        queue.push(Event::Closed(CloseReason::Timeout));
        let events = drain(&mut queue);
        assert_eq!(events.len(), MOST);
        assert_eq!(events[0], Event::Entered);
        assert_eq!(events[MOST - 2], Event::Snapshot { tick: 4999 });
        assert_eq!(events[MOST - 1], Event::Closed(CloseReason::Timeout));
        assert_eq!(queue.dropped(), 5003 - 1024);
    }

    #[test]
    fn events_that_all_matter_are_limited_too() {
        let mut queue = EventQueue::default();
        for _ in 0..5000 {
            queue.push(Event::Reconnect);
        }
        assert_eq!(drain(&mut queue).len(), MOST);
    }

    #[test]
    fn nothing_comes_behind_the_end_and_the_end_comes_once() {
        let mut queue = EventQueue::default();
        queue.push(Event::Closed(CloseReason::Left));
        queue.push(Event::Entered);
        queue.push(Event::Closed(CloseReason::Timeout));
        assert_eq!(drain(&mut queue), [Event::Closed(CloseReason::Left)]);
    }

    #[test]
    fn the_progress_of_a_download_is_one_event() {
        let mut queue = EventQueue::default();
        for received in 0..100 {
            queue.push(Event::MapProgress { received, size: 100 });
        }
        assert_eq!(drain(&mut queue), [Event::MapProgress { received: 99, size: 100 }]);
    }
}
