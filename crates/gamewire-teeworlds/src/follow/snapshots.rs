use std::sync::Arc;

use gamewire_wire::{CodecError, Found, Layer, Reader, Span, Trace, Value};

use crate::shared::extended::ExtendedObject;
use crate::shared::object::{ItemInts, ObjectSet};
use crate::shared::oddity;
use crate::shared::pack::FifthByte;
use crate::shared::snapshot::{
    Delta, FIRST_EXTENDED_TYPE, Item, Key, Part, Parts, Snapshot, Storage, Update,
};
use crate::shared::version::{SnapshotMessage, Version};

/// How many types a server may declare.
const MAX_DECLARED: usize = 64;

/// Follows the snapshots of one server to one client.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    storage: Storage,
    parts: Parts,
    delta: Delta,
    empty: Arc<Snapshot>,
    /// UUIDs of types, for snapshots that do not declare them.
    declared: Vec<(u16, u128)>,
    pub(super) counts: Counts,
}

/// How the snapshots fared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// With the right sum.
    pub(super) good: u64,
    /// Without a change, hence without a sum.
    pub(super) empty: u64,
    /// With a wrong sum, or undecodable.
    pub(super) bad: u64,
    /// Whose base was not seen.
    pub(super) without_base: u64,
}

/// A snapshot that came as a delta.
struct Arrival {
    tick: i32,
    delta: i32,
    crc: i32,
}

impl Snapshots {
    /// Forgets what belongs to the session that ended.
    pub(super) fn reset(&mut self) {
        self.storage.clear();
        self.parts = Parts::default();
        self.declared.clear();
    }

    /// Takes a snapshot message. `at` is where its data begin in `source`.
    pub(super) fn follow<V: Version, T: Trace>(
        &mut self,
        message: &SnapshotMessage<'_>,
        source: &[u8],
        fifth_byte: FifthByte,
        trace: &mut T,
    ) {
        match *message {
            SnapshotMessage::Empty { tick, delta } => self.repeat(tick, delta, trace),
            SnapshotMessage::Single { tick, delta, crc, data } => {
                let arrival = Arrival { tick, delta, crc };
                self.arrive::<V, T>(&arrival, reader_of(data, source), fifth_byte, trace);
            }
            SnapshotMessage::Part { tick, delta, num_parts, part, crc, data } => {
                let mut parts = core::mem::take(&mut self.parts);
                match parts.take(Part { tick, num_parts, part, data }) {
                    Ok(None) => {}
                    Ok(Some(whole)) => {
                        trace.enter_source("snapshot_parts", whole);
                        let arrival = Arrival { tick, delta, crc };
                        self.arrive::<V, T>(&arrival, Reader::new(whole), fifth_byte, trace);
                        trace.leave();
                    }
                    Err(error) => {
                        self.counts.bad = self.counts.bad.saturating_add(1);
                        trace.error(&error);
                    }
                }
                self.parts = parts;
            }
        }
    }

