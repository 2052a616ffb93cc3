use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamewire_machine::Transport;

use super::conversations::Conversations;
use super::history::History;
use super::packet::StoredPacket;
use super::samples::{self, Sample, Samples};
use super::selection::Selection;
use crate::traffic::Conversation;

/// Maximum number of packets that are read under one lock. The writer can continue between two batches.
const MAX_BATCH: usize = 2_048;
/// Maximum number of client names.
const MAX_NAMES: usize = 4_096;
/// Maximum number of notices.
const MAX_NOTICES: usize = 50;

/// Traffic that a page shows. Clones share it.
#[derive(Clone, Debug)]
pub struct Source(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    number: u64,
    name: String,
    kind: SourceKind,
    content: Mutex<Content>,
}

/// A kind of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A running program. New packets replace the oldest ones.
    Live,
    /// A capture. Packets that do not fit are left out.
    File,
}

/// The packets and conversations of a source.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) history: History,
    pub(super) conversations: Conversations,
    pub(super) totals: SourceTotals,
    notices: Vec<String>,
    samples: Samples,
    /// Names of clients.
    pub(super) names: BTreeMap<(SocketAddr, Transport), String>,
}

/// Counters of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceTotals {
    pub(crate) packets: u64,
    pub(crate) bytes: u64,
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    pub(crate) lost: u64,
    pub(crate) resent: u64,
    /// Datagrams of no known protocol.
    pub(crate) unrecognized: u64,
    /// Packets that the program could not pass to the page in time.
    pub(crate) missed: u64,
    /// Packets that the program did not print, because the reader of its output was too slow.
    pub(crate) not_printed: u64,
    /// Lost datagrams of no known conversation. They count as lost, but no list shows them.
    pub(crate) unlisted: u64,
}

/// The numbers of the packets that a source keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PacketRange {
    /// Number of the first kept packet.
    pub(crate) first: u64,
    /// Number of the next new packet.
    pub(crate) next: u64,
    /// Number of packets that were removed or did not fit.
    pub(crate) dropped: u64,
}

/// Packets that [`Source::from`] found.
#[derive(Clone, Debug)]
pub struct FoundPackets {
    /// The packets, oldest first.
    pub packets: Vec<Arc<StoredPacket>>,
    /// Number at which the next call must start.
    pub next: u64,
}

/// Packets that a search backward found.
pub(crate) struct FoundBackward {
    /// The packets, oldest first.
    pub(crate) packets: Vec<Arc<StoredPacket>>,
    /// Number of the earliest packet that was examined.
    pub(crate) examined: u64,
}

impl Source {
    /// Creates a source that keeps at most `max_bytes` bytes of packets.
    pub fn new(number: u64, name: &str, kind: SourceKind, max_bytes: usize) -> Self {
        let content = Content {
            history: History::new(max_bytes, kind == SourceKind::File),
            conversations: Conversations::default(),
            totals: SourceTotals::default(),
            notices: Vec::new(),
            samples: Samples::new(),
            names: BTreeMap::new(),
        };
        Self(Arc::new(Shared { number, name: name.to_owned(), kind, content: Mutex::new(content) }))
    }

    /// Returns the number of the source, from 1.
    pub fn number(&self) -> u64 {
        self.0.number
    }

