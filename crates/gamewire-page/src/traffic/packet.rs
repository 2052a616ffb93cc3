use std::sync::Arc;

use gamewire_inspect::conversation::{PacketInfo, PacketMeta};
use gamewire_inspect::protocol::{self as delivery, Resent};
use gamewire_machine::Record;
use gamewire_machine::record::PackedRecord;

use super::game_map::AnnouncedMap;
use super::snapshot::StoredSnapshot;

/// A packet that a page can show.
#[derive(Clone, Debug)]
pub struct StoredPacket {
    /// Number of the packet in its source, from 1.
    pub number: u64,
    /// Time, addresses and sender. The conversation's number is the one in the source.
    pub info: PacketInfo,
    /// Length of the packet in bytes. A packet of a stream is counted uncompressed.
    pub length: usize,
    /// The decoded packet. A packet that a link lost is decoded without the state of its conversation.
    pub(super) packed: Arc<PackedRecord>,
    /// The known facts about the packet's delivery.
    pub delivery: Delivery,
    /// The snapshot that ends in the packet.
    pub(crate) snapshot: Option<StoredSnapshot>,
}

/// The delivery of a packet: whether it was lost or resent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// True if an impaired link of the program lost the packet.
    pub is_lost: bool,
    /// Number of the packet that arrived at the program before the link lost it.
    pub copy_of: Option<u64>,
    /// Number of the earlier packet that this one is a copy of, if the network duplicated it.
    pub duplicate_of: Option<u64>,
    /// True if the sender asks the other side to resend missing messages.
    pub asks_for_resend: bool,
    /// The earlier packet with a message of this packet, if a message was resent.
    pub resent: Option<Resent>,
}

impl From<delivery::Delivery> for Delivery {
    fn from(delivery: delivery::Delivery) -> Self {
        let delivery::Delivery { duplicate_of, asks_for_resend, resent } = delivery;
        Self { duplicate_of, asks_for_resend, resent, ..Self::default() }
    }
}

impl StoredPacket {
    /// Returns the metadata that filters and renderers need.
    pub fn meta(&self) -> PacketMeta<'_> {
        PacketMeta { length: self.length, ..PacketMeta::from(&self.info) }
    }

    /// Returns the bytes of the packet.
    pub fn bytes(&self) -> &[u8] {
        self.packed.source()
    }

    /// Returns the decoded packet. A packet that a link lost is decoded without the state of its conversation.
    pub fn record(&self) -> Record {
        self.packed.unpack()
    }

    /// Returns whether the packet could not be decoded completely.
    pub fn has_error(&self) -> bool {
        self.packed.errors() > 0
    }

    /// Returns whether the packet has a warning.
    pub fn has_warning(&self) -> bool {
        self.packed.warnings() > 0
    }

    /// Returns the map of the snapshot that ends in the packet.
    pub(crate) fn announced_map(&self) -> Option<&AnnouncedMap> {
        self.snapshot.as_ref()?.map.as_deref()
    }

    /// Returns the approximate memory of the packet in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let snapshot = self.snapshot.as_ref().map_or(0, StoredSnapshot::held_bytes);
        let packed = size_of::<PackedRecord>().saturating_add(self.packed.held_bytes());
        size_of::<Self>().saturating_add(packed).saturating_add(snapshot)
    }
}
