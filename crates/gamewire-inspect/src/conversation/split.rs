use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::Layer;

use super::packet::{PacketInfo, PacketMeta};
use crate::protocol::packet_group;

/// A splitter that divides the record of a run of bytes into the packets that end in it, for protocols with packets
/// that are not aligned with the segments of their streams. It reuses its memory.
#[derive(Debug, Default)]
pub struct PacketSplitter {
    part: Record,
}

impl PacketSplitter {
    /// Calls `each` with a separate record for every packet in `record`. One more record follows with the warnings,
    /// errors and bytes that are not in a packet. The record of a datagram is passed on unchanged.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn split<E>(
        &mut self,
        info: &PacketInfo,
        record: &Record,
        mut each: impl FnMut(PacketMeta<'_>, &Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let meta = PacketMeta::from(info);
        let Some(name) = packet_group(info.protocol) else { return each(meta, record) };
        let is_packet =
            |node: NodeRef<'_>| node.kind() == NodeKind::Group(Layer::Group) && node.name() == name;
        for packet in record.nodes().filter(|node| is_packet(*node)) {
            self.part.clear();
            self.part.copy_as_source("packet", packet);
            each(PacketMeta { length: packet.span().byte_range().len(), ..meta }, &self.part)?;
        }
        self.part.clear();
        record.roots().for_each(|root| self.part.copy_where(root, |node| !is_packet(node)));
        let is_missing = |node: NodeRef<'_>| matches!(node.name(), "not_decoded" | "packets_not_decoded");
        let has_rest =
            self.part.warnings() > 0 || self.part.errors() > 0 || self.part.nodes().any(is_missing);
        if has_rest { each(meta, &self.part) } else { Ok(()) }
    }
}
