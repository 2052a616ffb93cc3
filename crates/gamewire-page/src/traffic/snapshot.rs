//! Snapshots of Teeworlds. A snapshot refers to the packets that contain the items of its base.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use gamewire_inspect::render::DisplayValue;
use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef, PackedRecord};
use gamewire_wire::{Layer, Value};

use super::game_map::{AnnouncedMap, MapTracker};
use super::packet::StoredPacket;
use super::progress::integer;

/// Maximum number of snapshots of a conversation that are kept as possible bases of the next one.
const MAX_RECENT: usize = 200;
/// Maximum bytes of the records that contain the items of a snapshot. If there are more, all kept snapshots are
/// removed.
const MAX_BYTES: usize = 1 << 20;

/// Items by their type and id.
type Items = BTreeMap<ItemKey, SnapshotItem>;
/// Type and id of an item.
type ItemKey = (i64, i64);
/// For each item, the packet that contains its latest values.
type ItemRecords = BTreeMap<ItemKey, Arc<PackedRecord>>;

/// The snapshots of a conversation that the next snapshot can be based on.
#[derive(Clone, Debug, Default)]
pub(super) struct SnapshotTracker {
    recent: VecDeque<Known>,
}

/// A snapshot, as the packets that contain its items.
#[derive(Clone, Debug)]
struct Known {
    tick: i64,
    items: Arc<ItemRecords>,
    is_complete: bool,
}

/// The snapshot that ends in a packet.
#[derive(Clone, Debug)]
pub(crate) struct StoredSnapshot {
    tick: i64,
    /// Tick of the base, or -1 for the empty snapshot.
    base: i64,
    /// The items of the base.
    before: Arc<ItemRecords>,
    is_complete: bool,
    /// The map that the server had announced.
    pub(super) map: Option<Arc<AnnouncedMap>>,
}

/// An item of a snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SnapshotItem {
    pub(crate) name: String,
    pub(crate) fields: Vec<SnapshotField>,
    /// Position of the item, if it has one.
    pub(crate) position: Option<(i64, i64)>,
}

/// A field of an item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SnapshotField {
    pub(crate) name: String,
    /// The value as text.
    pub(crate) text: String,
    /// The value, if it is an integer.
    pub(crate) number: Option<i64>,
}

impl SnapshotItem {
    /// Returns the value of a field that is an integer.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.fields.iter().find(|field| field.name == name)?.number
    }
}

/// A snapshot and its base.
#[derive(Debug)]
pub(crate) struct SnapshotView {
    pub(crate) tick: i64,
    /// Tick of the base, or `None` for the empty snapshot.
    pub(crate) base: Option<i64>,
    /// False if items can be missing, because an earlier packet was not seen.
    pub(crate) is_complete: bool,
    pub(crate) items: Items,
    /// The items of the base.
    pub(crate) before: Items,
    /// Keys of the items that the packet contains.
    pub(crate) changed: Vec<ItemKey>,
    pub(crate) deleted: Vec<ItemKey>,
    /// The map that the server had announced.
    pub(crate) map: Option<Arc<AnnouncedMap>>,
}

impl SnapshotTracker {
    /// Updates the tracker with a packet of the server. Returns the snapshot that ends in the packet, on the map of `maps`.
    pub(super) fn packet(
        &mut self,
        record: &Record,
        packed: &Arc<PackedRecord>,
        maps: &mut MapTracker,
    ) -> Option<StoredSnapshot> {
        let (tick, base) = ticks(record)?;
        // The server never goes back to an earlier base, so remove earlier snapshots.
        self.recent.retain(|known| known.tick >= base);
        let known = self.recent.iter().find(|known| known.tick == base);
        let (before, is_complete) = match known {
            Some(known) => (Arc::clone(&known.items), known.is_complete),
            None => (Arc::default(), base < 0),
        };
        let mut items = ItemRecords::clone(&before);
        let (changed, deleted) = changes(record);
        items.extend(changed.iter().map(|(key, _)| (*key, Arc::clone(packed))));
        deleted.iter().for_each(|key| _ = items.remove(key));
        if held_bytes(&items) > MAX_BYTES {
            self.recent.clear();
        } else {
            if self.recent.len() >= MAX_RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(Known { tick, items: Arc::new(items), is_complete });
        }
        Some(StoredSnapshot { tick, base, before, is_complete, map: maps.of_snapshot() })
    }
}

impl StoredSnapshot {
    /// Returns the approximate memory of the snapshot in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        self.before.len().saturating_mul(size_of::<(ItemKey, Arc<PackedRecord>)>())
    }
}

