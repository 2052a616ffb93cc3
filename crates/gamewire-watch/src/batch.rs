use crate::event::Event;
use crate::packet::ObservedPacket;

/// Maximum number of bytes in a batch. While the watcher is busy, the next batch collects all traffic, such as a map that is
/// downloaded on a machine without a free core.
const MAX_BYTES: usize = 4 << 20;
/// Maximum number of packets and events in a batch.
const MAX_ENTRIES: usize = 32_768;

/// A batch of packets and events, in order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    /// Number of packets and events that the feed dropped since the start.
    pub(crate) missed: u64,
}

#[derive(Debug)]
enum Entry {
    Packet(ObservedPacket, core::ops::Range<usize>),
    /// The time in nanoseconds since 1970, and the event.
    Event(i64, Event),
}

/// An entry of a batch.
#[derive(Debug)]
pub(crate) enum Seen<'a> {
    Packet(ObservedPacket, &'a [u8]),
    Event(i64, Event),
}

impl Batch {
    /// Adds a packet. Returns false if the batch is full.
    pub(crate) fn packet(&mut self, packet: ObservedPacket, bytes: &[u8]) -> bool {
        if self.entries.len() >= MAX_ENTRIES {
            return false;
        }
        let range = match self.entries.last() {
            // A packet is often sent unchanged after it was received, so both entries share the bytes.
            Some(Entry::Packet(_, range)) if self.bytes.get(range.clone()) == Some(bytes) => range.clone(),
            _ => {
                let start = self.bytes.len();
                let end = start.saturating_add(bytes.len());
                if end > MAX_BYTES {
                    return false;
                }
                self.bytes.extend_from_slice(bytes);
                start..end
            }
        };
        self.entries.push(Entry::Packet(packet, range));
        true
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

    /// Calls `each` with every entry, and removes them all.
    pub(crate) fn drain(&mut self, mut each: impl FnMut(Seen<'_>)) {
        for entry in self.entries.drain(..) {
            match entry {
                Entry::Packet(packet, range) => {
                    each(Seen::Packet(packet, self.bytes.get(range).unwrap_or_default()));
                }
                Entry::Event(time, event) => each(Seen::Event(time, event)),
            }
        }
        self.bytes.clear();
    }
}
