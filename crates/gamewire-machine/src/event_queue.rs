use std::collections::VecDeque;

/// An event that an [`EventQueue`] can hold.
pub trait QueuedEvent: Sized {
    /// Returns the event that reports `count` lost events.
    fn missed(count: u64) -> Self;

    /// Returns whether the application needs this event to stay consistent, for example because a peer connected or
    /// disconnected, or a request waits for a reply. Essential events are never dropped, so the machine must limit
    /// them: one per peer, and no new peers while [`EventQueue::is_full`].
    fn is_essential(&self) -> bool;

    /// Returns the heap bytes of the event that a peer can increase.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// True if [`merge`](Self::merge) may be called. False saves a move of every event.
    const MERGES: bool = true;

    /// Merges `next` into this event, which is the newest one.
    ///
    /// # Errors
    /// `next`, if the two events stay separate. This event is unchanged then.
    fn merge(&mut self, next: Self) -> Result<(), Self> {
        Err(next)
    }
}

/// Bounds of an [`EventQueue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventLimits {
    /// Maximum number of events.
    pub max_events: usize,
    /// Maximum bytes that the events hold on the heap.
    pub max_heap_bytes: usize,
}

impl Default for EventLimits {
    fn default() -> Self {
        Self { max_events: 1024, max_heap_bytes: 16 << 20 }
    }
}

/// Events that wait for the application, oldest first.
///
/// A driver polls after every call, so only an application that stops polling fills the queue. Then there is one policy
/// for every role:
///
/// * the oldest event that is not essential is dropped for each new one, so the application sees the latest state;
/// * an essential event is never dropped;
/// * the next poll after a loss returns [`QueuedEvent::missed`] with the number of lost events;
/// * a machine with a peer that resends unacknowledged packets checks [`is_full`](Self::is_full) first, and rejects a
///   packet instead of losing its event.
#[derive(Debug)]
pub struct EventQueue<E> {
    events: VecDeque<E>,
    heap_bytes: usize,
    limits: EventLimits,
    /// Lost events that were not reported to the application yet.
    unreported: u64,
    missed: u64,
    is_closed: bool,
}

impl<E: QueuedEvent> EventQueue<E> {
    /// Creates an empty queue.
    pub const fn new(limits: EventLimits) -> Self {
        Self { events: VecDeque::new(), heap_bytes: 0, limits, unreported: 0, missed: 0, is_closed: false }
    }

    /// Appends an event, unless the queue is closed.
    #[inline(always)]
    pub fn push(&mut self, event: E) {
        if self.is_full() || self.is_closed {
            self.push_full(event);
        } else {
            self.append(event);
        }
    }

    #[cold]
    fn push_full(&mut self, event: E) {
        if !self.is_closed && self.make_room(event.is_essential()) {
            self.append(event);
        }
    }

    /// Appends an event for an application that may never poll. A full queue drops its oldest events first, essential
    /// or not.
    pub fn push_newest(&mut self, event: E) {
        while self.is_full()
            && let Some(oldest) = self.events.pop_front()
        {
            self.heap_bytes = self.heap_bytes.saturating_sub(oldest.heap_bytes());
            self.count_missed(1);
        }
        self.append(event);
    }

    /// Appends the last event of a machine with one peer. Later events are ignored.
    pub fn close(&mut self, event: E) {
        if !self.is_closed {
            self.append(event);
            self.is_closed = true;
        }
    }

    /// Accepts events again after [`close`](Self::close), for a machine that opens a new connection.
    pub fn reopen(&mut self) {
        self.is_closed = false;
    }

    /// Counts `count` lost events, for events that the machine did not push because the queue [is full](Self::is_full).
    pub fn count_missed(&mut self, count: u64) {
        self.unreported = self.unreported.saturating_add(count);
        self.missed = self.missed.saturating_add(count);
    }

    /// Removes and returns the oldest event, or the report of lost events.
    #[inline]
    pub fn pop(&mut self) -> Option<E> {
        if self.unreported > 0 {
            return Some(E::missed(core::mem::take(&mut self.unreported)));
        }
        self.heap_bytes = self.heap_bytes.saturating_sub(self.events.front()?.heap_bytes());
        self.events.pop_front()
    }

