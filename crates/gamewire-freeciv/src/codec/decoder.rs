use core::marker::PhantomData;

use gamewire_schema::ir::CapabilityMask;

use super::packet::{AnyPacket, PacketSet, PacketType, PacketView};
use super::source::Source;
use super::state::{Key, State, number};
use crate::delta::{DeltaError, DeltaErrorKind, DeltaLimits, Direction, FieldCursor, MAX_KEYS, Value};

/// Reads the packets of one direction of one connection.
#[derive(Clone, Debug)]
pub struct Decoder<S> {
    state: State,
    /// The last packet, if it is not remembered.
    last: Option<Box<dyn AnyPacket>>,
    set: PhantomData<fn() -> S>,
}

/// A packet and what was sent of it.
#[derive(Clone, Copy, Debug)]
pub struct Decoded<'a, P> {
    /// The packet with all its fields: those that were sent and those that were remembered.
    pub packet: P,
    /// The bitvector as it was sent; empty in packets without one.
    pub bits: &'a [u8],
    /// True if a packet of this type and key was remembered.
    pub is_known: bool,
    /// The active capabilities of those that the packet names.
    pub mask: CapabilityMask,
}

impl<'a, P: PacketView<'a>> Decoded<'a, P> {
    /// Returns one value for each field of the definition, in its order, like the interpreter.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        let (definition, fields) = (self.packet.definition(), self.packet.fields());
        let value = |field: usize| {
            if definition.is_present(field, self.mask) { fields.value(field) } else { Value::Absent }
        };
        (0..definition.fields.len()).map(value).collect()
    }
}

impl<S: PacketSet> Decoder<S> {
    /// Creates a decoder at the start of a connection.
    #[must_use]
    pub fn new(direction: Direction, limits: DeltaLimits) -> Self {
        Self { state: State::new(direction, limits, S::find), last: None, set: PhantomData }
    }

    /// Sets the capabilities that both sides have; names that the protocol does not have are ignored. Before
    /// this call, packets that depend on capabilities are errors.
    pub fn set_capabilities(&mut self, active: &[&str]) {
        self.state.set_capabilities(active);
        self.last = None;
    }

    /// Forgets all packets that describe the game. Call it when the connection gets another player or becomes
    /// an observer.
    pub fn forget_game_info(&mut self) {
        self.state.forget_game_info();
    }

    /// Returns the number of remembered packets and approximately their bytes.
    #[must_use]
    pub fn remembered(&self) -> (usize, usize) {
        self.state.remembered()
    }

    /// Reads the body of a packet.
    ///
    /// # Errors
    /// [`DeltaError`] if the body is not what the definition and the packets before say, or a limit is reached.
    /// The stream cannot be trusted any more: every later call returns the same error.
    pub fn decode(&mut self, number: u16, body: &[u8]) -> Result<S::Packet<'_>, Box<DeltaError>> {
        let read = read(&mut self.state, &mut self.last, number, body)?;
        self.packet(number, read.key)
    }

    /// Reads the body of a packet, and returns what was sent of it, too.
    ///
    /// # Errors
    /// [`DeltaError`] as for [`decode`](Self::decode).
    pub fn decode_with_bits<'a>(
        &'a mut self,
        number: u16,
        body: &'a [u8],
    ) -> Result<Decoded<'a, S::Packet<'a>>, Box<DeltaError>> {
        let Read { key, bits, is_known, mask } = read(&mut self.state, &mut self.last, number, body)?;
        Ok(Decoded { packet: self.packet(number, key)?, bits, is_known, mask })
    }

    /// The packet that was read: a remembered one if it has a key.
    fn packet(&self, number: u16, key: Option<Key>) -> Result<S::Packet<'_>, Box<DeltaError>> {
        let packet = match &key {
            Some(key) => self.state.get(key),
            None => self.last.as_deref(),
        };
        packet.and_then(S::packet).ok_or_else(|| self.state.unknown(number))
    }
}

/// A packet that was read.
struct Read<'a> {
    /// The key that the packet is remembered by; `None` if it is not remembered.
    key: Option<Key>,
    bits: &'a [u8],
    is_known: bool,
    mask: CapabilityMask,
}

fn read<'a>(
    state: &mut State,
    last: &mut Option<Box<dyn AnyPacket>>,
    number: u16,
    body: &'a [u8],
) -> Result<Read<'a>, Box<DeltaError>> {
    if let Some(error) = &state.failed {
        return Err(error.clone());
    }
    let error = match (state.find)(number) {
        None => state.unknown(number),
        Some(kind) => {
            let mut from = Source::new(body);
            match read_packet(state, last, kind, &mut from) {
                Ok(read) => {
                    state.passed(kind.definition);
                    return Ok(read);
                }
                Err(error) => state.error(kind.definition, &from.cursor, from.bits(), error),
            }
        }
    };
    state.failed = Some(error.clone());
    Err(error)
}

fn read_packet<'a>(
    state: &mut State,
    last: &mut Option<Box<dyn AnyPacket>>,
    kind: &PacketType,
    from: &mut Source<'a>,
) -> Result<Read<'a>, DeltaErrorKind> {
    let definition = kind.definition;
    let mask = state.mask(definition)?;
    from.set_mask(mask);
    if !definition.is_delta() {
        let packet = match last {
            Some(packet) if packet.definition().number == definition.number => packet,
            last => last.insert((kind.new)()),
        };
        packet.read_any(from)?;
        from.end()?;
        if !definition.cancels.is_empty() {
            let first = definition.first(mask).and_then(|field| number(&**packet, field));
            state.cancel(definition, first);
        }
        return Ok(Read { key: None, bits: &[], is_known: false, mask });
    }
    from.read_bits(definition)?;
    let mut key = Key { number: definition.number, parts: [0; MAX_KEYS] };
    from.peek_keys(definition, &mut key.parts)?;
    let (baseline, is_known) = state.entry(key, kind.new)?;
    from.cursor = FieldCursor::default();
    baseline.packet.read_any(from)?;
    from.end()?;
    let first = match definition.cancels {
        [] => None,
        _ => definition.first(mask).and_then(|field| number(&*baseline.packet, field)),
    };
    let (before, now) = baseline.update_bytes();
    state.count(before, now)?;
    let mut key = Some(key);
    if let Some(own) = state.cancel(definition, first) {
        (*last, key) = (Some(own), None);
    }
    Ok(Read { key, bits: from.bits(), is_known, mask })
}