/// Returns the approximate memory of the records in bytes.
fn held_bytes(items: &ItemRecords) -> usize {
    let mut records: Vec<_> = items.values().collect();
    records.sort_unstable_by_key(|record| Arc::as_ptr(record));
    records.dedup_by_key(|record| Arc::as_ptr(record));
    records.into_iter().fold(0, |bytes, record| bytes.saturating_add(record.held_bytes()))
}

/// Returns the ticks of the snapshot that ends in a packet and of its base. The tick of the empty base is -1.
fn ticks(record: &Record) -> Option<(i64, i64)> {
    let is_snapshot = |node: &NodeRef<'_>| {
        node.kind() == NodeKind::Group(Layer::Message)
            && matches!(node.name(), "snap" | "snap_single" | "snap_empty")
    };
    let message = record.nodes().filter(is_snapshot).last()?;
    // The decoded items are in the record of the last part only.
    let is_whole = message.name() == "snap_empty" || record.nodes().any(|node| node.name() == "snapshot");
    let field = |name| message.child(name).and_then(integer);
    let (tick, delta) = (field("tick")?, field("delta")?);
    is_whole.then_some((tick, tick.checked_sub(delta)?.max(-1)))
}

impl SnapshotView {
    /// Returns the snapshot that ends in a packet, or `None` if there is none.
    pub(crate) fn of(packet: &StoredPacket) -> Option<Self> {
        let StoredSnapshot { tick, base, before, is_complete, map } = packet.snapshot.as_ref()?;
        // Many items are in the same record.
        let mut unpacked: HashMap<*const PackedRecord, Items> = HashMap::new();
        let before: Items = before
            .iter()
            .filter_map(|(key, record)| {
                let items = unpacked.entry(Arc::as_ptr(record)).or_insert_with(|| {
                    let record = record.unpack();
                    changes(&record).0.into_iter().map(|(key, node)| (key, item(node))).collect()
                });
                Some((*key, items.get(key)?.clone()))
            })
            .collect();
        let mut items = before.clone();
        let record = packet.record();
        let (changed, deleted) = changes(&record);
        items.extend(changed.iter().map(|(key, node)| (*key, item(*node))));
        deleted.iter().for_each(|key| _ = items.remove(key));
        let changed = changed.into_iter().map(|(key, _)| key).collect();
        let base = Some(*base).filter(|base| *base >= 0);
        let map = map.clone();
        Some(Self { tick: *tick, base, is_complete: *is_complete, items, before, changed, deleted, map })
    }
}

/// Returns the changed items of the snapshot in a packet, and the keys of the deleted items.
fn changes(record: &Record) -> (Vec<(ItemKey, NodeRef<'_>)>, Vec<ItemKey>) {
    let (mut changed, mut deleted) = (Vec::new(), Vec::new());
    let Some(snapshot) = record.nodes().filter(|node| node.name() == "snapshot").last() else {
        return (changed, deleted);
    };
    for node in snapshot.children() {
        match node.kind() {
            NodeKind::Group(Layer::List) if node.name() == "deleted" => {
                deleted.extend(node.children().filter_map(integer).map(|key| (key >> 16, key & 0xffff)));
            }
            NodeKind::Group(Layer::Item) => changed.extend(key(node).map(|key| (key, node))),
            _ => {}
        }
    }
    (changed, deleted)
}

fn key(item: NodeRef<'_>) -> Option<ItemKey> {
    let field = |name| item.child(name).and_then(integer);
    Some((field("item_type")?, field("item_id")?))
}

fn item(node: NodeRef<'_>) -> SnapshotItem {
    let mut item = SnapshotItem { name: node.name().to_owned(), ..SnapshotItem::default() };
    let (mut x, mut y) = (None, None);
    for field in node.children() {
        let Some(value) = field.value().filter(|_| field.kind() == NodeKind::Field) else { continue };
        match field.name() {
            "item_type" | "item_id" => continue,
            "x" => x = integer(field).or_else(|| whole(value)),
            "y" => y = integer(field).or_else(|| whole(value)),
            _ => {}
        }
        item.fields.push(SnapshotField {
            name: field.name().to_owned(),
            text: DisplayValue(value).to_string(),
            number: integer(field),
        });
    }
    item.position = x.zip(y);
    item
}

/// Returns the integer part of a decimal number.
const fn whole(value: Value<'_>) -> Option<i64> {
    match value {
        Value::Decimal { raw, scale } => raw.checked_div(scale as i64),
        _ => None,
    }
}
