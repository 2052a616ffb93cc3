//! Closing clients.

use gamewire_machine::{Instant, Role};
use gamewire_watch::{CloseReason, Event, unix_nanos};

use super::Relay;
use super::client::{Path, Proof};
use super::clients::Slot;
use super::config::LINGER;
use super::ready::LISTENER;
use super::stream::Streams;

impl Relay {
    /// Closes a client after its bridge has ended. The bytes in the queues of its streams are still sent.
    pub(super) fn finish(&mut self, slot: Slot) {
        let now = self.now();
        match self.clients.get_mut(slot).map(|client| &mut client.path) {
            Some(Path::Tcp(streams)) => {
                for side in Role::BOTH {
                    streams.note_end(now, side);
                }
                self.check_ends(slot);
            }
            Some(Path::Udp(_)) => self.close(slot, CloseReason::Finished),
            None => {}
        }
    }

    /// Removes a client.
    pub(super) fn close(&mut self, slot: Slot, reason: CloseReason) {
        self.send_datagrams();
        let Some(mut client) = self.clients.remove(slot) else { return };
        self.timers.set(slot.index, None);
        // Dropping a socket also ends its registration.
        match &mut client.path {
            Path::Udp(socket) => drop(self.poll.registry().deregister(&mut socket.socket)),
            Path::Tcp(streams) => {
                for side in Role::BOTH {
                    drop(self.poll.registry().deregister(&mut streams.end(side).stream));
                }
            }
        }
        self.stats.total.add(client.stats);
        let event = Event::Closed { client: client.number, reason, stats: client.stats };
        self.feed.event(unix_nanos(), event);
    }

    /// Removes clients that exceeded their timeout.
    pub(super) fn sweep(&mut self, now: Instant) {
        let timeouts = self.config.timeouts;
        let idle = self.clients.iter().filter_map(|(slot, client)| {
            let silent = now.since(client.last);
            match &client.path {
                Path::Udp(_) => {
                    let limit = if client.proof == Proof::Given { timeouts.idle } else { timeouts.unproven };
                    (silent > limit).then_some((slot, CloseReason::Idle))
                }
                Path::Tcp(Streams { ended: Some((first, at)), .. }) => {
                    (now.since(*at) > LINGER).then_some((slot, CloseReason::ClosedBy(*first)))
                }
                Path::Tcp(_) => {
                    let is_silent = client.stats.to_server.received == 0 && silent > timeouts.unproven;
                    is_silent.then_some((slot, CloseReason::Idle))
                }
            }
        });
        let idle: Vec<_> = idle.collect();
        for (slot, reason) in idle {
            self.close(slot, reason);
        }
        self.clients.tidy();
        // Accepting fails without a free file descriptor, and the poller does not report the waiting stream again.
        self.ready.add(LISTENER);
        self.publish();
    }

    pub(super) fn publish(&mut self) {
        self.stats.open = u64::try_from(self.clients.len()).unwrap_or(u64::MAX);
        self.stats.lost = self.links.lost();
        self.stats.missed = self.feed.missed();
        let mut stats = self.stats;
        for (_, client) in self.clients.iter() {
            stats.total.add(client.stats);
        }
        self.controlled.publish(&stats);
    }
}
