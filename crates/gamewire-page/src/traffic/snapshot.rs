//! The snapshot of Teeworlds in a packet, put together from the packets that it builds on.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamewire_inspect::render::DisplayValue;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_machine::{Record, Role};
use gamewire_wire::{Layer, Value};

use super::packet::StoredPacket;
use super::progress::integer;
use super::source::Source;

/// Snapshots that one may build on, each on the one before it.
const CHAIN: usize = 4_096;
/// Packets among which they are searched.
const SEARCHED: usize = 200_000;

/// Items by type and id.
type Items = BTreeMap<ItemKey, SnapshotItem>;
/// Type and id.
type ItemKey = (i64, i64);

/// An item of a snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SnapshotItem {
    pub(crate) name: String,
    /// Names and values of the fields, as text.
    pub(crate) fields: Vec<(String, String)>,
    /// Its position, if it has one.
    pub(crate) position: Option<(i64, i64)>,
}

/// A snapshot, and the one that it builds on.
#[derive(Debug)]
pub(crate) struct SnapshotView {
    pub(crate) tick: i64,
    /// Tick of the snapshot that it builds on; `None` for the empty one.
    pub(crate) base: Option<i64>,
    /// False if packets that it builds on are no longer there, so that items are missing.
    pub(crate) is_complete: bool,
    pub(crate) items: Items,
    /// The items of the base.
    pub(crate) before: Items,
    /// The items that the packet names.
    pub(crate) changed: Vec<ItemKey>,
    pub(crate) deleted: Vec<ItemKey>,
}

/// Returns the tick of the snapshot that ends in a packet and that of its base, -1 for the empty one.
pub(super) fn ticks(record: &Record) -> Option<(i64, i64)> {
    let is_snapshot = |node: &NodeRef<'_>| {
        node.kind() == NodeKind::Group(Layer::Message)
            && matches!(node.name(), "snap" | "snap_single" | "snap_empty")
    };
    let message = record.nodes().filter(is_snapshot).last()?;
    let field = |name| message.children().find(|field| field.name() == name).and_then(integer);
    let (tick, delta) = (field("tick")?, field("delta")?);
    Some((tick, tick.checked_sub(delta)?.max(-1)))
}

impl SnapshotView {
    /// Returns the snapshot in a packet, or `None` if there is none.
    pub(crate) fn of(source: &Source, packet: &Arc<StoredPacket>) -> Option<Self> {
        let (tick, base) = packet.snapshot?;
        let (chain, is_complete) = chain(source, packet);
        let mut items = Items::new();
        for older in chain.iter().skip(1).rev() {
            apply(&older.record, &mut items);
        }
        let before = items.clone();
        let (changed, deleted) = apply(&packet.record, &mut items);
        let base = Some(base).filter(|base| *base >= 0);
        Some(Self { tick, base, is_complete, items, before, changed, deleted })
    }
}

/// Returns the packet and those that it builds on, each before its base, and whether none is missing.
fn chain(source: &Source, packet: &Arc<StoredPacket>) -> (Vec<Arc<StoredPacket>>, bool) {
    let mut chain = vec![Arc::clone(packet)];
    let Some((_, mut base)) = packet.snapshot else { return (chain, false) };
    let (mut before, mut searched) = (packet.number, 0_usize);
    while base >= 0 && chain.len() < CHAIN && searched < SEARCHED {
        let batch = source.lock().history.before(before, 1_024);
        let Some(last) = batch.last() else { break };
        before = last.number;
        searched = searched.saturating_add(batch.len());
        for older in batch {
            let is_same =
                older.info.conversation == packet.info.conversation && older.info.sender == Role::Server;
            if let Some((tick, its_base)) = older.snapshot.filter(|(tick, _)| is_same && *tick == base) {
                debug_assert_eq!(tick, base);
                chain.push(older);
                base = its_base;
                if base < 0 {
                    break;
                }
            }
        }
    }
    (chain, base < 0)
}

/// Applies the changes of a packet, and returns the keys of the changed and of the deleted items.
fn apply(record: &Record, items: &mut Items) -> (Vec<ItemKey>, Vec<ItemKey>) {
    let (mut changed, mut deleted) = (Vec::new(), Vec::new());
    let Some(snapshot) = record.nodes().filter(|node| node.name() == "snapshot").last() else {
        return (changed, deleted);
    };
    for node in snapshot.children() {
        match node.kind() {
            NodeKind::Group(Layer::List) if node.name() == "deleted" => {
                for key in node.children().filter_map(integer) {
                    let key = (key >> 16, key & 0xffff);
                    deleted.push(key);
                }
            }
            NodeKind::Group(Layer::Item) => {
                if let Some((key, item)) = item(node) {
                    changed.push(key);
                    items.insert(key, item);
                }
            }
            _ => {}
        }
    }
    for key in &deleted {
        items.remove(key);
    }
    (changed, deleted)
}

fn item(node: NodeRef<'_>) -> Option<(ItemKey, SnapshotItem)> {
    let (mut kind, mut id) = (None, None);
    let mut item = SnapshotItem { name: node.name().to_owned(), ..SnapshotItem::default() };
    let (mut x, mut y) = (None, None);
    for field in node.children() {
        let Some(value) = field.value().filter(|_| field.kind() == NodeKind::Field) else { continue };
        match field.name() {
            "item_type" => kind = integer(field),
            "item_id" => id = integer(field),
            name => {
                match name {
                    "x" => x = integer(field).or_else(|| whole(value)),
                    "y" => y = integer(field).or_else(|| whole(value)),
                    _ => {}
                }
                item.fields.push((name.to_owned(), DisplayValue(value).to_string()));
            }
        }
    }
    item.position = x.zip(y);
    Some(((kind?, id?), item))
}

/// Returns the whole part of a number.
const fn whole(value: Value<'_>) -> Option<i64> {
    match value {
        Value::Decimal { raw, scale } => raw.checked_div(scale as i64),
        _ => None,
    }
}
