//! The map of a Teeworlds server: its announcement, and the packets that contain its file.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamewire_inspect::conversation::PacketInfo;
use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef, PackedRecord};
use gamewire_tee::game_map::GameMap;
use gamewire_tee::map::{DataFile, MapReader, grid_layers};
use gamewire_tee::rules::Rules;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::MapInfo;
use gamewire_wire::{Layer, Value};

use super::progress::integer;

/// Maximum bytes of the packets with a map's file that a conversation keeps. A larger map must be in a folder.
const MAX_PARTS_BYTES: usize = 8 << 20;
/// Maximum bytes of a layer of a map. A map with a larger one is not drawn.
const MAX_LAYER_BYTES: usize = 32 << 20;

/// Number of the sequence numbers of chunks.
const SEQUENCES: i64 = 1024;

/// A map that a server announced.
#[derive(Clone, Debug)]
pub(crate) struct AnnouncedMap {
    pub(crate) info: MapInfo,
    pub(crate) rules: Rules,
    /// The packets that contain the file, in order.
    parts: Vec<Arc<PackedRecord>>,
    parts_bytes: usize,
}

/// The current map of a conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct MapTracker {
    /// The SHA-256 that DDNet sends before its map.
    sha256: Option<[u8; 32]>,
    current: Option<Arc<AnnouncedMap>>,
    /// True once a snapshot refers to the map. No packet is added to it afterwards.
    is_used: bool,
}

impl MapTracker {
    /// Updates the map with a packet of the server.
    pub(super) fn packet(&mut self, info: &PacketInfo, record: &Record, packed: &Arc<PackedRecord>) {
        for message in record.nodes().filter(|node| node.kind() == NodeKind::Group(Layer::Message)) {
            match message.name() {
                "map_details" => self.sha256 = sha256(message),
                "map_change" => {
                    let map = announced(message, info.dialect, self.sha256.take());
                    (self.current, self.is_used) = (map.map(Arc::new), false);
                }
                "map_data" if !self.is_used => self.add_part(packed),
                _ => {}
            }
        }
    }

    fn add_part(&mut self, packed: &Arc<PackedRecord>) {
        let Some(map) = self.current.as_mut().map(Arc::make_mut) else { return };
        let bytes = map.parts_bytes.saturating_add(packed.held_bytes());
        if bytes <= MAX_PARTS_BYTES && map.parts.last().is_none_or(|last| !Arc::ptr_eq(last, packed)) {
            map.parts.push(Arc::clone(packed));
            map.parts_bytes = bytes;
        }
    }

    /// Returns whether packets of the current map are kept.
    pub(super) fn has_parts(&self) -> bool {
        self.current.as_ref().is_some_and(|map| !map.parts.is_empty())
    }

    /// Removes the packets of the current map.
    pub(super) fn remove_parts(&mut self) {
        if let Some(map) = &mut self.current {
            *map = Arc::new(AnnouncedMap {
                info: map.info.clone(),
                rules: map.rules,
                parts: Vec::new(),
                parts_bytes: 0,
            });
            self.is_used = true;
        }
    }

    /// Returns the map of a snapshot.
    pub(super) fn of_snapshot(&mut self) -> Option<Arc<AnnouncedMap>> {
        self.is_used = true;
        self.current.clone()
    }
}

impl AnnouncedMap {
    /// Returns the file, if the packets contain all of it.
    pub(crate) fn downloaded(&self) -> Option<Vec<u8>> {
        // The sequence numbers of the chunks give the order. Packets can be late, or resent.
        let mut pieces = BTreeMap::new();
        let mut latest = 0;
        for part in &self.parts {
            for node in part.unpack().nodes() {
                match node.name() {
                    "chunk" => latest = node.child("sequence").map_or(latest, |next| unwrap(latest, next)),
                    "map_data" => {
                        if let Some(Value::Bytes(data)) = node.child("data").and_then(|data| data.value()) {
                            pieces.insert(latest, data.to_vec());
                        }
                    }
                    _ => {}
                }
            }
        }
        let bytes = pieces.into_values().flatten().collect::<Vec<u8>>();
        self.info.check(&bytes).is_ok().then_some(bytes)
    }

    /// Reads the map from its file. Returns `None` if the file is not a map, or is too large to be drawn.
    pub(crate) fn read(&self, file: &[u8]) -> Option<GameMap> {
        let file = DataFile::parse(file).ok()?;
        let layers = grid_layers(&MapReader::with_limit(&file, MAX_LAYER_BYTES)).ok()?;
        GameMap::new(self.rules, layers).ok()
    }
}

/// Returns a sequence number without its wrapping: the one next to `latest`.
fn unwrap(latest: i64, sequence: NodeRef<'_>) -> i64 {
    let Some(sequence) = integer(sequence) else { return latest };
    let ahead = sequence.wrapping_sub(latest).rem_euclid(SEQUENCES);
    latest.saturating_add(if ahead < SEQUENCES / 2 { ahead } else { ahead.saturating_sub(SEQUENCES) })
}

/// Returns the map of the message `map_change`. `details` is the SHA-256 of an earlier message.
fn announced(
    message: NodeRef<'_>,
    dialect: Option<&'static str>,
    details: Option<[u8; 32]>,
) -> Option<AnnouncedMap> {
    let number = |name| message.child(name).and_then(integer).and_then(|value| i32::try_from(value).ok());
    let Value::Text(name) = message.child("name")?.value()? else { return None };
    let info = MapInfo {
        name: name.into(),
        crc: number("crc")?.cast_unsigned(),
        size: number("size")?,
        sha256: sha256(message).or(details),
        url: None,
    };
    let rules = Dialect::from_name(dialect?)?.rules();
    Some(AnnouncedMap { info, rules, parts: Vec::new(), parts_bytes: 0 })
}

fn sha256(message: NodeRef<'_>) -> Option<[u8; 32]> {
    match message.child("sha256")?.value()? {
        Value::Bytes(bytes) => bytes.try_into().ok(),
        _ => None,
    }
}
