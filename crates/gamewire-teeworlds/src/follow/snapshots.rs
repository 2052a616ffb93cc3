use gamewire_wire::{Layer, Span, Trace, Value};

use crate::Dialect;
use crate::dialect::with_version;
use crate::shared::extended::ExtendedObject;
use crate::shared::object::{ItemInts, ObjectSet};
use crate::shared::pack::FifthByte;
use crate::shared::snapshot::{
    Built, Delta, FIRST_EXTENDED_TYPE, Item, Key, Receiver, Snapshot, SnapshotStats, Update, declared_uuid,
};
use crate::shared::version::{SnapshotMessage, Version};
use crate::shared::warning;

/// Maximum types that a server can declare.
const MAX_DECLARED: usize = 64;

/// A follower of the snapshots from a server to a client.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    receiver: Receiver,
    declared: Declared,
}

/// UUIDs of declared types, for snapshots that do not repeat the declarations.
#[derive(Debug, Default)]
struct Declared(Vec<(u16, u128)>);

impl Snapshots {
    /// Removes all state of the session.
    pub(super) fn reset(&mut self) {
        self.receiver.reset();
        self.declared.0.clear();
    }

    /// Follows a snapshot message. `source` contains its data.
    pub(super) fn follow<V: Version, T: Trace>(
        &mut self,
        message: &SnapshotMessage<'_>,
        source: &[u8],
        fifth_byte: FifthByte,
        trace: &mut T,
    ) {
        let declared = &mut self.declared;
        self.receiver.watch(message, source, fifth_byte, V::SIZES, trace, |built, trace| match built {
            Built::Whole { delta, snapshot, span } => {
                declared.record_types(delta, snapshot);
                if trace.wants_details() {
                    trace_items::<V, T>(delta, snapshot, declared, span, trace);
                }
            }
            Built::WithoutBase { delta } => {
                if trace.wants_details() {
                    trace_differences::<V, T>(delta, trace);
                }
            }
        });
    }

    /// Passes to `send` the messages of the stored snapshots, and of the parts of an incomplete one.
    pub(super) fn resume(&self, dialect: Dialect, send: &mut dyn FnMut(SnapshotMessage<'_>)) {
        self.receiver.resume(with_version!(dialect, V => V::SIZES), send);
    }

    /// Returns the counters.
    pub(super) const fn counts(&self) -> SnapshotStats {
        self.receiver.counts()
    }

    /// Returns the allocated memory in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        self.receiver.held_bytes()
    }
}

impl Declared {
    /// Stores the types that a snapshot declares.
    fn record_types(&mut self, delta: &Delta, whole: &Snapshot) {
        for update in delta.updates().iter().filter(|update| update.key.kind == 0) {
            let Some(uuid) = whole.get(update.key).and_then(declared_uuid) else { continue };
            let has_space = self.0.len() < MAX_DECLARED;
            match self.0.iter_mut().find(|(kind, _)| *kind == update.key.id) {
                Some(known) => known.1 = uuid,
                None if has_space => self.0.push((update.key.id, uuid)),
                None => {}
            }
        }
    }

    fn get(&self, kind: u16) -> Option<u128> {
        self.0.iter().find(|(known, _)| *known == kind).map(|(_, uuid)| *uuid)
    }
}

/// Reports the changes of a snapshot, as objects if their types are known.
fn trace_items<V: Version, T: Trace>(
    delta: &Delta,
    whole: &Snapshot,
    declared: &Declared,
    span: Span,
    trace: &mut T,
) {
    let known = |key: Key| whole.declared_type(key.kind);
    trace_deleted(delta, span, trace);
    for update in delta.updates() {
        let declared = known(update.key).or_else(|| declared.get(update.key.kind));
        let item = Item { key: update.key, ints: whole.get(update.key).unwrap_or_default() };
        trace_item::<V, T>(item, update, delta.spans(update), declared, trace);
    }
}

fn trace_deleted<T: Trace>(delta: &Delta, span: Span, trace: &mut T) {
    if delta.deleted().is_empty() {
        return;
    }
    trace.enter(Layer::List, "deleted", span);
    for key in delta.deleted() {
        let value = u64::from(key.to_wire().unsigned_abs());
        trace.field("", span, Value::Hex { value, digits: 8 });
    }
    trace.exit();
}