    /// How much memory is held, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        self.storage
            .held_bytes()
            .saturating_add(self.parts.held_bytes())
            .saturating_add(self.delta.held_bytes())
    }

    fn base(&self, tick: i32, delta: i32) -> Option<Arc<Snapshot>> {
        match tick.wrapping_sub(delta) {
            -1 => Some(Arc::clone(&self.empty)),
            base => self.storage.get(base).map(Arc::clone),
        }
    }

    fn repeat<T: Trace>(&mut self, tick: i32, delta: i32, trace: &mut T) {
        match self.base(tick, delta) {
            Some(base) => {
                self.counts.empty = self.counts.empty.saturating_add(1);
                self.storage.keep(tick, base);
                self.storage.purge_before(tick.wrapping_sub(delta));
            }
            None => self.without_base(Span::default(), trace),
        }
    }

    fn without_base<T: Trace>(&mut self, span: Span, trace: &mut T) {
        self.counts.without_base = self.counts.without_base.saturating_add(1);
        trace.oddity(span, &oddity::MISSING_BASE);
    }

    fn arrive<V: Version, T: Trace>(
        &mut self,
        arrival: &Arrival,
        data: Reader<'_>,
        fifth_byte: FifthByte,
        trace: &mut T,
    ) {
        let start = data.offset();
        let span = Span::bytes(start, start.saturating_add(data.remaining().len()));
        trace.enter(Layer::Group, "snapshot", span);
        let mut delta = core::mem::take(&mut self.delta);
        let built = match delta.read(data, fifth_byte, V::SIZES, trace) {
            Ok(()) => self.build::<V, T>(arrival, &mut delta, span, trace),
            Err(error) => Err(error),
        };
        if let Err(error) = built {
            self.counts.bad = self.counts.bad.saturating_add(1);
            trace.error(&error);
        }
        self.delta = delta;
        trace.leave();
    }

    fn build<V: Version, T: Trace>(
        &mut self,
        arrival: &Arrival,
        delta: &mut Delta,
        span: Span,
        trace: &mut T,
    ) -> Result<(), CodecError> {
        let Some(base) = self.base(arrival.tick, arrival.delta) else {
            self.without_base(span, trace);
            if trace.is_watching() {
                tell_differences::<V, T>(delta, trace);
            }
            return Ok(());
        };
        let mut snapshot = self.storage.fresh();
        // What `fresh` gives is held by nobody else.
        let Some(whole) = Arc::get_mut(&mut snapshot) else { return Ok(()) };
        if let Err(error) = delta.apply(&base, whole) {
            self.storage.recycle(snapshot);
            return Err(error);
        }
        self.learn(delta, whole);
        if trace.is_watching() {
            let known = |key: Key| whole.get(Key { kind: 0, id: key.kind }).and_then(uuid_of);
            tell_deleted(delta, span, trace);
            for update in delta.updates() {
                let declared = known(update.key).or_else(|| self.declared_as(update.key.kind));
                let item = Item { key: update.key, ints: whole.get(update.key).unwrap_or_default() };
                tell_item::<V, T>(item, update, delta.spans(update), declared, trace);
            }
        }
        let sum = whole.crc();
        if sum != arrival.crc {
            // Like the game's client: such a snapshot is no base for others.
            self.storage.recycle(snapshot);
            let at = span.byte_range().start;
            let error = CodecError::new(at, "items whose sum is the crc", Found::Value(sum.into()));
            return Err(error.in_field("crc").in_packet("snapshot"));
        }
        self.counts.good = self.counts.good.saturating_add(1);
        self.storage.keep(arrival.tick, snapshot);
        self.storage.purge_before(arrival.tick.wrapping_sub(arrival.delta));
        Ok(())
    }

    /// Remembers the types that a snapshot declares.
    fn learn(&mut self, delta: &Delta, whole: &Snapshot) {
        for update in delta.updates().iter().filter(|update| update.key.kind == 0) {
            let Some(uuid) = whole.get(update.key).and_then(uuid_of) else { continue };
            let room = self.declared.len() < MAX_DECLARED;
            match self.declared.iter_mut().find(|(kind, _)| *kind == update.key.id) {
                Some(known) => known.1 = uuid,
                None if room => self.declared.push((update.key.id, uuid)),
                None => {}
            }
        }
    }

    fn declared_as(&self, kind: u16) -> Option<u128> {
        self.declared.iter().find(|(known, _)| *known == kind).map(|(_, uuid)| *uuid)
    }
}

/// The UUID that an item of type 0 declares: four integers, the highest first.
fn uuid_of(ints: &[i32]) -> Option<u128> {
    let &[a, b, c, d] = ints else { return None };
    Some([a, b, c, d].iter().fold(0, |uuid, int| uuid << 32 | u128::from(int.cast_unsigned())))
}

