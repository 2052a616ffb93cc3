use core::ops::Range;

use crate::event::Event;
use crate::packet::ObservedPacket;

/// Maximum number of bytes in a batch. While the watcher is busy, the next batch collects all traffic, such as a map that is
/// downloaded on a machine without a free core.
const MAX_BYTES: usize = 4 << 20;
/// Maximum number of packets and events in a batch.
const MAX_ENTRIES: usize = 32_768;
/// Maximum number of entries that are searched for the received packet of a sent one. A relay reads that many datagrams
/// of one socket before it sends them.
const MAX_SEARCHED: usize = 64;

/// A batch of packets and events, in order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    /// Number of entries at the front that no later packet can be a copy of.
    settled: usize,
    /// Number of packets and events that the feed dropped since the start.
    pub(crate) missed: u64,
}

#[derive(Debug)]
enum Entry {
    Packet(ObservedPacket, Passage, Range<usize>),
    /// The time in nanoseconds since 1970, and the event.
    Event(i64, Event),
}

/// The relation of a packet to the other packets of a batch. A relay that passes a packet on unchanged observes it twice:
/// when it receives it, and on the other side when it sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    /// The batch contains the packet once.
    Single,
    /// The packet was received. The batch contains it again, as it was sent.
    Received,
    /// The packet was sent. The batch also contains the received packet, with this index.
    Sent(usize),
}

/// An entry of a batch.
#[derive(Debug)]
pub(crate) enum Seen<'a> {
    Packet(ObservedPacket, Passage, &'a [u8]),
    Event(i64, Event),
}

impl Batch {
    /// Adds a packet. Returns false if the batch is full.
    pub(crate) fn packet(&mut self, packet: ObservedPacket, bytes: &[u8]) -> bool {
        if self.entries.len() >= MAX_ENTRIES {
            return false;
        }
        if let Some((index, range)) = self.mark_received(&packet, bytes) {
            self.entries.push(Entry::Packet(packet, Passage::Sent(index), range));
            return true;
        }
        let start = self.bytes.len();
        let end = start.saturating_add(bytes.len());
        if end > MAX_BYTES {
            return false;
        }
        self.bytes.extend_from_slice(bytes);
        self.entries.push(Entry::Packet(packet, Passage::Single, start..end));
        true
    }

    /// Finds the received packet of a sent one, and marks it as [`Passage::Received`]. Returns its index and the range of its
    /// bytes.
    fn mark_received(&mut self, sent: &ObservedPacket, bytes: &[u8]) -> Option<(usize, Range<usize>)> {
        if sent.is_lost || sent.connection.side != Some(sent.sender.other()) {
            return None;
        }
        let Self { entries, bytes: all, settled, .. } = self;
        let done = entries.iter().skip(*settled);
        *settled = settled.saturating_add(done.take_while(|entry| !entry.is_unsent()).count());
        let candidates = entries.iter_mut().enumerate().skip(*settled).take(MAX_SEARCHED);
        for (index, entry) in candidates {
            let is_unsent = entry.is_unsent();
            if let Entry::Packet(packet, passage, range) = entry
                && is_unsent
                && packet.connection.peer == sent.connection.peer
                && (packet.sender, packet.transport) == (sent.sender, sent.transport)
                && all.get(range.clone()) == Some(bytes)
            {
                *passage = Passage::Received;
                return Some((index, range.clone()));
            }
        }
        None
    }

