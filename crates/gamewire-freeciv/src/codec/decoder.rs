use core::marker::PhantomData;

use gamewire_schema::ir::CapabilityMask;

use super::context::{Baselines, Context, Key, Slot, first};
use super::definition::FieldDefinition;
use super::fields::Fields;
use super::packet::{AnyPacket, PacketSet, PacketType};
use super::source::Source;
use super::version::ProtocolVersion;
use crate::delta::{
    DeltaError, DeltaErrorKind, DeltaLimits, Direction, FieldCursor, MAX_KEYS, MemoryUsage, Value,
};

/// A decoder for the packets of one direction of one connection.
#[derive(Clone, Debug)]
pub struct Decoder<S> {
    context: Context,
    baselines: Baselines,
    /// The last packet, if it is not remembered.
    last: Option<Box<dyn AnyPacket>>,
    set: PhantomData<fn() -> S>,
}

/// A packet, with the bits that were sent.
#[derive(Clone, Copy, Debug)]
pub struct Decoded<'a, P> {
    /// The packet with all its fields: received values, and remembered values of the fields that were not sent.
    pub packet: P,
    /// The bitvector as it was sent; empty for packets without one.
    pub bits: &'a [u8],
    /// True if a packet of this type and key was remembered.
    pub is_known: bool,
    /// The active capabilities that the packet names.
    pub mask: CapabilityMask,
}

impl<'a, P: Copy + Into<&'a dyn AnyPacket>> Decoded<'a, P> {
    /// Returns one value for each field that the version has, in the order of the definition, as the interpreter does.
    pub fn values(&self) -> Vec<Value> {
        let packet: &dyn AnyPacket = self.packet.into();
        let (definition, fields): (_, &dyn Fields) = (packet.definition(), packet);
        let value = |(index, field): (usize, &FieldDefinition)| match field.is_present(self.mask) {
            true => field.in_form(fields.value(index)),
            false => Value::Absent,
        };
        definition.of_version(self.mask.0).map(value).collect()
    }
}

impl<S: PacketSet> Decoder<S> {
    /// Creates a decoder at the start of a connection.
    pub fn new(direction: Direction, limits: DeltaLimits) -> Self {
        let (context, baselines) = (Context::new(direction, S::find), Baselines::new(limits));
        Self { context, baselines, last: None, set: PhantomData }
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
        self.last = None;
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

    /// Decodes the body of a packet.
    ///
    /// # Errors
    /// [`DeltaError`] if the body does not match the definition and the earlier packets, or a limit is reached. The
    /// stream can no longer be decoded: every later call returns the same error.
    pub fn decode(&mut self, number: u16, body: &[u8]) -> Result<S::Packet<'_>, Box<DeltaError>> {
        let Self { context, baselines, last, .. } = self;
        let decoded = read(context, baselines, last, number, body)?;
        S::packet(decoded.packet).ok_or_else(|| context.unknown(number))
    }

    /// Decodes the body of a packet, and also returns the bits that were sent.
    ///
    /// # Errors
    /// [`DeltaError`] in the cases of [`decode`](Self::decode).
    pub fn decode_with_bits<'a>(
        &'a mut self,
        number: u16,
        body: &'a [u8],
    ) -> Result<Decoded<'a, S::Packet<'a>>, Box<DeltaError>> {
        let Self { context, baselines, last, .. } = self;
        let Decoded { packet, bits, is_known, mask } = read(context, baselines, last, number, body)?;
        let packet = S::packet(packet).ok_or_else(|| context.unknown(number))?;
        Ok(Decoded { packet, bits, is_known, mask })
    }
}

/// Decodes a packet. An error ends the stream.
fn read<'p, 'b>(
    context: &mut Context,
    baselines: &'p mut Baselines,
    last: &'p mut Option<Box<dyn AnyPacket>>,
    number: u16,
    body: &'b [u8],
) -> Result<Decoded<'b, &'p dyn AnyPacket>, Box<DeltaError>> {
    if let Some(error) = &context.failed {
        return Err(error.clone());
    }
    let error = match context.find(number) {
        None => context.unknown(number),
        Some(kind) => {
            let mut from = Source::new(body);
            match read_packet(context, baselines, last, kind, &mut from) {
                Ok(decoded) => {
                    context.passed(kind.definition);
                    return Ok(decoded);
                }
                Err(error) => context.error(kind.definition, &from.cursor, from.bits(), error),
            }
        }
    };
    context.failed = Some(error.clone());
    Err(error)
}

fn read_packet<'p, 'b>(
    context: &Context,
    baselines: &'p mut Baselines,
    last: &'p mut Option<Box<dyn AnyPacket>>,
    kind: &PacketType,
    from: &mut Source<'b>,
) -> Result<Decoded<'b, &'p dyn AnyPacket>, DeltaErrorKind> {
    let definition = kind.definition;
    let mask = context.mask(definition)?;
    from.set_mask(mask);
    if !definition.is_delta() {
        if last.as_ref().is_none_or(|packet| packet.definition().number != definition.number) {
            *last = Some((kind.new)());
        }
        let packet = last.as_mut().ok_or(DeltaErrorKind::Unknown)?;
        packet.read(from)?;
        from.end()?;
        context.cancel(baselines, definition, first(&**packet, mask));
        return Ok(Decoded { packet: &**packet, bits: &[], is_known: false, mask });
    }
    from.read_bits(definition)?;
    let mut key = Key { number: definition.number, parts: [0; MAX_KEYS] };
    from.peek_keys(definition, &mut key.parts)?;
    if definition.cancels.is_empty() {
        let slot = read_over(baselines.slot_or_insert(key, kind.new)?, from)?;
        let (packet, is_known) = (&*slot.packet, slot.is_known);
        return Ok(Decoded { packet, bits: from.bits(), is_known, mask });
    }
    let slot = read_over(baselines.slot_or_insert(key, kind.new)?, from)?;
    let (first, is_known) = (first(&*slot.packet, mask), slot.is_known);
    let packet = match context.cancel(baselines, definition, first) {
        Some(own) => Some(&**last.insert(own)),
        None => baselines.get(&key),
    };
    let packet = packet.ok_or(DeltaErrorKind::Unknown)?;
    Ok(Decoded { packet, bits: from.bits(), is_known, mask })
}

/// Reads the fields that were sent over the fields of a remembered packet.
fn read_over<'a>(mut slot: Slot<'a>, from: &mut Source<'_>) -> Result<Slot<'a>, DeltaErrorKind> {
    from.cursor = FieldCursor::default();
    slot.packet.read(from)?;
    from.end()?;
    slot.count()?;
    Ok(slot)
}
