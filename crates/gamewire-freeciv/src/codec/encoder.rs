use super::baselines::Baselines;
use super::state::CodecState;
use crate::delta::{DeltaError, DeltaLimits, Direction, EncodeOptions};

/// Writes the packets of one direction of one connection.
#[derive(Clone, Debug)]
pub struct Encoder<B> {
    baselines: Box<B>,
    state: CodecState,
}

impl<B: Baselines> Encoder<B> {
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

    /// Writes the body of a packet to the end of `out`. False, and nothing is written, if it says nothing
    /// new and is of a type that is not sent then.
    ///
    /// # Errors
    /// When a field holds what cannot be said on the wire, or there would be too many packets to remember:
    /// nothing is written or remembered then. Once they take too much memory it is always that error.
    #[inline]
    pub fn encode<'p>(
        &mut self,
        packet: impl Into<B::Packet<'p>>,
        sending: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        if let Some(error) = &self.state.failed {
            return Err(error.clone());
        }
        self.baselines.encode(&mut self.state, packet.into(), sending, out)
    }
}