    /// Adds an event. Returns false if the batch is full.
    pub(crate) fn event(&mut self, time: i64, event: Event) -> bool {
        if self.entries.len() >= MAX_ENTRIES {
            return false;
        }
        self.entries.push(Entry::Event(time, event));
        true
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Calls `each` with every entry and its index, and removes them all.
    pub(crate) fn drain(&mut self, mut each: impl FnMut(usize, Seen<'_>)) {
        for (index, entry) in self.entries.drain(..).enumerate() {
            match entry {
                Entry::Packet(packet, passage, range) => {
                    let bytes = self.bytes.get(range).unwrap_or_default();
                    each(index, Seen::Packet(packet, passage, bytes));
                }
                Entry::Event(time, event) => each(index, Seen::Event(time, event)),
            }
        }
        self.bytes.clear();
        self.settled = 0;
    }
}

impl Entry {
    /// Returns whether this is a packet that a relay received and has not sent yet.
    fn is_unsent(&self) -> bool {
        match self {
            Self::Packet(packet, passage, _) => {
                *passage == Passage::Single
                    && !packet.is_lost
                    && packet.connection.side == Some(packet.sender)
            }
            Self::Event(..) => false,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use gamewire_machine::{Role, Transport};

    use super::*;
    use crate::{PeerConnection, PeerNumber};

    /// Returns a packet of `sender` on `side` of a proxy.
    fn packet(peer: u64, sender: Role, side: Role) -> ObservedPacket {
        ObservedPacket {
            time: 0,
            is_lost: false,
            connection: PeerConnection { peer: PeerNumber(peer), side: Some(side) },
            sender,
            transport: Transport::Udp,
            client: "127.0.0.1:1000".parse().unwrap(),
            server: "127.0.0.1:2000".parse().unwrap(),
        }
    }

    fn passages(batch: &mut Batch) -> Vec<(Passage, Vec<u8>)> {
        let mut passages = Vec::new();
        batch.drain(|_, seen| {
            if let Seen::Packet(_, passage, bytes) = seen {
                passages.push((passage, bytes.to_vec()));
            }
        });
        passages
    }

    #[test]
    fn a_sent_packet_refers_to_the_received_one_of_its_client() {
        let (client, server) = (Role::Client, Role::Server);
        let mut batch = Batch::default();
        let added = [
            (packet(1, client, client), b"one"),
            (packet(2, client, client), b"one"),
            (packet(1, client, client), b"two"),
            (packet(2, client, server), b"one"),
            (packet(1, client, server), b"one"),
            (packet(1, client, server), b"new"),
            (packet(1, server, server), b"two"),
            (packet(1, server, client), b"two"),
            (packet(1, client, server), b"two"),
            (packet(1, client, server), b"two"),
        ];
        assert!(added.iter().all(|(packet, bytes)| batch.packet(*packet, *bytes)));
        assert_eq!(batch.bytes.len(), 18, "a copy shares the bytes");
        use Passage::{Received, Sent, Single};
        let expected =
            [Received, Received, Received, Sent(1), Sent(0), Single, Received, Sent(6), Sent(2), Single];
        let expected: Vec<_> = expected.into_iter().zip(added.map(|(_, bytes)| bytes.to_vec())).collect();
        assert_eq!(passages(&mut batch), expected);
    }

    #[test]
    fn a_lost_packet_is_not_a_copy() {
        let mut batch = Batch::default();
        let sent = packet(1, Role::Client, Role::Server);
        assert!(batch.packet(packet(1, Role::Client, Role::Client), b"x"));
        assert!(batch.packet(ObservedPacket { is_lost: true, ..sent }, b"x"));
        assert!(batch.packet(sent, b"x"));
        let passages: Vec<_> = passages(&mut batch).into_iter().map(|(passage, _)| passage).collect();
        assert_eq!(passages, [Passage::Received, Passage::Single, Passage::Sent(0)]);
    }

    #[test]
    fn packets_of_a_program_without_sides_are_single() {
        let mut batch = Batch::default();
        for sender in Role::BOTH {
            let packet = packet(1, sender, sender);
            let connection = PeerConnection { side: None, ..packet.connection };
            assert!(batch.packet(ObservedPacket { connection, ..packet }, b"x"));
        }
        assert!(passages(&mut batch).iter().all(|(passage, _)| *passage == Passage::Single));
    }
}