    /// Returns whether the queue is so full that a new event displaces another one.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.events.len() >= self.limits.max_events || self.heap_bytes >= self.limits.max_heap_bytes
    }

    /// Returns whether the queue is full of essential events, so that only they could be dropped. A machine checks this
    /// before it pushes an event that a peer can cause any number of times.
    pub fn is_full_of_essential(&self) -> bool {
        self.is_full() && self.events.iter().all(E::is_essential)
    }

    /// Returns whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.unreported == 0 && self.events.is_empty()
    }

    /// Returns the number of events lost so far.
    pub const fn missed(&self) -> u64 {
        self.missed
    }

    /// Returns the memory that the queue holds, in bytes.
    pub fn held_bytes(&self) -> usize {
        self.events.capacity().saturating_mul(size_of::<E>()).saturating_add(self.heap_bytes)
    }

    #[inline(always)]
    fn append(&mut self, event: E) {
        let event = match self.events.back_mut() {
            Some(last) if E::MERGES => {
                let before = last.heap_bytes();
                match last.merge(event) {
                    Ok(()) => {
                        let others = self.heap_bytes.saturating_sub(before);
                        self.heap_bytes = others.saturating_add(last.heap_bytes());
                        return;
                    }
                    Err(event) => event,
                }
            }
            _ => event,
        };
        self.events.push_back(event);
        let heap_bytes = self.events.back().map_or(0, E::heap_bytes);
        self.heap_bytes = self.heap_bytes.saturating_add(heap_bytes);
    }

    /// Drops the oldest event that is not essential. Returns whether the new event can be appended.
    fn make_room(&mut self, is_essential: bool) -> bool {
        let oldest = self.events.iter().position(|event| !event.is_essential());
        if let Some(dropped) = oldest.and_then(|index| self.events.remove(index)) {
            self.heap_bytes = self.heap_bytes.saturating_sub(dropped.heap_bytes());
            self.count_missed(1);
            return true;
        }
        if !is_essential {
            self.count_missed(1);
        }
        is_essential
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    enum Event {
        Connected(u32),
        Chat(Vec<u8>),
        Progress(u32),
        Missed(u64),
    }

    impl QueuedEvent for Event {
        fn missed(count: u64) -> Self {
            Self::Missed(count)
        }

        fn is_essential(&self) -> bool {
            matches!(self, Self::Connected(_))
        }

        fn heap_bytes(&self) -> usize {
            if let Self::Chat(text) = self { text.len() } else { 0 }
        }

        fn merge(&mut self, next: Self) -> Result<(), Self> {
            match (self, next) {
                (Self::Progress(last), Self::Progress(next)) => *last = next,
                (_, next) => return Err(next),
            }
            Ok(())
        }
    }

    use Event::{Chat, Connected, Missed, Progress};

    fn queue() -> EventQueue<Event> {
        EventQueue::new(EventLimits { max_events: 4, max_heap_bytes: 10 })
    }

    fn drain(queue: &mut EventQueue<Event>) -> Vec<Event> {
        core::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn a_full_queue_keeps_the_essential_and_the_latest_and_reports_the_loss_first() {
        let mut queue = queue();
        queue.push(Connected(1));
        for text in 0..5 {
            queue.push(Chat(vec![text]));
        }
        queue.push(Connected(2));
        assert_eq!(queue.missed(), 3);
        assert_eq!(drain(&mut queue), [Missed(3), Connected(1), Chat(vec![3]), Chat(vec![4]), Connected(2)]);
        assert!(queue.is_empty());
        queue.push(Chat(vec![9]));
        assert_eq!(drain(&mut queue), [Chat(vec![9])], "a loss is reported once");
    }

    #[test]
    fn essential_events_are_never_lost() {
        let mut queue = queue();
        (0..9).for_each(|number| queue.push(Connected(number)));
        assert!(queue.is_full() && queue.is_full_of_essential());
        queue.push(Chat(vec![1]));
        assert_eq!(queue.pop(), Some(Missed(1)));
        assert!(drain(&mut queue).into_iter().eq((0..9).map(Connected)));
    }

    #[test]
    fn the_newest_event_displaces_the_oldest_ones_of_any_kind() {
        let mut queue = queue();
        (0..6).for_each(|number| queue.push_newest(Connected(number)));
        assert!(drain(&mut queue).into_iter().eq([Missed(2)].into_iter().chain((2..6).map(Connected))));
        queue.push_newest(Chat(vec![0; 4]));
        queue.push_newest(Chat(vec![1; 40]));
        queue.push_newest(Chat(vec![2; 4]));
        assert_eq!(drain(&mut queue), [Missed(2), Chat(vec![2; 4])]);
    }

    #[test]
    fn bytes_on_the_heap_are_bounded_too() {
        let mut queue = queue();
        queue.push(Chat(vec![0; 6]));
        queue.push(Chat(vec![1; 6]));
        assert!(queue.is_full());
        queue.push(Chat(vec![2; 2]));
        assert_eq!(drain(&mut queue), [Missed(1), Chat(vec![1; 6]), Chat(vec![2; 2])]);
        assert!(!queue.is_full());
    }

    #[test]
    fn events_that_merge_take_one_place() {
        let mut queue = queue();
        (0..100).for_each(|percent| queue.push(Progress(percent)));
        assert_eq!(drain(&mut queue), [Progress(99)]);
    }

    #[test]
    fn nothing_follows_the_closing_event() {
        let mut queue = queue();
        queue.close(Connected(1));
        queue.push(Connected(2));
        queue.close(Connected(3));
        assert_eq!(drain(&mut queue), [Connected(1)]);
        queue.reopen();
        queue.push(Connected(4));
        assert_eq!(drain(&mut queue), [Connected(4)]);
    }
}
