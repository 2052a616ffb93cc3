use std::sync::Arc;

use gamewire_inspect::conversation::{PacketInfo, PacketMeta};
use gamewire_machine::Record;
use gamewire_machine::record::PackedRecord;

use super::snapshot::StoredSnapshot;

/// A packet that a page can show.
#[derive(Clone, Debug)]
pub struct StoredPacket {
    /// Number of the packet in its source, from 1.
    pub number: u64,
    /// Time, addresses and sender. The conversation is numbered by the source.
    pub info: PacketInfo,
    /// Its length in bytes; of a packet of a stream, uncompressed.
    pub length: usize,
    /// Its fields, packed. Those of a packet that a link lost come from its bytes alone.
    pub(super) packed: Arc<PackedRecord>,
    /// Its delivery, as far as it was seen.
    pub delivery: Delivery,
    /// The snapshot in it.
    pub(crate) snapshot: Option<StoredSnapshot>,
}

/// The delivery of a packet: lost, or sent again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// A link that the program disturbs on purpose lost it.
    pub is_lost: bool,
    /// Number of the packet, as it arrived here, that the link then lost.
    pub copy_of: Option<u64>,
    /// It asks the other side to send again what is missing.
    pub asks_for_resend: bool,
    /// A message in it was sent before.
    pub resent: Option<Resent>,
}

/// An earlier packet with the same message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resent {
    /// Number of the first packet with the message; 0 if it is not known.
    pub first: u64,
    /// Nanoseconds since then.
    pub after: i64,
    /// The sequence number.
    pub sequence: u16,
    /// Number of further messages in the packet that were sent before.
    pub others: u16,
    /// Number of the packet in which the receiver asked for it, if it did.
    pub asked: Option<u64>,
}

impl Delivery {
    /// Adds a message that was sent before, if it was.
    pub(super) fn add_resent(&mut self, resent: Option<Resent>) {
        match (&mut self.resent, resent) {
            (Some(first), Some(_)) => first.others = first.others.saturating_add(1),
            (first, resent) => *first = first.or(resent),
        }
    }
}

impl StoredPacket {
    /// Returns what filters and renderers need.
    pub fn meta(&self) -> PacketMeta<'_> {
        PacketMeta { length: self.length, ..PacketMeta::from(&self.info) }
    }

    /// Returns the bytes of the packet.
    pub fn bytes(&self) -> &[u8] {
        self.packed.source()
    }

    /// Returns its fields. Those of a packet that a link lost come from its bytes alone.
    pub fn record(&self) -> Record {
        self.packed.unpack()
    }

    /// Returns whether it could not be decoded as a whole.
    pub fn has_error(&self) -> bool {
        self.packed.errors() > 0
    }

    /// Returns whether it has a warning.
    pub fn has_warning(&self) -> bool {
        self.packed.warnings() > 0
    }

    /// Returns the approximate memory in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let snapshot = self.snapshot.as_ref().map_or(0, StoredSnapshot::held_bytes);
        let packed = size_of::<PackedRecord>().saturating_add(self.packed.held_bytes());
        size_of::<Self>().saturating_add(packed).saturating_add(snapshot)
    }
}
