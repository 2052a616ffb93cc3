use std::collections::VecDeque;

use crate::ClientId;

/// The ids of clients in a queue: from 1 to the most, and those that are free again at its end.
#[derive(Debug)]
pub(super) struct ClientIdPool {
    /// The first that was never given; it and those behind it come before the freed ones.
    next: u16,
    most: u16,
    freed: VecDeque<ClientId>,
}

impl ClientIdPool {
    /// As many as there may be clients: at most 65534.
    pub(super) const fn new(most: u16) -> Self {
        Self { next: 1, most, freed: VecDeque::new() }
    }

    /// The id at the front of the queue; `None` if all are taken.
    pub(super) fn take(&mut self) -> Option<ClientId> {
        if self.next > self.most {
            return self.freed.pop_front();
        }
        let id = ClientId(self.next);
        self.next = self.next.saturating_add(1);
        Some(id)
    }

    /// Whether one is free.
    pub(super) fn has_free(&self) -> bool {
        self.next <= self.most || !self.freed.is_empty()
    }

    /// Puts an id that was taken to the end of the queue.
    pub(super) fn free(&mut self, id: ClientId) {
        self.freed.push_back(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_begin_at_1_and_those_that_are_free_again_come_last() {
        let mut ids = ClientIdPool::new(3);
        assert_eq!(ids.take(), Some(ClientId(1)));
        assert_eq!(ids.take(), Some(ClientId(2)));
        ids.free(ClientId(2));
        ids.free(ClientId(1));
        assert_eq!([ids.take(), ids.take(), ids.take()], [3, 2, 1].map(|id| Some(ClientId(id))));
        assert!(!ids.has_free());
        assert_eq!(ids.take(), None);
    }

    #[test]
    fn the_last_id_is_65534() {
        let mut ids = ClientIdPool::new(65_534);
        assert_eq!((1..=65_534_u32).filter(|_| ids.take().is_some()).count(), 65_534);
        assert_eq!(ids.take(), None);
        ids.free(ClientId(65_534));
        assert_eq!((ids.take(), ids.take()), (Some(ClientId(65_534)), None));
    }
}
