//! Queued datagrams. All datagrams of one socket are sent with as few system calls as possible.

use core::ops::Range;
use std::net::SocketAddr;

use gamewire_machine::Role;
use gamewire_net::{Outgoing, send_each, to_socket_family};
use gamewire_watch::unix_nanos;

use super::Relay;
use super::client::Path;
use super::clients::Slot;
use super::stats::increment;

/// Number of queued bytes above which the datagrams are sent before the end of a turn.
const MAX_BYTES: usize = 64 << 10;

/// Datagrams that are queued while a batch is processed.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    datagrams: Vec<Waiting>,
    bytes: Vec<u8>,
}

#[derive(Debug)]
struct Waiting {
    slot: Slot,
    to: Role,
    /// The receiver's address; `None` if the socket is connected to it.
    address: Option<SocketAddr>,
    number: usize,
    range: Range<usize>,
}

impl Waiting {
    /// Returns a sort key that is equal for all datagrams of one socket.
    const fn socket(&self) -> (bool, usize) {
        match self.to {
            Role::Client => (false, 0),
            Role::Server => (true, self.slot.index),
        }
    }

    fn datagram<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.range.clone()).unwrap_or_default()
    }
}

impl Outbox {
    fn push(&mut self, slot: Slot, to: Role, address: Option<SocketAddr>, datagram: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(datagram);
        let (number, range) = (self.datagrams.len(), start..self.bytes.len());
        self.datagrams.push(Waiting { slot, to, address, number, range });
    }

    /// Groups the datagrams by socket and keeps their order within each socket.
    fn group(&mut self) {
        if !self.datagrams.is_sorted_by_key(Waiting::socket) {
            self.datagrams.sort_unstable_by_key(|datagram| (datagram.socket(), datagram.number));
        }
    }

    fn clear(&mut self) {
        self.datagrams.clear();
        self.bytes.clear();
    }
}

impl Relay {
    /// Queues a datagram for one side of a client.
    pub(super) fn queue_datagram(&mut self, slot: Slot, to: Role, datagram: &[u8]) {
        let Some(client) = self.clients.get(slot) else { return };
        let address = match to {
            Role::Server => None,
            Role::Client => Some(to_socket_family(self.local, client.address).unwrap_or(client.address)),
        };
        self.outbox.push(slot, to, address, datagram);
        if self.outbox.bytes.len() >= MAX_BYTES {
            self.send_datagrams();
        }
    }

    /// Sends the queued datagrams.
    pub(super) fn send_datagrams(&mut self) {
        if self.outbox.datagrams.is_empty() {
            return;
        }
        let mut outbox = core::mem::take(&mut self.outbox);
        outbox.group();
        for group in outbox.datagrams.chunk_by(|one, next| one.socket() == next.socket()) {
            self.send_group(group, &outbox.bytes);
        }
        outbox.clear();
        self.outbox = outbox;
    }

    /// Sends the datagrams of one socket. A datagram that cannot be sent is skipped.
    fn send_group(&mut self, mut group: &[Waiting], bytes: &[u8]) {
        while let Some((first, others)) = group.split_first() {
            let datagrams =
                group.iter().map(|waiting| -> Outgoing<'_> { (waiting.address, waiting.datagram(bytes)) });
            let socket = match (first.to, self.clients.get(first.slot).map(|client| &client.path)) {
                (Role::Client, _) => self.udp.as_ref(),
                (Role::Server, Some(Path::Udp(socket))) => Some(socket),
                (Role::Server, _) => None,
            };
            let Some(socket) = socket else { return };
            let Ok(count) = send_each(&socket.socket, datagrams) else {
                if let Some(client) = self.clients.get_mut(first.slot) {
                    increment(&mut client.stats_to(first.to).not_sent);
                }
                increment(&mut self.stats.socket_errors);
                group = others;
                continue;
            };
            let time = unix_nanos();
            let (sent, rest) = group.split_at_checked(count).unwrap_or((group, &[]));
            for waiting in sent {
                let Some(client) = self.clients.get_mut(waiting.slot) else { continue };
                client.stats_to(waiting.to).count_sent(waiting.range.len());
                self.feed.packet(client.packet(time, waiting.to, waiting.to), waiting.datagram(bytes));
            }
            group = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use gamewire_watch::PeerNumber;

    use super::*;

    #[test]
    fn datagrams_of_one_socket_are_grouped_in_order() {
        let mut outbox = Outbox::default();
        let slot = |index: usize| Slot { index, client: PeerNumber(0) };
        let pushed = [
            (1, Role::Server, "a"),
            (0, Role::Client, "b"),
            (0, Role::Server, ""),
            (1, Role::Server, "c"),
            (1, Role::Client, "d"),
            (0, Role::Server, "e"),
        ];
        for (index, to, text) in pushed {
            outbox.push(slot(index), to, None, text.as_bytes());
        }
        outbox.group();
        let groups = outbox.datagrams.chunk_by(|one, next| one.socket() == next.socket());
        let groups: Vec<Vec<_>> = groups
            .map(|group| group.iter().map(|waiting| waiting.datagram(&outbox.bytes)).collect())
            .collect();
        assert_eq!(groups, [vec![b"b".as_slice(), b"d"], vec![b"", b"e"], vec![b"a", b"c"]]);
    }
}