    /// Returns the name of the source.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the kind of the source.
    pub fn kind(&self) -> SourceKind {
        self.0.kind
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Content> {
        self.0.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a sentence for the user of the page. It is ignored if there are too many.
    pub fn notice(&self, sentence: String) {
        let notices = &mut self.lock().notices;
        if notices.len() < MAX_NOTICES {
            notices.push(sentence);
        }
    }

    /// Sets the name of the client with this address. It is ignored if there are too many names.
    pub fn set_client_name(&self, client: SocketAddr, transport: Transport, name: &str) {
        let names = &mut self.lock().names;
        if names.len() < MAX_NAMES {
            names.insert((client, transport), name.to_owned());
        }
    }

    /// Passes each conversation to `each`, in the order of their numbers.
    pub fn each_conversation(&self, each: impl FnMut(&Conversation)) {
        self.lock().conversations.all().for_each(each);
    }

    /// Replaces the number of packets that the program did not print, because the reader of its output was too slow.
    pub fn set_not_printed(&self, not_printed: u64) {
        self.lock().totals.not_printed = not_printed;
    }

    /// Records the current figures, for charts.
    pub(crate) fn sample(&self, time: i64) {
        let mut content = self.lock();
        let sample = Sample::of(time, content.conversations.all());
        samples::push(&mut content.samples, sample);
    }

    /// Returns the figures of the last two minutes, oldest first.
    pub(crate) fn samples(&self) -> Vec<Sample> {
        self.lock().samples.iter().cloned().collect()
    }

    pub(crate) fn notices(&self) -> Vec<String> {
        self.lock().notices.clone()
    }

    pub(crate) fn totals(&self) -> SourceTotals {
        self.lock().totals
    }

    /// Returns the range of packets that the source keeps.
    pub(crate) fn range(&self) -> PacketRange {
        let content = self.lock();
        let history = &content.history;
        PacketRange { first: history.first_number(), next: history.next_number(), dropped: history.dropped() }
    }

    /// Returns the approximate memory of the packets in bytes.
    pub fn held_bytes(&self) -> usize {
        self.lock().history.held_bytes()
    }

    /// Returns all conversations, in the order of their numbers.
    pub fn conversations(&self) -> Vec<Conversation> {
        self.lock().conversations.all().cloned().collect()
    }

    /// Returns the conversation with this number.
    pub fn conversation(&self, number: u64) -> Option<Conversation> {
        self.lock().conversations.get(number).cloned()
    }

    /// Returns the packet with this number, if it is kept.
    pub fn packet(&self, number: u64) -> Option<Arc<StoredPacket>> {
        self.lock().history.get(number).cloned()
    }

    /// Returns the number of the packet that records the loss of packet `number` on a link.
    pub(crate) fn loss_of(&self, number: u64) -> Option<u64> {
        let later = self.lock().history.from(number.saturating_add(1), MAX_BATCH);
        later.iter().find(|packet| packet.delivery.copy_of == Some(number)).map(|packet| packet.number)
    }

    /// Returns at most `limit` selected packets, starting at `number`.
    pub fn from(&self, number: u64, selection: &Selection, limit: usize) -> FoundPackets {
        let mut packets = Vec::new();
        let mut next = number;
        loop {
            let batch = self.lock().history.from(next, MAX_BATCH);
            let Some(last) = batch.last() else { return FoundPackets { packets, next } };
            let end = last.number.saturating_add(1);
            for packet in batch {
                if packets.len() >= limit {
                    return FoundPackets { packets, next: packet.number };
                }
                if selection.holds(&packet) {
                    packets.push(packet);
                }
            }
            next = end;
        }
    }

    /// Returns the last `limit` selected packets before `number` and not before `oldest`, oldest first.
    pub fn before(
        &self,
        number: u64,
        oldest: u64,
        selection: &Selection,
        limit: usize,
    ) -> Vec<Arc<StoredPacket>> {
        self.search_back(number, oldest, selection, limit).packets
    }

    /// Returns the packets of [`before`](Self::before), and the number of the earliest packet that it examined.
    pub(crate) fn search_back(
        &self,
        number: u64,
        oldest: u64,
        selection: &Selection,
        limit: usize,
    ) -> FoundBackward {
        let mut packets = Vec::new();
        let mut before = number;
        let mut examined = number;
        'all: while packets.len() < limit {
            let batch = self.lock().history.before(before, MAX_BATCH);
            let Some(last) = batch.last() else { break };
            before = last.number;
            for packet in batch {
                if packet.number < oldest || packets.len() >= limit {
                    break 'all;
                }
                examined = packet.number;
                if selection.holds(&packet) {
                    packets.push(packet);
                }
            }
        }
        packets.reverse();
        FoundBackward { packets, examined }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
pub(super) mod tests {
    use gamewire_inspect::conversation::PacketInfo;
    use gamewire_machine::record::RecordPacker;
    use gamewire_machine::{Record, Role};

    use super::super::packet::Delivery;
    use super::*;

    pub(in super::super) fn info(conversation: u64) -> PacketInfo {
        PacketInfo {
            frame: 1,
            time: 0,
            timestamp: 0,
            frame_length: 1,
            transport: Transport::Udp,
            conversation,
            recognized: 1,
            protocol: "riptide",
            dialect: None,
            sender: Role::Client,
            from: "127.0.0.1:1000".parse().unwrap(),
            to: "127.0.0.1:2000".parse().unwrap(),
            length: 1,
        }
    }

    pub(in super::super) fn stored(number: u64) -> StoredPacket {
        StoredPacket {
            number,
            info: info(number % 2),
            length: 1,
            packed: Arc::new(RecordPacker::default().pack(&Record::new())),
            delivery: Delivery::default(),
            snapshot: None,
        }
    }

    #[test]
    fn readers_go_forwards_and_backwards_through_what_they_select() {
        let source = Source::new(1, "test", SourceKind::Live, 1 << 20);
        for number in 1..=10 {
            source.lock().history.push(stored(number));
        }
        let odd = Selection { conversation: Some(1), ..Selection::default() };
        let numbers = |packets: Vec<Arc<StoredPacket>>| -> Vec<u64> {
            packets.iter().map(|packet| packet.number).collect()
        };
        let FoundPackets { packets, next } = source.from(1, &odd, 3);
        assert_eq!((numbers(packets), next), (vec![1, 3, 5], 6));
        let FoundPackets { packets, next } = source.from(next, &odd, 3);
        assert_eq!((numbers(packets), next), (vec![7, 9], 11));
        assert_eq!(numbers(source.before(u64::MAX, 0, &odd, 2)), [7, 9]);
        assert_eq!(numbers(source.before(7, 4, &odd, 9)), [5]);
        assert_eq!(numbers(source.before(7, 0, &Selection { only: Some(Only::Lost), ..odd }, 9)), [0; 0]);
    }

    use super::super::selection::Only;
}
