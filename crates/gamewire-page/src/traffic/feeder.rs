use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

use gamewire_inspect::conversation::{PacketInfo, PacketMeta, PacketSplitter};
use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_machine::record::RecordPacker;
use gamewire_machine::{Record, Role, Transport};

use super::packet::{Delivery, StoredPacket};
use super::progress::Progress;
use super::source::Source;
use crate::explain;

/// Maximum number of the program's conversations that are remembered. When it is reached, all are forgotten.
const MAX_NUMBERS: usize = 65_536;

/// Writes the packets of one follower to a source. It never waits for a reader.
#[derive(Debug)]
pub struct Feeder {
    source: Source,
    protocols: ProtocolConfig,
    splitter: PacketSplitter,
    packer: RecordPacker,
    /// Number of a conversation in the source, by its number in the follower.
    numbers: HashMap<u64, u64>,
    /// Numbers of a client's conversations in the source, by the program's number of the client.
    clients: HashMap<u64, Vec<u64>>,
    /// Time of the first packet.
    began: Option<i64>,
    unrecognized: u64,
}

/// A datagram that a disturbed link lost.
#[derive(Clone, Copy, Debug)]
pub struct Lost<'a> {
    /// Time in nanoseconds since 1970.
    pub time: i64,
    /// The program's number of the client.
    pub client: u64,
    /// Side of the program on which the datagram would have been seen: `"client"` or `"server"`.
    pub side: &'static str,
    /// The sender.
    pub sender: Role,
    /// Address of the sender.
    pub from: SocketAddr,
    /// Address of the receiver.
    pub to: SocketAddr,
    /// Bytes of the datagram.
    pub bytes: &'a [u8],
}

impl Feeder {
    /// Creates a feeder. `protocols` are the settings of its follower. The feeder decodes lost datagrams with them.
    pub fn new(source: Source, protocols: ProtocolConfig) -> Self {
        Self {
            source,
            protocols,
            splitter: PacketSplitter::default(),
            packer: RecordPacker::default(),
            numbers: HashMap::new(),
            clients: HashMap::new(),
            began: None,
            unrecognized: 0,
        }
    }

    /// Returns the source.
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Adds a decoded datagram, or the packets that end in the next bytes of a stream. `label` is the program's number
    /// of the client, and the side of the program.
    pub fn packet(&mut self, label: Option<(u64, &'static str)>, info: &PacketInfo, record: &Record) {
        let number = self.conversation(label, info);
        let began = *self.began.get_or_insert(info.timestamp);
        let info = PacketInfo { conversation: number, time: info.timestamp.saturating_sub(began), ..*info };
        let Self { source, splitter, packer, .. } = self;
        let Ok(()) = splitter.split(&info, record, |meta, record| -> Result<(), core::convert::Infallible> {
            store(source, packer, &info, meta, record);
            Ok(())
        });
    }

    /// Adds a datagram that a disturbed link lost.
    pub fn lost(&mut self, lost: Lost<'_>) {
        let mut content = self.source.lock();
        content.totals.lost = content.totals.lost.saturating_add(1);
        let numbers = self.clients.get(&lost.client).map(Vec::as_slice).unwrap_or_default();
        let number = numbers.iter().copied().find(|number| {
            content.conversations.get(*number).is_some_and(|known| {
                known.label.is_none_or(|(_, side)| side == lost.side || numbers.len() == 1)
            })
        });
        let Some(conversation) = content.conversations.get_mut(number.unwrap_or(0)) else {
            content.totals.unlisted = content.totals.unlisted.saturating_add(1);
            return;
        };
        let (number, began) = (conversation.number, *self.began.get_or_insert(lost.time));
        conversation.lost(lost.sender);
        let (protocol, dialect) = (conversation.protocol, conversation.dialect);
        let info = PacketInfo {
            frame: 0,
            time: lost.time.saturating_sub(began),
            timestamp: lost.time,
            frame_length: lost.bytes.len(),
            transport: Transport::Udp,
            conversation: number,
            recognized: 0,
            protocol,
            dialect,
            sender: lost.sender,
            from: lost.from,
            to: lost.to,
            length: lost.bytes.len(),
        };
        let delivery = Delivery {
            is_lost: true,
            copy_of: content.history.latest_equal(&info, lost.bytes),
            ..Delivery::default()
        };
        let record = explain::datagram(dialect, lost.sender, lost.bytes, &self.protocols);
        let packet = StoredPacket {
            number: content.history.next_number(),
            info,
            length: lost.bytes.len(),
            packed: Arc::new(self.packer.pack(&record)),
            delivery,
            snapshot: None,
        };
        content.history.push(packet);
    }

    /// Closes the conversations of a client that the program has removed.
    pub fn closed(&mut self, client: u64, reason: &str) {
        let Some(numbers) = self.clients.remove(&client) else { return };
        let mut content = self.source.lock();
        for number in numbers {
            if let Some(known) = content.conversations.get_mut(number)
                && !known.progress.is_over()
            {
                known.progress = Progress::Closed(reason.to_owned());
            }
        }
    }

    /// Replaces this feeder's number of packets of no known protocol.
    pub fn set_unrecognized(&mut self, count: u64) {
        let totals = &mut self.source.lock().totals;
        // Change only the part of this feeder, because other feeders can count in the same source.
        totals.unrecognized = totals.unrecognized.saturating_sub(self.unrecognized).saturating_add(count);
        self.unrecognized = count;
    }

    fn conversation(&mut self, label: Option<(u64, &'static str)>, info: &PacketInfo) -> u64 {
        if let Some(number) = self.numbers.get(&info.conversation) {
            return *number;
        }
        if self.numbers.len() >= MAX_NUMBERS {
            self.numbers.clear();
            self.clients.clear();
        }
        let mut content = self.source.lock();
        let number = content.conversations.start(info);
        if let (Some(label), Some(conversation)) = (label, content.conversations.get_mut(number)) {
            conversation.label = Some(label);
            self.clients.entry(label.0).or_default().push(number);
        }
        let known = content.conversations.get(number);
        let name = known.and_then(|known| content.names.get(&(known.client, known.is_stream)).cloned());
        if let (Some(name), Some(conversation)) = (name, content.conversations.get_mut(number)) {
            conversation.name = Some(name);
        }
        drop(content);
        self.numbers.insert(info.conversation, number);
        number
    }
}

fn store(
    source: &Source,
    packer: &mut RecordPacker,
    info: &PacketInfo,
    meta: PacketMeta<'_>,
    record: &Record,
) {
    // Pack before taking the lock, because packing takes time.
    let packed = Arc::new(packer.pack(record));
    let mut content = source.lock();
    let number = content.history.next_number();
    let (mut delivery, mut snapshot) = Default::default();
    if let Some(conversation) = content.conversations.get_mut(info.conversation) {
        let had_views = conversation.has_views();
        (delivery, snapshot) = conversation.packet(number, info, meta.length, record, &packed);
        if conversation.has_views() && !had_views {
            content.conversations.limit_views();
        }
    }
    let totals = &mut content.totals;
    totals.packets = totals.packets.saturating_add(1);
    totals.bytes = totals.bytes.saturating_add(u64::try_from(meta.length).unwrap_or(u64::MAX));
    totals.errors = totals.errors.saturating_add(u64::from(record.errors() > 0));
    totals.warnings = totals.warnings.saturating_add(u64::from(record.warnings() > 0));
    totals.resent = totals.resent.saturating_add(u64::from(delivery.resent.is_some()));
    content.history.push(StoredPacket {
        number,
        info: *info,
        length: meta.length,
        packed,
        delivery,
        snapshot,
    });
}
