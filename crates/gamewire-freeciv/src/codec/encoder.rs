use core::marker::PhantomData;

use gamewire_schema::ir::{CapabilityMask, Info};
use gamewire_wire::CodecError;

use super::context::{Baselines, Context, Key, first, number};
use super::packet::{AnyPacket, PacketSet};
use super::sink::Sink;

use super::version::ProtocolVersion;
use crate::delta::{
    DeltaError, DeltaErrorKind, DeltaLimits, Direction, EncodeOptions, FieldCursor, MAX_KEYS, MemoryUsage,
};

/// An encoder for the packets of one direction of one connection.
#[derive(Clone, Debug)]
pub struct Encoder<S> {
    context: Context,
    baselines: Baselines,
    /// A packet with all fields absent, zero or empty. Its type is the last one that was encoded for a new key.
    zero: Option<Box<dyn AnyPacket>>,
    set: PhantomData<fn() -> S>,
}

impl<S: PacketSet> Encoder<S> {
    /// Creates an encoder at the start of a connection.
    pub fn new(direction: Direction, limits: DeltaLimits) -> Self {
        let (context, baselines) = (Context::new(direction, S::find), Baselines::new(limits));
        Self { context, baselines, zero: None, set: PhantomData }
    }

    /// Sets the version. The default is the oldest one. Call it before the first packet.
    pub fn version(mut self, version: ProtocolVersion) -> Self {
        self.set_version(version);
        self
    }

    /// Sets the version once the other side has named it. Earlier packets have one form in all versions.
    pub(crate) fn set_version(&mut self, version: ProtocolVersion) {
        self.context.version = version;
    }

    /// Sets the capabilities that both sides have. Names that the protocol does not have are ignored. Before this call,
    /// packets that depend on capabilities are errors.
    pub fn set_capabilities(&mut self, active: &[&str]) {
        self.context.set_capabilities(active);
    }

    /// Removes all remembered packets that describe the game. Call it when the connection gets another player or
    /// becomes an observer.
    pub fn forget_game_info(&mut self) {
        self.baselines.forget_game_info();
    }

    /// Returns the memory that the remembered packets use.
    pub fn memory_usage(&self) -> MemoryUsage {
        self.baselines.memory_usage()
    }

    /// Writes the body of a packet to the end of `out`. Returns false and writes nothing if the packet has no changes
    /// and its type is only sent with changes.
    ///
    /// # Errors
    /// [`DeltaError`] if the value of a field cannot be sent, or a limit is reached. Nothing is written or remembered.
    /// After [`DeltaErrorKind::Memory`], every later call returns the same error.
    pub fn encode<'p>(
        &mut self,
        packet: impl Into<S::Packet<'p>>,
        options: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        let Self { context, baselines, zero, .. } = self;
        write(context, baselines, zero, packet.into().into(), options, out)
    }
}

fn write(
    context: &mut Context,
    baselines: &mut Baselines,
    zero: &mut Option<Box<dyn AnyPacket>>,
    packet: &dyn AnyPacket,
    options: EncodeOptions<'_>,
    out: &mut Vec<u8>,
) -> Result<bool, Box<DeltaError>> {
    if let Some(error) = &context.failed {
        return Err(error.clone());
    }
    let (start, definition) = (out.len(), packet.definition());
    let mut place = Place::default();
    match write_packet(context, baselines, zero, packet, options, out, &mut place) {
        Ok(true) => {
            context.passed(definition);
            Ok(true)
        }
        Ok(false) => {
            out.truncate(start);
            Ok(false)
        }
        Err(kind) => {
            out.truncate(start);
            let error = context.error(definition, &place.cursor, &place.bits, kind);
            if matches!(kind, DeltaErrorKind::Memory { .. }) {
                context.failed = Some(error.clone());
            }
            Err(error)
        }
    }
}

/// The position of an error.
#[derive(Default)]
struct Place {
    cursor: FieldCursor,
    /// The bitvector of the packet.
    bits: Vec<u8>,
}

fn write_packet(
    context: &Context,
    baselines: &mut Baselines,
    zero: &mut Option<Box<dyn AnyPacket>>,
    packet: &dyn AnyPacket,
    options: EncodeOptions<'_>,
    out: &mut Vec<u8>,
    place: &mut Place,
) -> Result<bool, DeltaErrorKind> {
    let definition = packet.definition();
    let mask = context.mask(definition)?;
    let first = first(packet, mask);
    if !definition.is_delta() {
        let mut to = Sink::new(out, definition, mask, &[]);
        packet.write(packet, &mut to).inspect_err(|_| place.cursor = to.cursor.clone())?;
        context.cancel(baselines, definition, first);
        return Ok(true);
    }
    let mut key = Key { number: definition.number, parts: [0; MAX_KEYS] };
    for ((field, _), part) in definition.keys(mask).zip(&mut key.parts) {
        *part = number(packet, field).unwrap_or(0);
    }
    let Some(mut slot) = baselines.slot(&key) else {
        let zero = match zero {
            Some(zero) if zero.definition().number == definition.number => zero,
            zero => {
                let kind = context.find(definition.number).ok_or(DeltaErrorKind::Unknown)?;
                zero.insert((kind.new)())
            }
        };
        write_fields(packet, &**zero, mask, options, out, place)?;
        baselines.slot_or_insert(key, || packet.boxed_clone())?.count()?;
        context.cancel(baselines, definition, first);
        return Ok(true);
    };
    let has_changes = write_fields(packet, &*slot.packet, mask, options, out, place)?;
    if !has_changes && definition.info != Info::Always && !options.force {
        return Ok(false);
    }
    if has_changes {
        slot.packet.assign(packet);
        slot.count()?;
    }
    context.cancel(baselines, definition, first);
    Ok(true)
}

/// Writes the fields of a packet that differ from the fields of `old`. Returns whether any field differs.
fn write_fields(
    packet: &dyn AnyPacket,
    old: &dyn AnyPacket,
    mask: CapabilityMask,
    options: EncodeOptions<'_>,
    out: &mut Vec<u8>,
    place: &mut Place,
) -> Result<bool, Box<CodecError>> {
    let definition = packet.definition();
    let mut to = Sink::new(out, definition, mask, options.bits);
    let written = packet.write(old, &mut to);
    let has_changes = to.has_changes;
    place.cursor = to.cursor;
    if written.is_err() {
        // Write the bits after the failed field too, for the error. This cannot fail, because it writes no values.
        let mut all = Sink::new(&mut place.bits, definition, mask, options.bits).only_bits();
        _ = packet.write(old, &mut all);
    }
    written.map(|()| has_changes)
}
