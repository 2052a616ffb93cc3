use core::time::Duration;
use std::collections::BTreeMap;

use gamewire_machine::{Instant, Role, Wake};

/// Maximum number of delayed messages.
const MAX_DELAYED: usize = 1_024;

/// The messages that a hook delays, ordered by the time to send them, then by arrival.
#[derive(Debug)]
pub(crate) struct Delayed<M> {
    messages: BTreeMap<(Instant, u64), (Role, M)>,
    count: u64,
}

impl<M> Delayed<M> {
    pub(crate) const fn new() -> Self {
        Self { messages: BTreeMap::new(), count: 0 }
    }

    /// Delays a message of `from`: [`pop_due`](Self::pop_due) returns it from `now + time` on.
    ///
    /// # Errors
    /// The message if [`MAX_DELAYED`] messages are delayed already. It is not stored.
    pub(crate) fn push(&mut self, now: Instant, time: Duration, from: Role, message: M) -> Result<(), M> {
        if self.messages.len() >= MAX_DELAYED {
            return Err(message);
        }
        self.count = self.count.saturating_add(1);
        self.messages.insert((now + time, self.count), (from, message));
        Ok(())
    }

    /// Removes the first message that is due, and returns it with its sender.
    pub(crate) fn pop_due(&mut self, now: Instant) -> Option<(Role, M)> {
        let first = self.messages.first_entry().filter(|entry| entry.key().0 <= now)?;
        Some(first.remove())
    }

    pub(crate) fn poll_timeout(&self) -> Option<Wake> {
        let ((at, _), _) = self.messages.first_key_value()?;
        Some(Wake { at: *at, reason: "delayed message" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_in_the_order_of_their_times_and_too_many_are_not_delayed() {
        let (mut delayed, now) = (Delayed::new(), Instant::ZERO);
        let ms = Duration::from_millis;
        for (time, message) in [(20, "late"), (10, "first"), (10, "second")] {
            assert_eq!(delayed.push(now, ms(time), Role::Client, message), Ok(()));
        }
        assert_eq!(delayed.poll_timeout().map(|wake| wake.at), Some(now + ms(10)));
        assert_eq!(delayed.pop_due(now + ms(9)), None);
        let due: Vec<_> = std::iter::from_fn(|| delayed.pop_due(now + ms(15))).collect();
        assert_eq!(due, [(Role::Client, "first"), (Role::Client, "second")]);
        while delayed.push(now, ms(1), Role::Server, "more").is_ok() {}
        assert_eq!(delayed.messages.len(), MAX_DELAYED);
    }
}
