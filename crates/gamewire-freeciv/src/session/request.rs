use core::fmt;

/// The number of a client's packet. Nobody sends it: both sides count, and a server answers in
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestId(u16);

impl RequestId {
    /// The first packet: the join request.
    pub const FIRST: Self = Self(1);
    /// What follows the largest number. The first one is never used again.
    const AGAIN: Self = Self(2);

    /// The number of the packet behind this one.
    #[must_use]
    pub const fn next(self) -> Self {
        match self.0.checked_add(1) {
            Some(next) => Self(next),
            None => Self::AGAIN,
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A client's count of what it sent and of what the server has dealt with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requests {
    next: RequestId,
    /// The next one that the server will deal with.
    next_answered: RequestId,
    /// How many the server has not begun to deal with.
    waiting: u64,
    current: Option<RequestId>,
}

impl Requests {
    pub(super) const fn new() -> Self {
        Self { next: RequestId::FIRST, next_answered: RequestId::FIRST, waiting: 0, current: None }
    }

    /// A packet is sent.
    pub(super) const fn sent(&mut self) -> RequestId {
        let id = self.next;
        self.next = id.next();
        self.waiting = self.waiting.saturating_add(1);
        id
    }

    /// The server begins to deal with the next one; `None` if there is none.
    pub(super) const fn started(&mut self) -> Option<RequestId> {
        let Some(waiting) = self.waiting.checked_sub(1) else { return None };
        self.waiting = waiting;
        let id = self.next_answered;
        self.next_answered = id.next();
        self.current = Some(id);
        self.current
    }

    /// The server has dealt with the one at hand; `None` if there is none.
    pub(super) const fn finished(&mut self) -> Option<RequestId> {
        self.current.take()
    }

    /// How many the server has not begun to deal with.
    pub(super) const fn waiting(&self) -> u64 {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_the_largest_number_comes_2() {
        assert_eq!(RequestId::FIRST.next(), RequestId(2));
        assert_eq!(RequestId(0xffff).next(), RequestId(2));
        let mut requests = Requests::new();
        let mut last = requests.sent();
        for _ in 1..0xffff {
            last = requests.sent();
        }
        assert_eq!(last.get(), 0xffff);
        assert_eq!(requests.sent().get(), 2);
    }

    #[test]
    fn answers_go_to_requests_in_their_order() {
        let mut requests = Requests::new();
        assert_eq!(requests.started(), None);
        let (first, second) = (requests.sent(), requests.sent());
        assert_eq!(requests.started(), Some(first));
        assert_eq!(requests.waiting(), 1);
        assert_eq!(requests.finished(), Some(first));
        assert_eq!(requests.finished(), None);
        assert_eq!((requests.started(), requests.finished()), (Some(second), Some(second)));
        assert_eq!(requests.started(), None);
    }
}
