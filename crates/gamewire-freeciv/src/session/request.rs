use core::fmt;

/// The number of a client's packet. It is not on the wire: both sides count packets, and a server answers them in
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RequestId(u16);

impl RequestId {
    /// The first packet: the join request.
    pub const FIRST: Self = Self(1);
    /// The number after the largest one. The first number is used only once.
    const SECOND: Self = Self(2);

    /// Returns the number of the next packet.
    #[must_use]
    pub const fn next(self) -> Self {
        match self.0.checked_add(1) {
            Some(next) => Self(next),
            None => Self::SECOND,
        }
    }

    /// Returns the number.
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

/// The requests of a client: the next number to send, and the progress of the server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requests {
    next: RequestId,
    /// The next request that the server will process.
    next_answered: RequestId,
    /// Number of requests that the server has not begun to process.
    waiting: u64,
    current: Option<RequestId>,
}

impl Requests {
    pub(super) const fn new() -> Self {
        Self { next: RequestId::FIRST, next_answered: RequestId::FIRST, waiting: 0, current: None }
    }

    /// Counts a sent packet. Returns its number.
    pub(super) const fn sent(&mut self) -> RequestId {
        let id = self.next;
        self.next = id.next();
        self.waiting = self.waiting.saturating_add(1);
        id
    }

    /// Records that the server begins to process the next request. Returns its number, or `None` if there is none.
    pub(super) const fn started(&mut self) -> Option<RequestId> {
        let Some(waiting) = self.waiting.checked_sub(1) else { return None };
        self.waiting = waiting;
        let id = self.next_answered;
        self.next_answered = id.next();
        self.current = Some(id);
        self.current
    }

    /// Ends the current request. Returns its number, or `None` if there is none.
    pub(super) const fn finished(&mut self) -> Option<RequestId> {
        self.current.take()
    }

    /// Returns the number of requests that the server has not begun to process.
    pub(super) const fn waiting(&self) -> u64 {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_after_the_largest_is_2() {
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
    fn requests_are_answered_in_order() {
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
