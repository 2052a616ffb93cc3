use gamewire_machine::{Instant, Role, TransmitQueue, Wake};

use crate::Bridge;

/// A bridge that forwards the bytes unchanged.
///
/// It queues all output until it is polled, at most 1 MiB for each side, so drain it after each call.
#[derive(Debug, Default)]
pub struct Transparent {
    to_client: TransmitQueue<()>,
    to_server: TransmitQueue<()>,
    /// The side that ended its stream first.
    ended: Option<Role>,
    is_over: bool,
}

impl Transparent {
    /// Returns a bridge without traffic.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    const fn queue(&mut self, to: Role) -> &mut TransmitQueue<()> {
        match to {
            Role::Client => &mut self.to_client,
            Role::Server => &mut self.to_server,
        }
    }
}

impl Bridge for Transparent {
    fn handle(&mut self, _now: Instant, from: Role, bytes: &[u8]) {
        self.queue(from.other()).push((), bytes);
    }

    fn handle_close(&mut self, _now: Instant, from: Role) {
        self.is_over = *self.ended.get_or_insert(from) != from;
    }

    fn poll_transmit(&mut self, _now: Instant, to: Role, buffer: &mut Vec<u8>) -> bool {
        self.queue(to).pop(buffer).is_some()
    }

    fn poll_timeout(&self) -> Option<Wake> {
        None
    }

    fn handle_timeout(&mut self, _now: Instant) {}

    fn is_over(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polled(bridge: &mut Transparent, to: Role) -> Vec<Vec<u8>> {
        let mut buffer = vec![0xff];
        core::iter::from_fn(|| bridge.poll_transmit(Instant::ZERO, to, &mut buffer).then(|| buffer.clone()))
            .collect()
    }

    #[test]
    fn each_datagram_goes_to_the_other_side_unchanged_and_in_order() {
        let mut bridge = Transparent::new();
        bridge.handle(Instant::ZERO, Role::Client, b"one");
        bridge.handle(Instant::ZERO, Role::Server, b"two");
        bridge.handle(Instant::ZERO, Role::Client, b"");
        assert_eq!(polled(&mut bridge, Role::Server), [b"one".to_vec(), Vec::new()]);
        assert_eq!(polled(&mut bridge, Role::Client), [b"two".to_vec()]);
        assert!(!bridge.is_over());
    }
}
