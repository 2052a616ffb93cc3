use super::definition::Definition;
use super::received::Received;
use crate::delta::{DeltaDecoder, DeltaError, DeltaLimits, Direction};

/// Reads the packets of one direction of one connection.
#[derive(Debug)]
pub struct Decoder {
    definition: Definition,
    delta: DeltaDecoder,
}

impl Decoder {
    /// At the start of a connection.
    #[must_use]
    pub fn new(definition: &Definition, direction: Direction, limits: DeltaLimits) -> Self {
        let variants = definition.before_join().clone();
        Self { definition: definition.clone(), delta: DeltaDecoder::new(variants, direction, limits) }
    }

    /// The capabilities that both sides have: from now on packets have the fields that go with them.
    pub fn set_capabilities(&mut self, active: &[&str]) {
        if let Some(variants) = self.definition.variants(active) {
            self.delta.set_variants(variants);
        }
    }

    /// Forgets what tells of the game: the connection has another role.
    pub fn forget_game_info(&mut self) {
        self.delta.forget_game_info();
    }

    /// How many packets are remembered, and about how many bytes they take.
    #[must_use]
    pub const fn remembered(&self) -> (usize, usize) {
        self.delta.remembered()
    }

    /// Reads the body of a packet.
    ///
    /// # Errors
    /// As [`DeltaDecoder::decode`].
    pub fn decode(&mut self, number: u16, body: &[u8]) -> Result<Received<'_>, Box<DeltaError>> {
        let definition = &self.definition;
        self.delta.decode(number, body).map(|decoded| Received::interpreted(definition, decoded))
    }
}
