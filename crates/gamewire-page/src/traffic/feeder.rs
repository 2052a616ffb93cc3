use std::collections::HashMap;
use std::sync::Arc;

use gamewire_inspect::conversation::{PacketInfo, PacketMeta, PacketSplitter};
use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_machine::Record;
use gamewire_machine::record::RecordPacker;
use gamewire_watch::recording::RecordError;
use gamewire_watch::{Event, ObservedPacket, PeerConnection, PeerNumber, Sink};

use super::packet::{Delivery, StoredPacket};
use super::progress::Progress;
use super::source::Source;
use crate::explain;

/// Maximum number of the program's conversations with a known number in the source. A full table is cleared.
const MAX_NUMBERS: usize = 65_536;

/// A writer that adds the packets of one follower to a source. It never waits for a reader.
#[derive(Debug)]
pub struct Feeder {
    source: Source,
    protocols: ProtocolConfig,
    splitter: PacketSplitter,
    packer: RecordPacker,
    /// Number of a conversation in the source, by its number in the follower.
    numbers: HashMap<u64, u64>,
    /// Numbers of a peer's conversations in the source.
    peers: HashMap<PeerNumber, Vec<u64>>,
    /// Time of the first packet.
    began: Option<i64>,
    unrecognized: u64,
    missed: u64,
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
            peers: HashMap::new(),
            began: None,
            unrecognized: 0,
            missed: 0,
        }
    }

    /// Adds a decoded datagram, or the packets that end in the next bytes of a stream. In a file, packets have no
    /// connection.
    pub(super) fn add(&mut self, connection: Option<PeerConnection>, info: &PacketInfo, record: &Record) {
        let number = self.conversation(connection, info);
        let began = *self.began.get_or_insert(info.timestamp);
        let info = PacketInfo { conversation: number, time: info.timestamp.saturating_sub(began), ..*info };
        let Self { source, splitter, packer, .. } = self;
        let Ok(()) = splitter.split(&info, record, |meta, record| -> Result<(), core::convert::Infallible> {
            store(source, packer, &info, meta, record);
            Ok(())
        });
    }

    fn conversation(&mut self, connection: Option<PeerConnection>, info: &PacketInfo) -> u64 {
        if let Some(number) = self.numbers.get(&info.conversation) {
            return *number;
        }
        if self.numbers.len() >= MAX_NUMBERS {
            self.numbers.clear();
            self.peers.clear();
        }
        let mut content = self.source.lock();
        let number = content.conversations.start(info);
        if let (Some(connection), Some(conversation)) = (connection, content.conversations.get_mut(number)) {
            conversation.connection = Some(connection);
            self.peers.entry(connection.peer).or_default().push(number);
        }
        let known = content.conversations.get(number);
        let name = known.and_then(|known| content.names.get(&(known.client, known.transport)).cloned());
        if let (Some(name), Some(conversation)) = (name, content.conversations.get_mut(number)) {
            conversation.name = Some(name);
        }
        drop(content);
        self.numbers.insert(info.conversation, number);
        number
    }
}

impl Sink for Feeder {
    fn packet(&mut self, connection: PeerConnection, info: &PacketInfo, record: &Record) {
        self.add(Some(connection), info, record);
    }

    /// Closes the conversations of a client that the program has removed.
    fn event(&mut self, _: i64, event: &Event) {
        let Event::Closed { client, reason, .. } = event else { return };
        let Some(numbers) = self.peers.remove(client) else { return };
        let mut content = self.source.lock();
        for number in numbers {
            if let Some(known) = content.conversations.get_mut(number)
                && !known.progress.is_over()
            {
                known.progress = Progress::Closed(reason.to_string());
            }
        }
    }

    fn lost(&mut self, packet: &ObservedPacket, bytes: &[u8]) {
        let mut content = self.source.lock();
        content.totals.lost = content.totals.lost.saturating_add(1);
        let numbers = self.peers.get(&packet.connection.peer).map(Vec::as_slice).unwrap_or_default();
        let number = numbers.iter().copied().find(|number| {
            content.conversations.get(*number).is_some_and(|known| {
                known.connection.is_none_or(|known| known == packet.connection || numbers.len() == 1)
            })
        });
        let Some(conversation) = content.conversations.get_mut(number.unwrap_or(0)) else {
            content.totals.unlisted = content.totals.unlisted.saturating_add(1);
            return;
        };
        let (number, began) = (conversation.number, *self.began.get_or_insert(packet.time));
        conversation.lost(packet.sender);
        let (protocol, dialect) = (conversation.protocol, conversation.dialect);
        let (from, to) = packet.addresses();
        let info = PacketInfo {
            frame: 0,
            time: packet.time.saturating_sub(began),
            timestamp: packet.time,
            frame_length: bytes.len(),
            transport: packet.transport,
            conversation: number,
            recognized: 0,
            protocol,
            dialect,
            sender: packet.sender,
            from,
            to,
            length: bytes.len(),
        };
        let delivery = Delivery {
            is_lost: true,
            copy_of: content.history.latest_equal(&info, bytes),
            ..Delivery::default()
        };
        let record = explain::datagram(dialect, packet.sender, bytes, &self.protocols);
        let packet = StoredPacket {
            number: content.history.next_number(),
            info,
            length: bytes.len(),
            packed: Arc::new(self.packer.pack(&record)),
            delivery,
            snapshot: None,
        };
        content.history.push(packet);
    }

    fn unrecognized(&mut self, count: u64) {
        replace(&mut self.source.lock().totals.unrecognized, &mut self.unrecognized, count);
    }

    fn missed(&mut self, count: u64) {
        replace(&mut self.source.lock().totals.missed, &mut self.missed, count);
    }

    fn recording_failed(&mut self, error: &RecordError) {
        self.source.notice(format!("the recording stopped: {error}"));
    }
}

/// Replaces the part of one feeder in a total. Other feeders can count in the same source.
const fn replace(total: &mut u64, part: &mut u64, count: u64) {
    *total = total.saturating_sub(*part).saturating_add(count);
    *part = count;
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