/// A reader of `part`, which is a part of `source`, with offsets that count in `source`.
fn reader_of<'a>(part: &'a [u8], source: &'a [u8]) -> Reader<'a> {
    let at = (part.as_ptr().addr()).wrapping_sub(source.as_ptr().addr());
    let mut reader = Reader::new(source);
    if at > source.len() {
        return Reader::new(part);
    }
    reader.advance(at);
    reader.sub(part.len(), "the data of a snapshot").unwrap_or_else(|_| Reader::new(part))
}

fn tell_deleted<T: Trace>(delta: &Delta, span: Span, trace: &mut T) {
    if delta.deleted().is_empty() {
        return;
    }
    trace.enter(Layer::List, "deleted", span);
    for key in delta.deleted() {
        let value = u64::from(key.to_wire().unsigned_abs());
        trace.field("", span, Value::Hex { value, digits: 8 });
    }
    trace.leave();
}

/// Tells integers as a list; one without members stands at `place`.
fn tell_ints<T: Trace>(name: &str, ints: &[i32], spans: &[Span], place: Span, trace: &mut T) {
    trace.enter(Layer::List, name, spans.first().copied().unwrap_or(place));
    for (int, span) in ints.iter().zip(spans) {
        trace.field("", *span, Value::Int((*int).into()));
    }
    trace.leave();
}

/// What can be told of items whose base was not seen: which they are, and by how much they changed.
fn tell_differences<V: Version, T: Trace>(delta: &Delta, trace: &mut T) {
    for update in delta.updates() {
        trace.enter(Layer::Item, "difference", update.span);
        if let Some(name) = V::Object::name_of(update.key.kind.into()) {
            trace.field("object", update.span, Value::Text(name.as_bytes()));
        }
        trace.field("item_type", update.span, Value::Int(update.key.kind.into()));
        trace.field("item_id", update.span, Value::Int(update.key.id.into()));
        tell_ints("ints", delta.ints(update), delta.spans(update), update.span, trace);
        trace.leave();
    }
}

fn tell_item<V: Version, T: Trace>(
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
        (0, ..) => match uuid_of(item.ints) {
            Some(uuid) => trace.field("uuid", update.span, Value::Uuid(uuid.to_be_bytes())),
            None => tell_ints("ints", item.ints, spans, update.span, trace),
        },
        (_, Some(uuid), _) => {
            trace.field("uuid", update.span, Value::Uuid(uuid.to_be_bytes()));
            tell_extended(uuid, item.ints, spans, update.span, trace);
        }
        (_, None, Some(size)) if size == item.ints.len() => {
            // As many integers as the object has: reading them cannot fail but for a boolean.
            if let Some(Err(error)) =
                V::Object::decode(kind.into(), &mut ItemInts::new(item.ints, spans), trace)
            {
                trace.error(&error);
            }
        }
        (_, None, size) => {
            let oddity = match size {
                Some(_) => &oddity::ITEM_SIZE,
                None if kind >= FIRST_EXTENDED_TYPE => &oddity::UNDECLARED_ITEM,
                None => &oddity::UNKNOWN_ITEM,
            };
            trace.oddity(update.span, oddity);
            tell_ints("ints", item.ints, spans, update.span, trace);
        }
    }
    trace.leave();
}

/// DDNet's objects grow from release to release: fewer integers leave the last fields out, more
/// are told as `further`.
fn tell_extended<T: Trace>(uuid: u128, ints: &[i32], spans: &[Span], place: Span, trace: &mut T) {
    match ExtendedObject::decode(uuid, &mut ItemInts::padded(ints, spans), trace) {
        Some(Ok(object)) => {
            let known = ExtendedObject::size_of(object.id()).unwrap_or(0);
            if let (Some(ints @ [_, ..]), Some(spans)) = (ints.get(known..), spans.get(known..)) {
                tell_ints("further", ints, spans, place, trace);
            }
        }
        Some(Err(error)) => trace.error(&error),
        None => {
            trace.oddity(place, &oddity::UNKNOWN_ITEM);
            tell_ints("ints", ints, spans, place, trace);
        }
    }
}
