use core::marker::PhantomData;

use gamewire_schema::ir::Info;

use super::packet::{AnyPacket, PacketSet, PacketView};
use super::sink::Sink;
use super::state::{Key, State, number};
use crate::delta::{
    DeltaError, DeltaErrorKind, DeltaLimits, Direction, EncodeOptions, FieldCursor, MAX_KEYS,
};

/// Writes the packets of one direction of one connection.
#[derive(Clone, Debug)]
pub struct Encoder<S> {
    state: State,
    /// A packet with all fields zero and empty, of the type that was encoded last for a new key.
    zero: Option<Box<dyn AnyPacket>>,
    set: PhantomData<fn() -> S>,
}

impl<S: PacketSet> Encoder<S> {
    /// Creates an encoder at the start of a connection.
    #[must_use]
    pub fn new(direction: Direction, limits: DeltaLimits) -> Self {
        Self { state: State::new(direction, limits, S::find), zero: None, set: PhantomData }
    }

    /// Sets the capabilities that both sides have; names that the protocol does not have are ignored. Before
    /// this call, packets that depend on capabilities are errors.
    pub fn set_capabilities(&mut self, active: &[&str]) {
        self.state.set_capabilities(active);
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

    /// Writes the body of a packet to the end of `out`. Returns false, and writes nothing, if the packet has no
    /// changes and is of a type that is not sent then.
    ///
    /// # Errors
    /// [`DeltaError`] if the value of a field cannot be sent, or a limit is reached. Nothing is written or
    /// remembered. After [`DeltaErrorKind::Memory`] every later call returns the same error.
    pub fn encode<'p>(
        &mut self,
        packet: impl Into<S::Packet<'p>>,
        options: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        write(&mut self.state, &mut self.zero, packet.into().as_any(), options, out)
    }
}

fn write(
    state: &mut State,
    zero: &mut Option<Box<dyn AnyPacket>>,
    packet: &dyn AnyPacket,
    options: EncodeOptions<'_>,
    out: &mut Vec<u8>,
) -> Result<bool, Box<DeltaError>> {
    if let Some(error) = &state.failed {
        return Err(error.clone());
    }
    let (start, definition) = (out.len(), packet.definition());
    let mut place = Place::default();
    match write_packet(state, zero, packet, options, out, &mut place) {
        Ok(true) => {
            state.passed(definition);
            Ok(true)
        }
        Ok(false) => {
            out.truncate(start);
            Ok(false)
        }
        Err(kind) => {
            out.truncate(start);
            let error = state.error(definition, &place.cursor, &place.bits, kind);
            if matches!(kind, DeltaErrorKind::Memory { .. }) {
                state.failed = Some(error.clone());
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
    state: &mut State,
    zero: &mut Option<Box<dyn AnyPacket>>,
    packet: &dyn AnyPacket,
    options: EncodeOptions<'_>,
    out: &mut Vec<u8>,
    place: &mut Place,
) -> Result<bool, DeltaErrorKind> {
    let definition = packet.definition();
    let mask = state.mask(definition)?;
    let first = match definition.cancels {
        [] => None,
        _ => definition.first(mask).and_then(|field| number(packet, field)),
    };
    if !definition.is_delta() {
        let mut to = Sink::new(out, definition, mask, &[]);
        packet.write_any(packet, &mut to).inspect_err(|_| place.cursor = to.cursor.clone())?;
        state.cancel(definition, first);
        return Ok(true);
    }
    let mut key = Key { number: definition.number, parts: [0; MAX_KEYS] };
    for ((field, _), part) in definition.keys(mask).zip(&mut key.parts) {
        *part = number(packet, field).unwrap_or(0);
    }
    let known = state.get(&key);
    let is_known = known.is_some();
    let old = match (known, zero) {
        (Some(known), _) => known,
        (None, Some(zero)) if zero.definition().number == definition.number => &**zero,
        (None, zero) => {
            let kind = (state.find)(definition.number).ok_or(DeltaErrorKind::Unknown)?;
            &**zero.insert((kind.new)())
        }
    };
    let mut to = Sink::new(out, definition, mask, options.bits);
    let written = packet.write_any(old, &mut to);
    let has_changes = to.has_changes;
    place.cursor = to.cursor;
    if let Err(error) = written {
        let mut all = Sink::new(&mut place.bits, definition, mask, options.bits).only_bits();
        // Nothing but bits is written, so nothing can be refused.
        _ = packet.write_any(old, &mut all);
        return Err(error.into());
    }
    if !is_known {
        state.entry(key, || packet.boxed_clone())?;
    } else if !has_changes && definition.info != Info::Always && !options.force {
        return Ok(false);
    } else if has_changes && let Some(baseline) = state.get_mut(&key) {
        baseline.packet.assign_any(packet);
        let (before, now) = baseline.update_bytes();
        state.count(before, now)?;
    }
    state.cancel(definition, first);
    Ok(true)
}
