use gamewire_schema::ir::CapabilityMask;

use super::baselines::{Baselines, PacketView};
use super::state::CodecState;
use crate::delta::{DeltaError, DeltaLimits, Direction, Value};

/// Reads the packets of one direction of one connection.
#[derive(Clone, Debug)]
pub struct Decoder<B> {
    baselines: Box<B>,
    state: CodecState,
}

/// A packet and what was sent of it.
#[derive(Clone, Copy, Debug)]
pub struct Decoded<'a, P> {
    /// The packet with all its fields: those that were sent and those that were remembered.
    pub packet: P,
    /// The bitvector as it was sent; empty in packets without one.
    pub bits: &'a [u8],
    /// Whether a packet of this type and key was remembered.
    pub is_known: bool,
    /// Which of the packet's capabilities are active.
    pub mask: CapabilityMask,
}

impl<P: PacketView> Decoded<'_, P> {
    /// One value for each field of the definition, in its order, like those of the interpreter.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        let (definition, fields) = (self.packet.definition(), self.packet.fields());
        let value = |field: usize| {
            if definition.is_present(field, self.mask) { fields.value(field) } else { Value::Absent }
        };
        (0..definition.fields.len()).map(value).collect()
    }
}

impl<B: Baselines> Decoder<B> {
    /// At the start of a connection, which remembers nothing.
    #[must_use]
    pub fn new(direction: Direction, limits: DeltaLimits) -> Self {
        Self { baselines: Box::default(), state: CodecState::new(direction, limits, B::name) }
    }

    /// The capabilities are agreed on: these are those that both sides have, others are left out. Before
    /// it, packets that depend on capabilities are errors.
    pub fn set_capabilities(&mut self, active: &[&str]) {
        self.baselines.set_capabilities(active);
    }

    /// Forgets all packets of the types that tell of the game: the connection has got another player, or
    /// has become an observer.
    pub fn forget_game_info(&mut self) {
        self.baselines.forget_game_info(&mut self.state);
    }

    /// How many packets are remembered, and about how many bytes they take.
    #[must_use]
    pub const fn remembered(&self) -> (usize, usize) {
        (self.state.baselines, self.state.bytes)
    }

    /// Reads the body of a packet.
    ///
    /// # Errors
    /// When the body is not what the definition and the packets before say, or over the limits. Nothing
    /// after it can be trusted: from then on it is always the same error.
    #[inline]
    pub fn decode(&mut self, number: u16, body: &[u8]) -> Result<B::Packet<'_>, Box<DeltaError>> {
        if let Some(error) = &self.state.failed {
            return Err(error.clone());
        }
        self.baselines.decode(&mut self.state, number, body)
    }

    /// The same, with what was sent of the packet.
    ///
    /// # Errors
    /// Like [`decode`](Self::decode).
    pub fn decode_with_bits<'a>(
        &'a mut self,
        number: u16,
        body: &'a [u8],
    ) -> Result<Decoded<'a, B::Packet<'a>>, Box<DeltaError>> {
        if let Some(error) = &self.state.failed {
            return Err(error.clone());
        }
        let packet = self.baselines.decode(&mut self.state, number, body)?;
        let bits = body.get(..self.state.bitvector).unwrap_or_default();
        Ok(Decoded { packet, bits, is_known: self.state.is_known, mask: self.state.mask })
    }
}