/// Reports integers as a list. An empty list has the span `place`.
fn trace_ints<T: Trace>(name: &str, ints: &[i32], spans: &[Span], place: Span, trace: &mut T) {
    trace.enter(Layer::List, name, spans.first().copied().unwrap_or(place));
    for (int, span) in ints.iter().zip(spans) {
        trace.field("", *span, Value::Int((*int).into()));
    }
    trace.exit();
}

/// Reports the keys and differences of the items of a delta, if its base is missing.
fn trace_differences<V: Version, T: Trace>(delta: &Delta, trace: &mut T) {
    for update in delta.updates() {
        trace.enter(Layer::Item, "difference", update.span);
        if let Some(name) = V::Object::name_of(update.key.kind.into()) {
            trace.field("object", update.span, Value::Text(name.as_bytes()));
        }
        trace.field("item_type", update.span, Value::Int(update.key.kind.into()));
        trace.field("item_id", update.span, Value::Int(update.key.id.into()));
        trace_ints("ints", delta.ints(update), delta.spans(update), update.span, trace);
        trace.exit();
    }
}

fn trace_item<V: Version, T: Trace>(
    item: Item<'_>,
    update: &Update,
    spans: &[Span],
    declared: Option<u128>,
    trace: &mut T,
) {
    let kind = item.key.kind;
    let extended = declared.filter(|_| kind >= FIRST_EXTENDED_TYPE);
    let name = match (kind, extended) {
        (0, _) => Some("type_declaration"),
        (_, Some(uuid)) => ExtendedObject::name_of(uuid),
        _ => V::Object::name_of(kind.into()),
    };
    trace.enter(Layer::Item, name.unwrap_or("unknown_item"), update.span);
    trace.field("item_type", update.span, Value::Int(kind.into()));
    trace.field("item_id", update.span, Value::Int(item.key.id.into()));
    let size = V::Object::size_of(kind.into());
    match (kind, extended, size) {
        (0, ..) => match declared_uuid(item.ints) {
            Some(uuid) => trace.field("uuid", update.span, Value::Uuid(uuid.to_be_bytes())),
            None => trace_ints("ints", item.ints, spans, update.span, trace),
        },
        (_, Some(uuid), _) => {
            trace.field("uuid", update.span, Value::Uuid(uuid.to_be_bytes()));
            trace_extended(uuid, item.ints, spans, update.span, trace);
        }
        (_, None, Some(size)) if size == item.ints.len() => {
            // The item has all integers of the object. Only an invalid boolean can cause an error.
            if let Some(Err(error)) =
                V::Object::decode(kind.into(), &mut ItemInts::new(item.ints, spans), trace)
            {
                trace.error(&error);
            }
        }
        (_, None, size) => {
            let warning = match size {
                Some(_) => &warning::ITEM_SIZE,
                None if kind >= FIRST_EXTENDED_TYPE => &warning::UNDECLARED_ITEM,
                None => &warning::UNKNOWN_ITEM,
            };
            trace.warning(update.span, warning);
            trace_ints("ints", item.ints, spans, update.span, trace);
        }
    }
    trace.exit();
}

/// Reports an object of DDNet. Newer releases append fields to objects. Missing fields are left out, and integers of
/// unknown fields are reported as `further`.
fn trace_extended<T: Trace>(uuid: u128, ints: &[i32], spans: &[Span], place: Span, trace: &mut T) {
    match ExtendedObject::decode(uuid, &mut ItemInts::padded(ints, spans), trace) {
        Some(Ok(object)) => {
            let known = ExtendedObject::size_of(object.id()).unwrap_or(0);
            if let (Some(ints @ [_, ..]), Some(spans)) = (ints.get(known..), spans.get(known..)) {
                trace_ints("further", ints, spans, place, trace);
            }
        }
        Some(Err(error)) => trace.error(&error),
        None => {
            trace.warning(place, &warning::UNKNOWN_ITEM);
            trace_ints("ints", ints, spans, place, trace);
        }
    }
}
